"""What an edition of the game is: its cards, what each player starts with, its settings and its rules. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    """A rule: its key (the number on its card, as text), title, wording with the numbers filled in, and numbers."""

    key: str
    name: str
    text: str
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Edition:
    """An edition in one language. `kinds` are in the order of the numbers in the printed codes.

    `players_min` and `players_max` recommend a number of players and limit nothing.
    """

    slug: str
    language: str
    title: str
    summary: str
    players_min: int
    players_max: int
    kinds: tuple[Kind, ...]
    deal: tuple[Deal, ...]
    settings: tuple[Setting, ...]
    rules: tuple[Rule, ...]

    @cached_property
    def kind_of(self) -> Mapping[str, Kind]:
        """The kinds by slug."""
        return {kind.slug: kind for kind in self.kinds}
