"""Cards of which one code shows are told by codes that look alike: in rows that overlap, but not by patterns."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER
from scanner.alike import group_of, is_lattice, seen_squares
from scanner.patches import Patches, levels_of, patches_in
from scanner.planes import flattening
from scanner.quads import project, side
from scanner.table import slant
from server.studio import Scene
from server.studio.profiles import NOMINAL
from tests.scanner.shots import bgr, taken

SIZE = (600, 800)


def patches_at(spots: np.ndarray, sides: np.ndarray, turn: float = 0.0) -> Patches:
    """Return equally clear patches at some places."""
    return Patches(spots, sides, np.full(len(spots), 0.9), np.full(len(spots), turn))


def test_the_codes_of_a_row_are_a_group() -> None:
    """Where cards overlap and all is blurred the group holds most codes in sight, to a tenth, and little else."""
    photo = taken(Scene(replace(NOMINAL, layout="overlap", defocus=2.2), 2592, 1944), 20, "overlap")
    grey = cv2.cvtColor(bgr(photo.jpeg), cv2.COLOR_BGR2GRAY)
    small = np.asarray(cv2.resize(grey, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    levels = levels_of(small, max(small.shape), POKER)
    group = group_of(patches_in(levels, POKER, 0.38), levels, POKER)
    places = [np.array(code.quad) * 0.3 for one in photo.truth for code in one.codes]
    on = [
        np.log(length / side(code))
        for middle, length in zip(group.middles, group.sides, strict=True)
        for code in places
        if np.linalg.norm(code.mean(axis=0) - middle) < side(code) / 4
    ]
    assert len(on) >= 14
    assert len(group) <= len(on) + 2
    assert abs(np.median(on)) < 0.1


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
    # On the table all are squares of nearly one size.
    lengths = [side(project(flat, code)) for code in codes]
    assert max(lengths) < 1.25 * min(lengths)
