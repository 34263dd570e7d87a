"""The schema of a rule's meaning in `edition.toml`: its frame, its effect, and their formulas."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from server.scoring.breakdown import decimal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.editions.formulas.translator import Names

ALWAYS = "1 == 1"
"""A condition that always holds."""


class EditionTable(BaseModel):
    """A table of the file. Unknown keys and values of other types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _formula(value: object) -> object:
    """Accept a number instead of a formula, and true as a condition that always holds."""
    if value is True:
        return ALWAYS
    return decimal(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value


Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Formula = Annotated[str, BeforeValidator(_formula)]
RuleKeys = Annotated[list[int | str], Field(min_length=1)]


class AdjustPart(EditionTable):
    """Add `by` to a `number` of other rules."""

    rules: RuleKeys
    number: Name
    by: Formula


class ShieldPart(EditionTable):
    """Void a number of `lines` by which other rules take points."""

    rules: RuleKeys
    lines: Formula


class CancelPart(EditionTable):
    """Switch other rules off for this hand or for `everyone`: all of `rules`, or those that the player has `chosen`.

    A rule with `chosen` needs `acts = "holder"`, as only holders of its card choose.
    """

    rules: RuleKeys
    everyone: bool = False
    chosen: bool = False


class MultiplyPart(EditionTable):
    """Multiply the worth of `cards` by a factor, for some `number` of them or for all."""

    cards: Formula
    by: Formula
    number: Formula | None = None


class EffectPart(EditionTable):
    """A condition and at most one effect. `say` names the sentence; without an effect it is only a line.

    The effects are in the order of their phases. `number`, with `give_others`, made the rule act; `prefer`, with
    `keep`, says which cards stay.
    """

    when: Formula | None = None
    eliminate: Literal[True] | None = None
    keep: dict[str, Formula] | None = None
    cancel: CancelPart | None = None
    adjust: AdjustPart | None = None
    worth: dict[str, Formula] | None = None
    cap: dict[str, Formula] | None = None
    zero: Formula | None = None
    multiply: MultiplyPart | None = None
    at_least: dict[str, Formula] | None = None
    give: Formula | None = None
    take: Formula | None = None
    give_others: Formula | None = None
    double: Formula | None = None
    void: RuleKeys | None = None
    shield: ShieldPart | None = None
    number: Formula | None = None
    prefer: Literal["highest", "lowest"] | None = None
    say: Name | None = None

    @property
    def effects(self) -> list[str]:
        """The names of the effects that are stated."""
        return [name for name in EFFECTS if getattr(self, name) is not None]

    @property
    def verb(self) -> str:
        """The name of the effect, "" for none."""
        return next(iter(self.effects), "")


EFFECTS = tuple(name for name in EffectPart.model_fields if name not in {"when", "number", "prefer", "say"})
"""The names of all effects."""
MEANING = frozenset({*EFFECTS, "case", "also"})
"""The fields that say what a rule does."""


class FramePart(EffectPart):
    """An effect, for `each` kind (`but` some), or the first `case` that applies.

    `phase` moves points to another phase. `unknown` is the condition for a sentence of that name, about what other
    hands may change, in a provisional score.
    """

    each: Formula | None = None
    but: Formula | None = None
    case: list[EffectPart] = Field(default_factory=list)
    phase: Literal["own", "table", "deduct"] | None = None
    unknown: Formula | None = None


class AlsoPart(FramePart):
    """A further effect of a rule. With `always` it acts even if the rule is cancelled."""

    always: bool = False


class MeaningPart(FramePart):
    """The meaning of a rule. `define` gives names to formulas, for other formulas and for sentences.

    There are at most 20 names and 40 cases; a formula has at most 400 characters and 20 levels. A definition that fails
    in some hands, such as a division, is calculated only where it is needed.
    """

    define: dict[Name, Formula] = Field(default_factory=dict)
    also: list[AlsoPart] = Field(default_factory=list)

    @property
    def has_meaning(self) -> bool:
        """True if it states an effect."""
        return bool(self.verb or self.case or self.also)


class StatedStep(NamedTuple):
    """The source of a step of the engine: its frame, and the names that its formulas may use."""

    frame: FramePart
    define: Mapping[str, str]
    names: Names
