"""What an edition of the game is: its cards, what each player starts with, its settings and its rules. Plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring.numbers import Numbers
    from server.scoring.phases import Phase
    from server.scoring.seat import Seat

Act = Callable[["Seat", "Numbers"], None]
"""A rule's function: it reads a hand and its own numbers, and writes."""

TieKey = Callable[["Seat"], Any]
"""A tie-break's function: its values are compared among hands, the larger ranks higher."""


class EditionError(ValueError):
    """An edition that does not exist, or whose files contradict themselves. The message is one line for people."""


@dataclass(frozen=True)
class Kind:
    """A kind of card. `ink` is "#RRGGBB" and `symbol` the name of a drawing, both "" where a kind has none.

    `text` is the wording of a rule, the fact of a special or ""; `number` is the number of a rule card.
    """

    slug: str
    category: str
    name: str
    text: str = ""
    ink: str = ""
    symbol: str = ""
    number: int | None = None


@dataclass(frozen=True)
class Deal:
    """How many cards of a category each player starts with; `different` allows no two alike in one envelope."""

    category: str
    name: str
    each: int
    different: bool


@dataclass(frozen=True)
class Setting:
    """A whole number that the organiser sets for a game, `minimum` to `maximum` (None: no upper limit).

    `confirm` asks the organiser to confirm the value before results are published.
    """

    name: str
    label: str
    text: str
    minimum: int
    maximum: int | None
    default: int
    confirm: bool


@dataclass(frozen=True)
class Rule:
    """A rule: its key (the number on its card, as text), title, wording with the numbers filled in, and numbers.

    `place` is its place in the edition, from 0: lines of a breakdown stand in this order. `settings` names the
    organiser's values that join its numbers; `says` holds the templates of its sentences in a breakdown; `phase`,
    `touches` and `act` are None or empty for a rule that only breaks ties.
    """

    key: str
    place: int
    name: str
    text: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    says: Mapping[str, str] = field(default_factory=dict)
    phase: Phase | None = None
    touches: frozenset[str] = frozenset()
    act: Act | None = None


@dataclass(frozen=True)
class Tie:
    """A tie-break: its name in results, its label for people, its function, and the rule that it stands on, if any."""

    name: str
    label: str
    key: TieKey
    rule: str | None


@dataclass(frozen=True)
class Ruling:
    """What the edition settles where a rule leaves something open; `rule` is the rule's key or None."""

    rule: str | None
    text: str


@dataclass(frozen=True)
class Edition:
    """An edition in one language. `kinds` are in the order of the numbers in the printed codes.

    `players_min` and `players_max` recommend a number of players and limit nothing. `valued` are the categories
    whose cards have a worth of their own. `ties` are applied in order. `phrases` are the sentences that all
    editions share.
    """

    slug: str
    language: str
    title: str
    summary: str
    players_min: int
    players_max: int
    kinds: tuple[Kind, ...]
    deal: tuple[Deal, ...]
    valued: frozenset[str]
    settings: tuple[Setting, ...]
    rules: tuple[Rule, ...]
    rulings: tuple[Ruling, ...]
    ties: tuple[Tie, ...]
    phrases: Mapping[str, str]

    @cached_property
    def kind_of(self) -> Mapping[str, Kind]:
        """The kinds by slug."""
        return {kind.slug: kind for kind in self.kinds}

    @cached_property
    def rule_of(self) -> Mapping[str, Rule]:
        """The rules by key."""
        return {rule.key: rule for rule in self.rules}
