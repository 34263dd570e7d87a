"""Print runs to prove, and their pages as pixels.

By themselves the tests print every kind of card of each edition once and look at all pages in middling resolution, at
some pages more closely. With HAGGLE_PROOF=full in the environment they print whole small games of each edition and
look at every page in every way, and at photographs of every eighth; that takes some ten minutes.
"""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2

from cardgen.cards import POKER, CardId, Game
from cardgen.deal import deal
from cardgen.layout import grid
from cardgen.printing import CARDS, SHEETS, PrintRun, write_part
from cardgen.setup import PLAIN, Setup
from server.editions import load_edition
from server.jobs.faces import edition_back, edition_faces
from server.jobs.portions import portions
from tests.printed_pages import codes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from cardgen.paper import Paper
    from tests.printed_pages import SeenCode

    Pixels = npt.NDArray[np.uint8]

FULL = os.environ.get("HAGGLE_PROOF") == "full"
EDITIONS = ("eurocg-2026", "sackson-1969", "tarot-fr")
NEAR = 0.2
"""How far off a place on paper may be, in millimetres."""
_HAND = 13
_FULL = 0.95
# Of a pixel that is dark as a whole.


@dataclass(frozen=True)
class Listed:
    """A line of cards.csv: what a card's codes say, and where it lies."""

    payload: str
    page: int
    row: int
    column: int


@cache
def run_of(slug: str, setup: Setup = PLAIN, card: Geometry = POKER, most: int = 0) -> PrintRun:
    """Return a run of an edition: each kind once, or the first so many of them; a small whole game where FULL."""
    edition = load_edition(slug)
    kinds = tuple(kind.slug for kind in edition.kinds)
    game = Game("PR0F", slug, bytes(range(32)), kinds, edition.players_min, "proof", geometry=card)
    if FULL and not most:
        players = edition.players_min
        hands = dict(enumerate(deal(portions(edition, players), players, "proof"), 1))
    else:
        once = [CardId(kind, 1) for kind in kinds[: most or None]]
        hands = {n // _HAND + 1: once[n : n + _HAND] for n in range(0, len(once), _HAND)}
    return PrintRun(game, edition.title, edition_faces(edition), hands, setup, list(hands), back=edition_back(edition))


def listed(run: PrintRun) -> list[Listed]:
    """Return what the run's cards.csv says."""
    out = BytesIO()
    write_part(run, CARDS, out)
    rows = csv.DictReader(StringIO(out.getvalue().decode(), newline=""))
    return [Listed(row["payload"], int(row["page"]), int(row["row"]), int(row["column"])) for row in rows]


@cache
def pdf_of(run_slug: str, setup: Setup = PLAIN, card: Geometry = POKER, most: int = 0) -> bytes:
    """Return the sheets of `run_of` with these arguments."""
    out = BytesIO()
    write_part(run_of(run_slug, setup, card, most), SHEETS, out)
    return out.getvalue()


def grey_pages(pdf: bytes, dpi: float, *, every: int = 1) -> Iterator[tuple[int, Pixels]]:
    """Yield (number, grey pixels) of each page, or of every so many from the first, and of the last."""
    with pypdfium2.PdfDocument(pdf) as document:
        last = len(document)
        for number in sorted({*range(1, last + 1, every), last}):
            page = document[number - 1]
            yield number, np.asarray(page.render(scale=dpi / 72, grayscale=True).to_numpy()).squeeze()
            page.close()


def codes_on(pixels: Pixels, paper: Paper, *, clean: bool = True) -> list[SeenCode]:
    """Return the codes on a page, placed in millimetres of its paper: pixels are whole, paper seldom is."""
    across, up = pixels.shape[1] / paper.width, pixels.shape[0] / paper.height
    seen = []
    for code in codes_of(pixels, 25.4):
        x, y = _middle(pixels, code) if clean else (code.x, code.y)
        seen.append(replace(code, x=x / across, y=y / up, side=code.side / across))
    return seen


def _middle(pixels: Pixels, code: SeenCode) -> tuple[float, float]:
    """Return the middle of a code in pixels, to parts of one; `code` is placed in whole pixels.

    The three squares in its corners reach all four of its sides, and beyond these the paper is white.
    """
    reach = code.side / 2 * 1.08
    left, top = max(round(code.x - reach), 0), max(round(code.y - reach), 0)
    dark = 1 - pixels[top : round(code.y + reach) + 1, left : round(code.x + reach) + 1].astype(float) / 255
    dark = (dark - dark.min()) / (dark.max() - dark.min())
    return left + _centre(dark.max(axis=0)), top + _centre(dark.max(axis=1))


def _centre(darkest: npt.NDArray[np.float64]) -> float:
    """Return the middle of what is dark along a line of pixels, those at both ends by how much of them is dark."""
    (full,) = np.nonzero(darkest > _FULL)
    first, last = int(full[0]), int(full[-1])
    start = first - (darkest[first - 1] if first else 0.0)
    end = last + 1 + (darkest[last + 1] if last + 1 < len(darkest) else 0.0)
    return float(start + end) / 2


def check_codes(pixels: Pixels, cards: Sequence[Listed], run: PrintRun, *, clean: bool = True) -> None:
    """Check that each card's code is read twice, in opposite corners of the place that the list names, and no other.

    The upright code's middle lies as far from the card's upper left corner as the other one's from the lower right.
    On pages that are not `clean` edges are soft, so places are known to a pixel only.
    """
    near = NEAR if clean else 2 * NEAR
    layout, card = grid(run.setup, run.game.geometry), run.game.geometry
    seen = codes_on(pixels, layout.paper, clean=clean)
    assert sorted(code.text for code in seen) == sorted([one.payload for one in cards] * 2)
    inside = card.inset + card.patch / 2
    for one in cards:
        left, bottom = layout.front(one.row, one.column)
        top = layout.paper.height - bottom - card.height
        places = {(left + inside, top + inside), (left + card.width - inside, top + card.height - inside)}
        codes = [(code.x, code.y) for code in seen if code.text == one.payload]
        for x, y in places:
            assert min(max(abs(a - x), abs(b - y)) for a, b in codes) < near, (one, codes, places)


def check_pages(slug: str, dpi: float, *, every: int = 1) -> int:
    """Check pages of an edition's run as they are rendered; return how many cards were looked at."""
    run, pdf = run_of(slug), pdf_of(slug)
    cards = listed(run)
    looked = 0
    for number, pixels in grey_pages(pdf, dpi, every=every):
        here = [one for one in cards if one.page == number]
        check_codes(pixels, here, run)
        looked += len(here)
    return looked


def badly_printed(pixels: Pixels, dpi: float, seed: int) -> Pixels:
    """Return a page as a grey printer with little ink puts it on dull paper: pale, soft, grainy, in faint bands."""
    import cv2  # noqa: PLC0415 - only here

    chance = np.random.default_rng(seed)
    ink = (255.0 - pixels.astype(np.float32)) / 255
    # Ink spreads by some 0.08 mm.
    ink = cv2.GaussianBlur(ink, (0, 0), 0.08 / 25.4 * dpi)
    bands = 1 - 0.25 * np.clip(np.sin(np.arange(len(ink)) / dpi * 25.4 / 9 + seed), 0, 1) ** 4
    pale = 0.92 - 0.55 * ink * bands[:, np.newaxis].astype(np.float32)
    grain = chance.normal(0, 0.022, ink.shape).astype(np.float32)
    return np.clip((pale + grain) * 255, 0, 255).astype(np.uint8)
