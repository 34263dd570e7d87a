"""Codes of any version on paper that is not flat are read by following their modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
import qrcode
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner import lattice, read_codes
from scanner.readers import Found, Zxing

if TYPE_CHECKING:
    import numpy.typing as npt

    Picture = npt.NDArray[np.uint8]


PATIENT = 60.0
"""How many times as long as decoding a scan may take that is not to miss anything on a busy machine."""


def symbol(version: int, level: int = qrcode.ERROR_CORRECT_L) -> tuple[str, Picture]:
    """Return a full code of a version: its text, and its modules with a quiet zone of 4, dark ones 0."""
    made = qrcode.QRCode(version=version, error_correction=level, border=4)
    text = f"v{version} " + "x7/" * (3 * version)
    made.add_data(text)
    made.make(fit=False)
    return text, np.where(np.array(made.get_matrix()), 0, 255).astype(np.uint8)


def bent(modules: Picture, bend: float, module: int = 6, turn: float = 0.0) -> Picture:
    """Return a code on a cylinder whose arc over the paper's width is `bend` radians, turned by some degrees."""
    size = len(modules) * module
    wide = int(1.6 * size)
    y, x = np.mgrid[:wide, :wide].astype(np.float32) - wide / 2
    angle = np.radians(turn)
    x, y = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    radius = size / bend
    along = radius * np.arcsin(np.clip(x / radius, -1, 1))
    # What lies farther away is seen a bit higher: the sides curve.
    lower = y + 0.35 * (radius - np.sqrt(np.maximum(radius**2 - x**2, 0)))
    flat = np.kron(modules, np.ones((module, module), dtype=np.uint8))
    places = [(side + size / 2 - 0.5).astype(np.float32) for side in (along, lower)]
    picture = cv2.remap(flat, *places, cv2.INTER_LINEAR, borderValue=(120,))
    picture[np.abs(x) > radius * np.sin(min(bend / 2, np.pi / 2))] = 120
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), dtype=np.uint8)


@pytest.mark.parametrize("version", [2, 5, 7, 10, 14])
@pytest.mark.parametrize("turn", [0.0, 20.0])
def test_a_code_around_a_bottle_is_read(version: int, turn: float) -> None:
    """Codes on paper bent by 100 degrees, which zxing-cpp only locates, are read, and lie where they are."""
    text, modules = symbol(version)
    picture = bent(modules, 1.75, turn=turn)
    assert [one.text for one in Zxing()(picture) if one.text] == []
    # Whether it can be read, however busy the machine is; what it may cost is another matter.
    (code,) = read_codes(picture, decodes=PATIENT)
    assert code.text == text
    assert np.allclose(code.quad.mean(axis=0), len(picture) / 2, atol=0.1 * len(picture))


def test_nothing_is_read_from_other_pixels() -> None:
    """On noise, plain paper or a board of checks the modules are not followed at all."""
    chance = np.random.default_rng(1)
    quad = np.array([(60, 60), (240, 60), (240, 240), (60, 240)], dtype=np.float64)
    checks = (np.indices((300, 300)) // 7).sum(axis=0) % 2 * 255
    for pixels in (chance.integers(0, 256, (300, 300)), np.full((300, 300), 200), checks):
        assert lattice.read(pixels.astype(np.uint8), Found(None, quad, 5)) is None


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.floats(0.2, 1.2), st.floats(-30, 30), st.integers(-1, 1))
def test_what_is_read_is_what_is_printed(version: int, bend: float, turn: float, wrong: int) -> None:
    """Whatever the bend, and with the version off by one, the right text comes or none."""
    text, modules = symbol(version, qrcode.ERROR_CORRECT_M)
    picture = bent(modules, bend, module=4, turn=turn)
    for found in Zxing()(picture):
        meant = Found(None, found.quad, min(max((found.version or version) + wrong, 1), 40))
        code = lattice.read(picture, meant)
        assert code is None or (code.text, code.version) == (text, version)


def test_a_finder_pattern_is_found_where_it_lies() -> None:
    """A finder pattern that is squeezed and moved is fitted to a tenth of a module."""
    _, modules = symbol(3)
    flat = np.kron(modules, np.ones((6, 6), dtype=np.uint8))
    squeezed = cv2.resize(flat, None, fx=0.6, fy=1, interpolation=cv2.INTER_AREA)
    quad = np.array([(4, 4), (33, 4), (33, 33), (4, 33)]) * (3.6, 6) + (3, -4)
    patch = lattice.patch_of(squeezed, Found(None, quad, 3))
    first, *_ = lattice.corners_of(patch, Found(None, quad, 3))
    assert first.fit > 0.7
    assert np.allclose(first.place / patch.scale + patch.corner, np.array([7.5, 7.5]) * (3.6, 6), atol=0.4)
