"""Majorities: who has most, and what every kind of tie does."""

from __future__ import annotations

import pytest

from server.scoring import Numbers, Phase, Rulebook, Seat
from server.scoring.edition import Group
from tests.scoring.support import toy
from tests.scoring.tables import game


@pytest.mark.parametrize(
    ("gold", "sole", "ties", "following"),
    [
        ([3, 2, 1], "a", "a", "a"),
        ([3, 3, 1], "", "ab", "c"),
        ([3, 3, 2, 2, 1], "", "ab", "e"),
        ([3, 3, 2, 2], "", "ab", ""),
        ([0, 0], "", "", ""),
        ([0, 1], "b", "b", "b"),
        ([2, 2, 2], "", "abc", ""),
    ],
)
def test_majorities_say_what_a_tie_does(gold: list[int], sole: str, ties: str, following: str) -> None:
    """Sole most; all who tie for most; the next number that only one has. Nobody has most of nothing."""
    found = {"sole": "", "all": "", "next": ""}
    book = Rulebook()

    @book.rule("look", Phase.TABLE)
    def look(me: Seat, _n: Numbers) -> None:
        for name in ("gold", "coin", "precious"):
            if me.table.sole_most(name) is me:
                found["sole"] += me.hand.player
            if me in me.table.all_most(name):
                found["all"] += me.hand.player
            if me.table.next_sole_most(name) is me:
                found["next"] += me.hand.player

    game(toy(book, groups=(Group("precious", "Precious", ("gold",)),)), *gold)
    threefold = {
        key: "".join(name * 3 for name in names)
        for key, names in {"sole": sole, "all": ties, "next": following}.items()
    }
    assert found == threefold


@pytest.mark.parametrize(("gold", "level"), [([2, 2, 1], "ab"), ([1, 1, 3, 3], "abcd"), ([0, 0, 1], ""), ([5], "")])
def test_hands_are_level_with_others_that_have_as_much(gold: list[int], level: str) -> None:
    """At any number, but not at none."""
    found: list[str] = []
    book = Rulebook()
    book.rule("1", Phase.OWN)(lambda me, _n: me.table.is_level(me, "gold") and found.append(me.hand.player))
    game(toy(book), *gold)
    assert "".join(found) == level
