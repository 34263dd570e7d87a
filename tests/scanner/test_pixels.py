"""What is done to pixels before they are read again."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.pixels import percentiles, values_at


@pytest.mark.parametrize("shape", [(40_000,), (40_000, 3), (3, 40_000), (2, 0), (200, 200, 2)])
def test_values_come_for_as_many_places_as_wanted(shape: tuple[int, ...]) -> None:
    """OpenCV looks up less than 32,768 places in a row at once; more, in any shape, give the same values."""
    pixels = np.arange(48, dtype=np.float32).reshape(6, 8)
    chance = np.random.default_rng(1)
    x, y = chance.integers(0, 8, shape), chance.integers(0, 6, shape)
    assert (values_at(pixels, np.stack((x, y), axis=-1).astype(float)) == pixels[y, x]).all()


def test_values_between_pixels_are_shared_and_beyond_the_edge_the_edges() -> None:
    """Half-way between two pixels lies their mean; outside the picture its nearest pixel goes on."""
    pixels = np.array([[0, 100], [200, 40]], dtype=np.uint8)
    places = np.array([(0.5, 0), (0, 0.5), (0.5, 0.5), (-3, -3), (5, 9)], dtype=np.float64)
    assert np.allclose(values_at(pixels, places), [50, 100, 85, 0, 40], atol=0.5)


@pytest.mark.parametrize("share", [0.0, 2.0, 50.0, 99.5, 100.0])
def test_percentiles_are_right_to_a_step_of_brightness(share: float) -> None:
    """Counting how often each brightness occurs gives the same as sorting all pixels, to a whole number."""
    pixels = np.random.default_rng(1).integers(0, 256, (60, 80), dtype=np.uint8)
    assert percentiles(pixels, share, 50.0) == pytest.approx(np.percentile(pixels, (share, 50.0)), abs=1.0)
