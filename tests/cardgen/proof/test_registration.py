"""Fronts and backs as they meet on paper: measured in pixels, fronts by their codes, backs by their edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from cardgen.cards import SIZES
from cardgen.layout import grid
from cardgen.paper import PAPERS
from cardgen.setup import Setup
from tests.cardgen.proof.runs import EDITIONS, NEAR, codes_on, grey_pages, pdf_of, run_of

if TYPE_CHECKING:
    from cardgen.cards import Geometry
    from cardgen.paper import Paper
    from cardgen.setup import Backs
    from tests.cardgen.proof.runs import Pixels

    Box = tuple[float, float, float, float]

DPI = 150
GUTTER = 4.0
"""White between cards, so that each back has edges of its own."""


def fronts(pixels: Pixels, paper: Paper, card: Geometry) -> list[Box]:
    """Return the box (left, top, right, bottom) of each card in millimetres, as its two codes tell it."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    for code in codes_on(pixels, paper):
        pairs.setdefault(code.text, []).append((code.x, code.y))
    middles = [np.mean(pair, axis=0) for pair in pairs.values()]
    half = card.width / 2, card.height / 2
    return sorted((x - half[0], y - half[1], x + half[0], y + half[1]) for x, y in middles)


def backs(pixels: Pixels, paper: Paper, card: Geometry) -> list[Box]:
    """Return the box of each back on a page in millimetres: what is as large as a card and not white."""
    across, up = pixels.shape[1] / paper.width, pixels.shape[0] / paper.height
    blots, _ = cv2.findContours((pixels < 255).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [(x / across, y / up, (x + w) / across, (y + h) / up) for x, y, w, h in map(cv2.boundingRect, blots)]
    # The panel of a front is white all round, so it is smaller.
    return sorted(box for box in boxes if box[2] - box[0] > card.width - 1 and box[3] - box[1] > card.height - 1)


def turned(boxes: list[Box], paper: Paper, edge: str) -> list[Box]:
    """Return where boxes lie when the paper is turned about its upright or its level middle line."""
    if edge == "upright":
        return sorted((paper.width - x1, y0, paper.width - x0, y1) for x0, y0, x1, y1 in boxes)
    return sorted((x0, paper.height - y1, x1, paper.height - y0) for x0, y0, x1, y1 in boxes)


def agree(some: list[Box], others: list[Box]) -> bool:
    """Tell whether two lists hold the same boxes, whatever their order, to 0.2 mm."""
    return len(some) == len(others) and all(
        any(np.abs(np.subtract(box, other)).max() < NEAR for other in others) for box in some
    )


@pytest.mark.parametrize("backing", ["long", "short"])
@pytest.mark.parametrize(
    ("slug", "size", "name"),
    [
        ("eurocg-2026", "poker", "a4"),
        ("sackson-1969", "bridge", "letter"),
        ("tarot-fr", "business", "a4"),
    ],
)
def test_backs_lie_behind_their_cards_on_every_sheet(slug: str, size: str, name: str, backing: Backs) -> None:
    """Whichever edge the printer turns the paper about: as many as there are cards, edge upon edge within 0.2 mm."""
    setup = Setup(PAPERS[name], backs=backing, gutter=GUTTER, marks="none", skip=1)
    card = SIZES[size]
    # One card more than a sheet takes behind the used place.
    most = grid(setup, card).size
    run, pdf = run_of(slug, setup, card, most), pdf_of(slug, setup, card, most)
    paper = grid(setup, card).paper
    long_side_up = paper.height >= paper.width
    edge = "upright" if (backing == "long") == long_side_up else "level"
    pages = dict(grey_pages(pdf, DPI))
    assert len(pages) == run.pages() == 4
    there = 0
    for number in (1, 3):
        seen = fronts(pages[number], paper, card)
        assert agree(turned(backs(pages[number + 1], paper, card), paper, edge), seen)
        assert not codes_on(pages[number + 1], paper)
        there += len(seen)
    assert there == most


@pytest.mark.parametrize("slug", EDITIONS)
def test_folded_backs_lie_behind_their_cards(slug: str) -> None:
    """Beside the fronts on the same page: mirrored in the fold, they are the same boxes."""
    setup = Setup(backs="fold", gutter=GUTTER, marks="none")
    card, most = SIZES["poker"], 9
    layout = grid(setup, card)
    assert layout.axis is not None
    for number, pixels in grey_pages(pdf_of(slug, setup, card, most), DPI):
        seen, behind = fronts(pixels, layout.paper, card), backs(pixels, layout.paper, card)
        fold = layout.axis if layout.turn == "across" else layout.paper.height - layout.axis
        mirrored = [
            (2 * fold - x1, y0, 2 * fold - x0, y1)
            if layout.turn == "across"
            else (x0, 2 * fold - y1, x1, 2 * fold - y0)
            for x0, y0, x1, y1 in behind
        ]
        assert agree(mirrored, seen), number
