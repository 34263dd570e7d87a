"""Flat and bent cards before the camera: to pixels and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import POKER
from devtools.photo_simulator.camera import Bend, Surface, camera
from devtools.photo_simulator.layouts import place

POINTS = np.array([(0, 0), (300, 0), (300, 200), (0, 200)], dtype=np.float64)
SIZE = (POKER.width, POKER.height)

bends = st.none() | st.builds(Bend, st.floats(60, 400), st.floats(0, 180), st.booleans())


@settings(max_examples=60, deadline=None)
@given(bends, st.floats(0, 40), st.floats(0, 360), st.floats(0, 360))
def test_a_pixel_shows_the_point_that_is_projected_there(
    bend: Bend | None, tilt: float, direction: float, turn: float
) -> None:
    """Looking through a pixel at a card, bent or not, finds the point that falls on this pixel."""
    surface = Surface(camera(POINTS, 1200, 900, tilt, direction, 0.8), place(150, 100, turn, POKER), SIZE, bend)
    points = np.array([(5, 5), (30, 40), (60, 80), (10, 70), (31.5, 44)], dtype=np.float64)
    seen = surface.project(points)
    x, y = surface.beneath(seen[:, 0], seen[:, 1])
    assert np.allclose(np.column_stack((x, y)), points, atol=1e-6)


def test_a_bend_keeps_lengths_on_the_card() -> None:
    """Seen from straight above, a card on a cylinder is as long along its axis, and shorter across."""
    above = np.array([[10.0, 0, 0, 0], [0, 10, 0, 0], [0, 0, 0, 1]])
    surface = Surface(above, np.eye(3), SIZE, Bend(40, 0, cup=True))
    corners = surface.project(surface.corners) / 10
    assert np.ptp(corners[:, 0]) == pytest.approx(POKER.width)
    assert np.ptp(corners[:, 1]) == pytest.approx(2 * 40 * np.sin(POKER.height / 2 / 40))
    flat = Surface(above, np.eye(3), SIZE)
    assert flat.scale() == pytest.approx((10, 10))
    assert flat.edge.shape == (4, 2)
    assert len(surface.edge) > 20


@pytest.mark.parametrize("cup", [True, False])
def test_a_bent_card_rises_off_the_table_and_touches_it(cup: bool) -> None:  # noqa: FBT001 - a table of cases
    """A cup touches the table in its middle, an arch at its ends; the rest is nearer to the camera."""
    near = np.array([[1000.0, 0, 0, 0], [0, 1000, 0, 0], [0, 0, -1, 500]])
    surface = Surface(near, place(0, 0, 0, POKER), SIZE, Bend(60, 0, cup=cup))
    middle, ends = np.array([(POKER.width, POKER.height / 2)]), np.array([(POKER.width, 0.0), (POKER.width, 88.0)])
    flat = Surface(near, place(0, 0, 0, POKER), SIZE)
    risen = surface.project(ends if cup else middle)[:, 0] / flat.project(ends if cup else middle)[:, 0]
    still = surface.project(middle if cup else ends)[:, 0] / flat.project(middle if cup else ends)[:, 0]
    assert risen.min() > 1.02
    assert still == pytest.approx(1, abs=1e-6)
