"""Printed sheets of cards, rendered and read with a library other than the one that made the codes.

Each kind of card of each edition is printed once and read at 150 dots an inch, in a clean and in a poor print. With
`--all`, 300 dots are tested too, and more sheets are photographed.
"""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pypdfium2
import pytest
from PIL import Image
from pypdfium2.raw import FPDF_PAGEOBJ_FORM, FPDF_PAGEOBJ_IMAGE

from cardgen.cards import POKER, SIZES, CardId, PrintedGame
from cardgen.pages.layout import PLAIN, PageSetup, grid
from cardgen.pages.paper import PAPERS
from cardgen.print_run import CARDS, SHEETS, PrintPlan, write_part
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import PrintedCode, PrintedFace
from devtools.photo_simulator.profiles import NOMINAL, Scene
from server.editions import load_edition
from server.printing.card_faces import edition_back, edition_faces
from tests.printed_pages import MM_PER_INCH, codes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from cardgen.pages.layout import Backs, Order

    Pixels = npt.NDArray[np.uint8]

EDITIONS = ("eurocg-2026", "sackson-1969", "tarot-fr")
DPI = 150
HAND = 13
TABLE = replace(
    NOMINAL, textures=("wood",), turn=6.0, tilt=(12.0, 24.0), light=0.8, unevenness=0.45, shadows=1, iso=400, quality=75
)


@dataclass(frozen=True)
class Listed:
    """A row of cards.csv: the payload of a card's codes, and its place."""

    payload: str
    page: int
    row: int
    column: int


@cache
def printed(
    slug: str, setup: PageSetup = PLAIN, card: Geometry = POKER, most: int | None = None
) -> tuple[PrintPlan, bytes, list[Listed]]:
    """Return a run of each kind of an edition once, or of the first few, its sheets, and its list of cards."""
    edition = load_edition(slug)
    kinds = tuple(kind.slug for kind in edition.kinds)
    game = PrintedGame("PR0F", slug, bytes(range(32)), kinds, edition.players_min, "proof", geometry=card)
    once = [CardId(kind, 1) for kind in kinds[:most]]
    hands = {n // HAND + 1: once[n : n + HAND] for n in range(0, len(once), HAND)}
    run = PrintPlan(game, edition.title, edition_faces(edition), hands, setup, list(hands), back=edition_back(edition))
    sheets, cards = BytesIO(), BytesIO()
    write_part(run, SHEETS, sheets)
    write_part(run, CARDS, cards)
    rows = csv.DictReader(StringIO(cards.getvalue().decode(), newline=""))
    listed = [Listed(row["payload"], int(row["page"]), int(row["row"]), int(row["column"])) for row in rows]
    return run, sheets.getvalue(), listed


def grey_pages(pdf: bytes, dpi: float, *, every: int = 1) -> Iterator[tuple[int, Pixels]]:
    """Yield (number, grey pixels) of pages in steps of `every` from the first, and of the last one."""
    with pypdfium2.PdfDocument(pdf) as document:
        last = len(document)
        for number in sorted({*range(1, last + 1, every), last}):
            page = document[number - 1]
            yield number, np.asarray(page.render(scale=dpi / 72, grayscale=True).to_numpy()).squeeze()
            page.close()


def check_codes(pixels: Pixels, cards: Sequence[Listed], run: PrintPlan, near: float = 0.2) -> None:
    """Check that each card's code is read upright and rotated, in opposite corners of its place, and no other code."""
    layout, card = grid(run.setup, run.game.geometry), run.game.geometry
    # The paper's size is not a whole number of pixels.
    scale = np.array([layout.paper.width / pixels.shape[1], layout.paper.height / pixels.shape[0]])
    seen = codes_of(pixels, MM_PER_INCH)
    assert sorted(code.text for code in seen) == sorted([one.payload for one in cards] * 2)
    inside = card.inset + card.patch / 2
    for one in cards:
        left, bottom = layout.front(one.row, one.column)
        top = layout.paper.height - bottom - card.height
        codes = sorted((code for code in seen if code.text == one.payload), key=lambda code: abs(code.orientation))
        upper, lower = (np.array([code.x, code.y]) * scale for code in codes)
        assert upper == pytest.approx((left + inside, top + inside), abs=near), one
        assert lower == pytest.approx((left + card.width - inside, top + card.height - inside), abs=near), one
        assert abs(codes[0].orientation) < 3
        assert abs(codes[1].orientation) > 177


def badly_printed(pixels: Pixels, dpi: float, seed: int) -> Pixels:
    """Return a page as printed in grey with little ink on dull paper: pale, blurred, grainy, with faint bands."""
    chance = np.random.default_rng(seed)
    ink = (255.0 - pixels.astype(np.float32)) / 255
    # Ink spreads by some 0.08 mm.
    ink = cv2.GaussianBlur(ink, (0, 0), 0.08 / MM_PER_INCH * dpi)
    bands = 1 - 0.25 * np.clip(np.sin(np.arange(len(ink)) / dpi * MM_PER_INCH / 9 + seed), 0, 1) ** 4
    pale = 0.92 - 0.55 * ink * bands[:, np.newaxis].astype(np.float32)
    grain = chance.normal(0, 0.022, ink.shape).astype(np.float32)
    return np.clip((pale + grain) * 255, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("dpi", [DPI, pytest.param(300, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("slug", [*EDITIONS[:2], pytest.param(EDITIONS[2], marks=pytest.mark.thorough)])
def test_every_card_is_read_at_its_listed_place(slug: str, dpi: int) -> None:
    """Both codes of every card are within 0.2 mm, or 0.4 mm in a poor print, and there is no other code."""
    run, pdf, cards = printed(slug)
    assert {card.card.kind for card in run.cards()} == set(run.game.kinds)
    assert [(one.page, one.row, one.column) for one in cards] == [
        (n // 9 + 1, n % 9 // 3 + 1, n % 3 + 1) for n in range(len(cards))
    ]
    pages = 0
    for number, pixels in grey_pages(pdf, dpi):
        here = [one for one in cards if one.page == number]
        check_codes(pixels, here, run)
        check_codes(badly_printed(pixels, dpi, number), here, run, near=0.4)
        pages += 1
    assert pages == run.pages() == math.ceil(len(cards) / 9)


@pytest.mark.parametrize(
    ("paper", "order", "backs"),
    [
        ("a4", "envelope", "long"),
        ("a4", "kind", "short"),
        ("letter", "stack", "long"),
        ("letter", "kind", "none"),
    ],
)
def test_the_list_has_the_place_on_paper_in_any_order(paper: str, order: Order, backs: Backs) -> None:
    """Including sheets with used places, and pages of backs, which have no codes."""
    setup = PageSetup(PAPERS[paper], order=order, backs=backs, skip=2)
    run, pdf, cards = printed("eurocg-2026", setup, most=20)
    assert len({one.payload for one in cards}) == 20
    with pypdfium2.PdfDocument(pdf) as document:
        size = (PAPERS[paper].width / MM_PER_INCH * 72, PAPERS[paper].height / MM_PER_INCH * 72)
        assert all(page.get_size() == pytest.approx(size, abs=0.1) for page in document)
        assert len(document) == run.pages() == 3 * (1 if backs == "none" else 2)
    for number, pixels in grey_pages(pdf, DPI):
        check_codes(pixels, [one for one in cards if one.page == number], run)
    kinds = [one.payload[5:7] for one in cards]
    assert (kinds == sorted(kinds)) is (order != "stack")


@pytest.mark.parametrize(
    ("slug", "size"),
    [("sackson-1969", "bridge"), ("tarot-fr", "mini"), ("eurocg-2026", "business"), ("tarot-fr", "business-us")],
)
def test_cards_of_every_size_are_read(slug: str, size: str) -> None:
    """Faces are clear of the codes of smaller cards too; rules do not fit the smallest cards."""
    setup, card = PageSetup(bleed=2.0, marks="lines"), SIZES[size]
    faces = edition_faces(load_edition(slug)).values()
    most = 60 if slug == "tarot-fr" else sum(face.look == "colour" for face in faces)
    run, pdf, cards = printed(slug, setup, card, most)
    for number, pixels in grey_pages(pdf, 200, every=4):
        check_codes(pixels, [one for one in cards if one.page == number], run)
    assert max(one.page for one in cards) == math.ceil(len(cards) / grid(setup, card).size)


@pytest.mark.parametrize(
    ("slug", "page"),
    [
        ("tarot-fr", 7),
        *(pytest.param(*case, marks=pytest.mark.thorough) for case in [("eurocg-2026", 1), ("sackson-1969", 2)]),
    ],
)
def test_every_card_is_read_from_photographs_of_sheets(slug: str, page: int) -> None:
    """Each card is read from a poor print that is photographed on a table at an angle, with a hard shadow."""
    run, pdf, listed = printed(slug)
    worn = badly_printed(dict(grey_pages(pdf, DPI))[page], DPI, page)
    paper = grid(PLAIN, run.game.geometry).paper
    # The scene needs the place of one code for the size of modules.
    quad = np.array([(paper.width, paper.height)]) / 2 + [(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)]
    sheet = PrintedFace(
        f"{slug}-{page}",
        np.ascontiguousarray(np.repeat(worn[..., np.newaxis], 3, axis=2)),
        size=(paper.width, paper.height),
        codes=(PrintedCode("", quad, 21),),
    )
    picture = Image.open(BytesIO(photograph([sheet], Scene(TABLE, 2448, 3264), f"{slug}/{page}").jpeg)).convert("L")
    read = {code.text for code in codes_of(np.asarray(picture), DPI)}
    assert read >= {one.payload for one in listed if one.page == page}


def test_the_sheets_are_vectors_with_embedded_fonts() -> None:
    """No page contains an image, and all fonts are embedded."""
    _, data, _ = printed("eurocg-2026")
    with pypdfium2.PdfDocument(data) as document:
        kinds = {obj.type for page in document for obj in page.get_objects(max_depth=5)}
    assert FPDF_PAGEOBJ_FORM in kinds
    assert FPDF_PAGEOBJ_IMAGE not in kinds
    fonts = re.findall(rb"/BaseFont\s*/([\w+\-]+)", data)
    assert {font.split(b"+")[-1] for font in fonts} >= {b"SourceSerifPro-Black", b"SourceSansPro-Bold"}
    assert all(b"+SourceS" in font for font in fonts)
    assert data.count(b"/FontFile2") >= 3


def test_the_first_sheet_has_crop_marks_and_a_ruler() -> None:
    (_, image), *_ = grey_pages(printed("eurocg-2026")[1], 300)
    pixel = 300 / MM_PER_INCH
    dark = np.flatnonzero(image[round((16.5 - 3) * pixel)] < 200) / pixel
    cuts = 10.5 + np.arange(4) * POKER.width
    assert np.abs(dark[:, np.newaxis] - cuts).min(axis=1).max() < 0.2
    assert np.abs(dark[:, np.newaxis] - cuts).min(axis=0).max() < 0.2
    foot = image[round((297 - 14) * pixel) :] < 200
    edges = [np.flatnonzero(np.diff(line.astype(int), prepend=0, append=0)) for line in foot]
    longest = max(np.diff(line)[::2].max(initial=0) for line in edges)
    assert longest / pixel == pytest.approx(50, abs=0.3)


def test_the_margin_has_the_envelopes_of_the_cards() -> None:
    """The envelopes are beside each row, since they must not be on the cards."""
    run, pdf, _ = printed("eurocg-2026")
    with pypdfium2.PdfDocument(pdf) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    for number, text in enumerate(texts, start=1):
        for row in (1, 2, 3):
            envelopes = [str(c.envelope) for c in run.cards() if (c.page, c.row) == (number, row)]
            if envelopes:
                same = len(set(envelopes)) == 1
                assert (f"envelope {envelopes[0]}" if same else f"envelopes {', '.join(envelopes)}") in text
    assert "envelopes 1, 2, 2" in texts[1]
