"""What the codes tell about the table that they lie on, and what twins tell about cards that are missing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import POKER
from cardgen.payload import card_text
from devtools.photo_simulator.camera import view
from devtools.photo_simulator.layouts import place
from scanner.pairs_read import EXPECTED
from scanner.quads import card_corners, code_on_card, is_squarish, project, turn_between, twin_on_card
from scanner.readers import Found
from scanner.table import Table, slant
from scanner.twins import Cards, missed_cards
from tests.scanner.shots import CARDS, GAME

WIDTH, HEIGHT = 4000, 3000
TABLE = np.full((HEIGHT, WIDTH), 90, dtype=np.uint8)


def laid(tilt: float, direction: float, number: int = 12) -> list[np.ndarray]:
    """Return the matrices from cards to pixels for cards in a loose grid under a tilted camera."""
    spots = [(120.0 * (index % 4), 120.0 * (index // 4), 37.0 * index) for index in range(number)]
    cards = [place(x, y, turn, POKER) for x, y, turn in spots]
    corners = np.vstack([project(card, card_corners(POKER)) for card in cards])
    camera = view(corners, WIDTH, HEIGHT, tilt, direction, 0.9)
    return [camera @ card for card in cards]


@settings(max_examples=40, deadline=None)
@given(st.floats(0, 60), st.floats(0, 360))
def test_one_code_of_each_card_tells_all_outlines(tilt: float, direction: float) -> None:
    """From one exact code a card the table is known, and each outline is right to a millimetre, at any slant."""
    cards = laid(tilt, direction)
    quads = [project(card, code_on_card(POKER)) for card in cards]
    table = Table.under(quads)
    for card, quad in zip(cards, quads, strict=True):
        true = project(card, card_corners(POKER))
        millimetre = np.linalg.norm(true[1] - true[0]) / POKER.width
        assert np.abs(table.outline(POKER, quad) - true).max() < 1.5 * millimetre
        twin = project(card, twin_on_card(POKER))
        assert np.abs(table.twin_place(POKER, quad) - twin).max() < 1.5 * millimetre


def test_both_codes_tell_the_outline_exactly() -> None:
    """With both codes the outline needs no table and is exact."""
    for card in laid(45, 30, 3):
        seen = [project(card, on_card(POKER)) for on_card in (code_on_card, twin_on_card)]
        assert np.allclose(Table.under([]).outline(POKER, *seen), project(card, card_corners(POKER)), atol=0.01)


def test_the_slant_does_not_depend_on_how_codes_are_turned() -> None:
    """Squares turned in any way and then squeezed have one slant: the squeeze."""
    squeeze = np.array([[1.6, 0.2], [0.2, 0.7]])
    squeeze /= np.sqrt(np.linalg.det(squeeze))
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 20.0
    quads = []
    for angle in (0, 0.4, 2, 5):
        turned = square @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        quads.append(turned @ squeeze.T)
    assert np.allclose(slant(quads), squeeze, atol=1e-6)


def test_twins_are_turned_by_half_a_turn() -> None:
    """Seen in a picture, twins are turned by 180 degrees against each other, and like codes by 0."""
    first, second = laid(20, 0, 2)
    one, twin = project(first, code_on_card(POKER)), project(first, twin_on_card(POKER))
    assert turn_between(one, twin) > 170
    assert turn_between(one, one) == 0
    assert 20 < turn_between(one, project(second, code_on_card(POKER))) < 55


@pytest.mark.parametrize(
    ("quad", "answer"),
    [
        ([(0, 0), (10, 0), (10, 10), (0, 10)], True),
        ([(0, 0), (0, 10), (10, 10), (10, 0)], False),
        ([(0, 0), (29, 0), (29, 10), (0, 10)], True),
        ([(0, 0), (31, 0), (31, 10), (0, 10)], False),
        ([(0, 0), (10, 0), (2, 2), (0, 10)], False),
    ],
)
def test_what_can_be_a_square(quad: list[tuple[float, float]], answer: bool) -> None:  # noqa: FBT001 - a table of cases
    """Convex, clockwise and not three times longer than wide."""
    assert is_squarish(np.array(quad, dtype=np.float64)) == answer


def found(cards: list[np.ndarray], singles: int) -> list[Found]:
    """Return the codes of cards as if read, the first `singles` cards with only one."""
    codes = []
    for index, matrix in enumerate(cards):
        text = card_text(GAME, CARDS[index])
        codes.append(Found(text, project(matrix, code_on_card(POKER)), 1))
        if index >= singles:
            codes.append(Found(text, project(matrix, twin_on_card(POKER)), 1))
    return codes


@pytest.mark.parametrize("singles", [0, 1, 2, 3, 6, 12])
def test_missing_twins_tell_of_missing_cards(singles: int) -> None:
    """Of 12 cards, s with one code and p with both let expect s^2 / 4p more; from 1 in 20 on a cheap look is taken."""
    codes = found(laid(10, 40), singles)
    expected = singles**2 / (4 * max(12 - singles, 1))
    assert missed_cards(codes, GAME, WIDTH, HEIGHT) == pytest.approx(expected)
    assert Cards(GAME, TABLE).halved(codes) == (expected >= EXPECTED)


def test_missing_twins_are_no_missing_cards_where_nothing_lies() -> None:
    """However many twins are missing, dear looks follow only where something lies beside the cards that were read."""
    cards = laid(10, 40)
    picture = TABLE.copy()
    for card in cards:
        cv2.fillConvexPoly(picture, project(card, card_corners(POKER)).astype(np.int32), 240)
    signs = Cards(GAME, picture)
    assert not signs.missing(found(cards, 8))
    # The last card is not read: it is a thing that nothing explains, but all twins of the others are there.
    assert not signs.missing(found(cards[:-1], 0))
    assert signs.missing(found(cards[:-1], 7))


def test_the_other_code_of_a_read_card_is_no_missing_card() -> None:
    """A place that was located but not read belongs to its card if the card's other code was read."""
    cards = laid(10, 40)
    signs = Cards(GAME, TABLE)
    twin = Found(None, project(cards[0], twin_on_card(POKER)), 1)
    assert signs.explained(found(cards, 3), twin)
    assert not signs.explained(found(cards[1:], 0), twin)


def test_a_twin_under_another_card_or_outside_is_no_sign() -> None:
    """A code that another card covers, or that lies beyond the picture's edge, is not missed by chance."""
    below = laid(0, 0, 1)[0]
    lengths = np.array([POKER.width, POKER.height])
    shift = np.eye(3)
    shift[:2, 2] = lengths * 0.4
    covered = [below, below @ shift]
    assert missed_cards(found(covered, 1), GAME, WIDTH, 10 * HEIGHT) == 0
    alone = found([below], 1)
    assert missed_cards(alone, GAME, WIDTH, HEIGHT) > 0
    twin = project(below, twin_on_card(POKER))
    assert missed_cards(alone, GAME, int(twin[:, 0].mean()), HEIGHT) == 0


def test_codes_of_others_are_no_sign() -> None:
    """Only cards of the game have twins: a single foreign code says nothing."""
    assert missed_cards([Found("HELLO", project(laid(0, 0, 1)[0], code_on_card(POKER)), 1)], GAME, WIDTH, HEIGHT) == 0
