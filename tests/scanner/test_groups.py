"""Two decks in one picture: told by the gap between them and by the labels beside them."""

from __future__ import annotations

import numpy as np
import pytest

from cardgen.cards import POKER
from cardgen.payload import label_text
from devtools.photo_simulator import SCENES, photograph, printed_label
from devtools.photo_simulator.layouts import place
from scanner import Doubt, ScannedCode, scan_photo
from scanner.groups import FEWEST, GAP, decks_of
from scanner.hints import advise
from scanner.quads import code_on_card, corners, project
from scanner.sort import Layout, laid_out
from tests.scanner.shots import CARDS, GAME, deck

PIXELS = 5.0
STEP = POKER.width + 7


def layout(*spots: tuple[float, float], labels: tuple[tuple[int, float, float], ...] = ()) -> Layout:
    """Return cards with their middles at some places in millimetres, and labels: number, x and y of their codes."""
    view = np.diag((PIXELS, PIXELS, 1.0))
    codes = [
        ScannedCode(str(at), corners(project(view @ place(x, y, 0, POKER), code_on_card(POKER))), CARDS[at], "card")
        for at, (x, y) in enumerate(spots)
    ]
    for number, x, y in labels:
        quad = np.array([x, y]) + np.array([(0, 0), (23, 0), (23, 23), (0, 23)])
        codes.append(ScannedCode(label_text(GAME, number), corners(quad * PIXELS), None, "label", number))
    return laid_out(tuple(codes), GAME)


def row(number: int, start: float) -> list[tuple[float, float]]:
    """Return the middles of cards in a row, the first with its left edge at `start`."""
    return [(start + POKER.width / 2 + at * STEP, 100.0) for at in range(number)]


def sizes(found: Layout) -> list[tuple[int | None, int]]:
    """Return label and number of cards of each deck."""
    return [(one.label, len(one.cards)) for one in decks_of(found, (), POKER)]


@pytest.mark.parametrize(("gap", "decks"), [(GAP - 8, [(None, 8)]), (GAP + 8, [(None, 4), (None, 4)])])
def test_a_gap_makes_two_decks(gap: float, decks: list[tuple[int | None, int]]) -> None:
    """Groups of cards with more than about a card's width between them are two decks, with less they are one."""
    second = 3 * STEP + POKER.width + gap
    assert sizes(layout(*row(4, 0), *row(4, second))) == decks


@pytest.mark.parametrize(("number", "decks"), [(FEWEST - 1, 1), (FEWEST, 2)])
def test_a_few_cards_apart_are_no_deck(number: int, decks: int) -> None:
    """Two cards that lie apart belong to the deck beside them; three are a deck of their own."""
    found = decks_of(layout(*row(4, 0), *row(number, 500)), (), POKER)
    assert len(found) == decks
    assert sorted(card for one in found for card in one.cards) == list(range(4 + number))


def test_each_group_has_the_label_beside_it() -> None:
    """A label belongs to the group that it lies with, wherever the groups lie; a group without one has none."""
    far = 3 * STEP + POKER.width + 200
    assert sizes(layout(*row(4, 0), *row(3, far), labels=((7, 10, 160), (9, far + 20, 160)))) == [(7, 4), (9, 3)]
    assert sizes(layout(*row(4, 0), *row(3, far), labels=((9, far + 20, 160),))) == [(None, 4), (9, 3)]
    assert sizes(layout(*row(4, 0), labels=((7, 10, 160),))) == [(7, 4)]
    assert sizes(layout(*row(4, 0))) == [(None, 4)]
    assert sizes(layout(labels=((7, 10, 160),))) == []


def test_two_labels_beside_one_group_share_its_cards() -> None:
    """Where no gap parts the cards, each goes to the nearer of two labels."""
    assert sizes(layout(*row(6, 0), labels=((7, 0, 160), (9, 5 * STEP, 160)))) == [(7, 3), (9, 3)]


def test_a_card_that_was_not_read_closes_the_gap() -> None:
    """Cards count for the gap whether they were read or not."""
    both = layout(*row(3, 0), *row(3, 4 * STEP))
    hole = layout(*row(7, 0)).seen[3].outline
    assert len(decks_of(both, (), POKER)) == 2
    assert len(decks_of(both, (Doubt(hole, "glare"),), POKER)) == 1


def test_two_decks_are_said() -> None:
    """The hint names the number of cards and the envelope of each deck; one deck gives none."""
    far = 3 * STEP + POKER.width + 200
    found = layout(*row(4, 0), *row(3, far), labels=((9, far + 20, 160),))
    (advice,) = advise((4000, 3000), found, (), decks_of(found, (), POKER), 5.0, complete=True)
    assert advice.slug == "decks"
    assert "2 decks" in advice.text
    assert "4 cards without a label and 3 cards of envelope 9" in advice.text
    one = layout(*row(4, 0), labels=((9, 20, 160),))
    assert advise((4000, 3000), one, (), decks_of(one, (), POKER), 5.0, complete=True) == ()


@pytest.mark.parametrize("labels", [(), (3, 7)])
def test_two_decks_in_a_photograph_are_told_apart(labels: tuple[int, ...]) -> None:
    """A picture of two decks, with or without their labels: every card is in the deck that it was laid in."""
    faces = [printed_label(GAME, envelope, dpi=220) for envelope in labels]
    photo = photograph(deck(12), SCENES["two_decks"], "two decks", faces)
    result = scan_photo(photo.jpeg, GAME)
    true = {card.name: card.deck for card in photo.truth}
    told = [{true[result.seen[at].card.name] for at in one.cards} for one in result.decks]
    assert sorted(map(tuple, told)) == [(0,), (1,)]
    assert sorted(one.label or 0 for one in result.decks) == sorted(labels or (0, 0))
    assert result.labels == labels
    assert "decks" in [one.slug for one in result.advice]
