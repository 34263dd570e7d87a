"""Which sizes of a module are tried where none is known, and in which order."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.photo import load
from scanner.sizes import LEGIBLE, SMALLEST, STRIDE, is_sharp, sizes
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
