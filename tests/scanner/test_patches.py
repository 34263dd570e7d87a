"""Cards told by nothing but the grey squares of their codes: in blur, in the dark, at any size, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER
from scanner import suspected
from scanner.above import fill
from scanner.blind import _Part, tables
from scanner.pairs import chosen, pairs_of, usual_scale
from scanner.patches import levels_of, patches_in
from scanner.pyramid import Pyramid
from scanner.quads import card_corners, codes_of, contains, project, side
from scanner.slants import stretched, stretching
from scanner.sort import laid_out
from scanner.suspected import suspected_cards
from server.studio.camera import project as seen
from server.studio.chance import generator
from server.studio.layouts import place
from server.studio.textures import texture
from tests.scanner.shots import GAME

if TYPE_CHECKING:
    from server.studio.profiles import Texture

EDGE = card_corners(POKER)


def card(x: float, y: float, turn: float, scale: float = 2.0) -> np.ndarray:
    """Return the outline of a card with its middle at (x, y) millimetres, at `scale` pixels a millimetre."""
    return seen(np.diag((scale, scale, 1.0)) @ place(x, y, turn, POKER), EDGE)


def table(*cards: np.ndarray, noise: float = 0.0, light: float = 1.0, blur: float = 3.0) -> np.ndarray:
    """Return a table of 800 x 600 pixels with cards that have a green face and grey codes on white patches."""
    pixels = np.full((600, 800), 90, dtype=np.uint8)
    for outline in cards:
        fill(pixels, outline, 230)
        middle = outline.mean(axis=0)
        fill(pixels, middle + (outline - middle) * 0.93, 120)
        for code in codes_of(outline, POKER):
            quiet = code.mean(axis=0) + (code - code.mean(axis=0)) * POKER.patch / POKER.code
            fill(pixels, quiet, 230)
            fill(pixels, code, 125)
    chance = np.random.default_rng(1)
    soft = cv2.GaussianBlur(pixels.astype(np.float32), (0, 0), blur) * light + chance.normal(0, noise, pixels.shape)
    return np.clip(soft, 0, 255).astype(np.uint8)


def named(pixels: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the cards and single codes found in a picture of which nothing was read."""
    return suspected_cards(Pyramid(pixels), laid_out((), GAME), [], POKER)


def off(found: np.ndarray, true: np.ndarray) -> float:
    """Return by how many pixels an outline is off, whichever of two opposite corners comes first."""
    return min(float(np.abs(found - turned).max()) for turned in (true, np.roll(true, 2, axis=0)))


@pytest.mark.parametrize("turn", [0.0, 11.0, 45.0, 80.0, 200.0])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_card_is_told_by_its_patches(turn: float, scale: float) -> None:
    """One blurred card gives the scale of the table to 6 %, and its outline, at any size and turn."""
    true = card(400 / scale, 300 / scale, turn, scale)
    pixels = table(true)
    levels = levels_of(pixels, 800, POKER)
    pairs = pairs_of(patches_in(levels, POKER, 0.38), levels, POKER)
    usual = usual_scale(pairs)
    assert abs(usual / scale - 1) < 0.06
    (at,) = chosen(pairs, usual, 0.0, 10)
    assert off(pairs.quads[at], true) < 3 * scale


@pytest.mark.parametrize(("light", "noise"), [(1.0, 25.0), (0.1, 2.5), (0.05, 1.2)])
def test_noise_and_darkness_hide_no_cards(light: float, noise: float) -> None:
    """Where noise is a quarter of the contrast, or paper has a brightness of 12 of 255, all cards are found."""
    cards = [card(60 + 90 * at, 60 + 110 * row, 3 * at) for at in range(4) for row in range(2)]
    found, codes = named(table(*cards, noise=noise, light=light))
    assert len(found) == len(cards)
    assert codes == []
    for true in cards:
        assert min(off(one, true) for one in found) < 8


@pytest.mark.parametrize("light", [0.1, 1.0])
def test_noise_alone_is_no_card(light: float) -> None:
    """An empty table is one, however much noise there is."""
    for noise in (2.0, 30.0):
        assert named(table(noise=noise, light=light)) == ([], [])


def test_squares_in_other_places_make_no_card() -> None:
    """Two patches in the other two corners, as on a mirrored card, or nearer to each other, are no card's."""
    mirrored = [card(60 + 90 * at, 150, 0)[[1, 0, 3, 2]] for at in range(4)]
    assert named(table(*mirrored))[0] == []
    squeezed = [np.array([(0, 0), (100, 0), (100, 100), (0, 100)], dtype=np.float64) + 150 * at for at in range(3)]
    assert named(table(*squeezed))[0] == []


@pytest.mark.parametrize(("shade", "told"), [(125, True), (200, False), (20, False)])
def test_a_single_code_is_told_by_likeness(shade: int, told: bool) -> None:  # noqa: FBT001 - a table of cases
    """Of a card whose other code is covered the code is told, if it is as grey as those of the cards beside it."""
    cards = [card(60 + 90 * at, 150, 0) for at in range(4)]
    pixels = table(*cards, blur=0.5)
    first, second = codes_of(cards[3], POKER)
    fill(pixels, first, shade)
    # A cloth covers the other half of the card.
    middle = cards[3].mean(axis=0)
    low, high = cards[3].min(axis=0) - 30, cards[3].max(axis=0) + 30
    top = second.mean(axis=0)[1] > middle[1]
    fill(pixels, np.array([(low[0], middle[1]), (high[0], middle[1]), high, (low[0], high[1])]), 90)
    assert top
    found, codes = named(cv2.GaussianBlur(pixels, (0, 0), 3))
    assert len(found) == 3
    assert [contains(cards[3], one.mean(axis=0)) for one in codes] == ([True] if told else [])
    assert all(abs(side(one) / side(first) - 1) < 0.1 for one in codes)


def test_time_is_asked_for_before_each_further_way() -> None:
    """Where there is no time the table is told in one way at most."""
    pixels = table(noise=5.0)
    boxes = [np.array([(0, 0), (100, 0), (100, 100), (0, 100)], dtype=np.float64) + 200 * at for at in range(3)]
    asked: list[float] = []

    def affords(seconds: float) -> bool:
        asked.append(seconds)
        return False

    assert list(tables(Pyramid(pixels), boxes, [], POKER, affords, lambda _: False)) == []
    assert len(asked) == 5


@pytest.mark.parametrize("turn", [0.0, 90.0])
def test_cards_seen_at_a_slant_are_found_without_their_rims(turn: float) -> None:
    """Patches tell in which direction all is squeezed, though the table is as bright as the cards' rims."""
    cards = [card(60 + 90 * at, 60 + 110 * row, 3 * at) for at in range(4) for row in range(2)]
    pixels = table(*cards)
    squeezed = np.diag((0.72, 1.0, 1.0)) if turn else np.diag((1.0, 0.72, 1.0))
    slanted = cv2.warpAffine(pixels, squeezed[:2], (800, 600), borderMode=cv2.BORDER_REPLICATE)
    levels = levels_of(slanted, 800, POKER)
    matrix = stretching(patches_in(levels, POKER, 0.38), levels, POKER)
    assert matrix is not None
    values, ways = np.linalg.eigh(matrix)
    assert abs(np.degrees(np.arctan2(ways[1, 1], ways[0, 1])) % 180 - (0 if turn else 90)) % 180 < 12
    assert values[1] / values[0] > 1.3
    found, _ = named(slanted)
    true = [project(squeezed, one) for one in cards]
    assert sum(any(contains(one, other.mean(axis=0)) for other in found) for one in true) >= 7


def test_tables_seen_from_above_are_not_stretched() -> None:
    """Of squares of all turns nothing is made squarer."""
    pixels = table(*(card(60 + 90 * at, 60 + 110 * row, 20 * at) for at in range(4) for row in range(2)))
    levels = levels_of(pixels, 800, POKER)
    assert stretching(patches_in(levels, POKER, 0.38), levels, POKER) is None
    assert stretching(patches_in(levels, POKER, 1.1), levels, POKER) is None


def test_what_is_stretched_keeps_its_place() -> None:
    """The matrix back leads to where a spot was."""
    pixels = np.zeros((60, 80), dtype=np.uint8)
    pixels[20, 50] = 255
    larger, back = stretched(pixels, np.array([[1.5, 0.2], [0.2, 1.0]]))
    y, x = np.unravel_index(int(larger.argmax()), larger.shape)
    assert np.abs(project(back, np.array([(x, y)], dtype=np.float64)) - (50, 20)).max() < 1


@pytest.mark.parametrize("weave", [(0, 5.0, 0), (0, 2.0, 4)], ids=["cloth", "checks"])
def test_weave_and_checks_are_no_deck(weave: tuple[int, float, int]) -> None:
    """Of patterns full of squares no cards are made where nothing was read, sharp or blurred and dark."""
    seed, millimetre, blur = weave
    name: Texture = "checkered" if blur else "cloth"
    pixels = texture(name, 1600, 1200, generator(f"{name}{seed}{millimetre}"), millimetre)
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if blur:
        noise = np.random.default_rng(seed).normal(0, 3, grey.shape)
        grey = np.clip(cv2.GaussianBlur(grey, (0, 0), blur) * 0.3 + noise, 0, 255).astype(np.uint8)
    assert named(grey) == ([], [])


def grid(*missing: int) -> list[np.ndarray]:
    """Return the outlines of eight cards in two rows, without some of them."""
    places = [(60 + 90 * column, 80 + 130 * row) for row in (0, 1) for column in range(4)]
    return [card(*place_, 4.0) for number, place_ in enumerate(places) if number not in missing]


@pytest.mark.parametrize("stray", [False, True])
def test_where_the_cards_are_all_that_lies_there_nothing_more_is_searched(
    monkeypatch: pytest.MonkeyPatch,
    stray: bool,  # noqa: FBT001 - a table of cases
) -> None:
    """Cards of two codes each tell the table, and are all, if nothing lies beside them: that ends the search."""
    pixels = table(*grid())
    if stray:
        fill(pixels, np.array([(735, 380), (790, 380), (790, 560), (735, 560)]), 230)
    seen_from_above = []
    whole = suspected.view_from_above
    monkeypatch.setattr(suspected, "view_from_above", lambda *a: seen_from_above.append(1) or whole(*a))  # type: ignore[func-returns-value]  # notes the call
    found, _ = named(pixels)
    assert bool(seen_from_above) == stray
    assert all(min(off(one, true) for one in found) < 6 for true in grid())


def test_large_decks_are_searched_only_where_small_ones_are_not_seen() -> None:
    """The finest sizes take half of the time: they come where the others tell no cards, and what these saw is kept."""
    small = Pyramid(table(*grid()))
    part = _Part.of(small, np.zeros(2), np.array([800.0, 600.0]), POKER)
    finer = part.finer()
    assert len(part.cards()) == len(finer.cards()) == 8
    assert part.patches.sides.min() > finer.patches.sides.min()
    assert not part.has_others(part.cards())
    assert part.has_others(part.cards()[:4])


@pytest.mark.parametrize("seam", [False, True])
def test_cards_from_afar_are_found_beside_lines_across_the_picture(seam: bool) -> None:  # noqa: FBT001 - two cases
    """Codes of a hundredth of the picture are too small for looking at all of it: the place full of edges tells."""
    near = table(*grid(), blur=1.0)
    pixels = np.full((2400, 3200), 90, dtype=np.uint8)
    if seam:
        pixels[1000:1012], pixels[1700:1712] = 20, 20
    pixels[1000:1600, 1200:2000] = near
    found, _ = named(pixels)
    corner = np.array([1200, 1000])
    assert sum(any(off(one - corner, true) < 8 for one in found) for true in grid()) == 8
