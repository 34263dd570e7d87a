"""Kernels of defocus and motion, and the depth of a slanted table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devtools.photo_simulator.arrays import generator
from devtools.photo_simulator.camera import FOCAL, camera, inverse_depth, on_table, project
from devtools.photo_simulator.optics import Blur, blur_of, depth_of, disc, stroke, veiled
from devtools.photo_simulator.profiles import NOMINAL

POINTS = np.array([(0, 0), (600, 0), (600, 400), (0, 400)], dtype=np.float64)


def spread_of(kernel: np.ndarray) -> np.ndarray:
    """Return the covariance, 2 x 2, of a kernel's weight, in pixels."""
    reach = kernel.shape[0] // 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    points = np.stack([x.ravel(), y.ravel()])
    assert abs((points * kernel.ravel()).sum(axis=1)).max() < 0.05
    return np.asarray((points * kernel.ravel()) @ points.T)


@settings(max_examples=30, deadline=None)
@given(st.floats(0.6, 20), st.floats(0, 40), st.floats(0, 3.2), st.floats(0, 1), st.integers(0, 99))
def test_no_kernel_makes_or_takes_light(radius: float, length: float, angle: float, shake: float, seed: int) -> None:
    """Defocus and motion move light and keep its sum, its middle, and its sign."""
    for kernel in (disc(radius), stroke(length, angle, shake, generator(str(seed)))):
        assert kernel.sum() == pytest.approx(1, abs=1e-4)
        assert kernel.min() >= 0
        spread_of(kernel)


@pytest.mark.parametrize("radius", [2.0, 5.0, 12.0])
def test_a_disc_has_its_radius(radius: float) -> None:
    """The light of a point out of focus fills a disc: its spread along any axis is half the radius."""
    spread = spread_of(disc(radius))
    assert spread[0, 0] == pytest.approx(radius**2 / 4, rel=0.2)
    assert spread[0, 1] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2])
def test_a_straight_stroke_has_its_length_and_direction(angle: float) -> None:
    """The light of a point that moved lies evenly on a line: its spread is the length over the root of 12."""
    spread = spread_of(stroke(30.0, angle, 0.0, generator("s")))
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    assert np.sqrt(along @ spread @ along) == pytest.approx(30 / np.sqrt(12), rel=0.02)
    assert np.sqrt(across @ spread @ across) < 0.6


def test_a_shaking_hand_draws_a_curve() -> None:
    """With shake the path leaves the straight line by more than a tenth of its length."""
    bent = [np.linalg.eigvalsh(spread_of(stroke(30.0, 0.3, 1.0, generator(str(seed)))))[0] for seed in range(8)]
    assert np.median(np.sqrt(bent)) > 1.5


def test_the_depth_of_a_slanted_table_follows_the_lens() -> None:
    """Out of focus by the aperture times the difference of the inverse distances; sharp in the middle."""
    matrix = camera(POINTS, 1200, 900, 40, 30, 0.9)
    depth = depth_of(matrix, 1200, 900, 20.0)
    assert depth is not None
    x, y = np.array([0.0, 600, 1150]), np.array([880.0, 450, 20])
    ground = project(np.linalg.inv(on_table(matrix)), np.column_stack((x, y)))
    distance = np.column_stack((ground, np.ones(3))) @ on_table(matrix)[2]
    assert inverse_depth(matrix, x, y) == pytest.approx(1 / distance)
    expected = 20.0 / 2 * FOCAL * 1200 * (1 / distance - 1 / distance[1])
    assert depth.right * x + depth.down * y + depth.start == pytest.approx(expected)
    assert depth_of(camera(POINTS, 1200, 900, 0, 30, 0.9), 1200, 900, 20.0) is None


def test_depth_blurs_the_ends_and_not_the_middle() -> None:
    """Fine lines keep their contrast where the lens is focused, and lose it near and far."""
    depth = depth_of(camera(POINTS, 1200, 900, 50, 90, 0.9), 1200, 900, 16.0)
    assert depth is not None
    assert depth.most > 1.5
    lines = np.zeros((900, 1200, 3), dtype=np.float32)
    lines[:, ::4] = lines[:, 1::4] = 1
    seen = depth.spread(lines, 0)
    contrast = seen[..., 0].std(axis=1)
    assert contrast[440:460].min() > 0.95 * lines[0, :, 0].std()
    assert min(contrast[20], contrast[-20]) < 0.7 * contrast[450]
    assert seen.mean() == pytest.approx(lines.mean(), rel=0.01)


def test_a_profile_with_defocus_has_it_everywhere() -> None:
    """Who asks for a disc gets that disc all over the picture; without, the table's depth counts."""
    depth = depth_of(camera(POINTS, 1200, 900, 50, 90, 0.9), 1200, 900, 16.0)
    assert blur_of(NOMINAL, 0.6, 5, depth, generator("b")).depth is depth
    blur = blur_of(replace(NOMINAL, defocus=1.0, motion=2.0), 0.6, 5, depth, generator("b"))
    assert blur.depth is None
    assert blur.kernel is not None
    assert blur.kernel.sum() == pytest.approx(1, abs=1e-3)
    assert blur.reach >= blur.kernel.shape[0] // 2


def test_a_lens_veils_black_in_a_bright_picture() -> None:
    """A little of all light is scattered over the picture."""
    light = veiled(np.array([[[0.0, 0.5, 1.0]]], dtype=np.float32), 0.5)
    assert 0.001 < light[0, 0, 0] < 0.02
    assert light[0, 0, 1] == pytest.approx(0.5)
    assert Blur(0.6, None).reach >= 3
