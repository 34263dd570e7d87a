"""The table is told by the outlines of cards alone: at any slant and through any lens, and not by squares."""

from __future__ import annotations

import numpy as np
import pytest

from cardgen.cards import POKER
from scanner.planes import FEWEST, cards_on_plane, flattening
from scanner.quads import card_corners, project
from server.studio.camera import project as seen
from server.studio.layouts import place

SHAPE = (450, 600)
EDGE = card_corners(POKER)


def laid(number: int, turn: float = 3.0) -> np.ndarray:
    """Return the outlines of cards on a table in rows of five, in millimetres around its middle."""
    spots = [(85.0 * (at % 5 - 2), 110.0 * (at // 5 - 0.5)) for at in range(number)]
    return np.stack([seen(place(x, y, turn * at, POKER), EDGE) for at, (x, y) in enumerate(spots)])


def photographed(quads: np.ndarray, slant: float, way: float, lens: float) -> np.ndarray:
    """Return where things on a table lie in a picture that a lens takes at a slant, in degrees, from a direction."""
    slope = np.tan(np.radians(slant)) * np.array([np.cos(np.radians(way)), np.sin(np.radians(way))])
    flat = flattening(slope, lens, SHAPE)
    middle = project(flat, np.array([(300.0, 225.0)]))
    return np.stack([project(np.linalg.inv(flat), quad * 0.5 + middle) for quad in quads])


def tiles() -> np.ndarray:
    """Return the outlines of 77 squares of a cloth, in millimetres around its middle."""
    square = np.array([(-20, -20), (20, -20), (20, 20), (-20, 20)], dtype=np.float64)
    offsets = np.array([(50 * (at % 11 - 5), 50 * (at // 11 - 3)) for at in range(77)])
    return np.asarray(square + offsets[:, np.newaxis])


@pytest.mark.parametrize("way", [0.0, 50.0, 130.0, 270.0])
@pytest.mark.parametrize(("slant", "lens"), [(0, 0.8), (25, 0.8), (45, 1.3), (55, 1.0), (63, 1.6), (45, 4.0)])
def test_cards_tell_the_slant_and_the_lens(slant: float, lens: float, way: float) -> None:
    """All cards are told, each as a rectangle on the table where it was, the width first."""
    true = photographed(laid(10), slant, way, lens)
    chance = np.random.default_rng(1)
    found = cards_on_plane(np.roll(true, 1, axis=1) + chance.normal(0, 0.3, true.shape), SHAPE, POKER)
    assert len(found) == len(true)
    for card, other in zip(found, true, strict=True):
        assert min(np.abs(np.roll(card, turn, axis=0) - other).max() for turn in (0, 2)) < 4


def test_squares_are_no_cards_at_another_slant() -> None:
    """Some squares of a cloth could be cards seen from elsewhere, but not all of them: they are taken for squares."""
    assert len(cards_on_plane(photographed(tiles(), 0, 0, 1.0), SHAPE, POKER)) == 0


@pytest.mark.parametrize("printed", [True, False])
def test_print_tells_cards_from_squares(printed: bool) -> None:  # noqa: FBT001 - a table of cases
    """What may as well be squares is cards only if it bears what cards do, and print is looked at only then."""
    asked = []

    def bear_codes(cards: np.ndarray) -> bool:
        asked.append(len(cards))
        return printed

    found = cards_on_plane(photographed(tiles(), 0, 0, 1.0), SHAPE, POKER, bear_codes)
    assert asked == [77]
    assert len(found) == (77 if printed else 0)
    assert len(cards_on_plane(photographed(laid(10), 25, 0, 0.8), SHAPE, POKER, bear_codes)) == 10
    assert asked == [77]


def test_other_things_beside_cards_are_left_out() -> None:
    """Things of other shapes and sizes do not count, and too few cards tell nothing."""
    cards = laid(FEWEST)
    small = cards.mean(axis=1, keepdims=True) + (cards - cards.mean(axis=1, keepdims=True)) * 0.6 + (0, 130)
    seen_from = photographed(np.concatenate((cards, small[:2])), 50, 20, 1.0)
    found = cards_on_plane(seen_from, SHAPE, POKER)
    assert len(found) == FEWEST
    assert np.abs(found.mean(axis=1) - seen_from[:FEWEST].mean(axis=1)).max() < 2
    assert len(cards_on_plane(seen_from[1:], SHAPE, POKER)) == 0
    assert len(cards_on_plane(seen_from[: FEWEST - 1], SHAPE, POKER)) == 0
