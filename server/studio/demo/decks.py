"""The decks of the demo's players, made of the cards that a game really has, as after an evening of trading."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cardgen.deal import shuffled
from server.studio.decks import dealt_cards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgen.cards import CardId, Game

EDITION, PLAYERS = "eurocg-2026", 12
SPECIAL = "special"
"""Stands in a recipe for any extra special: which of them are dealt is chance."""
NAMES = (
    "Ada Lovelace",
    "Blaise Pascal",
    "Émilie du Châtelet",
    "Carl Friedrich Gauß",
    "Hypatia",
    "Leonhard Euler",
    "Sofja Kowalewskaja",
    "Pierre de Fermat",
    "Emmy Noether",
    "Srinivasa Ramanujan",
    "Maria Agnesi",
)
"""Who plays, from envelope 1 on. The last envelope is nobody's."""
RECIPES: tuple[Mapping[str, int], ...] = (
    {"red": 4, "blue": 1, "rule-7": 1},
    {"red": 5, "green": 7, "blue": 2, "rule-2": 1, "rule-11": 1, "rule-23": 1, SPECIAL: 1},
    {"red": 3, "blue": 3, "pink": 2, **{f"rule-{n}": 1 for n in (4, 5, 6, 8, 9, 10)}, SPECIAL: 2},
    {"orange": 7, "green": 6, "blue": 4, "rule-3": 1, "rule-20": 1, SPECIAL: 1},
    {"red": 3, "blue": 2, "green": 3, "orange": 1, "yellow": 4, "pink": 1, "rule-12": 1, "rule-18": 1},
    {"yellow": 4, "pink": 3, "green": 3, "rule-1": 1, SPECIAL: 1},
    {"blue": 4, "yellow": 5, "pink": 2, "rule-13": 1, "rule-15": 1},
    {"orange": 5, "yellow": 4, "pink": 3, "rule-16": 1, "rule-21": 1, SPECIAL: 1},
    {"red": 4, "pink": 5, "orange": 2, "rule-17": 1},
    {"blue": 3, "orange": 4, "yellow": 3, "rule-14": 1, "rule-22": 1, SPECIAL: 1},
    {"pink": 3, "orange": 1, "red": 1, "green": 1, "rule-19": 1},
)
"""How many cards of each kind lie in each player's deck. All together are no more than are dealt to twelve players."""


def decks_of(game: Game) -> list[list[CardId]]:
    """Return each player's deck: copies that the game has, none of them in two decks, lying as chance has it.

    Where chance has dealt fewer of a kind than a recipe says, the deck has those.
    """
    left: dict[str, list[CardId]] = defaultdict(list)
    for card in dealt_cards(game):
        left[SPECIAL if card.kind.startswith(f"{SPECIAL}-") else card.kind].append(card)
    decks = []
    for number, recipe in enumerate(RECIPES, start=1):
        deck = [left[kind].pop() for kind, count in recipe.items() for _ in range(min(count, len(left[kind])))]
        decks.append(shuffled(deck, game.seed, f"deck {number}", lambda card: card.name))
    return decks
