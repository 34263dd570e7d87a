"""What an edition of the game is: its cards, what each player starts with, its settings and its rules. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from server.scoring.errors import EditionError
from server.scoring.rules import RULE_CATEGORY, Phase, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping

    from server.scoring.rules import Numbers, Points, Rule


SEED = "seed"
"""The setting that every edition takes: a text from which chance is drawn where an edition has any."""


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


@dataclass(frozen=True)
class Tie:
    """A tie-break: its name in results, its label for people, its function, and the rule that it stands on, if any.

    With `shares` it only orders the list: hands that it tells apart share their place.
    """

    name: str
    label: str
    key: Callable[..., Any]
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
    alike: Mapping[str, Callable[[int, int, int], Hashable]] = field(default_factory=dict)
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


@dataclass(frozen=True)
class Supply:
    """A stock of whole sets, shared out equally; what is left over is put aside.

    `sets` are pairs (most players, number of sets), in ascending order. With more players than any of them names, there
    are as many sets as give each player at least `enough` cards. `single` are the kinds of which one copy does always.
    """

    sets: tuple[tuple[int, int], ...]
    enough: int
    single: frozenset[str] = frozenset()

    def copies(self, kinds: tuple[str, ...], players: int) -> dict[str, int]:
        """Return how many copies of each kind a game of `players` needs."""
        sets = next((number for most, number in self.sets if players <= most), 0)
        if not sets:
            repeated = sum(kind not in self.single for kind in kinds)
            missing = self.enough * players - (len(kinds) - repeated)
            sets = max(self.sets[-1][1], -(-missing // repeated))
        return {kind: 1 if kind in self.single else sets for kind in kinds}


@dataclass(frozen=True)
class Deal:
    """How many cards of a category each player starts with; `different` allows no two alike in one envelope.

    `each` cards of the category, dealt from all; or `each_kind` cards of each of its kinds; or an equal share of a
    `supply`.
    """

    category: str
    name: str
    each: int
    different: bool
    each_kind: int = 0
    supply: Supply | None = None

    def each_of(self, kinds: tuple[str, ...], players: int) -> int:
        """Return how many cards of the category, whose kinds are given, each of `players` starts with."""
        if self.supply:
            return sum(self.supply.copies(kinds, players).values()) // players
        return self.each + self.each_kind * len(kinds)

    def stock(self, kinds: tuple[str, ...], players: int) -> Mapping[str, int] | None:
        """Return how many copies of each kind are needed; None where `each` is spread evenly over the kinds."""
        if self.supply:
            return self.supply.copies(kinds, players)
        return dict.fromkeys(kinds, self.each_kind * players) if self.each_kind else None


def known_edition(edition: Edition, cards: Collection[str]) -> Edition:
    """Return the edition as if only what is printed on `cards` (slugs of kinds) existed.

    It has no rules but theirs, and of a puzzle the card alone: not what it does. Nothing else of other rules or of the
    game is left in it, so whatever is counted, said or refused by it cannot tell of them: no wording, numbers, settings
    or tie-breaks, and no worth that they tell.
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
    """Refuse a name that is no kind of card; one that a variant has left out is passed over."""
    if kind not in edition.kind_of and kind not in edition.absent:
        what = _what(edition, kind)
        raise EditionError(f"there is no card '{kind}' for me.{verb}{what and f': it is a {what}'}")


def require_valued(edition: Edition, kind: str) -> None:
    """Refuse to set the worth of what is no kind of card, or of a kind whose category has no worth."""
    known = edition.kind_of.get(kind)
    if known is None:
        require_kind(edition, kind, "worth")
    elif known.category not in edition.valued:
        raise EditionError(
            f"me.worth sets the worth of '{kind}', but cards of category {known.category} have none; "
            "add valued = true to the category"
        )


def require_category(edition: Edition, name: str, verb: str) -> None:
    """Refuse a name that is no category of cards; one that a variant has left out is passed over."""
    categories = [deal.category for deal in edition.deal]
    if name not in categories and name not in edition.absent:
        raise EditionError(f"there is no category '{name}' for me.{verb} (there is {', '.join(categories)})")


def require_list(names: object, verb: str) -> None:
    """Refuse one name where several are to be listed: a text would be taken letter by letter."""
    if isinstance(names, (str, int)):
        raise EditionError(f"me.{verb} takes a list, such as [{names!r}], not {names!r} alone")


def require_number(rule: str, numbers: Numbers, name: str) -> None:
    """Refuse a number to move that the touched rule has not."""
    known = printed(numbers)
    if name not in known:
        there = ", ".join(known) or "none"
        raise EditionError(f"rule {rule} has no number '{name}' to adjust (it has {there})")


def require_whole(number: object, what: str) -> None:
    """Refuse a number that is not whole; `what` says what it counts."""
    if not isinstance(number, int):
        raise EditionError(f"{what} is {number!r}, but must be a whole number")


def _what(edition: Edition, name: str) -> str:
    if name in edition.group_of:
        return "group"
    return "category" if any(deal.category == name for deal in edition.deal) else ""
