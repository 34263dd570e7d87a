"""Two decks in one picture, distinguished by the gap between them and by the labels beside them."""

from __future__ import annotations

import numpy as np
import pytest

from cardgen.cards import POKER
from cardgen.payload import label_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import printed_label
from devtools.photo_simulator.layouts import place
from scanner import Doubt, ScannedCode, scan_photo
from scanner.cards.groups import FEWEST, GAP, find_decks
from scanner.decode.identify import PhotoLayout, laid_out
from scanner.geometry import code_on_card, corners, project
from tests.scanner.shots import CARDS, GAME, deck, scene

PIXELS = 5.0
STEP = POKER.width + 7
FAR = 3 * STEP + POKER.width + 200
NEXT = 3 * STEP + POKER.width
"""Where a second group of cards begins, right beside a row of four."""

Label = tuple[int, float]


def layout(*groups: tuple[int, float], labels: tuple[Label, ...] = ()) -> PhotoLayout:
    """Return rows of cards, each a number and a left edge in millimetres, and labels: number and left edge."""
    spots = [start + POKER.width / 2 + at * STEP for number, start in groups for at in range(number)]
    camera = np.diag((PIXELS, PIXELS, 1.0))
    codes = [
        ScannedCode(
            str(at), corners(project(camera @ place(x, 100.0, 0, POKER), code_on_card(POKER))), CARDS[at], "card"
        )
        for at, x in enumerate(spots)
    ]
    for number, x in labels:
        quad = np.array([x, 160]) + np.array([(0, 0), (23, 0), (23, 23), (0, 23)])
        codes.append(ScannedCode(label_text(GAME, number), corners(quad * PIXELS), None, "label", number))
    return laid_out(tuple(codes), GAME)


@pytest.mark.parametrize(
    ("found", "decks"),
    [
        # A gap of more than about a card's width separates groups.
        (layout((4, 0), (4, NEXT + GAP - 8)), [(None, 8)]),
        (layout((4, 0), (4, NEXT + GAP + 8)), [(None, 4), (None, 4)]),
        # Two separate cards belong to the deck beside them; three are a deck of their own.
        (layout((4, 0), (FEWEST - 1, 500)), [(None, 3 + FEWEST)]),
        (layout((4, 0), (FEWEST, 500)), [(None, 4), (None, FEWEST)]),
        # A label belongs to the group beside it; a group may have none.
        (layout((4, 0), (3, FAR), labels=((7, 10), (9, FAR + 20))), [(7, 4), (9, 3)]),
        (layout((4, 0), (3, FAR), labels=((9, FAR + 20),)), [(None, 4), (9, 3)]),
        (layout((4, 0), labels=((7, 10),)), [(7, 4)]),
        (layout(labels=((7, 10),)), []),
        # Without a gap, each card belongs to the nearer of two labels.
        (layout((6, 0), labels=((7, 0), (9, 5 * STEP))), [(7, 3), (9, 3)]),
        (layout((6, 0), (4, 9 * STEP), labels=((7, 0), (9, 5 * STEP), (11, 9 * STEP))), [(7, 3), (9, 3), (11, 4)]),
    ],
)
def test_decks_are_separated_by_gaps_and_named_by_labels(
    found: PhotoLayout, decks: list[tuple[int | None, int]]
) -> None:
    told = find_decks(found, (), POKER)
    assert [(one.label, len(one.cards)) for one in told] == decks
    assert sorted(card for one in told for card in one.cards) == list(range(len(found.seen)))


def test_a_card_that_was_not_read_closes_the_gap() -> None:
    both = layout((3, 0), (3, 4 * STEP))
    hole = layout((7, 0)).seen[3].outline
    assert len(find_decks(both, (), POKER)) == 2
    assert len(find_decks(both, (Doubt(hole, "glare"),), POKER)) == 1


@pytest.mark.parametrize("labels", [(), (3, 7)])
def test_two_decks_in_a_photograph_are_distinguished(labels: tuple[int, ...]) -> None:
    """With or without labels every card is assigned to its deck, and a hint names both decks."""
    faces = [printed_label(GAME, envelope, dpi=220) for envelope in labels]
    photo = photograph(deck(12), scene("two_decks"), "two decks", faces)
    result = scan_photo(photo.jpeg, GAME)
    true = {card.name: card.deck for card in photo.truth}
    told = [{true[result.seen[at].card.name] for at in one.cards} for one in result.decks]
    assert sorted(map(tuple, told)) == [(0,), (1,)]
    assert sorted(one.label or 0 for one in result.decks) == sorted(labels or (0, 0))
    assert result.labels == labels
    (hint,) = [one.text for one in result.advice if one.slug == "decks"]
    parts = [f"6 cards {f'of envelope {one.label}' if labels else 'without a label'}" for one in result.decks]
    assert hint.startswith(f"There seem to be 2 decks in the picture, {' and '.join(parts)}: ")
