"""Backs of cards: they reveal nothing, cover the bleed, do not disturb the codes, and are placed behind their cards."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cardgen.cards import POKER, SIZES, CardId, Geometry, PrintedGame
from cardgen.faces.back import Back, draw_back
from cardgen.fonts import TextError
from cardgen.pages.layout import Grid, PageSetup, grid
from cardgen.pages.raster import back_image, card_canvas, face_images
from cardgen.print_run import SHEETS, PrintPlan, write_part, write_run
from server.editions import load_edition
from server.printing.card_faces import edition_back, edition_faces
from tests.printed_pages import MM_PER_INCH, codes_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DPI = 127
PIXEL = 5
"""Dots a millimetre. A4 is a whole number of them wide and high, so pages can be turned and folded exactly."""
NEAR = 0.2
"""Millimetres."""
EDITION = load_edition("eurocg-2026")
FACES = edition_faces(EDITION)
BACK = Back("EuroCG 2026", "#7a1f2b")
Pixels = npt.NDArray[np.int64]
Printer = tuple[float, float, float, float]
"""The errors of a printer: it moves a page to the right and up, and scales it across and up about its middle."""
TRUE: Printer = (0.0, 0.0, 1.0, 1.0)


def pixels_of(back: Back, card: Geometry, bleed: float = 0.0) -> Pixels:
    """Return a back as RGB pixels."""
    return np.asarray(back_image(back, card, DPI, bleed)).astype(np.int64)


@pytest.mark.parametrize("name", SIZES)
def test_a_back_is_the_same_from_both_ends(name: str) -> None:
    """Half a turn changes only the smoothing of edges, so a card cannot be recognised by its direction."""
    pixels = pixels_of(BACK, SIZES[name])
    assert np.abs(pixels - pixels[::-1, ::-1]).mean() < 12
    # At a lower resolution there is no difference at all.
    block = 8
    rows, columns = (side // block for side in pixels.shape[:2])
    top, left = (pixels.shape[0] - rows * block) // 2, (pixels.shape[1] - columns * block) // 2
    middle = pixels[top : top + rows * block, left : left + columns * block]
    coarse = middle.reshape(rows, block, columns, block, 3).mean(axis=(1, 3))
    assert np.abs(coarse - coarse[::-1, ::-1]).max() < 60


def test_a_back_covers_the_bleed_on_every_side() -> None:
    """The pattern reaches the outer edge of the bleed, and is the same within the cut."""
    alone = pixels_of(BACK, POKER)
    for bleed in (0.0, 3.0):
        pixels = pixels_of(BACK, POKER, bleed)
        for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
            # Cream or the pattern's ink, never the paper's white.
            assert edge[2:-2].min(axis=1).max() < 245
            assert np.ptp(edge[2:-2, 1]) > 20
        inside = round(bleed / MM_PER_INCH * DPI)
        cut = pixels[inside : inside + alone.shape[0], inside : inside + alone.shape[1]]
        assert np.abs(cut[: alone.shape[0]] - alone[: cut.shape[0], : cut.shape[1]]).mean() < 12


@pytest.mark.parametrize("name", SIZES)
def test_codes_are_read_with_the_back_shining_through(name: str) -> None:
    """Both codes are read if a quarter of the back is visible through thin paper; it is light behind them."""
    card, face = SIZES[name], FACES["red"]
    (image,) = face_images([(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2")], card, DPI)
    front = np.asarray(image.convert("L")).astype(np.float64)
    behind = pixels_of(BACK, card)[:, ::-1].mean(axis=2)
    side = round((card.inset + card.patch) / MM_PER_INCH * DPI)
    assert min(behind[:side, :side].mean(), behind[-side:, -side:].mean()) > 195
    seen = (front * (0.75 + 0.25 * behind / 255)).astype(np.uint8)
    read = zxingcpp.read_barcodes(seen, formats=zxingcpp.BarcodeFormat.QRCode)
    assert [code.text for code in read] == ["H7K3Q0001AAAAAAAAAAA"] * 2


def test_each_edition_has_its_own_back() -> None:
    """The title is at both ends, and no two of our editions have the same ink."""
    backs = [edition_back(load_edition(edition)) for edition in ("eurocg-2026", "sackson-1969", "tarot-fr")]
    assert len({back.accent for back in backs}) == len(backs)
    for back in backs:
        out = BytesIO()
        canvas = card_canvas(out, POKER, 0.0, "back")
        draw_back(canvas, back, POKER)
        canvas.showPage()
        canvas.save()
        with pypdfium2.PdfDocument(out.getvalue()) as document:
            assert document[0].get_textpage().get_text_range().count(back.title) == 2


@settings(max_examples=5, deadline=None)
@given(title=st.text("abcdefgMWÄé 0123", max_size=40), name=st.sampled_from(list(SIZES)))
def test_any_title_stays_within_the_frame(title: str, name: str) -> None:
    card = SIZES[name]
    titled, plain = pixels_of(Back(title), card), pixels_of(Back(), card)
    edge = round(4.0 / MM_PER_INCH * DPI)
    for strip in (np.s_[:edge], np.s_[-edge:], np.s_[:, :edge], np.s_[:, -edge:]):
        assert (titled[strip] == plain[strip]).all()


def test_a_title_with_a_character_that_the_font_lacks_is_refused() -> None:
    with pytest.raises(TextError, match="the font has no character 漢 for: 漢"):
        pixels_of(Back("漢"), POKER)


def printed(setup: PageSetup, card: Geometry, count: int) -> PrintPlan:
    """Return a run of `count` red cards."""
    game = PrintedGame(
        "7K3Q", EDITION.slug, bytes(32), tuple(kind.slug for kind in EDITION.kinds), 6, "x", geometry=card
    )
    hands = {1: [CardId("red", n + 1) for n in range(count)]}
    return PrintPlan(game, EDITION.title, FACES, hands, setup, [], back=BACK)


def pages(run: PrintPlan, only: int | None = None) -> Iterator[np.ndarray]:
    """Yield the pages, or one of them, as RGB pictures."""
    out = BytesIO()
    write_part(run, SHEETS, out, only=only)
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        assert len(document) == (run.pages() if only is None else 1)
        for page in document:
            # Slightly less, since sides that are slightly too long would be rounded up.
            yield np.asarray(page.render(scale=DPI / 72 * (1 - 1e-6)).to_pil().convert("RGB"))


def through(image: np.ndarray, printer: Printer) -> np.ndarray:
    """Return a page as printed by this printer."""
    right, up, across, rise = printer
    height, width = image.shape[:2]
    # Pillow expects the inverse, from the printed page to the original.
    to_x = (1 / across, 0, width / 2 - (width / 2 + right * PIXEL) / across)
    to_y = (0, 1 / rise, height / 2 - (height / 2 - up * PIXEL) / rise)
    moved = Image.fromarray(image).transform(
        (width, height), Image.Transform.AFFINE, (*to_x, *to_y), Image.Resampling.NEAREST, fillcolor="white"
    )
    return np.asarray(moved)


def inked(image: np.ndarray) -> np.ndarray:
    """Return the mask of pixels that are not white."""
    return np.asarray(image.min(axis=2) < 244)


def turned(image: np.ndarray, layout: Grid) -> np.ndarray:
    """Return a page of backs as seen through the paper from the front."""
    return image[:, ::-1] if layout.turn == "across" else image[::-1]


def check_behind(seen: np.ndarray, layout: Grid, places: list[tuple[int, int]], bleed: float = 0.0) -> None:
    """Check that each place has a back that ends at its cut, or its bleed, as seen through the paper.

    `seen` is a mask of inked pixels. Text in the margin is ignored.
    """
    expected, allowed = np.zeros_like(seen), np.zeros_like(seen)
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


def check_fronts(sheet: np.ndarray, layout: Grid, places: list[tuple[int, int]]) -> None:
    """Check that the upright codes of a sheet are those of the cards at these places."""
    edge = layout.card.inset + layout.card.patch / 2
    wanted = {place: layout.front(*place) for place in places}
    for code in codes_of(sheet, DPI):
        if abs(code.orientation) < 3:
            corner = code.x - edge, layout.paper.height - code.y + edge - layout.card.height
            near = [place for place, at in wanted.items() if np.abs(np.subtract(corner, at)).max() < NEAR]
            assert len(near) == 1
            del wanted[near[0]]
    assert wanted == {}


@pytest.mark.parametrize(
    ("size", "backs", "gutter", "bleed"),
    [
        ("poker", "long", 0.0, 0.0),
        ("business", "short", 0.0, 0.0),
        ("bridge", "short", 4.0, 1.6),
        ("mini", "long", 0.0, 1.6),
    ],
)
def test_each_card_has_its_back_behind_it(size: str, backs: str, gutter: float, bleed: float) -> None:
    """For both edges about which paper is turned, on a first sheet with used places and on the last one."""
    card = SIZES[size]
    setup = PageSetup(gutter=gutter, bleed=bleed, backs=backs, skip=2)  # type: ignore[arg-type]  # a parameter
    layout = grid(setup, card)
    run = printed(setup, card, layout.size - 1)
    cards = run.cards()
    assert [c.page for c in cards] == [1] * (layout.size - 2) + [3]
    fronts_and_backs = list(pages(run))
    for number in (1, 3):
        places = [(c.row, c.column) for c in cards if c.page == number]
        check_behind(inked(turned(fronts_and_backs[number], layout)), layout, places, bleed)
        check_fronts(fronts_and_backs[number - 1], layout, places)
    # A single page is the same as in the whole document.
    assert (next(pages(run, only=2)) == fronts_and_backs[1]).all()


@pytest.mark.parametrize(("size", "bleed"), [("poker", 2.0), ("business", 0.0)])
def test_folded_backs_are_behind_their_cards(size: str, bleed: float) -> None:
    """The backs are on the same page beyond the fold, mirrored at it."""
    card = SIZES[size]
    setup = PageSetup(backs="fold", bleed=bleed, marks="none")
    layout = grid(setup, card)
    run = printed(setup, card, layout.size)
    (page,) = pages(run)
    assert layout.axis is not None
    # Points at the same distance from the fold are behind each other.
    across = layout.turn == "across"
    fold = layout.axis if across else layout.paper.height - layout.axis
    dots = np.arange(page.shape[1 if across else 0])
    beyond = np.clip(round(2 * fold * PIXEL) - 1 - dots, 0, dots[-1])
    folded = inked(page[:, beyond] if across else page[beyond])
    # The dashed line along the fold is inked too.
    line = np.abs(dots + 0.5 - fold * PIXEL) < 1
    folded[(slice(None), line) if across else line] = False
    places = [(c.row, c.column) for c in run.cards()]
    check_behind(folded, replace(layout, folded=False), places, bleed)


@pytest.mark.parametrize(
    ("backs", "front", "back"),
    [
        ("long", (1.2, -0.8, 1.0, 1.0), (-0.7, 0.5, 1.0, 1.0)),
        ("short", (0.0, 0.0, 0.985, 0.99), (0.6, 0.0, 0.985, 0.99)),
    ],
)
def test_shift_and_scale_correct_a_printer(backs: str, front: Printer, back: Printer) -> None:
    """With the numbers of the calibration page, cards and backs are at their places on paper."""
    shift, scale = (-front[0], -front[1]), (1 / front[2], 1 / front[3])
    setup = PageSetup(backs=backs, shift=shift, back_shift=(-back[0], -back[1]), scale=scale)  # type: ignore[arg-type]  # a parameter
    layout = grid(setup, POKER)
    run = printed(setup, POKER, layout.size)
    sheet, behind = pages(run)
    places = [(c.row, c.column) for c in run.cards()]
    check_behind(inked(turned(through(behind, back), layout)), layout, places)
    check_fronts(through(sheet, front), layout, places)
    # Without the correction, the backs would be misplaced.
    with pytest.raises(AssertionError):
        check_behind(inked(turned(through(behind, TRUE), layout)), layout, places)


@pytest.mark.parametrize(
    "setup",
    [PageSetup(bleed=1), PageSetup(backs="short", bleed=2, shift=(1, 2), back_shift=(-1, 0)), PageSetup(backs="fold")],
)
def test_pages_have_a_trim_box_and_a_bleed_box(setup: PageSetup) -> None:
    """The trim box is the block of cards, or of backs; PDFs have the duplex preference that they need."""
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
            assert bleed == pytest.approx(trim + np.array((-1, -1, 1, 1)) * setup.bleed, abs=0.01)


def test_a_sheet_with_two_sides_is_one_sheet(tmp_path: Path) -> None:
    """Ten cards with backs are four pages on two sheets of paper."""
    heard: list[tuple[int, ...]] = []
    run = printed(PageSetup(backs="long"), POKER, 10)
    done = write_run(run, tmp_path, names=(SHEETS,))
    assert (done.sheets, {card.page for card in done.cards}) == (2, {1, 3})
    write_part(run, SHEETS, BytesIO(), only=3, progress=lambda *done: heard.append(done))
    assert heard == [(3, 4)]
