"""Games by chance: everything that is dealt was printed, trades lose no card, and the seed repeats them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import edition_names, load_edition
from server.search.chance import Chance
from server.search.games import dealt, traded
from server.search.stock import start_cards, stock


@pytest.mark.parametrize("name", edition_names())
@pytest.mark.parametrize("players", [1, 2, 35, 70])
def test_every_player_gets_what_the_edition_says(name: str, players: int) -> None:
    """So many cards, from what is printed, different where the edition asks for it; the same seed, the same hands."""
    edition = load_edition(name)
    hands = dealt(edition, players, Chance("a"))
    assert [hand.total() for hand in hands] == [start_cards(edition, players)] * players
    printed = stock(edition, players)
    for kind, number in sum(hands, Counter()).items():
        assert number <= printed[kind] + 1
    for deal in edition.deal:
        if deal.different:
            for hand in hands:
                assert all(n == 1 for kind, n in hand.items() if edition.kind_of[kind].category == deal.category)
    assert dealt(edition, players, Chance("a")) == hands
    assert players == 1 or dealt(edition, players, Chance("b")) != hands


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 9), st.integers(0, 40), st.text(max_size=3))
def test_trades_lose_no_card(players: int, trades: int, seed: str) -> None:
    """All hands together stay the same, no count is 0 or below, and the hands before are left alone."""
    before = dealt(load_edition("eurocg-2026"), players, Chance(seed))
    kept = [Counter(hand) for hand in before]
    after = traded(before, trades, Chance(seed))
    assert before == kept
    assert sum(after, Counter()) == sum(before, Counter())
    assert all(number > 0 for hand in after for number in hand.values())
    assert after == before or (trades and players > 1)


def test_draws_are_even_and_shuffles_keep_everything() -> None:
    """Each of six numbers comes about as often; a shuffle is the same items in another order."""
    chance = Chance("even")
    found = Counter(chance.below(6) for _ in range(6000))
    assert sorted(found) == list(range(6))
    assert all(850 < number < 1150 for number in found.values())
    mixed = chance.shuffled(range(50))
    assert sorted(mixed) == list(range(50)) != mixed
