"""What is asked of many quads at once is what is asked of each alone."""

from __future__ import annotations

import numpy as np

from scanner.quads import containing, contains


def test_many_points_in_many_quads_are_told_at_once() -> None:
    """Whichever way round its corners go, a quad contains the points that it contains when asked for one by one."""
    chance = np.random.default_rng(1)
    square = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], dtype=np.float64)
    quads = square + chance.uniform(-2, 2, (6, 4, 2)) + chance.uniform(0, 15, (6, 1, 2))
    quads[3:] = quads[3:, ::-1]
    points = chance.uniform(-5, 30, (200, 2))
    told = containing(quads, points)
    assert told.tolist() == [[contains(quad, point) for point in points] for quad in quads]
    assert 0 < told.sum() < told.size
