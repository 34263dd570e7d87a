"""What is looked up in a picture where finder patterns and nets of modules are fitted."""

from __future__ import annotations

import numpy as np

from scanner.fitting import sampled


def test_as_many_places_as_a_large_symbol_has_are_looked_up() -> None:
    """OpenCV looks up less than 32,768 rows of places at once; more give the same values."""
    clear = np.arange(12, dtype=np.float32).reshape(3, 4)
    pixels = np.tile(np.array([(0.5, 0.5), (1.0, 0.5), (3.5, 2.5)]), (70_000, 1, 1))
    values = sampled(clear, pixels)
    assert values.shape == (70_000, 3)
    assert np.array_equal(values, np.tile(np.array([0, 0.5, 11], np.float32), (70_000, 1)))
