"""Cards of which one code shows are told by codes that look alike: in rows that overlap, but not by patterns."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER
from scanner.above import fill
from scanner.alike import group_of, is_lattice, seen_squares
from scanner.patches import Patches, levels_of, patches_in
from scanner.planes import flattening
from scanner.quads import codes_of, contains, project, side
from scanner.table import slant
from tests.scanner.test_patches import card, named

SIZE = (600, 800)


def row(number: int, step: float = 33.0) -> list[np.ndarray]:
    """Return the outlines of cards in a row, each over a part of the one before."""
    return [card(60 + step * at, 60 + 100 * line, 2 * at) for line in range(2) for at in range(number)]


def laid(cards: list[np.ndarray], blur: float) -> np.ndarray:
    """Return a table with cards one over another, which have a dark face and grey codes on white patches."""
    pixels = np.full(SIZE, 90, dtype=np.uint8)
    for outline in cards:
        middle = outline.mean(axis=0)
        fill(pixels, outline, 230)
        fill(pixels, middle + (outline - middle) * 0.93, 90)
        for code in codes_of(outline, POKER):
            fill(pixels, code.mean(axis=0) + (code - code.mean(axis=0)) * POKER.patch / POKER.code, 230)
            fill(pixels, code, 150)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur))


def patches_at(spots: np.ndarray, sides: np.ndarray, turn: float = 0.0) -> Patches:
    """Return equally clear patches at some places."""
    return Patches(spots, sides, np.full(len(spots), 0.9), np.full(len(spots), turn))


@pytest.mark.parametrize("blur", [1.0, 2.0])
def test_each_card_of_a_row_is_named(blur: float) -> None:
    """Where all but the last card of a row show one code, nearly each has a doubt of its own, and nothing else has."""
    cards = row(8)
    found, codes = named(laid(cards, blur))
    middles = [one.mean(axis=0) for one in (*found, *codes)]
    upright = [codes_of(one, POKER)[0] for one in cards]
    shown = [*upright[:7], *upright[8:15]]
    assert sum(any(contains(code, middle) for middle in middles) for code in shown) >= 12
    assert len(middles) <= len(cards)


def test_their_sizes_are_measured() -> None:
    """A group holds the codes in sight, and no other patches; each is measured to a fifth."""
    cards = row(8)
    levels = levels_of(laid(cards, 2.0), 800, POKER)
    group = group_of(patches_in(levels, POKER, 0.38), levels, POKER)
    places = [code for one in cards for code in codes_of(one, POKER)]
    assert len(group) >= 14
    for middle, length in zip(group.middles, group.sides, strict=True):
        (code,) = [one for one in places if np.linalg.norm(one.mean(axis=0) - middle) < 6]
        assert abs(np.log(length / side(code))) < 0.2


@pytest.mark.parametrize(
    ("step", "turn", "is_one"), [(1.1, 0, True), (1.4, 0, False), (1.7, 45, True), (2.0, 45, False)]
)
def test_patches_too_close_are_a_pattern(step: float, turn: float, is_one: bool) -> None:  # noqa: FBT001 - a table of cases
    """Cards' patches cannot touch each other, nor lie across each other's corners as on a chequered cloth."""
    spots = 30.0 * step * np.array([(x, y) for x in range(6) for y in range(5)], dtype=np.float64)
    assert is_lattice(patches_at(spots, np.full(30, 30.0), turn)) is is_one


@pytest.mark.parametrize(("tilt", "spread", "told"), [(0.0, 1.0, 1.0), (35.0, 1.0, 1.2), (35.0, 0.1, 1.0)])
def test_sizes_tell_the_slant(tilt: float, spread: float, told: float) -> None:
    """Patches all over the picture tell how it slants by their sizes, those in a small part of it do not."""
    flat = flattening(np.array([np.tan(np.radians(tilt)), 0.0]), 0.9, SIZE)
    spots = np.array([(400, 300)]) + spread * np.array([(x, y) for x in range(-300, 301, 120) for y in (-200, 0, 200)])
    depths = np.column_stack((spots, np.ones(len(spots)))) @ flat[2]
    codes = list(seen_squares(patches_at(spots, 30 * depths**1.5), SIZE))
    values = np.linalg.eigvalsh(slant(codes))
    assert abs(values[1] / values[0] - told) < 0.08
    assert np.abs(np.mean(codes, axis=1) - spots).max() < 3
    # On the table all are squares of one size.
    steepness = [side(project(flat, code)) for code in codes]
    assert max(steepness) < 1.25 * min(steepness)
