"""The decks of the demo's players."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from server.studio.decks import dealt_cards, practice_game
from server.studio.demo.decks import EDITION, NAMES, PLAYERS, RECIPES, SPECIAL, decks_of

if TYPE_CHECKING:
    from cardgen.cards import CardId


def sort_of(card: CardId) -> str:
    """Return a card's kind as a recipe calls it."""
    return SPECIAL if card.kind.startswith(SPECIAL) else card.kind


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_the_decks_are_as_the_recipes_say(seed: str) -> None:
    """Whatever chance deals, each player has the cards of the recipe."""
    decks = decks_of(practice_game(EDITION, PLAYERS, seed))
    assert [Counter(map(sort_of, deck)) for deck in decks] == [Counter(recipe) for recipe in RECIPES]


def test_no_card_lies_in_two_decks() -> None:
    """All decks could lie on the table at once, and all of their cards were dealt."""
    game = practice_game(EDITION, PLAYERS, "demo")
    cards = [card for deck in decks_of(game) for card in deck]
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(dealt_cards(game))


def test_every_player_has_a_name_and_one_envelope_is_left() -> None:
    """The last envelope is nobody's: it is the one that is missing in the end."""
    assert len(NAMES) == len(RECIPES) == PLAYERS - 1
