"""The sensor counts light with the noise that physics gives it, and the phone's software makes a picture of that."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from devtools.photo_simulator.arrays import generator
from devtools.photo_simulator.optics import Blur, Light
from devtools.photo_simulator.sensor import (
    BLACK,
    SHINE,
    WHITE,
    capture,
    developed,
    finished,
    full_well,
    jpeg,
    visible_noise,
)
from tests.scanner.shots import bgr

WIDTH, HEIGHT = 512, 320


def lit(level: float, *, width: int = WIDTH, height: int = HEIGHT) -> Light:
    """Return even light of a level."""
    factor = np.full((height // 4, width // 4, 3), level, dtype=np.float32)
    return Light(width, height, factor, np.zeros(factor.shape[:2], dtype=np.float32), (1.0, 0.0))


def counted(level: float, iso: float, value: int = 255, shine: int = 0) -> np.ndarray:
    """Return what the sensor counts of an even surface, as shares of its limit."""
    picture = np.full((HEIGHT, WIDTH, 3), value, dtype=np.uint8)
    bright = np.full((HEIGHT, WIDTH), shine, dtype=np.uint8) if shine else None
    raw = capture(picture, bright, lit(level), Blur(0.6, None), iso, generator("n"))
    return np.asarray((raw.astype(float) - BLACK) / (WHITE - BLACK))


@pytest.mark.parametrize("iso", [100, 800, 3200])
@pytest.mark.parametrize("level", [0.02, 0.2, 0.7])
def test_noise_is_that_of_counting_and_reading(iso: float, level: float) -> None:
    """The variance of green pixels is the electrons counted, and those of reading, over the electrons at the limit."""
    green = counted(level, iso)[0::2, 1::2]
    full = full_well(iso, WIDTH * HEIGHT)
    assert full == pytest.approx(5000 * 100 / iso)
    # What is clipped at black or white has less noise.
    if level * full > 30 and level + 4 * np.sqrt(level / full) < 1:
        assert green.mean() == pytest.approx(level, rel=0.02)
        assert green.var() == pytest.approx((level * full + 2.5**2) / full**2, rel=0.1)
    assert green.std() > 0


def test_red_and_blue_are_noisier_than_green() -> None:
    """Their filters let less light through, and white balance makes up for it."""
    counts = counted(0.4, 400)
    red, green, blue = counts[0::2, 0::2], counts[0::2, 1::2], counts[1::2, 1::2]
    assert red.mean() == pytest.approx(green.mean(), rel=0.01)
    assert green.std() < red.std() < blue.std()


def test_smaller_pixels_hold_less() -> None:
    """48 megapixels have a quarter of the electrons of 12, and less than 12 megapixels have no more."""
    assert full_well(100, 48_800_000) == pytest.approx(full_well(100, 12_200_000) / 4)
    assert full_well(100, 2_000_000) == full_well(100, 12_200_000)


def test_reflections_add_to_what_is_below_and_are_clipped() -> None:
    """A faint reflection lifts black, a strong one leaves nothing but white."""
    faint = round(0.2 / SHINE * 255)
    assert counted(1.0, 100, value=0, shine=faint).mean() == pytest.approx(0.2, abs=0.03)
    assert counted(1.0, 100, value=0, shine=255).min() == 1.0
    assert counted(1.0, 100, value=0).mean() < 0.01


@pytest.mark.parametrize("colour", [(30, 40, 200), (40, 180, 40), (200, 60, 30), (128, 128, 128)])
def test_colours_come_back_from_the_mosaic(colour: tuple[int, int, int]) -> None:
    """What is red is red in the picture, also at its edges; a tone of contrast may be added."""
    picture = np.full((HEIGHT, WIDTH, 3), colour, dtype=np.uint8)
    raw = capture(picture, None, lit(1.0), Blur(0.6, None), 100, generator("c"))
    seen = developed(raw, 100, 1.0, 0.5)
    assert seen.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(seen.reshape(-1, 3).mean(axis=0) - colour).max() < 14


def test_bands_leave_no_joints() -> None:
    """The picture is worked on in bands of rows; where they meet nothing shows."""
    ramp = np.tile(np.linspace(40, 200, 700, dtype=np.float32)[:, np.newaxis, np.newaxis], (1, 64, 3)).astype(np.uint8)
    raw = capture(ramp, None, lit(1.0, width=64, height=700), Blur(1.5, None), 1, generator("b"))
    rows = developed(raw, 1, 1.0, 0.5).astype(float).mean(axis=(1, 2))
    assert np.abs(np.diff(rows, 2)).max() < 1.5


def test_denoising_takes_most_noise_and_leaves_edges() -> None:
    """A flat surface gets smoother, a black and white edge stays as steep."""
    chance = np.random.default_rng(1)
    flat = np.clip(120 + chance.normal(0, 9, (200, 200, 1)) + chance.normal(0, 5, (200, 200, 3)), 0, 255)
    flat[:, 100:] += 100
    noisy = flat.astype(np.uint8)
    smooth = finished(noisy, 9, 0)
    assert smooth[:, 10:90].std() < 0.6 * noisy[:, 10:90].std()
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY).astype(float)
    assert (grey[:, 101] - grey[:, 98]).mean() > 85
    assert finished(noisy, 0, 0)[:, 10:90].std() == pytest.approx(noisy[:, 10:90].std(), rel=0.05)


def test_sharpening_overshoots_at_edges() -> None:
    """As in phones' pictures, dark gets darker and light lighter beside an edge, and surfaces stay."""
    edge = np.full((60, 60, 3), 90, dtype=np.uint8)
    edge[:, 30:] = 160
    sharp = finished(edge, 0, 0.8).astype(int)
    assert sharp[30, 29, 0] < 85
    assert sharp[30, 30, 0] > 165
    assert abs(sharp[30, 5, 0] - 90) <= 1


def test_more_gain_is_more_noise() -> None:
    """The noise that is to be seen grows with the root of the ISO value."""
    assert visible_noise(400, 12_000_000) == pytest.approx(2 * visible_noise(100, 12_000_000))
    assert 1 < visible_noise(100, 12_000_000) < 3


def test_files_are_jpeg_with_half_the_colour() -> None:
    """As phones write them; lower quality, smaller file."""
    picture = cv2.GaussianBlur(np.random.default_rng(2).integers(0, 255, (64, 64, 3), dtype=np.uint8), (0, 0), 2)
    data = jpeg(np.asarray(picture, dtype=np.uint8), 90)
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "JPEG"
        assert [layer[1:3] for layer in image.layer] == [(2, 2), (1, 1), (1, 1)]
    assert bgr(data).shape == (64, 64, 3)
    assert len(jpeg(np.asarray(picture, dtype=np.uint8), 50)) < len(data)
