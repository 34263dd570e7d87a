"""The calibration page: its lengths are true, its codes are read, and its numbers undo what a printer does."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
import pytest

from cardgen.calibration import CORNER, LONG, SHORT, write_calibration
from cardgen.cards import POKER, SIZES
from cardgen.gauges import LADDER, ladder_text
from cardgen.layout import grid
from cardgen.paper import PAPERS
from cardgen.raster import page_images
from cardgen.setup import Setup
from cardgen.wordings import WORDINGS
from tests.printed_pages import MM_PER_INCH, codes_of

if TYPE_CHECKING:
    from cardgen.cards import Geometry
    from cardgen.wordings import Wordings

PIXEL = 300 / MM_PER_INCH
SETUPS = [
    Setup(backs="long"),
    Setup(backs="short"),
    Setup(PAPERS["letter"], backs="long", bleed=3),
    Setup(PAPERS["letter"], backs="short", bleed=3),
]


def pdf(setup: Setup, language: str = "en", card: Geometry = POKER) -> bytes:
    """Return the pages as a PDF."""
    out = BytesIO()
    inks = ["#c8232c", "#17377f", "#2f9a5f", "#ee8100", "#f5c400", "#e1699e"]
    write_calibration(out, setup, card, inks, WORDINGS[language].calibration)
    return out.getvalue()


def written(setup: Setup, language: str = "en", card: Geometry = POKER) -> list[np.ndarray]:
    """Return the pages as RGB pictures of 300 dots an inch."""
    return [np.asarray(image) for image in page_images(pdf(setup, language, card), 300)]


@pytest.fixture(scope="module")
def pages() -> list[list[np.ndarray]]:
    """Return front and back for each of SETUPS."""
    return [written(setup) for setup in SETUPS]


def dark(image: np.ndarray) -> np.ndarray:
    """Return where a page is dark."""
    return np.asarray(image.max(axis=2) < 128)


def longest_run(line: np.ndarray) -> tuple[float, float]:
    """Return where the longest dark run of a line of pixels begins and ends, in millimetres."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(int), [0]))))
    starts, ends = edges[::2], edges[1::2]
    best = int(np.argmax(ends - starts))
    return starts[best] / PIXEL, ends[best] / PIXEL


def test_a_page_of_backs_has_a_page_of_its_own(pages: list[list[np.ndarray]]) -> None:
    """Two pages for a printer that turns the paper, one otherwise; all as large as the sheets' pages."""
    assert [len(page) for page in pages] == [2, 2, 2, 2]
    assert len(written(Setup(backs="fold"))) == 1
    for setup, (front, back) in zip(SETUPS, pages, strict=True):
        paper = grid(setup, POKER).paper
        assert front.shape == back.shape
        assert front.shape[:2] == pytest.approx((paper.height * PIXEL, paper.width * PIXEL), abs=2)


def test_both_rulers_are_as_long_as_they_say(pages: list[list[np.ndarray]]) -> None:
    """They begin 20 mm from the left and lower edge; the longer one lies along the longer side."""
    for setup, (front, _) in zip(SETUPS, pages, strict=True):
        paper = grid(setup, POKER).paper
        across, up = (LONG, SHORT) if paper.width > paper.height else (SHORT, LONG)
        level = longest_run(dark(front)[round((paper.height - CORNER) * PIXEL) - 1 :][:2].any(axis=0))
        upright = longest_run(dark(front)[:, round(CORNER * PIXEL) - 1 :][:, :2].any(axis=1))
        assert level == pytest.approx((CORNER, CORNER + across), abs=0.2)
        assert upright == pytest.approx((paper.height - CORNER - up, paper.height - CORNER), abs=0.2)


def test_every_code_of_the_ladder_is_read_and_says_its_module(pages: list[list[np.ndarray]]) -> None:
    """Each is as large as it says."""
    for front in (pages[0][0], pages[3][0]):
        found = {code.text: code for code in codes_of(front, 300)}
        assert set(found) == {ladder_text(module) for module in LADDER}
        for module in LADDER:
            assert found[ladder_text(module)].side == pytest.approx(21 * module, abs=0.25)
    assert {card.module for card in SIZES.values()} <= set(LADDER)


def _cross(back: np.ndarray) -> tuple[float, float]:
    """Return the middle of the cross, from the left and from below, in millimetres."""
    below = dark(back).copy()
    below[: round(26 * PIXEL)] = False
    columns = below.sum(axis=0)
    x = float(np.flatnonzero(columns > columns.max() * 0.8).mean() + 0.5) / PIXEL
    # Beside the words under it.
    rows = below[:, round((x - 10) * PIXEL) : round((x + 10) * PIXEL)].sum(axis=1)
    return x, (len(back) - float(np.flatnonzero(rows > rows.max() * 0.9).mean() + 0.5)) / PIXEL


def _golden(front: np.ndarray) -> tuple[float, float]:
    """Return the middle of the grid's golden lines, from the left and from below, in millimetres."""
    red, _, blue = (front[:, :, n].astype(int) for n in range(3))
    gold = (red - blue > 90) & (red > 150) & (red < 215) & (blue < 80)
    gold[: round(26 * PIXEL)] = False
    rows, columns = np.nonzero(gold)
    lines = [np.bincount(places, minlength=max(front.shape)) for places in (columns, rows)]
    # Headings and patches are golden too: the lines are 16 mm long, and a cross is alone in being so both ways.
    found = []
    for row in np.flatnonzero(lines[1] > 14 * PIXEL):
        start, end = longest_run(gold[row])
        if 15.5 < end - start < 16.5:
            found.append(((start + end) / 2, (len(front) - row - 0.5) / PIXEL))
    return float(np.mean([x for x, _ in found])), float(np.mean([y for _, y in found]))


def test_the_cross_of_the_back_lies_behind_the_middle_of_the_grid(pages: list[list[np.ndarray]]) -> None:
    """As long as the printer does not drift, whichever way it turns the paper."""
    for setup, (front, back) in zip(SETUPS, pages, strict=True):
        layout = grid(setup, POKER)
        x, y = _cross(back)
        seen = (layout.paper.width - x, y) if layout.turn == "across" else (x, layout.paper.height - y)
        assert seen == pytest.approx(_golden(front), abs=0.2), setup


def test_what_is_set_moves_the_page_and_is_printed_on_it() -> None:
    """So the next page shows what is still missing."""
    setup = Setup(backs="long", shift=(1.5, -2.0), back_shift=(0.5, 1.0))
    (front, back), (still, still_back) = written(setup), written(Setup(backs="long"))
    assert np.subtract(_golden(front), _golden(still)) == pytest.approx((1.5, -2.0), abs=0.2)
    assert np.subtract(_cross(back), _cross(still_back)) == pytest.approx((0.5, 1.0), abs=0.2)


@pytest.mark.parametrize("language", WORDINGS)
def test_words_have_room_in_every_language(language: str) -> None:
    """Nothing is printed beyond the white edge that printers leave, on either way of lying."""
    for setup in (SETUPS[0], SETUPS[3]):
        for page in written(setup, language):
            edge = round(5 * PIXEL)
            inside = page[edge:-edge, edge:-edge]
            assert (page < 250).sum() == (inside < 250).sum()


@pytest.mark.parametrize("words", WORDINGS.values(), ids=WORDINGS)
def test_what_is_set_is_printed_before_the_next_is_read(words: Wordings) -> None:
    """Scale and shift both end with the page printed again: backs are read on a grid that moves with the front."""
    again = words.calibration.scale.text.split()[-3:]
    assert words.calibration.shift.text.split()[-3:] == again


@pytest.mark.parametrize(("language", "point"), [("en", "."), ("de", ","), ("fr", ",")])
def test_all_numbers_have_the_point_of_the_language(language: str, point: str) -> None:
    """Those below the codes and those that are set, as those in the words are."""
    document = pypdfium2.PdfDocument(pdf(Setup(backs="long", shift=(1.5, -2.25), scale=(1.005, 1)), language))
    said = document[0].get_textpage().get_text_bounded()
    document.close()
    numbers = re.findall(r"\d([.,])\d", said)
    assert len(numbers) >= len(LADDER) + 5
    assert set(numbers) == {point}
