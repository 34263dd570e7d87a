"""The schema of `edition.toml`, and its error messages."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    PlainValidator,
    StringConstraints,
    model_validator,
)

from server.editions.formulas.meaning import EditionTable, Formula, MeaningPart, Name
from server.editions.source import PARTS
from server.editions.source_lines import names_of
from server.editions.translations import Sentence
from server.scoring.rules import POINTS_PHASES, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails


_LARGEST = 10**9
"""The largest number of a rule or a worth."""
_LONGEST = 60
"""Most characters of a slug or key."""


def _number(value: object) -> int | Fraction:
    """Accept a whole number, or an exact number with decimals."""
    if isinstance(value, Fraction) or (isinstance(value, int) and not isinstance(value, bool)):
        if max(abs(value.numerator), value.denominator) > _LARGEST:
            raise ValueError(Sentence("is too large, or has too many decimals (at most {most})", most=_LARGEST))
        return value
    raise ValueError(Sentence("must be a number without quotation marks, not {value}", value=repr(value)))


def _points_phases(names: list[str]) -> list[str]:
    """Accept the names of phases about points, each once."""
    known = [phase.name.lower() for phase in POINTS_PHASES]
    if len(set(names)) < len(names) or not set(names) <= set(known):
        raise ValueError(
            Sentence("should name phases about points, each once (known: {names})", names=", ".join(known))
        )
    return names


def _case_score(value: object) -> int | Fraction | None:
    """Accept a number, a fraction such as "1/3", or "out" as None."""
    if value == "out":
        return None
    return _number(
        Fraction(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]+/[1-9][0-9]*", value) else value
    )


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=_LONGEST)]
RuleKey = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=_LONGEST)]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9A-F]{6}$")]
Texts = Annotated[dict[Language, str], Field(min_length=1)]
Whole = Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]
Number = Annotated[int | Fraction, PlainValidator(_number)]
CaseScore = Annotated[int | Fraction | None, PlainValidator(_case_score)]
PhaseNames = Annotated[list[str], AfterValidator(_points_phases)]
if TYPE_CHECKING:
    Acts = str
    PartName = str
else:
    Acts = Literal[*(scope.value for scope in Scope)]
    PartName = Literal[*PARTS]


class PlayersPart(EditionTable):
    """The recommended number of players."""

    min: int = Field(ge=1, le=_LARGEST)
    max: int = Field(ge=1, le=_LARGEST)


class SupplyPart(EditionTable):
    """A supply of whole sets, dealt out equally.

    `sets` are pairs of the most players and the number of sets; above, there are `enough` cards for each player. Of a
    kind in `single` there is one card.
    """

    sets: list[list[int]] = Field(min_length=1)
    enough: int = Field(ge=1, le=_LARGEST)
    single: list[Slug] = Field(default_factory=list)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        players = [row[0] for row in self.sets if len(row) == 2 and 1 <= min(row) <= max(row) <= _LARGEST]  # noqa: PLR2004 - pairs
        if len(players) < len(self.sets) or players != sorted(set(players)):
            raise ValueError(Sentence("sets should be pairs [most players, number of sets], in ascending order"))
        return self


class CategoryPart(EditionTable):
    """A category of cards, and the number of them that each player starts with.

    That is `each` cards of the category, `each_kind` of each of its kinds, or an equal share of a `supply`; with
    `different`, those of a player are of different kinds. `worth` is the worth of a card that no rule sets; a category
    with a worth, or with `valued`, brings points.
    """

    slug: Slug
    name: Texts
    each: int = Field(default=0, ge=0, le=_LARGEST)
    each_kind: int = Field(default=0, ge=0, le=_LARGEST)
    supply: SupplyPart | None = None
    different: bool = False
    valued: bool = False
    worth: Number | None = None

    @model_validator(mode="after")
    def _one_deal(self) -> Self:
        if bool(self.each) + bool(self.each_kind) + bool(self.supply) > 1:
            raise ValueError(
                Sentence("says in several ways what a player starts with; keep one of each, each_kind and supply")
            )
        return self


class LabelPart(EditionTable):
    """A group of kinds, such as a suit, or a labelled part of a deck, such as one of three piles."""

    slug: Slug
    name: Texts


class SettingPart(EditionTable):
    """A number that the organiser sets for a game.

    Its `default` is shown to begin with. With `confirm`, it must be confirmed before results are published.
    """

    name: Name
    label: Texts
    text: Texts
    minimum: Whole
    maximum: Whole | None = None
    default: Whole
    confirm: bool = False


class CardPart(EditionTable):
    """A kind of card other than rule cards. A player must know all rules in `told_by` to know its `worth`.

    These are by default all rules that inform. Its face is a `symbol` in an `ink`, or its `motif`, the drawing of a
    tarot card or a token: `pique-1` to `pique-10`, `pique-valet`, `pique-cavalier`, `pique-dame`, `pique-roi`, likewise
    `coeur`, `carreau` and `trefle`; `atout-1` to `atout-21`, `excuse`; `token-red`, `token-white` and `token-blue`.
    """

    slug: Slug
    category: Slug
    name: Texts
    text: Texts | None = None
    groups: list[Slug] = Field(default_factory=list)
    worth: Number | None = None
    told_by: list[RuleKey] = Field(default_factory=list)
    ink: Colour | None = None
    symbol: Slug | None = None
    motif: Slug | None = None


class FamilyPart(MeaningPart):
    """The shared part of a family's rules: the hands for which they act, default title, wording, sentences, meaning."""

    name: Name
    acts: Acts = "always"
    title: Texts | None = None
    text: Texts | None = None
    says: dict[Name, Texts] = Field(default_factory=dict)


class RulePart(MeaningPart):
    """A rule and its card: title, wording with {placeholders}, the numbers that fill them, and its sentences.

    `keys` instead of `key` are several cards with the same wording; their `effect` has a name of its own. `settings`
    names the organiser's values that the rule uses like numbers of its own; `lists` are kinds, groups or categories
    that its formulas or its function read, also templates such as "rank-{rank}"; `says` are the sentences of its lines
    in a breakdown, besides those of its `family`. A rule that `informs` has no effect; numbers in `wording_only` are
    deliberately used only in the wording. The card of a `puzzle` only hints at the effect of the rule.
    """

    key: RuleKey | None = None
    keys: list[RuleKey] = Field(default_factory=list)
    effect: Slug | None = None
    family: Name | None = None
    acts: Acts | None = None
    name: Texts | None = None
    text: Texts | None = None
    numbers: dict[Name, Number] = Field(default_factory=dict)
    settings: list[Name] = Field(default_factory=list)
    lists: dict[Name, list[Slug]] = Field(default_factory=dict)
    says: dict[Name, Texts] = Field(default_factory=dict)
    informs: bool = False
    wording_only: list[Name] = Field(default_factory=list)
    puzzle: bool = False

    @model_validator(mode="after")
    def _keyed(self) -> Self:
        if (self.key is None) == (not self.keys):
            raise ValueError(Sentence("should have a key, or keys of several cards"))
        if self.keys and self.effect is None:
            raise ValueError(Sentence("several cards need a name for their effect"))
        return self

    @property
    def cards(self) -> list[str]:
        """The keys of all its cards."""
        return self.keys if self.key is None else [self.key]


class TiePart(EditionTable):
    """A tie-break: the larger value of the formula `by` ranks higher. With `rule` it is used only if that is active.

    With `shares` it only orders the list of hands that share a place.
    """

    name: Slug
    by: Formula | None = None
    label: Texts
    rule: RuleKey | None = None
    shares: bool = False


class FactPart(EditionTable):
    """A value that the organiser enters for each hand at its hand-in.

    It is a whole number from `minimum` to `maximum`, yes or no, or another player. The `default`, for hands without an
    entry, is `minimum` or no if left out.
    """

    name: Name
    label: Texts
    type: Literal["whole", "yes-no", "player"]
    minimum: Whole | None = None
    maximum: Whole | None = None
    default: Whole | bool | None = None

    @model_validator(mode="after")
    def _in_range(self) -> Self:
        if self.type == "player":
            if (self.minimum, self.maximum, self.default) != (None, None, None):
                raise ValueError(Sentence("a fact that names a player has no range and no default"))
        elif self.type == "yes-no":
            if self.minimum is not None or self.maximum is not None or not isinstance(self.default, bool | None):
                raise ValueError(Sentence("a fact of yes or no has no range, and its default is true or false"))
        elif self.minimum is None or self.maximum is None or self.minimum > self.maximum:
            raise ValueError(Sentence("a whole number needs a minimum and a maximum that is not below it"))
        elif isinstance(self.default, bool) or not self.minimum <= self.start <= self.maximum:
            raise ValueError(Sentence("the default is out of range"))
        return self

    @property
    def start(self) -> int:
        """The value for hands without an entry."""
        if self.default is not None:
            return self.default
        return self.minimum or 0 if self.type == "whole" else False


class RulingPart(EditionTable):
    """A decision of the edition where a rule leaves something open.

    A variant can replace one that has a `name`, and leave one out by its `name` or its `rule`.
    """

    name: Slug | None = None
    rule: RuleKey | None = None
    text: Texts


class HandoutPart(EditionTable):
    """A section of the hand-out, the public rules of play. It replaces a shared section of the same name."""

    name: Slug
    heading: Texts
    text: Texts


class CaseHandPart(EditionTable):
    """A hand of a test case. Of the players that facts name, `named` has the number of the hand, from 1.

    `cancels` are the rules that the player has chosen to switch off.
    """

    cards: dict[Slug, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    facts: dict[Name, int | bool] = Field(default_factory=dict)
    named: dict[Name, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    parts: dict[Slug, dict[Slug, Annotated[int, Field(ge=0)]]] = Field(default_factory=dict)
    cancels: list[RuleKey] = Field(default_factory=list)


class CasePart(EditionTable):
    """A test case: hands, and the scores that the author expects, "out" for an eliminated hand.

    With `rule`, only that rule acts, with those that it touches and those that set the worth of its cards.
    """

    rule: RuleKey | None = None
    hands: list[CaseHandPart] = Field(min_length=1)
    scores: list[CaseScore]

    @model_validator(mode="after")
    def _one_score_each(self) -> Self:
        if len(self.scores) != len(self.hands):
            raise ValueError(Sentence("needs a score for each hand"))
        return self


class EditionFile(EditionTable):
    """The whole file. `language` is the default language.

    A variant `extends` another edition, and leaves out the items that are named in `without`. `rulings` explain rules.
    `values` fill the templates of cards and groups. `phases` are those from OWN on that act in another order, such as
    "double". Several `factors` for the same cards or points add up, or multiply each other.
    """

    slug: Slug
    extends: Slug | None = None
    without: dict[PartName, list[int | str]] = Field(default_factory=dict)
    language: Language = "en"
    title: Texts
    summary: Texts
    players: PlayersPart
    categories: list[CategoryPart] = Field(min_length=1)
    phases: PhaseNames = Field(default_factory=list)
    factors: Literal["add", "multiply"] = "add"
    values: dict[Name, list[Any]] = Field(default_factory=dict)
    groups: list[LabelPart] = Field(default_factory=list)
    families: list[FamilyPart] = Field(default_factory=list)
    settings: list[SettingPart] = Field(default_factory=list)
    facts: list[FactPart] = Field(default_factory=list)
    parts: list[LabelPart] = Field(default_factory=list)
    cards: list[CardPart] = Field(min_length=1)
    rules: list[RulePart] = Field(default_factory=list)
    ties: list[TiePart] = Field(default_factory=list)
    rulings: list[RulingPart] = Field(default_factory=list)
    handout: list[HandoutPart] = Field(default_factory=list)
    cases: list[CasePart] = Field(default_factory=list)


PathStep = int | str

_PATTERNS = {
    "^#[0-9A-F]{6}$": Sentence('must be a colour such as "#C2242B" (# and six of 0 to 9, A to F)'),
    "^[a-z][a-z0-9-]*$": Sentence('must be small letters, digits and hyphens, such as "red-star"'),
    "^[a-z][a-z0-9_]*$": Sentence('must be small letters, digits and underscores, such as "extra_points"'),
    "^[a-z0-9][a-z0-9-]*$": Sentence('must be small letters, digits and hyphens, such as "7" or "greedy"'),
    "^[a-z]{2}$": Sentence('must be a language of two small letters, such as "en"'),
}
_MAX_VALUE = 40


def path_text(document: dict[str, Any], path: Sequence[PathStep]) -> str:
    """Format the path to a value; an item of a list is given by its name, or by its place in the list from 1."""
    steps: list[str] = []
    here: Any = document
    for step in path:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            here = None
        if isinstance(step, int):
            steps.append(next(iter(names_of(here)), f"no. {step + 1}"))
        elif step != "[key]":
            steps.append(step)
    return ".".join(steps)


def error_sentence(error: ErrorDetails) -> str:
    """Translate an error of pydantic: what a value must be."""
    what, value, limits = error["type"], _value(error["input"]), error.get("ctx", {})
    last = next((step for step in reversed(error["loc"]) if isinstance(step, str)), "")
    known = _fields(error["loc"])
    if what == "extra_forbidden":
        close = get_close_matches(last, known, 1)
        return (
            Sentence("is an unknown field; write {field}", field=close[0])
            if close
            else Sentence("is an unknown field (known: {names})", names=", ".join(known))
        )
    if what == "string_pattern_mismatch":
        return Sentence("{must}, not {value}", must=_PATTERNS.get(limits["pattern"], "has a wrong form"), value=value)
    if what in {"dict_type", "model_type"}:
        texts = isinstance(error["input"], str)
        return (
            Sentence("must say its language: {last}.en = {value}", last=last, value=value)
            if texts
            else Sentence("must be a table, not {value}", value=value)
        )
    words = {
        "missing": Sentence("is missing; add it"),
        "string_type": Sentence("must be a text in quotation marks, not {value}", value=value),
        "int_type": Sentence("must be a whole number without quotation marks, not {value}", value=value),
        "bool_type": Sentence("must be true or false, not {value}", value=value),
        "list_type": Sentence("must be a list in [ ], not {value}", value=value),
        "literal_error": Sentence("must be {one}, not {value}", one=_either(limits.get("expected")), value=value),
        "greater_than_equal": Sentence("must be at least {least}, not {value}", least=limits.get("ge"), value=value),
        "less_than_equal": Sentence("must be at most {most}, not {value}", most=limits.get("le"), value=value),
        "string_too_long": Sentence("must have at most {most} characters", most=limits.get("max_length")),
        "too_short": Sentence("must not be empty"),
        "value_error": limits["error"].args[0] if "error" in limits else "",
    }
    return words.get(what, Sentence("{must}, not {value}", must=error["msg"].lower(), value=value))


def _either(quoted: object) -> str:
    """Return the values that pydantic expects, such as 'whole', 'yes-no' or 'player', in double quotation marks."""
    return str(quoted).replace("'", '"')


def _value(value: object) -> str:
    if isinstance(value, dict | list):
        return Sentence("a table") if isinstance(value, dict) else Sentence("a list")
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_VALUE else f"{text[: _MAX_VALUE - 1]}…"


def _fields(path: Sequence[PathStep]) -> list[str]:
    """Return the fields of the table that contains the last step of a path."""
    model: Any = EditionFile
    for step in path[:-1]:
        if isinstance(step, str) and model is not None:
            field = model.model_fields.get(step)
            model = _model(field.annotation) if field else None
    return list(model.model_fields) if model is not None else []


def _model(annotation: object) -> type[BaseModel] | None:
    """Return the model of a field, alone, in a list or as one of several types."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for inner in get_args(annotation) if (model := _model(inner))), None)
