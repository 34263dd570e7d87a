"""The calibration page: its lengths are accurate, its codes are read, and its numbers correct a printer."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import numpy as np
import pypdfium2
import pytest

from cardgen.cards import POKER, SIZES
from cardgen.documents.calibration import CORNER, LADDER, LONG, SHORT, ladder_text, write_calibration
from cardgen.pages.layout import PageSetup, grid
from cardgen.pages.paper import PAPERS
from cardgen.pages.raster import page_images
from cardgen.strings import WORDINGS
from tests.printed_pages import MM_PER_INCH, codes_of

PIXEL = 300 / MM_PER_INCH
SETUPS = [PageSetup(backs="long"), PageSetup(PAPERS["letter"], backs="short", bleed=3)]


def pdf(setup: PageSetup, language: str = "en") -> bytes:
    """Return the pages as a PDF."""
    out = BytesIO()
    inks = ["#c8232c", "#17377f", "#2f9a5f", "#ee8100", "#f5c400", "#e1699e"]
    write_calibration(out, setup, POKER, inks, WORDINGS[language].calibration)
    return out.getvalue()


def written(setup: PageSetup) -> list[np.ndarray]:
    """Return the pages as RGB images at 300 dots an inch."""
    return [np.asarray(image) for image in page_images(pdf(setup), 300)]


@pytest.fixture(scope="module")
def pages() -> list[list[np.ndarray]]:
    """Return front and back for each of SETUPS."""
    return [written(setup) for setup in SETUPS]


def dark(image: np.ndarray) -> np.ndarray:
    """Return the mask of dark pixels."""
    return np.asarray(image.max(axis=2) < 128)


def longest_run(line: np.ndarray) -> tuple[float, float]:
    """Return the start and the end, in millimetres, of the longest dark run in a line of pixels."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(int), [0]))))
    starts, ends = edges[::2], edges[1::2]
    best = int(np.argmax(ends - starts))
    return starts[best] / PIXEL, ends[best] / PIXEL


def test_rulers_and_codes_have_the_size_printed_beside_them(pages: list[list[np.ndarray]]) -> None:
    """The rulers begin 20 mm from the left and lower edges; the longer one is along the longer side."""
    for setup, (front, back) in zip(SETUPS, pages, strict=True):
        paper = grid(setup, POKER).paper
        assert front.shape == back.shape
        assert front.shape[:2] == pytest.approx((paper.height * PIXEL, paper.width * PIXEL), abs=2)
        across, up = (LONG, SHORT) if paper.width > paper.height else (SHORT, LONG)
        level = longest_run(dark(front)[round((paper.height - CORNER) * PIXEL) - 1 :][:2].any(axis=0))
        upright = longest_run(dark(front)[:, round(CORNER * PIXEL) - 1 :][:, :2].any(axis=1))
        assert level == pytest.approx((CORNER, CORNER + across), abs=0.2)
        assert upright == pytest.approx((paper.height - CORNER - up, paper.height - CORNER), abs=0.2)
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
    # Beside the text below it.
    rows = below[:, round((x - 10) * PIXEL) : round((x + 10) * PIXEL)].sum(axis=1)
    return x, (len(back) - float(np.flatnonzero(rows > rows.max() * 0.9).mean() + 0.5)) / PIXEL


def _golden(front: np.ndarray) -> tuple[float, float]:
    """Return the middle of the grid's golden lines, from the left and from below, in millimetres."""
    red, _, blue = (front[:, :, n].astype(int) for n in range(3))
    gold = (red - blue > 90) & (red > 150) & (red < 215) & (blue < 80)
    gold[: round(26 * PIXEL)] = False
    rows, columns = np.nonzero(gold)
    lines = [np.bincount(places, minlength=max(front.shape)) for places in (columns, rows)]
    # Headings and patches are golden too, but only the cross has lines of 16 mm in both directions.
    found = []
    for row in np.flatnonzero(lines[1] > 14 * PIXEL):
        start, end = longest_run(gold[row])
        if 15.5 < end - start < 16.5:
            found.append(((start + end) / 2, (len(front) - row - 0.5) / PIXEL))
    return float(np.mean([x for x, _ in found])), float(np.mean([y for _, y in found]))


def test_the_cross_of_the_back_is_behind_the_middle_of_the_grid(pages: list[list[np.ndarray]]) -> None:
    """For an accurate printer, about whichever edge it turns the paper."""
    for setup, (front, back) in zip(SETUPS, pages, strict=True):
        layout = grid(setup, POKER)
        x, y = _cross(back)
        seen = (layout.paper.width - x, y) if layout.turn == "across" else (x, layout.paper.height - y)
        assert seen == pytest.approx(_golden(front), abs=0.2), setup


def test_a_shift_moves_the_page(pages: list[list[np.ndarray]]) -> None:
    """So the next page shows the remaining error."""
    front, back = written(replace(SETUPS[0], shift=(1.5, -2.0), back_shift=(0.5, 1.0)))
    still, still_back = pages[0]
    assert np.subtract(_golden(front), _golden(still)) == pytest.approx((1.5, -2.0), abs=0.2)
    assert np.subtract(_cross(back), _cross(still_back)) == pytest.approx((0.5, 1.0), abs=0.2)


@pytest.mark.parametrize(("language", "point"), [("en", "."), ("de", ","), ("fr", ",")])
def test_text_fits_and_numbers_have_the_decimal_separator_of_the_language(language: str, point: str) -> None:
    """Nothing is printed at the white edge of printers, in portrait and landscape format."""
    for setup in SETUPS:
        for image in page_images(pdf(setup, language), 150):
            page, edge = np.asarray(image), round(5 * PIXEL / 2)
            assert (page < 250).sum() == (page[edge:-edge, edge:-edge] < 250).sum()
    with pypdfium2.PdfDocument(pdf(PageSetup(shift=(1.5, -2.25), scale=(1.005, 1)), language)) as document:
        assert len(document) == 1
        numbers = re.findall(r"\d([.,])\d", document[0].get_textpage().get_text_bounded())
    assert len(numbers) >= len(LADDER) + 5
    assert set(numbers) == {point}
    # The instructions for scale and shift both end with printing the page again, since the grid moves with the front.
    words = WORDINGS[language].calibration
    assert words.shift.text.split()[-3:] == words.scale.text.split()[-3:]
