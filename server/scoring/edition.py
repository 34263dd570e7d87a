"""An edition of the game as plain data: its cards, the deal, its settings and its rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from server.scoring.errors import EditionError
from server.scoring.rules import RULE_CATEGORY, Phase, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from server.scoring.rules import Numbers, Points, Rule


SEED = "seed"
"""The setting that every edition has: a text that decides all random draws."""


@dataclass(frozen=True)
class Kind:
    """A kind of card. `ink` is "#RRGGBB" and `symbol` the name of a drawing, "" for none.

    `text` is the wording of a rule, the fact of a special or ""; `number` is the number of a rule card; `motif` is the
    name of the drawing of a tarot card or a token, "" for none. `outline` is the path data of a symbol that the edition
    brings, instead of `symbol`.
    """

    slug: str
    category: str
    name: str
    text: str = ""
    ink: str = ""
    symbol: str = ""
    number: int | None = None
    motif: str = ""
    outline: str = ""


@dataclass(frozen=True)
class Group:
    """A named set of kinds, such as a suit."""

    slug: str
    name: str
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    """A whole number that the organiser sets for a game, from `minimum` to `maximum` (None: no upper limit).

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
    """A value that the organiser enters for each hand at its hand-in: a whole number in a range, or yes or no.

    `default` is used if nothing is entered.
    """

    name: str
    label: str
    yes_no: bool
    minimum: int
    maximum: int
    default: int

    def takes(self, value: object) -> bool:
        """Return whether a value can be entered."""
        if self.yes_no or isinstance(value, bool):
            return self.yes_no and isinstance(value, bool)
        return isinstance(value, int) and self.minimum <= value <= self.maximum

    @property
    def expects(self) -> str:
        """A description of the values that can be entered."""
        return "true or false" if self.yes_no else f"a whole number from {self.minimum} to {self.maximum}"


@dataclass(frozen=True)
class PlayerFact:
    """A fact that names another player, such as the neighbour on the left; nobody, if nothing is entered."""

    name: str
    label: str


@dataclass(frozen=True)
class PartOfDeck:
    """A labelled part of a deck: players say at their hand-in which cards are in it."""

    slug: str
    name: str


@dataclass(frozen=True)
class Tie:
    """A tie-break: its name in results, its label for people, its function, and the rule that it depends on, if any.

    One with `shares` only orders the list: the hands that it separates share their place.
    """

    name: str
    label: str
    key: Callable[..., Any]
    rule: str | None
    shares: bool = False


@dataclass(frozen=True)
class Ruling:
    """A decision of the edition where a rule leaves something open; `rule` is the rule's key or None."""

    rule: str | None
    text: str


@dataclass(frozen=True)
class Instruction:
    """A section of the rules of play, which are public; each line of `text` is a paragraph."""

    name: str
    heading: str
    text: str


@dataclass(frozen=True)
class Edition:
    """An edition in one language. `kinds` are in the order of the numbers in the printed codes.

    `players_min` and `players_max` only recommend a number of players. `valued` are the categories whose cards have a
    worth of their own; `worths` has the worth of a kind that no rule sets. `ties` are applied in order. `phrases` are
    the sentences that all editions share. `phases` is the order of the count; `languages` are those in which the
    edition can be loaded, its own first. `facts` are entered at the hand-in, and so are `player_facts`; a deck may have
    `parts`. `absent` are the cards and categories that a variant has left out: rules may still name them, without
    effect. `told_by` has, by kind, the rules that together reveal its worth; the worth of other kinds is public. A
    `partial` edition has only the rules that a player knows: a worth that none of them sets is unknown, not 0.
    `handout` are the public rules of play. Several factors add up, or with `factors_multiply` multiply each other.
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
    facts: tuple[Fact, ...] = ()
    player_facts: tuple[PlayerFact, ...] = ()
    parts: tuple[PartOfDeck, ...] = ()
    absent: frozenset[str] = frozenset()
    told_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    partial: bool = False
    handout: tuple[Instruction, ...] = ()
    factors_multiply: bool = False

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


@dataclass(frozen=True)
class Supply:
    """A supply of whole sets, dealt out equally; the rest is put aside.

    `sets` are pairs (most players, number of sets), in ascending order. For more players than in the last pair, there
    are enough sets to give each player at least `enough` cards. Kinds in `single` always have one copy.
    """

    sets: tuple[tuple[int, int], ...]
    enough: int
    single: frozenset[str] = frozenset()

    def copies(self, kinds: tuple[str, ...], players: int) -> dict[str, int]:
        """Return the number of copies of each kind in a game of `players`."""
        sets = next((number for most, number in self.sets if players <= most), 0)
        if not sets:
            repeated = sum(kind not in self.single for kind in kinds)
            missing = self.enough * players - (len(kinds) - repeated)
            sets = max(self.sets[-1][1], -(-missing // max(repeated, 1)))
        return {kind: 1 if kind in self.single else sets for kind in kinds}


@dataclass(frozen=True)
class Deal:
    """The number of cards of a category that each player starts with; if `different`, no two of them are the same.

    That is `each` cards of the category, `each_kind` cards of each of its kinds, or an equal share of a `supply`.
    """

    category: str
    name: str
    each: int
    different: bool
    each_kind: int = 0
    supply: Supply | None = None

    def each_of(self, kinds: tuple[str, ...], players: int) -> int:
        """Return the number of cards of the category, whose `kinds` are given, that each of `players` starts with."""
        if self.supply:
            return sum(self.supply.copies(kinds, players).values()) // players
        return self.each + self.each_kind * len(kinds)

    def copies(self, kinds: tuple[str, ...], players: int) -> Mapping[str, int] | None:
        """Return the number of copies of each kind; None if the cards are spread evenly over the kinds."""
        if self.supply:
            return self.supply.copies(kinds, players)
        return dict.fromkeys(kinds, self.each_kind * players) if self.each_kind else None


def known_edition(edition: Edition, cards: Collection[str]) -> Edition:
    """Return the edition reduced to what is printed on `cards` (slugs of kinds).

    It has only the rules of these cards; a puzzle has its card, but no functions. Nothing else of other rules or of
    the game is in it: no wording, numbers, settings or tie-breaks, and no worth that depends on them. So a score or an
    error cannot reveal them.
    """
    held = tuple(rule for rule in edition.rules if rule.card in cards)
    stated = {rule.key for rule in held if not rule.puzzle}
    return replace(
        edition,
        kinds=tuple(kind for kind in edition.kinds if kind.slug in cards or kind.category != RULE_CATEGORY),
        rules=tuple(replace(rule, steps=(), settings=()) if rule.puzzle else rule for rule in held),
        rulings=(),
        ties=(),
        settings=(),
        worths={kind: worth for kind, worth in edition.worths.items() if stated >= set(edition.told_by.get(kind, ()))},
        told_by={},
        partial=True,
    )


def require_kind(edition: Edition, kind: str, verb: str) -> None:
    """Raise EditionError if a name is not a kind of card; a kind that a variant has left out is allowed."""
    if kind not in edition.kind_of and kind not in edition.absent:
        what = _group_or_category(edition, kind)
        raise EditionError(f"there is no card '{kind}' for me.{verb}{what and f': it is a {what}'}")


def require_valued(edition: Edition, kind: str) -> None:
    """Raise EditionError if a name is not a kind of card, or the kind is in a category without worths."""
    known = edition.kind_of.get(kind)
    if known is None:
        require_kind(edition, kind, "worth")
    elif known.category not in edition.valued:
        raise EditionError(
            f"me.worth sets the worth of '{kind}', but cards of category {known.category} have none; "
            "add valued = true to the category"
        )


def require_category(edition: Edition, name: str, verb: str) -> None:
    """Raise EditionError if a name is not a category of cards; one that a variant has left out is allowed."""
    categories = [deal.category for deal in edition.deal]
    if name not in categories and name not in edition.absent:
        raise EditionError(f"there is no category '{name}' for me.{verb} (known: {', '.join(categories)})")


def require_list(names: object, verb: str) -> None:
    """Raise EditionError for a single name instead of a list: a text would be read letter by letter."""
    if isinstance(names, (str, int)):
        raise EditionError(f"me.{verb} takes a list, such as [{names!r}], not {names!r} alone")


def require_number(rule: str, numbers: Numbers, name: str) -> None:
    """Raise EditionError if the touched rule does not have the number to adjust."""
    known = printed(numbers)
    if name not in known:
        there = ", ".join(known) or "none"
        raise EditionError(f"rule {rule} has no number '{name}' to adjust (it has {there})")


def require_whole(number: object, what: str) -> None:
    """Raise EditionError if a number is not whole; `what` describes it."""
    if not isinstance(number, int):
        raise EditionError(f"{what} is {number!r}, but must be a whole number")


def _group_or_category(edition: Edition, name: str) -> str:
    if name in edition.group_of:
        return "group"
    return "category" if any(deal.category == name for deal in edition.deal) else ""
