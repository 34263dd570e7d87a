"""The steps by which cards without a code are found: the quick look, the view from above, patterns, edges, places."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER, SIZES
from scanner import suspected
from scanner.above import MOST_PIXELS, fill, view_from_above
from scanner.cardlike import MOST_EDGES, cards_in, edges_in
from scanner.frames import frames_at_corners, frames_on_sides
from scanner.pyramid import Pyramid
from scanner.quads import card_corners, codes_of, project
from scanner.readers import Found
from scanner.rectangles import rectangles
from scanner.sort import laid_out, scanned
from scanner.suspected import stray, suspected_cards
from scanner.unexplained import unexplained
from server.studio.camera import project as seen
from server.studio.layouts import place
from tests.scanner.shots import CARDS, GAME, TEXTS, bgr, shot

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


def printed(pixels: np.ndarray, outline: np.ndarray) -> None:
    """Print something like a code on a white patch onto both places of a card where one belongs."""
    chance = np.random.default_rng(1)
    for place_ in codes_of(outline, POKER):
        blocks = np.kron(chance.integers(40, 220, (20, 20)), np.ones((4, 4))).astype(np.uint8)
        source = np.array([(0, 0), (80, 0), (80, 80), (0, 80)], dtype=np.float32)
        matrix = cv2.getPerspectiveTransform(source, place_.astype(np.float32))
        size = pixels.shape[::-1]
        mask = cv2.warpPerspective(np.ones_like(blocks), matrix, size)
        middle = place_.mean(axis=0)
        fill(pixels, middle + (place_ - middle) * POKER.patch / POKER.code, 220)
        pixels[mask > 0] = cv2.warpPerspective(blocks, matrix, size)[mask > 0]


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
    printed(pixels, true)
    view = view_from_above(pixels, np.diag((1 / SCALE, 1 / SCALE, 1.0)), [whole(pixels)], [], 0)
    assert view is not None
    (found,) = cards_in(view, edges_in(view), POKER)
    assert off(project(view.back, found), true) < 1.5


@pytest.mark.parametrize("factor", [0.85, 1.2])
def test_other_rectangles_are_no_cards(factor: float) -> None:
    """What has not a card's size is none."""
    outline = card(200, 150, 10)
    other = outline.mean(axis=0) + (outline - outline.mean(axis=0)) * factor
    pixels = table(other)
    printed(pixels, other)
    view = view_from_above(pixels, np.diag((1 / SCALE, 1 / SCALE, 1.0)), [whole(pixels)], [], 0)
    assert view is not None
    assert cards_in(view, edges_in(view), POKER) == []


@pytest.mark.parametrize(("slip", "named"), [(25.0, True), (58.0, False)])
def test_a_card_half_under_a_read_one_is_found(slip: float, named: bool) -> None:  # noqa: FBT001 - a table of cases
    """What shows of a card beside one that was read is enough while a third of its edge shows."""
    below, above = card(200, 150, 0), card(200 + POKER.width - slip, 150, 0)
    pixels = table(below, above)
    printed(pixels, below)
    printed(pixels, above)
    view = view_from_above(pixels, np.diag((1 / SCALE, 1 / SCALE, 1.0)), [whole(pixels)], [above], 0)
    assert view is not None
    found = [project(view.back, one) for one in cards_in(view, edges_in(view), POKER)]
    assert [off(one, below) < 2 for one in found] == ([True] if named else [])


@pytest.mark.parametrize(("slip", "named"), [(8.0, False), (12.0, True)])
@pytest.mark.parametrize("whole_card", [True, False], ids=["card", "stripe"])
def test_a_single_straight_edge_beside_a_read_card_is_no_card(slip: float, named: bool, whole_card: bool) -> None:  # noqa: FBT001 - a table of cases
    """Of a card that lies mostly under a read one two sides must show; a bright stripe as long as a card is none."""
    wide = SIZES["business-us"]
    below, above = (seen(PIXELS @ place(200, y, 0, wide), card_corners(wide)) for y in (150, 150 + slip))
    pixels = np.full((1200, 1600), 70, dtype=np.uint8)
    if whole_card:
        fill(pixels, below, 220)
        for corner in below.astype(int).tolist():
            cv2.circle(pixels, corner, 12, 70, -1)
    else:
        (left, top), (right, _) = below[:2]
        inner, low = 3 * SCALE, top + 4 * SCALE
        ends = left + inner, right - inner
        fill(pixels, np.array([(ends[0], top), (ends[1], top), (ends[1], low), (ends[0], low)]), 220)
    fill(pixels, above, 220)
    blurred = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1), dtype=np.uint8)
    view = view_from_above(blurred, np.diag((1 / SCALE, 1 / SCALE, 1.0)), [whole(blurred)], [above], 0)
    assert view is not None
    found = [project(view.back, one) for one in cards_in(view, edges_in(view), wide)]
    assert [off(one, below) < 2 for one in found] == ([True] if named and whole_card else [])


def test_noise_is_nothing_that_lies_there() -> None:
    """In the dark single pixels have edges, which say nothing beside a card that was read; another card does."""
    chance = np.random.default_rng(1)
    read, other = card(100, 150, 5), card(250, 150, 15)
    for cards, left in (((read,), 0), ((read, other), 1)):
        dark = table(*cards, white=90, dark=30) + chance.normal(0, 25, (1200, 1600))
        shapes = unexplained(Pyramid(np.clip(dark, 0, 255).astype(np.uint8)), [read], [], POKER)
        assert len(shapes) == left


@pytest.mark.parametrize(("x", "named"), [(380.0, True), (420.0, False)])
def test_what_lies_beyond_the_picture_is_not_named(
    monkeypatch: pytest.MonkeyPatch,
    x: float,
    named: bool,  # noqa: FBT001 - a table of cases
) -> None:
    """Seen from above the table goes on beyond the picture's edge, but nobody knows what lies there."""
    pixels = table(card(200, 150, 0))
    told = suspected.Told(codes_of(card(200, 150, 0), POKER), [])
    monkeypatch.setattr(suspected, "tables", lambda *_arguments: [told])
    monkeypatch.setattr(suspected, "_on_table", lambda *_arguments: ([card(x, 100, 0)], []))
    cards, _ = suspected_cards(Pyramid(pixels), laid_out((), GAME), [], POKER)
    assert [off(one, card(x, 100, 0)) for one in cards] == ([0.0] if named else [])


def test_the_quick_look_tells_what_lies_beside_the_cards_that_were_read() -> None:
    """Cards that were read, and codes of other things, are no news; another card is, and its shape fits it."""
    read, other = card(100, 150, 5), card(250, 150, 15)
    pixels = table(read, other)
    (shape,) = unexplained(Pyramid(pixels), [read], [], POKER)
    middle = (shape.min(axis=0) + shape.max(axis=0)) / 2
    assert np.abs(middle - other.mean(axis=0)).max() < 3 * SCALE
    assert unexplained(Pyramid(pixels), [read, other], [], POKER) == []
    assert unexplained(Pyramid(pixels), [read], [other], POKER) == []
    assert unexplained(Pyramid(table()), [], [], POKER) == []


@pytest.mark.parametrize(("number", "looked"), [(0, True), (3, True), (4, False)])
def test_faint_cards_are_looked_for_where_hardly_any_was_read(
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    looked: bool,  # noqa: FBT001 - a table of cases
) -> None:
    """Cards on a table as bright as they are may not show as things; only where more were read that is all there is."""
    asked = []
    monkeypatch.setattr(suspected, "unexplained", lambda *_arguments: [])
    monkeypatch.setattr(suspected, "tables", lambda *_arguments: asked.append(True) or [])
    places = [codes_of(card(60 + 80 * at, 150, 0), POKER)[0] for at in range(number)]
    found = [Found(TEXTS[CARDS[at].name], place_, 1) for at, place_ in enumerate(places)]
    suspected_cards(Pyramid(table()), laid_out(scanned(found, GAME), GAME), [], POKER)
    assert bool(asked) == looked


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


@pytest.mark.parametrize(("white", "dark"), [(220, 70), (220, 205)])
def test_cards_apart_are_found_without_knowing_anything(white: int, dark: int) -> None:
    """Four-cornered things of one size are found on a dark table by their rims, on a white one by their print."""
    cards = [card(60 + 85 * at, 150, 3 * at) for at in range(4)]
    found = rectangles(table(*cards, white=white, dark=dark), POKER)
    assert len(found) == 4
    for true in cards:
        assert min(off(one, true) for one in found) < 6


@pytest.mark.parametrize(("number", "told"), [(3, 0), (4, 4)])
def test_rectangles_need_like_sizes(number: int, told: int) -> None:
    """Of things of different sizes only the largest group of one size is told, and none by fewer than four."""
    cards = [card(60 + 90 * (at % 3), 80 + 120 * (at // 3), 3 * at) for at in range(number)]
    small = card(340, 150, 0)
    small = small.mean(axis=0) + (small - small.mean(axis=0)) * 0.5
    assert len(rectangles(table(*cards, small), POKER)) == told


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
    """The whole way without a code: patches of codes give the scale, and with it all cards."""
    cards = [card(60 + 85 * at, 150, 4 * at) for at in range(4)]
    pixels = table(*cards)
    for outline in cards:
        printed(pixels, outline)
    found, codes = suspected_cards(Pyramid(pixels), laid_out((), GAME), [], POKER)
    assert len(found) == 4
    assert codes == []
    for true in cards:
        assert min(off(one, true) for one in found) < 3.5


@pytest.mark.parametrize(("times", "is_stray"), [(1.0, False), (1.8, False), (2.0, True), (3.0, True)])
def test_what_is_twice_as_long_as_wide_is_no_code(times: float, is_stray: bool) -> None:  # noqa: FBT001 - a table of cases
    """With no table known, a place may be a code seen at up to 58 degrees; a longer one is a pattern."""
    quad = np.array([(100, 100), (300, 100), (300, 100 + 200 * times), (100, 100 + 200 * times)], dtype=np.float64)
    assert stray(quad, laid_out((), GAME), [], POKER) == is_stray
