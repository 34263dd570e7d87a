"""Hypothesis strategies for games of every edition, with realistic and extreme hands."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from server.editions import load_edition
from server.scoring import Hand
from server.scoring.hand import cancelling_rules

if TYPE_CHECKING:
    from random import Random  # noqa: TID251 - the type of hypothesis's seeded generator

    from server.scoring import Edition

NAMES = ("Ada", "Bob", "Chloé", "Dan", "Eve", "Fay", "Gus", "Hal")
NOON = datetime(2026, 3, 27, 12, tzinfo=UTC)


def random_cards(edition: Edition, random: Random) -> dict[str, int]:
    """Return a random deck of an edition: a few kinds of each category, some of them often."""
    cards: dict[str, int] = {}
    for deal in edition.deal:
        kinds = [kind.slug for kind in edition.kinds if kind.category == deal.category]
        most = random.choice((1, 3, 6, 6, 12))
        if deal.category == "rule":
            most = random.choice((1, 1, 2))
            if random.random() < 0.3:
                # General cards and cards that cancel come first in their edition, and change most.
                kinds = kinds[:20]
        chosen = random.sample(kinds, random.randint(0, min(len(kinds), random.choice((3, 6, 12, 60)))))
        cards |= {kind: random.randint(0, most) for kind in chosen}
        if deal.category == "colour" and random.random() < 0.1:
            # A pyramid is rare by chance.
            cards |= dict(zip(kinds, random.sample(range(len(kinds)), len(kinds)), strict=True))
    return dict(random.sample(list(cards.items()), len(cards)))


def _game(edition: Edition, random: Random, least: int) -> list[Hand]:
    """Return a random game of `least` to 8 hands, mostly with choices of cancelled rules where possible."""
    decks = [random_cards(edition, random) for _ in range(random.randint(least, 8))]
    in_play = {kind for cards in decks for kind, number in cards.items() if number}
    canceller = cancelling_rules(edition, edition.rule_of)
    hands = []
    for name, cards in zip(NAMES, decks, strict=False):
        targets = {key for rule in canceller if cards.get(rule.card) for key in rule.touches}
        chosen = sorted(key for key in targets if edition.rule_of[key].card in in_play)
        cancels = (random.choice(chosen),) if chosen and random.random() < 0.8 else ()
        time = None if random.random() < 0.2 else NOON + timedelta(minutes=random.randint(0, 3))
        hands.append(Hand(name, cards, time, cancels))
    return hands


def games(edition: str, least: int = 1) -> st.SearchStrategy[list[Hand]]:
    """Return a strategy of random games of an edition; each comes from one seed, so that making it is fast."""
    loaded = load_edition(edition)
    return st.randoms(use_true_random=True).map(lambda random: _game(loaded, random, least))
