"""The order of players and rules cannot be seen in a result."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring import Hand, Phase, score
from tests.scoring.support import toy
from tests.scoring.tables import attack_book, by_player


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.randoms(use_true_random=True))
def test_seats_and_rules_shuffled_change_nothing(gold: list[int], random: object) -> None:
    """With every kind of phase at work, the order of players and of rules cannot be seen in the result."""
    book = attack_book({"one": 1, "two": 2}, shields=1)
    book.rule("keep", Phase.REMOVE)(lambda me, _n: me.keep("coin", 4))
    book.rule("out", Phase.ELIMINATE)(lambda me, _n: me.has("gold") == 5 and me.eliminate())
    book.rule("cap", Phase.COUNT)(lambda me, _n: me.cap("gold", 2))
    book.rule("most", Phase.WORTH)(lambda me, _n: me.table.sole_most("gold") is me and me.multiply("gold", 2, 9))
    book.rule("double", Phase.DOUBLE)(lambda me, _n: me.has("tin") > 1 and me.double(2))
    edition = toy(book, worths={"gold": 2, "tin": 1})
    hands = [Hand(f"p{place}", {"gold": count, "tin": (count * 7 + place) % 4}) for place, count in enumerate(gold)]
    rules, seats = list(edition.rules), list(hands)
    random.shuffle(rules)  # type: ignore[attr-defined]  # a seeded generator
    random.shuffle(seats)  # type: ignore[attr-defined]  # a seeded generator
    plain = by_player(score(edition, hands, provisional=False))
    mixed = by_player(score(replace(edition, rules=tuple(rules)), seats, provisional=False))
    for name, hand in plain.items():
        assert (hand.score, hand.rank, hand.lines) == (mixed[name].score, mixed[name].rank, mixed[name].lines)
