"""The steps by which cards without a code are found: the quick look, the view from above, patterns, edges, places."""

from __future__ import annotations

import tracemalloc

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER
from cardgen.payload import card_text
from scanner.above import MOST_PIXELS, fill, view_from_above
from scanner.cardlike import MOST_EDGES, cards_in, edges_in
from scanner.finders import finders, places
from scanner.frames import frames_at_corners, frames_at_patterns, frames_on_sides, stretches
from scanner.quads import card_corners, code_on_card, project
from scanner.rectangles import rectangles
from scanner.sort import laid_out
from scanner.suspected import codes_of, stray, suspected_cards
from scanner.unexplained import unexplained
from server.studio.camera import project as seen
from server.studio.layouts import place
from tests.scanner.shots import CARDS, GAME, bgr, code, shot

SCALE = 4.0
PIXELS = np.diag((SCALE, SCALE, 1.0))
EDGE = card_corners(POKER)


def card(x: float, y: float, turn: float) -> np.ndarray:
    """Return the outline of a card with its middle at (x, y) millimetres, in pixels of the picture."""
    return seen(PIXELS @ place(x, y, turn, POKER), EDGE)


def table(*cards: np.ndarray, white: int = 220, dark: int = 70) -> np.ndarray:
    """Return a dark table of 400 x 300 mm with white cards that have a dark middle, as if nothing could be read."""
    pixels = np.full((1200, 1600), dark, dtype=np.uint8)
    for outline in cards:
        fill(pixels, outline, white)
        middle = outline.mean(axis=0)
        fill(pixels, middle + (outline - middle) * 0.9, 110)
    return cv2.GaussianBlur(pixels, (0, 0), 1)


def off(found: np.ndarray, true: np.ndarray) -> float:
    """Return by how many millimetres an outline is off, whichever of two opposite corners comes first."""
    return min(float(np.abs(found - turned).max()) for turned in (true, np.roll(true, 2, axis=0))) / SCALE


def whole(pixels: np.ndarray) -> np.ndarray:
    """Return the frame of a picture."""
    height, width = pixels.shape
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)


@pytest.mark.parametrize("turn", [0.0, 20.0, 90.0, 130.0])
def test_a_card_is_found_by_its_edges(turn: float) -> None:
    """White rims of a card's two lengths make a card, however it is turned; its outline is right to 1.5 mm."""
    true = card(200, 150, turn)
    pixels = table(true)
    view = view_from_above(pixels, np.diag((1 / SCALE, 1 / SCALE, 1.0)), [whole(pixels)], [], 0)
    assert view is not None
    (found,) = cards_in(view, edges_in(view), np.empty((0, 2)), POKER)
    assert off(found, true) < 1.5


@pytest.mark.parametrize("factor", [0.85, 1.2])
def test_other_rectangles_are_no_cards(factor: float) -> None:
    """What has not a card's size is none."""
    outline = card(200, 150, 10)
    pixels = table(outline.mean(axis=0) + (outline - outline.mean(axis=0)) * factor)
    view = view_from_above(pixels, np.diag((1 / SCALE, 1 / SCALE, 1.0)), [whole(pixels)], [], 0)
    assert view is not None
    assert cards_in(view, edges_in(view), np.empty((0, 2)), POKER) == []


@pytest.mark.parametrize(("slip", "named"), [(25.0, True), (58.0, False)])
def test_a_card_half_under_a_read_one_is_found(slip: float, named: bool) -> None:  # noqa: FBT001 - a table of cases
    """What shows of a card beside one that was read is enough while a third of its edge shows."""
    below, above = card(200, 150, 0), card(200 + POKER.width - slip, 150, 0)
    pixels = table(below, above)
    view = view_from_above(pixels, np.diag((1 / SCALE, 1 / SCALE, 1.0)), [whole(pixels)], [above], 0)
    assert view is not None
    found = cards_in(view, edges_in(view), np.empty((0, 2)), POKER)
    assert [off(one, below) < 2 for one in found] == ([True] if named else [])


def test_the_quick_look_tells_what_lies_beside_the_cards_that_were_read() -> None:
    """Cards that were read, and codes of other things, are no news; another card is, and its shape fits it."""
    read, other = card(100, 150, 5), card(250, 150, 15)
    pixels = table(read, other)
    (shape,) = unexplained(pixels, [read], [], POKER)
    middle = (shape.min(axis=0) + shape.max(axis=0)) / 2
    assert np.abs(middle - other.mean(axis=0)).max() < 3 * SCALE
    assert unexplained(pixels, [read, other], [], POKER) == []
    assert unexplained(pixels, [read], [other], POKER) == []
    assert unexplained(table(), [], [], POKER) == []


@pytest.mark.parametrize("turn", [0, 17, 45, 80])
def test_corner_patterns_are_found_at_any_turn(turn: float) -> None:
    """All three patterns of a code are found at a pixel a millimetre, and hardly anything else."""
    drawn = code(card_text(GAME, CARDS[0]), 4, 12)
    middle = drawn.shape[0] / 2
    matrix = np.vstack((cv2.getRotationMatrix2D((middle, middle), -turn, 1), (0, 0, 1)))
    pixels = cv2.warpAffine(drawn, matrix[:2], drawn.shape[::-1], flags=cv2.INTER_AREA, borderValue=255)
    near, far = 12 * 4.0, (12 + 21) * 4.0
    true = project(matrix, places(np.array([(near, near), (far, near), (far, far), (near, far)]), 21))
    millimetre = 4.0 / POKER.module
    view = view_from_above(pixels, np.diag((1 / millimetre, 1 / millimetre, 1.0)), [whole(pixels)], [], 0)
    assert view is not None
    found = project(view.back, finders(view, POKER.module))
    apart = np.linalg.norm(true[:, np.newaxis] - found, axis=-1)
    assert (apart.min(axis=1) < 1.5 * millimetre).all()
    assert len(found) <= 4


def test_two_patterns_tell_the_card() -> None:
    """Of any two corner patterns of a code, as far apart as they must be, one of the places is the card's."""
    true = seen(place(100, 80, 33, POKER), EDGE)
    spots = seen(place(100, 80, 33, POKER), places(code_on_card(POKER), POKER.modules))
    for pair in ((0, 1), (0, 2), (1, 2)):
        frames = frames_at_patterns(spots[list(pair)], 1.0, POKER)
        assert min(float(np.abs(frame - true).max()) for frame in frames) < 0.1
    assert len(frames_at_patterns(np.array([(0.0, 0.0), (50.0, 0.0)]), 1.0, POKER)) == 0


def test_two_edges_or_a_whole_one_tell_the_card() -> None:
    """Pieces of two sides at a corner, walked with the card to the right, or a whole side in two pieces."""
    a, b, c, _ = true = seen(place(100, 80, 33, POKER), EDGE)
    corner = np.array([(*(b - (b - a) * 0.3), *(b - (b - a) * 0.05)), (*(b + (c - b) * 0.05), *(b + (c - b) * 0.3))])
    frames = frames_at_corners(corner.astype(np.float32), 1.0, POKER)
    assert min(float(np.abs(frame - true).max()) for frame in frames) < 0.2
    assert len(frames_at_corners(corner[::-1, [2, 3, 0, 1]].astype(np.float32), 1.0, POKER)) == 0
    pieces = np.array([(*(a + (b - a) * 0.05), *(a + (b - a) * 0.3)), (*(a + (b - a) * 0.6), *(a + (b - a) * 0.95))])
    frames = frames_on_sides(pieces.astype(np.float32), 1.0, POKER)
    assert min(float(np.abs(frame - true).max()) for frame in frames) < 0.2


@pytest.mark.parametrize("factor", [0.8, 1.0, 1.2])
def test_facing_edges_tell_the_scale(factor: float) -> None:
    """Cards of which nothing but the edges is known tell how large a millimetre is, to a hundredth."""
    pixels = table(*(card(60 + 85 * at, 150, 3 * at) for at in range(4)))
    flat = np.diag((factor / SCALE, factor / SCALE, 1.0))
    view = view_from_above(pixels, flat, [whole(pixels)], [], 0)
    assert view is not None
    assert abs(stretches(edges_in(view), view.scale, POKER, 1.5)[0] / factor - 1) < 0.02


def test_stripes_take_little_memory() -> None:
    """Of stripes nearly every two edges face each other; their distances are counted without a table of all pairs."""
    across = 3.0 * np.arange(MOST_EDGES)
    up, down = np.zeros(MOST_EDGES), np.full(MOST_EDGES, 2000.0)
    way = np.arange(MOST_EDGES) % 2 == 0
    edges = np.column_stack((across, np.where(way, down, up), across, np.where(way, up, down))).astype(np.float32)
    tracemalloc.start()
    found = stretches(edges, 1.0, POKER, 3.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found
    assert peak < 30_000_000


@pytest.mark.parametrize(("white", "dark"), [(220, 70), (220, 205)])
def test_cards_apart_are_found_without_knowing_anything(white: int, dark: int) -> None:
    """Four-cornered things of one size are found on a dark table by their rims, on a white one by their print."""
    cards = [card(60 + 85 * at, 150, 3 * at) for at in range(4)]
    found = rectangles(table(*cards, white=white, dark=dark))
    assert len(found) == 4
    for true in cards:
        assert min(off(one, true) for one in found) < 6


def test_rectangles_need_like_sizes() -> None:
    """Of things of different sizes only the largest group of one size is told."""
    cards = [card(60, 150, 3), card(150, 150, 6), card(240, 150, 3)]
    small = card(340, 150, 0)
    small = small.mean(axis=0) + (small - small.mean(axis=0)) * 0.5
    assert len(rectangles(table(*cards, small))) == 3


def test_views_are_bounded() -> None:
    """A table of many square metres is seen coarser, a view beyond the horizon not at all."""
    pixels = np.zeros((300, 400), dtype=np.uint8)
    view = view_from_above(pixels, np.diag((20.0, 20.0, 1.0)), [whole(pixels)], [], 0)
    assert view is not None
    assert view.grey.size <= MOST_PIXELS + 10_000
    assert view.scale < 1
    horizon = np.array([[1.0, 0, 0], [0, 1, 0], [0, -1 / 150, 1]])
    assert view_from_above(pixels, horizon, [whole(pixels)], [], 0) is None


def test_edges_are_bounded() -> None:
    """Print has thousands of edges: the longest are taken."""
    pixels = bgr(shot("newspaper", 20).jpeg)[..., 1]
    view = view_from_above(np.ascontiguousarray(pixels), np.diag((0.2, 0.2, 1.0)), [whole(pixels)], [], 0)
    assert view is not None
    assert len(edges_in(view)) == MOST_EDGES


def test_cards_at_different_turns_are_found_where_nothing_was_read() -> None:
    """The whole way without a code: things of any number of corners give the scale, and with it all cards."""
    cards = [card(60 + 85 * at, 150, 4 * at) for at in range(4)]
    pixels = table(*cards)
    chance = np.random.default_rng(1)
    for outline in cards:
        for code_ in codes_of(outline, POKER):
            x, y = code_.min(axis=0).astype(int)
            pixels[y : y + 80, x : x + 80] = np.kron(chance.integers(40, 220, (20, 20)), np.ones((4, 4)))
    found = suspected_cards(pixels, laid_out((), GAME), [], POKER)
    assert len(found) == 4
    for true in cards:
        assert min(off(one, true) for one in found) < 2


@pytest.mark.parametrize(("times", "is_stray"), [(1.0, False), (1.8, False), (2.0, True), (3.0, True)])
def test_what_is_twice_as_long_as_wide_is_no_code(times: float, is_stray: bool) -> None:  # noqa: FBT001 - a table of cases
    """With no table known, a place may be a code seen at up to 58 degrees; a longer one is a pattern."""
    quad = np.array([(100, 100), (300, 100), (300, 100 + 200 * times), (100, 100 + 200 * times)], dtype=np.float64)
    assert stray(quad, laid_out((), GAME), [], POKER) == is_stray
