"""`read_codes` reads any QR code, once at each place, within its time limit."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
import qrcode
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.scan.measure import judge
from benchmarks.scan.pictures import known_picture
from scanner import read_codes
from scanner.decode import backends
from scanner.decode.backends import PYZBAR, Pyzbar, Zxing, available
from scanner.time_budget import decode_seconds
from tests.scanner.shots import TEXTS, bgr, code, page, shot

if TYPE_CHECKING:
    from tests.scanner.shots import Picture

needs_zbar = pytest.mark.skipif("pyzbar" not in available(), reason="this machine has no libzbar")
PATIENT = 60.0
"""How many times as long as decoding a scan may take that is not to miss anything on a busy machine."""


def texts(image: Picture, **options: float) -> list[str]:
    """Return the texts that are read."""
    return [found.text for found in read_codes(image, **options)]


@pytest.mark.parametrize("text", ["HELLO", "https://example.org/j/abc?x=1", "Grüße, 世界", "0123456789" * 8])
def test_any_text_is_read(text: str) -> None:
    """Links, other scripts, digits and larger versions, with nothing around their quiet zone."""
    assert texts(code(text)) == [text]


def test_grey_and_colour_arrays_and_views_give_the_same_codes() -> None:
    """An array may be non-contiguous."""
    grey = page(("ONE", 30, 30), ("TWO", 300, 150))
    first, second = read_codes(grey), read_codes(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    assert [found.text for found in first] == [found.text for found in second] == ["ONE", "TWO"]
    assert all(np.allclose(a.quad, b.quad) for a, b in zip(first, second, strict=True))
    assert set(texts(np.rot90(grey))) == {"ONE", "TWO"}
    assert texts(grey[:, :250]) == ["ONE"]


@pytest.mark.parametrize("turns", range(4))
def test_corners_are_in_the_order_of_the_code(turns: int) -> None:
    """The quad is (4, 2) floats and begins at the code's own top-left corner, however the picture is turned."""
    picture = np.ascontiguousarray(np.rot90(page(("ONE", 100, 60), size=(300, 300)), -turns))
    (found,) = read_codes(picture)
    corners = [(116, 76), (200, 76), (200, 160), (116, 160)]
    for _ in range(turns):
        corners = [(300 - y, x) for x, y in corners]
    assert found.quad.shape == (4, 2)
    assert found.quad.dtype == np.float64
    assert np.allclose(found.quad, corners, atol=2)
    if "pyzbar" in available():
        (also,) = Pyzbar()(picture)
        assert also.text == "ONE"
        assert np.allclose(also.quad, corners, atol=4)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((10, 10), dtype=np.float32),
        np.zeros((10, 10, 4), dtype=np.uint8),
        np.zeros((10, 10, 1), dtype=np.uint8),
        np.zeros((0, 10), dtype=np.uint8),
        np.zeros((10, 0, 3), dtype=np.uint8),
        np.zeros(10, dtype=np.uint8),
        np.zeros((1, 30_001), dtype=np.uint8),
        [[0, 1], [1, 0]],
    ],
)
def test_other_arrays_are_refused(image: object) -> None:
    with pytest.raises(ValueError, match="read_codes takes"):
        read_codes(image)  # type: ignore[arg-type]  # the wrong type is what is tested


def test_the_same_text_at_two_places_is_two_codes() -> None:
    found = read_codes(page(("SAME", 30, 30), ("SAME", 300, 200)))
    assert [one.text for one in found] == ["SAME", "SAME"]
    assert {tuple(np.round(one.quad[0] / 10)) for one in found} == {(5, 5), (32, 22)}


@pytest.mark.thorough
def test_a_page_of_a_thousand_tiny_codes_is_read() -> None:
    """zxing-cpp stops at about a hundred codes in one picture, so parts of the picture are read, too."""
    pixels = np.vstack([np.hstack([code(f"T{row * 32 + one}", 2, 2) for one in range(32)]) for row in range(32)])
    assert sum(one.text is not None for one in Zxing()(pixels)) < 150
    read = texts(pixels, seconds=60, decodes=1000)
    assert len(read) == len(set(read)) >= 1010
    assert set(read) <= {f"T{number}" for number in range(32 * 32)}


def test_white_on_black_is_read_beside_other_codes() -> None:
    """Without a game, a code that was read does not end the search."""
    assert texts(255 - page(("ONE", 100, 100))) == ["ONE"]
    grey = page(("ONE", 30, 30), ("TWO", 200, 30), size=(300, 360))
    grey[:, 180:] = 255 - grey[:, 180:]
    assert {found.text for found in Zxing()(grey)} == {"ONE"}
    assert set(texts(grey)) == {"ONE", "TWO"}


def test_micro_qr_is_never_read() -> None:
    """Reading Micro QR codes makes false digits from noise."""
    micro = zxingcpp.create_barcode("12345", zxingcpp.BarcodeFormat.MicroQRCode)
    modules = np.pad(np.array(micro.to_image(scale=1, add_quiet_zones=False), dtype=np.uint8), 4, constant_values=255)
    picture = np.kron(modules, np.ones((6, 6), dtype=np.uint8))
    assert [one.text for one in zxingcpp.read_barcodes(picture)] == ["12345"]
    assert texts(picture) == []


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_text_is_read_in_noise(seed: int) -> None:
    """The noise has blocks of any size."""
    chance = np.random.default_rng(seed)
    block = int(chance.integers(2, 9))
    coarse = chance.integers(0, 2, (240 // block, 320 // block), dtype=np.uint8) * 255
    assert texts(np.kron(coarse, np.ones((block, block), dtype=np.uint8))) == []


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (500, 1), (3, 3)])
def test_tiny_pictures_have_no_codes(shape: tuple[int, int]) -> None:
    assert texts(np.zeros(shape, dtype=np.uint8)) == []


@pytest.mark.parametrize(("profile", "seed"), [("dim_two_mp", "a"), ("tilt50", "d")])
def test_cards_are_read_without_their_game(profile: str, seed: str) -> None:
    """Nearly all cards with small modules, noise and slant are read, of which a plain pass reads four fifths."""
    photo = shot(profile, 20, seed)
    grey = cv2.cvtColor(bgr(photo.jpeg), cv2.COLOR_BGR2GRAY)
    picture = known_picture("photo.jpg", photo, TEXTS)
    plain, ours = (
        judge(picture, [(one.text, one.quad) for one in found if one.text is not None], 0.0).tally
        for found in (Zxing()(grey), read_codes(grey, seconds=60, decodes=144))
    )
    assert plain.codes_read < 0.85 * plain.codes
    assert ours.codes_read >= 0.95 * ours.codes
    assert ours.false == 0


def waves(pixels: Picture, depth: float) -> Picture:
    """Return pixels shifted along waves of so many pixels' depth, as on a shirt."""
    y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]].astype(np.float32)
    across = x + depth * np.sin(3 * np.pi * y / pixels.shape[0])
    down = y + depth * np.sin(3 * np.pi * x / pixels.shape[1] + 1)
    bent = cv2.remap(pixels, across, down.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, dtype=np.uint8)


def around_a_bottle(version: int, bend: float, turn: float) -> tuple[str, Picture]:
    """Return a full code on a cylinder, turned by some degrees: its text, and the picture.

    The arc over the paper's width is `bend` radians.
    """
    made = qrcode.QRCode(version=version, error_correction=qrcode.ERROR_CORRECT_L, border=4)
    text = f"v{version} " + "x7/" * (3 * version)
    made.add_data(text)
    made.make(fit=False)
    flat = np.kron(np.where(np.array(made.get_matrix()), 0, 255).astype(np.uint8), np.ones((6, 6), dtype=np.uint8))
    size, wide = len(flat), int(1.6 * len(flat))
    y, x = np.mgrid[:wide, :wide].astype(np.float32) - wide / 2
    angle = np.radians(turn)
    x, y = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    radius = size / bend
    along = radius * np.arcsin(np.clip(x / radius, -1, 1))
    # Farther points appear a bit higher, so the sides are curved.
    lower = y + 0.35 * (radius - np.sqrt(np.maximum(radius**2 - x**2, 0)))
    places = [(side + size / 2 - 0.5).astype(np.float32) for side in (along, lower)]
    picture = cv2.remap(flat, *places, cv2.INTER_LINEAR, borderValue=(120,))
    picture[np.abs(x) > radius * np.sin(min(bend / 2, np.pi / 2))] = 120
    return text, np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), dtype=np.uint8)


@pytest.mark.parametrize(("version", "turn"), [(2, 20.0), (5, 0.0), (7, 20.0), (10, 0.0), (14, 20.0)])
def test_a_code_around_a_bottle_is_read(version: int, turn: float) -> None:
    """Codes on paper bent by 100 degrees, which zxing-cpp only locates, are read at their places."""
    text, picture = around_a_bottle(version, 1.75, turn)
    assert [one.text for one in Zxing()(picture) if one.text] == []
    (found,) = read_codes(picture, decodes=PATIENT)
    assert found.text == text
    assert np.allclose(found.quad.mean(axis=0), len(picture) / 2, atol=0.1 * len(picture))


def test_codes_on_a_shirt_and_out_of_focus_are_read() -> None:
    """Module by module where zxing-cpp reads nothing; also where the picture cuts the quiet zone."""
    long = "Google Print Ads - T.G.I.A.F. - January 31, 2008"
    flat = code(long, 8, 5)
    soft = cv2.GaussianBlur(code("H0123ABCDEFGHJKMNPQR", 8, 5), (0, 0), 5)
    for picture, text in ((waves(flat, 3.0), long), (waves(flat, 3.5), long), (soft, "H0123ABCDEFGHJKMNPQR")):
        assert [one.text for one in Zxing()(picture) if one.text] == []
        assert texts(picture, decodes=PATIENT) == [text]
    assert texts(code(long, 8, 1), decodes=PATIENT) == [long]


def test_time_is_limited_and_found_codes_are_returned() -> None:
    """Without any time only the plain pass runs."""
    grey = page(("ONE", 30, 30))
    assert texts(grey, seconds=0) == ["ONE"]
    assert texts(grey, decodes=0) == ["ONE"]
    # Five megapixels that look like corner patterns everywhere.
    checks = np.kron(np.indices((250, 300)).sum(axis=0) % 2, np.ones((8, 8))).astype(np.uint8) * 200 + 20
    checks += np.random.default_rng(3).integers(0, 30, checks.shape, dtype=np.uint8)
    began = time.thread_time()
    read_codes(checks, decodes=6)
    # Without a bound it takes seconds. A core shared with other work may be several times slower than at its best.
    assert time.thread_time() - began < 4 * 6 * decode_seconds(checks.size)


def test_without_zbar_the_scanner_uses_only_zxing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "pyzbar", None)
    assert available() == ("zxing-cpp",)
    assert Pyzbar()(code("ONE")) == []
    assert texts(code("ONE")) == ["ONE"]


@needs_zbar
@pytest.mark.parametrize("text", ["HELLO", "Grüße aus Köln", "世界 hello", "Привет мир"])
def test_texts_of_zbar_are_used_only_if_they_are_ascii(text: str) -> None:
    """It guesses Japanese character sets for UTF-8, so other texts are only located, and read by zxing-cpp."""
    (found,) = PYZBAR(code(text))
    assert found.text == (text if text.isascii() else None)
    assert texts(code(text)) == [text]
    assert available() == ("zxing-cpp", "pyzbar")
