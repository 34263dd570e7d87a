"""How a deck with its parts and facts is written down as plain counts, one count a mark.

`figs` marks a card in no part, `figs@market` one in the part `market`, `?partners` the value of a fact, and `!4` that
rule 4 is cancelled. No slug contains these signs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring import Hand
from server.scoring.cancels import cancelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring import Edition

_IN = "@"
_FACT = "?"
_CANCEL = "!"


def placed(kind: str, part: str) -> str:
    """Return the mark of a kind in a part; "" for a card in no part."""
    return f"{kind}{_IN}{part}" if part else kind


def fact_mark(name: str) -> str:
    """Return the mark of a fact."""
    return f"{_FACT}{name}"


def cancel_mark(rule: str) -> str:
    """Return the mark of a rule that is cancelled, from its key."""
    return f"{_CANCEL}{rule}"


def is_fact(mark: str) -> bool:
    """Tell the mark of a fact from others."""
    return mark.startswith(_FACT)


def is_card(mark: str) -> bool:
    """Tell the mark of a card from those of facts and cancelled rules."""
    return mark[0] not in (_FACT, _CANCEL)


def cancelled(counts: Mapping[str, int]) -> list[str]:
    """Return the keys of the rules that are marked as cancelled."""
    return [mark.removeprefix(_CANCEL) for mark in counts if mark.startswith(_CANCEL)]


def kind_of(mark: str) -> str:
    """Return the kind of a card's mark."""
    return mark.partition(_IN)[0]


class Marks:
    """Makes hands of an edition from marks. `facts` are the values of facts that no mark gives."""

    def __init__(self, edition: Edition, facts: Mapping[str, int] | None = None) -> None:
        self._yes_no = {fact.name: fact.yes_no for fact in edition.facts}
        self._facts = {name: self._value(name, value) for name, value in (facts or {}).items()}
        self._plain = not (edition.parts or edition.facts or cancelling(edition, edition.rule_of))

    def hand(self, player: str, counts: Mapping[str, int], cancels: tuple[str, ...] = ()) -> Hand:
        """Return the hand of these counts; kinds of which there are none are left out."""
        if self._plain:
            return Hand(player, counts)
        cards: dict[str, int] = {}
        parts: dict[str, dict[str, int]] = {}
        facts = dict(self._facts)
        for mark, number in counts.items():
            if is_fact(mark):
                name = mark.removeprefix(_FACT)
                facts[name] = self._value(name, number)
            elif number and is_card(mark):
                kind, _, part = mark.partition(_IN)
                cards[kind] = cards.get(kind, 0) + number
                if part:
                    parts.setdefault(part, {})[kind] = number
        return Hand(player, cards, cancels=cancels, facts=facts, parts=parts)

    def _value(self, name: str, number: int) -> int:
        return bool(number) if self._yes_no[name] else number


def cards_of(counts: Mapping[str, int]) -> dict[str, int]:
    """Return how many cards of each kind the marks of a deck are, in whatever part."""
    cards: dict[str, int] = {}
    for mark, number in counts.items():
        if number and is_card(mark):
            cards[kind_of(mark)] = cards.get(kind_of(mark), 0) + number
    return cards
