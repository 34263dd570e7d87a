"""The deal: numbers of copies, and the cards of each envelope."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.deal import CategoryDeal, DealError, copies, deal, shuffled
from cardgen.payload import MAX_NUMBER

COLOURS = CategoryDeal(("red", "blue", "green", "orange", "yellow", "pink"), 10)
RULES = CategoryDeal(tuple(f"rule-{n}" for n in range(1, 24)), 2, different=True)
SPECIALS = CategoryDeal(tuple(f"special-{n}" for n in range(1, 25)), 1)
PORTIONS = (COLOURS, RULES, SPECIALS)


@given(st.integers(1, 160), st.text(max_size=8))
@settings(max_examples=20, deadline=None)
def test_every_envelope_gets_its_portions_and_every_card_is_in_one(players: int, seed: str) -> None:
    """No card is dealt twice. Copies are numbered from 1, and their numbers differ by at most one between kinds."""
    envelopes = deal(PORTIONS, players, seed)
    assert len(envelopes) == players
    for hand in envelopes:
        counts = Counter(card.kind.split("-")[0] if "-" in card.kind else "colour" for card in hand)
        assert counts == {"colour": 10, "rule": 2, "special": 1}
        assert len({card.kind for card in hand if card.kind.startswith("rule")}) == 2
    flat = [card for hand in envelopes for card in hand]
    assert len(set(flat)) == len(flat)
    for kind, count in Counter(card.kind for card in flat).items():
        assert sorted(card.copy for card in flat if card.kind == kind) == list(range(1, count + 1))
    for portion in PORTIONS:
        numbers = copies(portion, players, seed).values()
        assert sum(numbers) == players * portion.each
        assert max(numbers) - min(numbers) <= 1


def test_deals_are_reproducible_from_the_seed() -> None:
    """Items are sorted by the SHA-256 digests of seed/purpose/name."""
    assert deal(PORTIONS, 24, "a") == deal(PORTIONS, 24, "a") != deal(PORTIONS, 24, "b")
    names = ["x", "y", "z", "w"]
    expected = sorted(names, key=lambda name: hashlib.sha256(f"s/p/{name}".encode()).hexdigest())
    assert shuffled(names, "s", "p", str) == expected


def test_pairs_of_rules_have_no_pattern() -> None:
    """In a large game nearly every pair of rules occurs, and no pair is much more frequent than by chance."""
    pairs = Counter(frozenset(card.kind for card in hand) for hand in deal([RULES], 138, "pattern"))
    # Of 253 pairs, 138 random draws give about 106 different ones.
    assert len(pairs) > 95
    assert max(pairs.values()) <= 6
    early = {f"rule-{n}" for n in range(1, 12)}
    assert {len(pair & early) for pair in pairs} == {0, 1, 2}
    # 276 rule cards are 12 copies of each of 23 kinds.
    assert set(copies(RULES, 138, "any").values()) == {12}


def test_impossible_deals_are_refused() -> None:
    """No players, more copies than a code can carry, and more different cards than kinds."""
    for players in (0, -1):
        with pytest.raises(DealError, match="at least one player"):
            deal(PORTIONS, players, "s")
    assert max(copies(COLOURS, 613, "s").values()) == 1022
    with pytest.raises(DealError, match="614 players are too many"):
        copies(COLOURS, 614, "s")
    assert deal([CategoryDeal(("a",), 1, supply={"a": MAX_NUMBER})], 1, "x")
    with pytest.raises(DealError, match="at most 1023 copies"):
        deal([CategoryDeal(("a",), 1, supply={"a": MAX_NUMBER + 1})], 1, "x")
    with pytest.raises(DealError, match="3 different cards"):
        deal([CategoryDeal(("a", "b"), 3, different=True)], 4, "s")
    with pytest.raises(DealError, match="a category has no cards"):
        deal([CategoryDeal((), 1)], 4, "s")
    assert deal([CategoryDeal((), 0)], 2, "s") == [[], []]


@settings(max_examples=50)
@given(
    supply=st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9), min_size=1),
    players=st.integers(1, 6),
    seed=st.text(alphabet="xyz", max_size=3),
)
def test_a_fixed_supply_is_dealt_equally(supply: dict[str, int], players: int, seed: str) -> None:
    total = sum(supply.values())
    hands = deal([CategoryDeal(tuple(supply), total // players, supply=supply)], players, seed)
    cards = [card for hand in hands for card in hand]
    assert {len(hand) for hand in hands} == {total // players}
    assert len(set(cards)) == len(cards) > total - players
    assert all(1 <= card.copy <= supply[card.kind] for card in cards)
