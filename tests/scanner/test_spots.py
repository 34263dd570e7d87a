"""Finding symbols by their corner patterns as a whole, in blur and noise."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.pixels import smooth
from scanner.pyramid import Pyramid
from scanner.spots import FINE, symbols
from tests.scanner.shots import page

TEXT = "H0123ABCDEFGHJKMNPQR"
SIDE = 21 * 4


def found(pixels: np.ndarray, module: float) -> np.ndarray:
    """Return the symbols found in a picture that is shrunk first, as in a search."""
    small = Pyramid(pixels).shrunk(module, FINE)
    return small.up(symbols(small.pixels, module * small.scale.mean()))


def off(quads: np.ndarray, place: tuple[int, int], module: float = 4) -> float:
    """Return by how many modules the first quad is off a code drawn at a place of `page`, at its worst corner."""
    x, y = place[0] + 4 * 4 - 0.5, place[1] + 4 * 4 - 0.5
    true = np.array([(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)])
    return float(np.abs(quads[0] - true).max()) / module


@pytest.mark.parametrize("blur", [0, 2, 4, 5])
@pytest.mark.parametrize("size", [3.5, 4, 4.5])
def test_a_symbol_is_found_in_blur_at_a_size_a_bit_off(blur: float, size: float) -> None:
    """Sharp or blurred by up to more than a module, a symbol is the likeliest place, within a module."""
    pixels = page((TEXT, 200, 100))
    assert off(found(smooth(pixels, blur) if blur else pixels, size), (200, 100)) < 1


def test_symbols_are_found_in_noise() -> None:
    """Noise as strong as the code itself does not hide it."""
    pixels = page((TEXT, 200, 100)) // 4 + np.uint8(90)
    noisy = pixels + np.random.default_rng(1).normal(0, 50, pixels.shape)
    assert off(found(np.clip(noisy, 0, 255).astype(np.uint8), 4), (200, 100)) < 1


@pytest.mark.parametrize("shape", [(8, 8), (12, 300), (300, 400)])
def test_an_empty_picture_has_no_symbols(shape: tuple[int, int]) -> None:
    """Where there is nothing, or the picture is smaller than a corner pattern, nothing is found."""
    assert len(found(np.full(shape, 200, dtype=np.uint8), 3)) == 0


def test_bands_meet() -> None:
    """A symbol is found wherever it lies in a tall picture that is searched in bands."""
    for y in (300, 340, 380, 420):
        pixels = page((TEXT, 100, y), size=(700, 400), module=2)
        quads = symbols(pixels, 2)
        assert np.abs(quads[0][0] - (107.5, y + 7.5)).max() < 2
