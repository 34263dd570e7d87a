"""Cards in the dark are told by their rims where noise hides all else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER, Geometry
from scanner.grainy import FEWEST, cards_in_noise
from scanner.quads import centre, contains

SHAPE = (612, 816)
WIDE = 90.0
"""Pixels of a card's width."""

LYING = replace(POKER, width=POKER.height, height=POKER.width)


def laid(number: int, turn: float = 0.0) -> np.ndarray:
    """Return outlines of cards in rows, shape (number, 4, 2), turned around the picture's middle."""
    columns = 6 if number <= 12 else 9
    size = np.array([WIDE, WIDE * POKER.height / POKER.width])
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size
    quads = np.array([corners + (at % columns, at // columns) * (size + 10) for at in range(number)], dtype=np.float64)
    middle = np.array(SHAPE[::-1]) / 2
    quads += middle - quads.reshape(-1, 2).mean(axis=0)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray((quads - middle) @ np.array([(cos, sin), (-sin, cos)]) + middle)


def in_the_dark(quads: np.ndarray, more: float, noise: float = 40.0) -> np.ndarray:
    """Return a noisy grey picture of cards that are so much brighter than the table."""
    plane = np.full(SHAPE, 60, dtype=np.float32)
    for quad in quads:
        cv2.fillConvexPoly(plane, np.round(quad).astype(np.int32), 60 + more)
    return np.clip(plane + np.random.default_rng(1).normal(0, noise, SHAPE), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("turn", "more"), [(0.0, 16.0), (0.0, -16.0), (20.0, 16.0), (70.0, 16.0)])
def test_cards_that_noise_hides_are_told_by_their_rims(turn: float, more: float) -> None:
    """Noise of two and a half times the contrast hides no card, however they lie, and nothing else is named."""
    true = laid(12, turn)
    found = cards_in_noise(in_the_dark(true, more), POKER)
    assert len(found) == 12
    for card in true:
        (one,) = (quad for quad in found if contains(card, centre(quad)))
        assert np.abs(centre(one) - centre(card)).max() < WIDE / 10
        # The width comes first, as in every outline.
        assert np.linalg.norm(one[1] - one[0]) < np.linalg.norm(one[2] - one[1])


@pytest.mark.parametrize("turn", [-30.0, -7.5, 7.5, 30.0])
def test_cards_at_the_edges_are_told_whichever_way_they_lie(turn: float) -> None:
    """A deck that fills the picture is found to its edges, be it turned a little to the left or to the right."""
    frame = np.array([(5, 5), (SHAPE[1] - 5, SHAPE[0] - 5)])
    true = [one for one in laid(72, turn) if (one > frame[0]).all() and (one < frame[1]).all()]
    found = cards_in_noise(in_the_dark(np.array(true), 25.0), POKER)
    assert len(true) >= 20
    assert sum(any(contains(card, centre(one)) for one in found) for card in true) >= len(true) - 1


def test_cards_on_their_side_have_their_width_first() -> None:
    """Cards that are wider than high are told as well, and their outline begins with the longer side."""
    found = cards_in_noise(in_the_dark(laid(12), 16.0), LYING)
    assert len(found) == 12
    assert all(np.linalg.norm(one[1] - one[0]) > np.linalg.norm(one[2] - one[1]) for one in found)


@pytest.mark.parametrize(("number", "told"), [(FEWEST - 1, 0), (FEWEST, FEWEST)])
def test_few_cards_in_noise_are_none(number: int, told: int) -> None:
    """Fewer than five things that stand out are no deck."""
    assert len(cards_in_noise(in_the_dark(laid(number), 25.0), POKER)) == told


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("blur", [0.0, 2.0])
def test_noise_alone_is_no_card(seed: int, blur: float) -> None:
    """Of noise, be it of single pixels or smoothed, nothing is named."""
    noise = np.random.default_rng(seed).normal(80, 40, SHAPE)
    noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), blur)) if blur else noise
    assert not cards_in_noise(np.clip(noise, 0, 255).astype(np.uint8), POKER)


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (900, 2), (30, 30), (40, 400)])
def test_strips_and_specks_have_no_cards(shape: tuple[int, int]) -> None:
    """Pictures too small for cards give none and no error."""
    assert not cards_in_noise(np.zeros(shape, dtype=np.uint8), Geometry())
