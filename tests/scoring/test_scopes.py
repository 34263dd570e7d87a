"""For whom rules act, rules that are switched off, and what a single hand cannot know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.editions.checks import mistakes
from server.scoring import Edition, EditionError, Hand, Numbers, Phase, Rulebook, Seat, score
from server.scoring.edition import Scope
from tests.scoring.support import toy
from tests.scoring.tables import game, scores


def test_a_rule_can_be_switched_off_for_one_or_for_all() -> None:
    """Sparing holds for the own hand, cancelling for everybody; a part marked `always` runs all the same."""
    for everyone, expected in ((False, {"a": 1, "b": 11}), (True, {"a": 1, "b": 1})):
        book = Rulebook()

        @book.rule("off", Phase.CANCEL, touches=["gift"])
        def off(me: Seat, _n: Numbers, everyone: bool = everyone) -> None:  # noqa: FBT001 - bound in a loop
            if me.has("gold") == 2:
                me.cancel(["gift"], everyone=everyone)

        book.rule("gift", Phase.OWN)(lambda me, _n: me.points(10))
        book.rule("gift", Phase.TABLE, also=True, always=True)(lambda me, _n: me.points(1))
        assert scores(game(toy(book, valued=frozenset()), 2, 1)) == expected


def scoped(scope: Scope, key: str = "1") -> Edition:
    """Return an edition whose rule gives a point within a scope."""
    book = Rulebook()
    book.rule(key, Phase.OWN)(lambda me, _n: me.points(2 if me.holds_card() else 1))
    edition = toy(book, valued=frozenset())
    return replace(edition, rules=tuple(replace(rule, scope=scope) for rule in edition.rules))


@pytest.mark.parametrize(
    ("scope", "with_card", "without", "nobody"),
    [(Scope.ALWAYS, 2, 1, 1), (Scope.HOLDER, 2, 0, 0), (Scope.IN_PLAY, 2, 1, 0)],
)
def test_a_scope_says_for_whom_a_rule_acts(scope: Scope, with_card: int, without: int, nobody: int) -> None:
    """Always; for the holder of its card; for all as soon as anybody holds it."""
    edition = scoped(scope)
    result = scores(score(edition, [Hand("Ada", {"rule-1": 1}), Hand("Bob")]))
    assert result == {"Ada": with_card, "Bob": without}
    assert scores(score(edition, [Hand("Ada"), Hand("Bob")])) == {"Ada": nobody, "Bob": nobody}


def test_an_eliminated_hand_brings_no_rule_into_play() -> None:
    """A rule in play needs a holder who is in the game."""
    edition = scoped(Scope.IN_PLAY)
    book = Rulebook()
    book.rule("out", Phase.ELIMINATE)(lambda me, _n: me.has("gold") and me.eliminate())
    edition = replace(edition, rules=(*edition.rules, replace(toy(book).rules[0], place=1)))
    assert scores(score(edition, [Hand("Ada", {"rule-1": 1, "gold": 1}), Hand("Bob")])) == {"Ada": 0, "Bob": 0}


def test_rules_in_play_cannot_share_an_effect() -> None:
    """Two of them would act twice on everybody."""
    edition = scoped(Scope.IN_PLAY)
    twin = replace(edition.rules[0], key="2", place=1)
    found = list(mistakes(replace(edition, rules=(*edition.rules, twin))))
    assert ("rules.2.effect", "rules that act once in play cannot share '1'; rename one") in found


def test_another_function_of_a_rule_is_asked_for() -> None:
    """A second function without `also`, or in the same phase, is a slip of the author."""
    book = Rulebook()
    book.family("f", Phase.OWN)(lambda _me, _n: None)
    with pytest.raises(EditionError, match="family f has two functions"):
        book.family("f", Phase.TABLE)(lambda _me, _n: None)
    with pytest.raises(EditionError, match="family f has two functions"):
        book.family("f", Phase.OWN, also=True)(lambda _me, _n: None)


def test_a_note_on_what_is_unknown_stands_only_in_a_provisional_count() -> None:
    """One hand is provisional unless it is said to be final; several are final unless said to be provisional."""
    book = Rulebook()
    book.rule("1", Phase.TABLE)(lambda me, _n: me.unknown("line"))
    edition = toy(book)
    ada, bob = Hand("Ada"), Hand("Bob")
    for hands, provisional, lines in (
        ([ada], None, 1),
        ([ada], False, 0),
        ([ada, bob], None, 0),
        ([ada, bob], True, 2),
        ([], None, 0),
    ):
        result = score(edition, hands, provisional=provisional)
        assert sum(len(hand.lines) for hand in result.hands) == lines
        assert result.provisional == bool(lines)
