"""Fronts and backs as they come out of a printer: behind each card lies its back, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from cardgen.cards import POKER, SIZES, CardId, Game, Geometry
from cardgen.faces import Back
from cardgen.layout import Grid, grid
from cardgen.printing import SHEETS, PrintRun, write_part, write_run
from cardgen.setup import Setup
from server.editions import load_edition
from server.jobs.faces import edition_faces
from tests.printed_pages import MM_PER_INCH, codes_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DPI = 127
PIXEL = 5
"""Dots a millimetre: A4 is a whole number of them each way, so pages can be turned and folded exactly."""
NEAR = 0.2
"""Millimetres."""
EDITION = load_edition("eurocg-2026")
FACES = edition_faces(EDITION)
Printer = tuple[float, float, float, float]
"""What a printer does: it moves a page to the right and up, and enlarges it both ways about its middle."""
TRUE: Printer = (0.0, 0.0, 1.0, 1.0)


def printed(setup: Setup, card: Geometry, count: int) -> PrintRun:
    """Return a run of so many red cards."""
    game = Game("7K3Q", EDITION.slug, bytes(32), tuple(kind.slug for kind in EDITION.kinds), 6, "x", geometry=card)
    hands = {1: [CardId("red", n + 1) for n in range(count)]}
    return PrintRun(game, EDITION.title, FACES, hands, setup, [], back=Back("EuroCG 2026"))


def pages(run: PrintRun) -> Iterator[np.ndarray]:
    """Yield the pages as RGB pictures."""
    out = BytesIO()
    assert write_part(run, SHEETS, out) == run.pages()
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        assert len(document) == run.pages()
        for page in document:
            yield pixels(page)


def pixels(page: pypdfium2.PdfPage) -> np.ndarray:
    """Return a page's picture."""
    # A hair less, since sides that come out a hair too long are rounded up, and all is stretched to them.
    return np.asarray(page.render(scale=DPI / 72 * (1 - 1e-6)).to_pil().convert("RGB"))


def through(image: np.ndarray, printer: Printer) -> np.ndarray:
    """Return a page as such a printer puts it onto paper."""
    right, up, across, rise = printer
    height, width = image.shape[:2]
    # Pillow asks for the way back: from what is printed to what was sent.
    to_x = (1 / across, 0, width / 2 - (width / 2 + right * PIXEL) / across)
    to_y = (0, 1 / rise, height / 2 - (height / 2 - up * PIXEL) / rise)
    moved = Image.fromarray(image).transform(
        (width, height), Image.Transform.AFFINE, (*to_x, *to_y), Image.Resampling.NEAREST, fillcolor="white"
    )
    return np.asarray(moved)


def inked(image: np.ndarray) -> np.ndarray:
    """Return where a page is not white."""
    return np.asarray(image.min(axis=2) < 244)


def check_behind(seen: np.ndarray, layout: Grid, places: list[tuple[int, int]], bleed: float = 0.0) -> None:
    """Check that seen through the paper from the front, each place has a back that ends at its cut, or its bleed.

    `seen` is inked pixels; words in the margin are not looked at.
    """
    expected = np.zeros_like(seen)
    allowed = np.zeros_like(seen)
    height = len(seen)
    for place in places:
        x, y = layout.front(*place)
        for mask, grow in ((expected, -NEAR), (allowed, bleed + NEAR)):
            left, right = round((x - grow) * PIXEL), round((x + layout.card.width + grow) * PIXEL)
            top, bottom = round((y + layout.card.height + grow) * PIXEL), round((y - grow) * PIXEL)
            mask[height - top : height - bottom, left:right] = True
    assert seen[expected].mean() > 0.999
    x0, y0, x1, y1 = layout.block()
    rim = bleed + 1.0
    within = np.zeros_like(seen)
    within[height - round((y1 + rim) * PIXEL) : height - round((y0 - rim) * PIXEL)] = True
    within[:, : round((x0 - rim) * PIXEL)] = within[:, round((x1 + rim) * PIXEL) :] = False
    assert seen[within & ~allowed].sum() == 0


def turned(image: np.ndarray, layout: Grid) -> np.ndarray:
    """Return a page of backs as it is seen through the paper from the front."""
    return image[:, ::-1] if layout.turn == "across" else image[::-1]


@pytest.mark.parametrize(
    ("size", "backs", "gutter", "bleed"),
    [
        ("poker", "long", 0.0, 0.0),
        ("business", "short", 0.0, 0.0),
        ("poker", "short", 4.0, 1.6),
        ("mini", "long", 0.0, 1.6),
    ],
)
def test_behind_each_card_lies_its_back(size: str, backs: str, gutter: float, bleed: float) -> None:
    """Whichever edge the paper is turned about, on the first sheet with used places and on the last one."""
    card = SIZES[size]
    setup = Setup(gutter=gutter, bleed=bleed, backs=backs, skip=2)  # type: ignore[arg-type]  # a parameter
    layout = grid(setup, card)
    run = printed(setup, card, layout.size - 1)
    cards = run.cards()
    assert [c.page for c in cards] == [1] * (layout.size - 2) + [3]
    fronts_and_backs = list(pages(run))
    for number in (1, 3):
        places = [(c.row, c.column) for c in cards if c.page == number]
        check_behind(inked(turned(fronts_and_backs[number], layout)), layout, places, bleed)
    # The fronts are where the list says.
    seen = codes_of(fronts_and_backs[0], DPI)
    for c in cards[:-1]:
        x, y = layout.front(c.row, c.column)
        edge = card.inset + card.patch / 2
        upper = next(code for code in seen if code.text == c.payload and abs(code.orientation) < 3)
        assert (upper.x, layout.paper.height - upper.y) == pytest.approx((x + edge, y + card.height - edge), abs=NEAR)


@pytest.mark.parametrize(("size", "bleed"), [("poker", 0.0), ("poker", 2.0), ("business", 0.0)])
def test_folded_backs_come_to_lie_behind_their_cards(size: str, bleed: float) -> None:
    """The backs stand on the same page beyond the fold, mirrored in it."""
    card = SIZES[size]
    setup = Setup(backs="fold", bleed=bleed, marks="none")
    layout = grid(setup, card)
    run = printed(setup, card, layout.size)
    (page,) = pages(run)
    assert layout.axis is not None
    # What lies at the one side of the fold comes behind what lies as far on the other side.
    across = layout.turn == "across"
    fold = layout.axis if across else layout.paper.height - layout.axis
    dots = np.arange(page.shape[1 if across else 0])
    beyond = np.clip(round(2 * fold * PIXEL) - 1 - dots, 0, dots[-1])
    folded = inked(page[:, beyond] if across else page[beyond])
    # The dashed line itself is a hair of ink along the fold.
    line = np.abs(dots + 0.5 - fold * PIXEL) < 1
    folded[(slice(None), line) if across else line] = False
    places = [(c.row, c.column) for c in run.cards()]
    check_behind(folded, replace(layout, folded=False), places, bleed)


DRIFTS = [
    ("long", (1.2, -0.8, 1.0, 1.0), (-0.7, 0.5, 1.0, 1.0)),
    ("short", (0.0, 0.0, 0.985, 0.99), (0.6, 0.0, 0.985, 0.99)),
]


@pytest.mark.parametrize(("backs", "front", "back"), DRIFTS)
def test_shift_and_scale_undo_what_a_printer_does(backs: str, front: Printer, back: Printer) -> None:
    """What is set as the calibration page says brings cards and backs to their places on paper, and onto each other."""
    shift, scale = (-front[0], -front[1]), (1 / front[2], 1 / front[3])
    setup = Setup(backs=backs, shift=shift, back_shift=(-back[0], -back[1]), scale=scale)  # type: ignore[arg-type]  # a parameter
    layout = grid(setup, POKER)
    run = printed(setup, POKER, layout.size)
    sheet, behind = pages(run)
    places = [(c.row, c.column) for c in run.cards()]
    check_behind(inked(turned(through(behind, back), layout)), layout, places)
    edge = POKER.inset + POKER.patch / 2
    for code in codes_of(through(sheet, front), DPI):
        if abs(code.orientation) < 3:
            where = (code.x - edge, layout.paper.height - code.y + edge - POKER.height)
            assert min(np.hypot(*np.subtract(where, layout.front(*place))) for place in places) < NEAR
    # Left alone, this printer would miss.
    with pytest.raises(AssertionError):
        check_behind(inked(turned(through(behind, TRUE), layout)), layout, places)


@pytest.mark.parametrize(
    "setup", [Setup(bleed=1), Setup(backs="short", bleed=2, shift=(1, 2), back_shift=(-1, 0)), Setup(backs="fold")]
)
def test_pages_say_where_they_are_trimmed_and_how_far_they_bleed(setup: Setup) -> None:
    """The cut block is the trim box, on pages of backs the block of backs; PDFs ask for the turn that they need."""
    layout = grid(setup, POKER)
    out = BytesIO()
    write_part(printed(setup, POKER, 3), SHEETS, out)
    wanted = {"none": b"Simplex", "fold": b"Simplex", "long": b"DuplexFlipLongEdge", "short": b"DuplexFlipShortEdge"}
    assert b"/Duplex /" + wanted[setup.backs] in out.getvalue()
    assert b"/PrintScaling /None" in out.getvalue()
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        for number, page in enumerate(document):
            right, up = setup.back_shift if number else setup.shift
            x0, y0, x1, y1 = layout.block(back=number > 0)
            trim = np.array(page.get_trimbox()) / 72 * MM_PER_INCH
            assert trim == pytest.approx((x0 + right, y0 + up, x1 + right, y1 + up), abs=0.01)
            bleed = np.array(page.get_bleedbox()) / 72 * MM_PER_INCH
            grown = np.array((-1, -1, 1, 1)) * setup.bleed
            assert bleed == pytest.approx(trim + grown, abs=0.01)


def test_one_page_alone_is_that_page_among_all() -> None:
    """Also when it is one of backs."""
    run = printed(Setup(backs="long"), POKER, 10)
    everything = list(pages(run))
    for number in (2, 3):
        out = BytesIO()
        heard = []
        write_part(run, SHEETS, out, only=number, tell=lambda *done, heard=heard: heard.append(done))
        with pypdfium2.PdfDocument(out.getvalue()) as document:
            (page,) = document
            image = pixels(page)
        assert (image == everything[number - 1]).all()
        assert heard == [(number, 4)]


def test_a_sheet_with_two_sides_is_one_sheet(tmp_path: Path) -> None:
    """People are told how much paper goes through the printer."""
    done = write_run(printed(Setup(backs="long"), POKER, 10), tmp_path, names=(SHEETS,))
    assert (done.sheets, {card.page for card in done.cards}) == (2, {1, 3})
