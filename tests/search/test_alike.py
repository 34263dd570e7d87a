"""What an edition declares alike scores alike, whatever else lies in the hand: a walk over all editions."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import edition_names, load_edition
from server.scoring import Hand, Scorer
from server.search.holdings import every, not_alike
from server.search.stock import kinds_of
from tests.editions.games_strategy import random_cards

if TYPE_CHECKING:
    from random import Random  # noqa: TID251 - the type of hypothesis's seeded generator

DECLARED = [(name, category) for name in edition_names() for category in load_edition(name).alike]


def test_an_edition_declares_something() -> None:
    """The walk below has something to look at."""
    assert ("eurocg-2026", "rule") in DECLARED


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(DECLARED), st.randoms(use_true_random=True))
def test_alike_holdings_score_alike(declared: tuple[str, str], random: Random) -> None:
    """Two holdings of one size and one answer are exchanged in a random hand: nothing happens to the score."""
    name, category = declared
    edition = load_edition(name)
    scorer = Scorer(edition)
    kinds = kinds_of(edition, category)
    numbers = {kind: edition.kind_of[kind].number or 0 for kind in kinds}
    rest = {
        kind: number
        for kind, number in random_cards(edition, random).items()
        if edition.kind_of[kind].category != category
    }
    groups = defaultdict(list)
    size = random.randint(1, 4)
    for _ in range(150):
        cards = [random.choice(kinds) for _ in range(size)]
        held = [numbers[kind] for kind in cards]
        groups[edition.alike[category](size, min(held), max(held))].append(cards)
    for group in groups.values():
        holdings = [{**rest, **{kind: cards.count(kind) for kind in cards}} for cards in group[:4]]
        assert len({scorer.score([Hand("A", cards)]).hands[0].score for cards in holdings}) == 1


def test_one_of_each_answer_is_kept() -> None:
    """Every size and answer that some holding has is there, once, within the copies printed."""
    edition = load_edition("eurocg-2026")
    view = edition.alike["rule"]
    kinds = ("rule-2", "rule-5", "rule-11", "rule-23")
    stock = {"rule-2": 1, "rule-5": 2, "rule-11": 0, "rule-23": 3}

    def seen(cards: dict[str, int]) -> tuple[int, int]:
        numbers = [int(kind.removeprefix("rule-")) for kind in cards]
        size = sum(cards.values())
        return size, view(size, min(numbers, default=0), max(numbers, default=0))  # type: ignore[return-value] # whole

    kept = not_alike(edition, view, kinds, stock, 4)
    assert all(number <= stock[kind] for holding in kept for kind, number in holding.cards.items())
    assert sorted(seen(dict(holding.cards)) for holding in kept) == sorted(
        {seen(dict(holding.cards)) for holding in every(kinds, stock, 4)}
    )
