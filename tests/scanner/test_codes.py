"""`read_codes` reads any QR code, each once a place."""

from __future__ import annotations

import time
from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.scan.measure import judge
from benchmarks.scan.pictures import known_picture
from scanner import read_codes
from scanner.budget import Budget
from scanner.readers import Found, Zxing
from scanner.search import FEW, MAX_UNREAD, Search
from tests.scanner.shots import GAME, TEXTS, code, page, shot


def square(x: float, y: float, side: float) -> np.ndarray:
    """Return the corners of an upright square."""
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


@pytest.mark.parametrize("text", ["HELLO", "https://example.org/j/abc?x=1", "Grüße, 世界", "0123456789" * 8])
def test_any_text_is_read(text: str) -> None:
    """Codes that are not ours are read too: links, other scripts, digits, larger versions."""
    assert [found.text for found in read_codes(code(text))] == [text]


def test_grey_and_colour_give_the_same() -> None:
    """A grey image and the same one in BGR give the same texts at the same places."""
    grey = page(("ONE", 30, 30), ("TWO", 300, 150))
    first, second = read_codes(grey), read_codes(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    assert [found.text for found in first] == [found.text for found in second] == ["ONE", "TWO"]
    assert all(np.allclose(a.quad, b.quad) for a, b in zip(first, second, strict=True))


def test_a_slice_of_an_image_is_read() -> None:
    """An array that does not lie in one piece in memory, such as a slice or a turned view, is read."""
    grey = page(("ONE", 30, 30), ("TWO", 300, 150))
    assert {found.text for found in read_codes(np.rot90(grey))} == {"ONE", "TWO"}
    assert [found.text for found in read_codes(grey[:, :250])] == ["ONE"]


@pytest.mark.parametrize("turns", range(4))
def test_corners_come_in_the_order_of_the_code(turns: int) -> None:
    """The quad is (4, 2) floats and begins at the code's own top-left corner, however the picture is turned."""
    (found,) = read_codes(np.ascontiguousarray(np.rot90(page(("ONE", 100, 60), size=(300, 300)), -turns)))
    corners = [(116, 76), (200, 76), (200, 160), (116, 160)]
    for _ in range(turns):
        corners = [(300 - y, x) for x, y in corners]
    assert found.quad.shape == (4, 2)
    assert found.quad.dtype == np.float64
    assert np.allclose(found.quad, corners, atol=2)


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
def test_what_is_no_image_is_refused(image: object) -> None:
    """Arrays of another shape or type, empty ones and lists raise ValueError and say what is wanted."""
    with pytest.raises(ValueError, match="read_codes takes"):
        read_codes(image)  # type: ignore[arg-type]  # the wrong type is what is tested


def test_the_same_text_at_two_places_is_two_codes() -> None:
    """Two codes with one text, clearly apart, are two; each is given at its own place."""
    found = read_codes(page(("SAME", 30, 30), ("SAME", 300, 200)))
    assert [one.text for one in found] == ["SAME", "SAME"]
    assert {tuple(np.round(one.quad[0] / 10)) for one in found} == {(5, 5), (32, 22)}


def test_a_page_of_hundreds_of_codes_is_read() -> None:
    """Where zxing-cpp ends at about a hundred codes in one picture, the parts of the picture are read too."""
    texts = [f"T{number}" for number in range(18 * 18)]
    rows = [np.hstack([code(text, 2, 2) for text in texts[start : start + 18]]) for start in range(0, len(texts), 18)]
    pixels = np.vstack(rows)
    assert sum(one.text is not None for one in Zxing()(pixels)) < 150
    assert sorted(one.text for one in read_codes(pixels, seconds=60)) == sorted(texts)


def test_white_on_black_is_read_where_nothing_else_is() -> None:
    """A code printed white on black is read when the picture holds no other."""
    assert [found.text for found in read_codes(255 - page(("ONE", 100, 100)))] == ["ONE"]


def test_micro_qr_is_never_read() -> None:
    """Micro QR codes are not asked for: reading them makes false digits from noise."""
    micro = zxingcpp.create_barcode("12345", zxingcpp.BarcodeFormat.MicroQRCode)
    modules = np.pad(np.array(micro.to_image(scale=1, add_quiet_zones=False), dtype=np.uint8), 4, constant_values=255)
    picture = np.kron(modules, np.ones((6, 6), dtype=np.uint8))
    assert [one.text for one in zxingcpp.read_barcodes(picture)] == ["12345"]
    assert read_codes(picture) == []


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_noise_says_nothing(seed: int) -> None:
    """No text is read in noise of blocks, whatever their size."""
    chance = np.random.default_rng(seed)
    block = int(chance.integers(2, 9))
    coarse = chance.integers(0, 2, (240 // block, 320 // block), dtype=np.uint8) * 255
    assert read_codes(np.kron(coarse, np.ones((block, block), dtype=np.uint8))) == []


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 6), st.integers(0, 6)), max_size=12),
    st.integers(-9, 9),
    st.integers(-9, 9),
)
def test_a_place_counts_once_however_often_it_is_found(
    places: list[tuple[str, int, int]], right: int, down: int
) -> None:
    """Finding all codes again, a little off, adds none; and no two codes remain at one place."""
    search = Search(np.zeros((9, 9), dtype=np.uint8), Budget(deadline=0))
    found = [Found(text, square(100.0 * x, 100.0 * y, 60), 1) for text, x, y in places]
    search.add(found)
    once = list(search.codes)
    search.add(Found(one.text, np.add(one.quad, (right, down)), 1) for one in found)
    search.add(Found(None, np.add(one.quad, (down, right)), 1) for one in found)
    assert search.codes == once
    assert search.unread == []
    assert len(once) == len({(x, y) for _, x, y in places})


@pytest.mark.parametrize(("apart", "number"), [(29, 1), (31, 2)])
def test_one_place_reaches_half_a_side_far(apart: int, number: int) -> None:
    """Codes nearer than half their side are one, farther ones two."""
    search = Search(np.zeros((9, 9), dtype=np.uint8), Budget(deadline=0))
    search.add(Found("A", square(x, 0, 60), 1) for x in (0, apart))
    assert len(search.codes) == number


def test_located_places_are_bounded_and_must_look_square() -> None:
    """Textures that look like codes fill only so many places, and flat or tiny quads none."""
    search = Search(np.zeros((9, 9), dtype=np.uint8), Budget(deadline=0))
    search.add(Found(None, square(100 * x, 0, 60), 1) for x in range(2 * MAX_UNREAD))
    assert len(search.unread) == MAX_UNREAD
    search = Search(np.zeros((9, 9), dtype=np.uint8), Budget(deadline=0))
    search.add(
        [Found(None, square(0, 0, 10)), Found(None, square(0, 0, 60) * (1, 0.2)), Found(None, square(0, 0, 60)[::-1])]
    )
    assert search.unread == []


def test_a_code_that_nothing_tells_of_is_found_beside_others() -> None:
    """One code was read and none was located: without a game that is no reason to end the search."""
    grey = page(("ONE", 30, 30), ("TWO", 200, 30), size=(300, 360))
    grey[:, 180:] = 255 - grey[:, 180:]
    assert {found.text for found in Zxing()(grey)} == {"ONE"}
    assert {found.text for found in read_codes(grey)} == {"ONE", "TWO"}


@pytest.mark.parametrize(("number", "wanted"), [(FEW, True), (FEW + 1, False)])
def test_pictures_of_few_codes_are_searched_further(number: int, wanted: bool) -> None:  # noqa: FBT001 - a table of cases
    """Where nothing is missing, more looks are taken of few codes only, and none where a game tells what is missing."""
    codes = [Found("A", square(100.0 * one, 0, 60), 1) for one in range(number)]
    budget = Budget(time.monotonic() + 60, time.thread_time() + 9)
    search = Search(np.zeros((9, 9), dtype=np.uint8), budget, codes=codes, unit=1)
    assert search.takes(1) == wanted
    assert not search.takes(10)
    assert not replace(search, game=GAME).takes(1)
    missed = replace(search, unread=[Found(None, square(0, 200, 60), 1)])
    assert missed.takes(7)
    assert not missed.takes(10)


@pytest.mark.parametrize(("profile", "seed"), [("dim_two_mp", "a"), ("tilt50", "d")])
def test_cards_are_read_without_their_game(profile: str, seed: str) -> None:
    """Small modules in noise, and a slant, of which a plain pass reads four fifths: nearly all are read as any code."""
    photo = shot(profile, 20, seed)
    grey = cv2.imdecode(np.frombuffer(photo.jpeg, dtype=np.uint8), cv2.IMREAD_GRAYSCALE)
    picture = known_picture("photo.jpg", photo, TEXTS)
    reads = [
        [(one.text, one.quad) for one in found if one.text is not None]
        for found in (Zxing()(grey), read_codes(grey, seconds=60, decodes=144))
    ]
    plain, ours = (judge(picture, read, 0.0).tally for read in reads)
    assert plain.codes_read < 0.85 * plain.codes
    assert ours.codes_read >= 0.95 * ours.codes
    assert ours.false == 0


def test_time_is_bounded_and_what_was_found_is_kept() -> None:
    """With no time at all the search ends at once; the texts of the first pass are not lost with a little."""
    grey = page(("ONE", 30, 30))
    assert read_codes(grey, seconds=0) == []
    assert [found.text for found in read_codes(grey, seconds=1)] == ["ONE"]


def test_a_located_code_is_reported_without_its_text() -> None:
    """A code with too many wrong modules is located by the reader, with no text."""
    damaged = page(("HELLO WORLD 1234", 100, 100), size=(300, 300))
    damaged[148:190, 148:200] = 255
    (found,) = Zxing()(damaged)
    assert found.text is None
    assert found.side == pytest.approx(84, abs=4)
    assert found.module == pytest.approx(4, abs=0.3)
