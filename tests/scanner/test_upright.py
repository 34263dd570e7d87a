"""The picture as seen from straight above the table, and at smaller sizes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner.pyramid import Pyramid
from scanner.quads import project, side
from scanner.spots import FINE, symbols
from scanner.table import Table
from scanner.upright import Above
from tests.scanner.shots import page

TEXT = "H0123ABCDEFGHJKMNPQR"
PLACES = [(60, 60), (320, 80), (100, 400), (420, 300), (260, 240)]
FLAT = page(*((TEXT, x, y) for x, y in PLACES), size=(600, 600))
QUADS = [np.array([(x, y), (x + 84, y), (x + 84, y + 84), (x, y + 84)], dtype=np.float64) + 15.5 for x, y in PLACES]


def tilted(steep: float) -> np.ndarray:
    """Return the matrix of a camera that sees the page's far end smaller."""
    return np.array([[1, 0, 0], [0, 0.8 - steep * 200, 0], [0, -steep, 1 + 600 * steep]])


def test_a_tilted_table_is_searched_from_above() -> None:
    """On a picture taken at a slant all symbols are found from above, whatever size each has in the picture."""
    matrix = tilted(1 / 900)
    height = int(project(matrix, np.array([(0.0, 600.0)]))[0, 1])
    seen = np.asarray(cv2.warpPerspective(FLAT, matrix, (600, height), borderValue=255), dtype=np.uint8)
    true = [project(matrix, quad) for quad in QUADS]
    assert max(map(side, true)) > 1.25 * min(map(side, true))
    view = Above.of(Pyramid(seen), Table.under(true), true, FINE)
    assert view is not None
    found = view.up(symbols(view.pixels, FINE))
    for quad in true:
        assert min(np.abs(found - quad).max(axis=(1, 2))) < side(quad) / 21


def test_a_picture_from_above_is_left_as_it_is() -> None:
    """Where the table is seen from straight above there is nothing to be gained."""
    assert Above.of(Pyramid(FLAT), Table.under(QUADS), QUADS, FINE) is None


@pytest.mark.parametrize("horizon", [-1 / 500, -1 / 620])
def test_no_view_is_drawn_to_the_horizon(horizon: float) -> None:
    """A table that would go on to the horizon or beyond is not drawn."""
    flat = np.eye(3)
    flat[2, 0] = horizon
    assert Above.of(Pyramid(FLAT), Table(flat), QUADS, FINE) is None


@pytest.mark.parametrize("size", [(600, 600), (601, 403), (40, 50)])
def test_points_of_a_smaller_picture_are_those_of_the_whole(size: tuple[int, int]) -> None:
    """A bright spot lies at the same place at every size of a picture, and points go there and back."""
    pixels = np.zeros(size, dtype=np.uint8)
    pixels[20:28, 8:16] = 255
    picture = Pyramid(pixels)
    for level in (picture.halved(8, 2), picture.shrunk(8, 3), picture.shrunk(2, 3)):
        y, x = np.argwhere(level.pixels > 127).mean(axis=0)
        assert np.abs(level.up(np.array([x, y])) - (11.5, 23.5)).max() < 2
        assert np.allclose(level.down(level.up(np.array([3.0, 4.0]))), (3, 4))
    assert min(Pyramid(np.zeros((40, 40), dtype=np.uint8)).halved(1000, 1).pixels.shape) >= 16
