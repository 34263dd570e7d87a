"""The decks to search: their encoding as counts by variable, choices of cancelled rules, and printed supply.

The variable `figs` is a card in no part, `figs@market` one in the part `market`, `?partners` the value of a fact, and
`!4` a cancelled rule. No slug contains these signs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.scoring import Hand
from server.scoring.hand import cancelling_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.scoring import Edition, Rule


_IN = "@"
_FACT = "?"
_CANCEL = "!"


@dataclass(frozen=True)
class Space:
    """All decks of an edition with at most `most` cards, and at most the copies of each kind in `supply`.

    A deck is given by variables. `facts` are the values of fixed facts. `settings` and the keys of the `active` rules
    are those of the game, `others` the other hands, and `player` the name of the player of the deck.
    """

    edition: Edition
    supply: Mapping[str, int]
    most: int
    settings: Mapping[str, int | str] = field(default_factory=dict)
    active: tuple[str, ...] = ()
    others: tuple[Hand, ...] = ()
    player: str = "Best"
    facts: Mapping[str, int] = field(default_factory=dict)


def supply(edition: Edition, players: int) -> dict[str, int]:
    """Return the number of copies of each kind that a game of `players` has at least.

    If the cards of a category do not divide evenly, some kinds, drawn at random, have one copy more.
    """
    copies: dict[str, int] = {}
    for deal in edition.deal:
        kinds = kinds_of(edition, deal.category)
        printed = deal.copies(kinds, players)
        copies |= dict(printed) if printed is not None else dict.fromkeys(kinds, players * deal.each // len(kinds))
    return copies


def start_cards(edition: Edition, players: int) -> int:
    """Return the number of cards, of all categories together, that each of `players` starts with."""
    return sum(deal.each_of(kinds_of(edition, deal.category), players) for deal in edition.deal)


def kinds_of(edition: Edition, category: str) -> tuple[str, ...]:
    """Return the kinds of a category, in the order of the edition."""
    return tuple(kind.slug for kind in edition.kinds if kind.category == category)


def card_variable(kind: str, part: str) -> str:
    """Return the variable of a kind in a part, "" for no part."""
    return f"{kind}{_IN}{part}" if part else kind


def fact_variable(name: str) -> str:
    """Return the variable of a fact."""
    return f"{_FACT}{name}"


def cancel_variable(rule: str) -> str:
    """Return the variable of a cancelled rule, given by its key."""
    return f"{_CANCEL}{rule}"


def is_fact_variable(variable: str) -> bool:
    """Return whether a variable is that of a fact."""
    return variable.startswith(_FACT)


def is_card_variable(variable: str) -> bool:
    """Return whether a variable is that of a card."""
    return variable[0] not in (_FACT, _CANCEL)


def cancelled_rules(counts: Mapping[str, int]) -> list[str]:
    """Return the keys of the cancelled rules."""
    return [variable.removeprefix(_CANCEL) for variable in counts if variable.startswith(_CANCEL)]


def kind_of(variable: str) -> str:
    """Return the kind of a card's variable."""
    return variable.partition(_IN)[0]


def cards_of(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the number of cards of each kind in a deck given by variables, in all parts together."""
    cards: dict[str, int] = {}
    for variable, number in counts.items():
        if number and is_card_variable(variable):
            cards[kind_of(variable)] = cards.get(kind_of(variable), 0) + number
    return cards


class Encoding:
    """Builds hands of an edition from variables. `facts` are the values of facts without a variable."""

    def __init__(self, edition: Edition, facts: Mapping[str, int] | None = None) -> None:
        self._yes_no = {fact.name: fact.yes_no for fact in edition.facts}
        self._facts = {name: self._value(name, value) for name, value in (facts or {}).items()}
        self._plain = not (edition.parts or edition.facts or cancelling_rules(edition, edition.rule_of))

    def hand(self, player: str, counts: Mapping[str, int], cancels: tuple[str, ...] = ()) -> Hand:
        """Return the hand of these counts by variable, without zeros."""
        if self._plain:
            return Hand(player, counts)
        cards: dict[str, int] = {}
        parts: dict[str, dict[str, int]] = {}
        facts = dict(self._facts)
        for variable, number in counts.items():
            if is_fact_variable(variable):
                name = variable.removeprefix(_FACT)
                facts[name] = self._value(name, number)
            elif number and is_card_variable(variable):
                kind, _, part = variable.partition(_IN)
                cards[kind] = cards.get(kind, 0) + number
                if part:
                    parts.setdefault(part, {})[kind] = number
        return Hand(player, cards, cancels=cancels, facts=facts, parts=parts)

    def _value(self, name: str, number: int) -> int:
        return bool(number) if self._yes_no[name] else number


class DeckChoices:
    """The rules that decks of a space may cancel, given the other hands."""

    def __init__(self, space: Space) -> None:
        self._space = space
        places = ("", *(part.slug for part in space.edition.parts))
        rules = cancelling_rules(space.edition, space.active)
        self._rules = [(rule, [card_variable(rule.card, place) for place in places]) for rule in rules]
        self._others = {hand.player: hand.cards for hand in space.others}

    @property
    def targets(self) -> list[str]:
        """The keys of all rules that some card can cancel."""
        return sorted(set().union(*(rule.touches for rule, _ in self._rules)) & set(self._space.active))

    def number(self, counts: Mapping[str, int]) -> int:
        """Return the number of rules that a deck may cancel."""
        return len({rule.effect for rule in self._held(counts)})

    def allowed(self, counts: Mapping[str, int], keys: Sequence[str]) -> tuple[str, ...]:
        """Return the first of `keys` that a deck may cancel, up to its number."""
        held = self._held(counts)
        if not held:
            return ()
        rules = self._space.edition.rule_of
        touched = frozenset().union(*(rule.touches for rule in held))
        mine = cards_of(counts)
        in_play = (any(cards.get(rules[key].card) for cards in (mine, *self._others.values())) for key in keys)
        allowed = [key for key, played in zip(keys, in_play, strict=True) if played and key in touched]
        return tuple(allowed[: len({rule.effect for rule in held})])

    def _held(self, counts: Mapping[str, int]) -> list[Rule]:
        return [rule for rule, variables in self._rules if any(counts.get(variable) for variable in variables)]
