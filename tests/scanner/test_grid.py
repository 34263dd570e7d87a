"""What is known of a symbol, and reading one module by module on bent paper."""

from __future__ import annotations

import string
from bisect import bisect_left

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner import grid, read_codes, symbol
from scanner.pixels import smooth
from scanner.readers import Found, Zxing
from scanner.symbol import BLACK, QUIET, UNKNOWN, WHITE


def modules(text: str, level: str = "M") -> tuple[np.ndarray, int]:
    """Return the modules of a code with the known quiet zone, True for black, and its version."""
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level=level)
    black = np.array(barcode.to_image(scale=1, add_quiet_zones=False)) == 0
    return np.pad(black, QUIET), (len(black) - 17) // 4


def drawn(text: str, module: int = 8) -> tuple[np.ndarray, Found]:
    """Return a code as pixels on white, and where it lies."""
    black, version = modules(text)
    pixels = np.kron(np.where(np.pad(black, 3), 0, 255).astype(np.uint8), np.ones((module, module), dtype=np.uint8))
    start = (3 + QUIET) * module
    end = start + symbol.side(version) * module
    return pixels, Found(
        None, np.array([(start, start), (end, start), (end, end), (start, end)], dtype=np.float64), version
    )


def bent(pixels: np.ndarray, depth: float, waves: float) -> np.ndarray:
    """Return pixels shifted along waves of so many pixels' depth, as on a shirt."""
    y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]].astype(np.float32)
    across = x + depth * np.sin(2 * np.pi * waves * y / pixels.shape[0])
    down = y + depth * np.sin(2 * np.pi * waves * x / pixels.shape[1] + 1)
    return cv2.remap(pixels, across, down.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("version", [1, 2, 6, 7, 13, 14, 20, 21, 27, 28, 32, 33, 34, 35, 39, 40])
def test_what_is_known_is_so_in_every_version(version: int) -> None:
    """Finder, timing and alignment patterns, separators and the dark module are what another encoder draws."""
    shortest = 1 + bisect_left(range(1, 3392), version, key=lambda size: modules("A" * size)[1])
    black, found = modules("A" * shortest)
    assert found == version
    sure = symbol.known(version)
    assert sure.shape == black.shape
    assert (black[sure == BLACK]).all()
    assert not (black[sure == WHITE]).any()
    # Data, its error correction, the format and the version are all that is not known.
    assert np.count_nonzero(sure == UNKNOWN) == raw_modules(version) + 30 + (36 if version >= 7 else 0)


def raw_modules(version: int) -> int:
    """Return the modules for data and error correction, counted from the standard's description."""
    side = 17 + 4 * version
    count = len(symbol.alignment(version))
    patterns = count * count - 3 if count else 0
    on_timing = 2 * (count - 2) if count else 0
    timing = 2 * (side - 16)
    known = 3 * 64 + timing + 25 * patterns - 5 * on_timing + 1
    return side * side - known - 30 - (36 if version >= 7 else 0)


@pytest.mark.parametrize("version", [0, 41, -1])
def test_there_are_forty_versions(version: int) -> None:
    """Versions outside 1 to 40 do not exist."""
    with pytest.raises(ValueError, match="no version"):
        symbol.alignment(version)


@settings(max_examples=60, deadline=None)
@given(st.text(string.printable, min_size=1, max_size=60))
def test_clean_modules_are_decoded(text: str) -> None:
    """From clean modules any text comes back, and known modules may be anything."""
    black, version = modules(text)
    black[symbol.known(version) != UNKNOWN] ^= True
    assert symbol.decode(black, version) == text


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_random_modules_say_nothing(seed: int, version: int) -> None:
    """Error correction never makes a text of random modules."""
    size = symbol.side(version) + 2 * QUIET
    black = np.random.default_rng(seed).integers(0, 2, (size, size)).astype(bool)
    assert symbol.decode(black, version) is None


@pytest.mark.parametrize("text", ["H0123ABCDEFGHJKMNPQR", "https://example.org/some/longer/path?with=query"])
def test_a_flat_code_is_read_with_and_without_its_version(text: str) -> None:
    """A sharp flat code is read at once; where the version is not known, the right one is found."""
    pixels, found = drawn(text)
    for version in (found.version, None):
        read = grid.read(pixels, Found(None, found.quad, version))
        assert read is not None
        assert (read.text, read.version) == (text, found.version)


@pytest.mark.parametrize("depth", [3.0, 3.5])
def test_a_code_on_a_shirt_is_read(depth: float) -> None:
    """On waves of up to half a module, where zxing-cpp locates but does not read, the grid bends along."""
    pixels, found = drawn("Google Print Ads - T.G.I.A.F. - January 31, 2008")
    wavy = bent(pixels, depth, 1.5)
    assert [one.text for one in Zxing()(wavy)] == [None]
    read = grid.read(wavy, found)
    assert read is not None
    assert read.text == "Google Print Ads - T.G.I.A.F. - January 31, 2008"


def test_the_scanner_reads_bent_codes() -> None:
    """The pass takes part in every search: a bent code that was only located is read by `read_codes`."""
    pixels, _ = drawn("Google Print Ads - T.G.I.A.F. - January 31, 2008")
    wavy = bent(pixels, 3, 1.5)
    assert [one.text for one in Zxing()(wavy)] == [None]
    assert [one.text for one in read_codes(wavy)] == ["Google Print Ads - T.G.I.A.F. - January 31, 2008"]


def test_blur_of_a_module_is_read() -> None:
    """A blur that mixes neighbouring modules is undone by what is known of the symbol."""
    pixels, found = drawn("H0123ABCDEFGHJKMNPQR")
    blurred = smooth(pixels, 5)
    assert not any(one.text for one in Zxing()(blurred))
    read = grid.read(blurred, found)
    assert read is not None
    assert read.text == "H0123ABCDEFGHJKMNPQR"


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_place_without_a_code_is_hopeless(seed: int) -> None:
    """Random blocks where a code is suspected are given up, without any text."""
    chance = np.random.default_rng(seed)
    blocks = np.kron(chance.integers(0, 2, (31, 31), dtype=np.uint8) * 255, np.ones((8, 8), dtype=np.uint8))
    quad = np.array([(40, 40), (208, 40), (208, 208), (40, 208)], dtype=np.float64)
    assert grid.read(blocks, Found(None, quad)) is None


def test_a_quad_at_the_edge_of_the_picture_is_no_trouble() -> None:
    """A located place that reaches beyond the picture is tried with the pixels that there are."""
    pixels, found = drawn("H0123ABCDEFGHJKMNPQR")
    assert grid.read(pixels, Found(None, found.quad - 120, 1)) is None
    cut = pixels[40:, 40:]
    read = grid.read(cut, Found(None, found.quad - 40, 1))
    assert read is not None
    assert read.text == "H0123ABCDEFGHJKMNPQR"
