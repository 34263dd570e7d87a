"""What an edition of the game is: its cards, what each player starts with, its settings and its rules. Plain data."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from server.scoring.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring.deal import Deal
    from server.scoring.journal import Points
    from server.scoring.numbers import Numbers
    from server.scoring.seat import Seat

RULE_CATEGORY = "rule"
"""The category of the rule cards: the kind of rule 7 is `rule-7`."""

SEED = "seed"
"""The setting that every edition takes: a text from which chance is drawn where an edition has any."""

Act = Callable[["Seat", "Numbers"], None]
"""A rule's function: it reads a hand, the table around it and its own numbers, and writes."""

TieKey = Callable[["Seat"], Any]
"""A tie-break's function: its values are compared among hands, the larger ranks higher."""

Alike = Callable[[int, int, int], Hashable]
"""What rules see of a category's numbered cards, from how many they are and their lowest and highest number."""


class EditionError(ValueError):
    """An edition that does not exist, or whose files contradict themselves. The message is one line for people."""


@dataclass(frozen=True)
class Kind:
    """A kind of card. `ink` is "#RRGGBB" and `symbol` the name of a drawing, both "" where a kind has none.

    `text` is the wording of a rule, the fact of a special or ""; `number` is the number of a rule card; `motif` names
    the drawing of a tarot card or a token, "" where a kind has none.
    """

    slug: str
    category: str
    name: str
    text: str = ""
    ink: str = ""
    symbol: str = ""
    number: int | None = None
    motif: str = ""


@dataclass(frozen=True)
class Group:
    """A named set of kinds, such as a suit."""

    slug: str
    name: str
    kinds: tuple[str, ...]


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
class Fact:
    """What the organiser enters for each hand at its hand-in: a whole number in a range, or yes or no.

    `default` counts where nothing is entered.
    """

    name: str
    label: str
    yes_no: bool
    minimum: int
    maximum: int
    default: int

    def takes(self, value: object) -> bool:
        """Tell whether a value can be entered."""
        if self.yes_no or isinstance(value, bool):
            return self.yes_no and isinstance(value, bool)
        return isinstance(value, int) and self.minimum <= value <= self.maximum

    @property
    def expects(self) -> str:
        """What can be entered, in words."""
        return "true or false" if self.yes_no else f"a whole number from {self.minimum} to {self.maximum}"


@dataclass(frozen=True)
class PartOfDeck:
    """A labelled part of a deck: players who hand in say which cards lie in it."""

    slug: str
    name: str


class Scope(Enum):
    """For whom a rule acts."""

    ALWAYS = "always"
    """For every hand, whoever holds the rule's card."""
    HOLDER = "holder"
    """For those who handed its card in. Cards of the same effect act once a hand."""
    IN_PLAY = "in-play"
    """For every hand as soon as anyone handed its card in. Cards of the same effect act once."""


class Step(NamedTuple):
    """A function of a rule and the phase in which it runs; `always` runs it even where the rule is cancelled."""

    phase: Phase
    act: Act
    always: bool = False


@dataclass(frozen=True)
class Rule:
    """A rule: its key (the number on its card, as text), title, wording with the numbers filled in, and numbers.

    `place` is its place in the edition, from 0: lines of a breakdown stand in this order. `settings` names the
    organiser's values that join its numbers; `lists` are named slugs that its functions read; `says` holds the
    templates of its sentences in a breakdown. `touches` and `steps` are empty for a rule that only breaks ties or only
    `informs`.
    `effect` is the same for rules whose cards say the same. A `puzzle` needs something that its card does not state.
    """

    key: str
    place: int
    name: str
    text: str
    numbers: Mapping[str, Points] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    says: Mapping[str, str] = field(default_factory=dict)
    touches: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()
    scope: Scope = Scope.ALWAYS
    effect: str = ""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    informs: bool = False
    puzzle: bool = False

    @property
    def card(self) -> str:
        """The slug of the rule's card."""
        return f"{RULE_CATEGORY}-{self.key}"

    @property
    def phases(self) -> frozenset[Phase]:
        """The phases in which the rule acts."""
        return frozenset(step.phase for step in self.steps)


@dataclass(frozen=True)
class Tie:
    """A tie-break: its name in results, its label for people, its function, and the rule that it stands on, if any.

    With `shares` it only orders the list: hands that it tells apart share their place.
    """

    name: str
    label: str
    key: TieKey
    rule: str | None
    shares: bool = False


@dataclass(frozen=True)
class Ruling:
    """What the edition settles where a rule leaves something open; `rule` is the rule's key or None."""

    rule: str | None
    text: str


@dataclass(frozen=True)
class Instruction:
    """A section of the rules of play, which everybody may know; each line of `text` is a paragraph."""

    name: str
    heading: str
    text: str


@dataclass(frozen=True)
class Edition:
    """An edition in one language. `kinds` are in the order of the numbers in the printed codes.

    `players_min` and `players_max` recommend a number of players and limit nothing. `valued` are the categories
    whose cards have a worth of their own; `worths` is what a kind is worth where no rule sets it. `ties` are applied
    in order. `phrases` are the sentences that all editions share. `phases` is the order of the count; `languages` are
    those in which the edition can be loaded, its own first. `alike` says by category which holdings score alike.
    `facts` are asked at hand-in; a deck may have `parts`. `absent` are the cards and categories that a variant has left
    out: rules may still name them, in vain. `told_by` are the rules, by kind, of which all must be known in order to
    know what the kind is worth; the worth of other kinds is no secret. A `partial` edition has only the rules that
    somebody knows: a worth that none of them sets is unknown, not 0. `handout` are the rules of play for everybody.
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
    phases: tuple[Phase, ...] = tuple(Phase)
    groups: tuple[Group, ...] = ()
    worths: Mapping[str, Points] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    alike: Mapping[str, Alike] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    parts: tuple[PartOfDeck, ...] = ()
    absent: frozenset[str] = frozenset()
    told_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    partial: bool = False
    handout: tuple[Instruction, ...] = ()

    @cached_property
    def kind_of(self) -> Mapping[str, Kind]:
        """The kinds by slug."""
        return {kind.slug: kind for kind in self.kinds}

    @cached_property
    def rule_of(self) -> Mapping[str, Rule]:
        """The rules by key."""
        return {rule.key: rule for rule in self.rules}

    @cached_property
    def group_of(self) -> Mapping[str, Group]:
        """The groups of kinds by slug."""
        return {group.slug: group for group in self.groups}

    @cached_property
    def name_of(self) -> Mapping[str, str]:
        """The names of kinds, groups and parts of a deck by slug, as sentences show them."""
        names = {part.slug: part.name for part in self.parts}
        names |= {group.slug: group.name for group in self.groups}
        return names | {kind.slug: kind.name for kind in self.kinds}

    @cached_property
    def fact_of(self) -> Mapping[str, Fact]:
        """The facts asked at hand-in, by name."""
        return {fact.name: fact for fact in self.facts}
