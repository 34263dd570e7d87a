"""Which sizes of a module are tried where none is known, and in which order."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.photo import load
from scanner.sizes import EVERYWHERE, LEGIBLE, SMALLEST, STRIDE, is_grainy, is_sharp, sizes
from tests.scanner.shots import shot


@pytest.mark.parametrize(
    ("profile", "sharp"), [("sharp15", True), ("defocus3", False), ("motion6", False), ("night", False)]
)
def test_small_modules_are_looked_for_first_in_a_sharp_picture(profile: str, sharp: bool) -> None:  # noqa: FBT001 - cases
    """In a sharp picture readers see all but the small ones; blur and noise hide large ones, which cost least."""
    grey = load(shot(profile, 20).jpeg)
    assert is_sharp(grey) == sharp
    tried = sizes(grey)
    assert (tried[0] == SMALLEST) == sharp
    assert (tried[-1] == SMALLEST) != sharp
    assert sorted(tried) == pytest.approx([SMALLEST * STRIDE**step for step in range(len(tried))])
    large = [size for size in tried if size >= LEGIBLE]
    assert large == sorted(large, reverse=True)


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (300, 400)])
def test_an_even_picture_is_not_sharp(shape: tuple[int, int]) -> None:
    """Where there is nothing, however small the picture, one size is tried at least."""
    assert not is_sharp(np.full(shape, 200, dtype=np.uint8))
    assert sizes(np.full(shape, 200, dtype=np.uint8))[-1] == SMALLEST


@pytest.mark.parametrize(("profile", "grainy"), [("night", True), ("dim", False), ("newspaper", False)])
def test_only_in_the_dark_noise_is_everywhere(profile: str, grainy: bool) -> None:  # noqa: FBT001 - cases
    """Print has as large steps from one pixel to the next, but not all over the picture."""
    assert is_grainy(load(shot(profile, 20).jpeg)) == grainy


def test_a_drawing_is_not_grainy() -> None:
    """Black lines on white are as sharp as noise, and most of the picture is white."""
    lines = np.full((1200, 1600), 255, dtype=np.uint8)
    lines[::50] = lines[:, ::20] = 0
    assert not is_grainy(lines)


@pytest.mark.parametrize(("step", "grainy"), [(13, False), (14, True), (15, True)])
def test_noise_is_where_half_of_the_steps_are_large(step: int, grainy: bool) -> None:  # noqa: FBT001 - a table of cases
    """Where a few steps are as large as can be, the others tell whether noise makes them."""
    row = np.tile(np.array([0, step], dtype=np.uint8), 400)
    row[::50] = 200
    assert round(200 * EVERYWHERE) == 14
    assert is_grainy(np.tile(row, (64, 1))) == grainy
