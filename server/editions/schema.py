"""The schema of `edition.toml`, its error messages, and the repair of wrong values, to find further mistakes."""

from __future__ import annotations

import copy
import json
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    PlainValidator,
    StringConstraints,
    ValidationError,
    model_validator,
)

from server.editions.formulas.meaning import EditionTable, Formula, MeaningPart, Name
from server.editions.source import PARTS, names_of
from server.scoring.rules import POINTS_PHASES, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails


_LARGEST = 10**9
"""The largest number of a rule or a worth."""


def _number(value: object) -> int | Fraction:
    """Accept a whole number, or an exact number with decimals."""
    if isinstance(value, Fraction) or (isinstance(value, int) and not isinstance(value, bool)):
        if max(abs(value.numerator), value.denominator) > _LARGEST:
            raise ValueError(f"is too large, or has too many decimals (at most {_LARGEST})")
        return value
    raise ValueError(f"must be a number without quotation marks, not {value!r}")


def _points_phases(names: list[str]) -> list[str]:
    """Accept the names of phases about points, each once."""
    known = [phase.name.lower() for phase in POINTS_PHASES]
    if len(set(names)) < len(names) or not set(names) <= set(known):
        raise ValueError(f"should name phases about points, each once (known: {', '.join(known)})")
    return names


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
RuleKey = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$")]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
Texts = Annotated[dict[Language, str], Field(min_length=1)]
Number = Annotated[int | Fraction, PlainValidator(_number)]
PhaseNames = Annotated[list[str], AfterValidator(_points_phases)]
if TYPE_CHECKING:
    Acts = str
    PartName = str
else:
    Acts = Literal[*(scope.value for scope in Scope)]
    PartName = Literal[*PARTS]


class PlayersPart(EditionTable):
    """The recommended number of players."""

    min: int = Field(ge=1)
    max: int = Field(ge=1)


class SupplyPart(EditionTable):
    """A supply of whole sets, dealt out equally. See `server.scoring.edition.Supply`."""

    sets: list[list[int]] = Field(min_length=1)
    enough: int = Field(ge=1)
    single: list[Slug] = Field(default_factory=list)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        players = [row[0] for row in self.sets if len(row) == 2 and min(row) >= 1]  # noqa: PLR2004 - pairs
        if len(players) < len(self.sets) or players != sorted(set(players)):
            raise ValueError("sets should be pairs [most players, number of sets], in ascending order")
        return self


class CategoryPart(EditionTable):
    """A category of cards, and the number of them that each player starts with.

    That is `each` cards of the category, `each_kind` of each of its kinds, or an equal share of a `supply`. `worth` is
    the worth of a card that no rule sets; a category with a worth, or with `valued`, brings points.
    """

    slug: Slug
    name: Texts
    each: int = Field(default=0, ge=0)
    each_kind: int = Field(default=0, ge=0)
    supply: SupplyPart | None = None
    different: bool = False
    valued: bool = False
    worth: Number | None = None

    @model_validator(mode="after")
    def _one_deal(self) -> Self:
        if bool(self.each) + bool(self.each_kind) + bool(self.supply) > 1:
            raise ValueError("says in several ways what a player starts with; keep one of each, each_kind and supply")
        return self


class LabelPart(EditionTable):
    """A group of kinds, such as a suit, or a labelled part of a deck, such as one of three piles."""

    slug: Slug
    name: Texts


class SettingPart(EditionTable):
    """A number that the organiser sets for a game."""

    name: Name
    label: Texts
    text: Texts
    minimum: int
    maximum: int | None = None
    default: int
    confirm: bool = False


class CardPart(EditionTable):
    """A kind of card other than rule cards. A player must know all rules in `told_by` to know its `worth`.

    Its face is a `symbol` in an `ink`, or its `motif`, the drawing of a tarot card or a token.
    """

    slug: Slug
    category: Slug
    name: Texts
    text: Texts | None = None
    groups: list[Slug] = Field(default_factory=list)
    worth: Number | None = None
    told_by: list[RuleKey] = Field(default_factory=list)
    ink: Annotated[str, StringConstraints(pattern=r"^#[0-9A-F]{6}$")] | None = None
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
    that its function reads; `says` are the templates of its lines in a breakdown, besides those of its `family`. A
    rule that `informs` has no effect; numbers in `wording_only` are deliberately used only in the wording. The card of
    a `puzzle` only hints at the effect of the rule.
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
            raise ValueError("should have a key, or keys of several cards")
        if self.keys and self.effect is None:
            raise ValueError("several cards need a name for their effect")
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

    It is a whole number from `minimum` to `maximum`, or yes or no. The `default`, for hands without an entry, is
    `minimum` or no if left out.
    """

    name: Name
    label: Texts
    type: Literal["whole", "yes-no"]
    minimum: int | None = None
    maximum: int | None = None
    default: int | bool | None = None

    @model_validator(mode="after")
    def _in_range(self) -> Self:
        if self.type == "yes-no":
            if self.minimum is not None or self.maximum is not None or not isinstance(self.default, bool | None):
                raise ValueError("a fact of yes or no has no range, and its default is true or false")
        elif self.minimum is None or self.maximum is None or self.minimum > self.maximum:
            raise ValueError("a whole number needs a minimum and a maximum that is not below it")
        elif isinstance(self.default, bool) or not self.minimum <= self.start <= self.maximum:
            raise ValueError("the default is out of range")
        return self

    @property
    def start(self) -> int:
        """The value for hands without an entry."""
        if self.default is not None:
            return self.default
        return self.minimum or 0 if self.type == "whole" else False


class RulingPart(EditionTable):
    """A decision of the edition where a rule leaves something open."""

    rule: RuleKey | None = None
    text: Texts


class HandoutPart(EditionTable):
    """A section of the hand-out, the public rules of play. It replaces a shared section of the same name."""

    name: Slug
    heading: Texts
    text: Texts


class EditionFile(EditionTable):
    """The whole file. `language` is the default language.

    A variant `extends` another edition, and leaves out the items that are named in `without`.
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


PathStep = int | str

_PATTERNS = {
    "^#[0-9A-F]{6}$": 'must be a colour such as "#C2242B" (# and six of 0 to 9, A to F)',
    "^[a-z][a-z0-9-]*$": 'must be small letters, digits and hyphens, such as "red-star"',
    "^[a-z][a-z0-9_]*$": 'must be small letters, digits and underscores, such as "extra_points"',
    "^[a-z0-9][a-z0-9-]*$": 'must be small letters, digits and hyphens, such as "7" or "greedy"',
    "^[a-z]{2}$": 'must be a language of two small letters, such as "en"',
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
        return f"is an unknown field; write {close[0]}" if close else f"is an unknown field (known: {', '.join(known)})"
    if what == "string_pattern_mismatch":
        return f"{_PATTERNS.get(limits['pattern'], 'has a wrong form')}, not {value}"
    if what in {"dict_type", "model_type"}:
        texts = isinstance(error["input"], str)
        return f"must say its language: {last}.en = {value}" if texts else f"must be a table, not {value}"
    words = {
        "missing": "is missing; add it",
        "string_type": f"must be a text in quotation marks, not {value}",
        "int_type": f"must be a whole number without quotation marks, not {value}",
        "bool_type": f"must be true or false, not {value}",
        "list_type": f"must be a list in [ ], not {value}",
        "literal_error": f"must be {str(limits.get('expected')).replace(chr(39), chr(34))}, not {value}",
        "greater_than_equal": f"must be at least {limits.get('ge')}, not {value}",
        "too_short": "must not be empty",
        "value_error": error["msg"].removeprefix("Value error, "),
    }
    return words.get(what, f"{error['msg'].lower()}, not {value}")


def _value(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
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


_ROUNDS = 6
_DEFAULTS: dict[str, Any] = {
    "slug": "no-slug",
    "title": {"en": "?"},
    "summary": {"en": "?"},
    "name": {"en": "?"},
    "label": {"en": "?"},
    "text": {"en": "?"},
    "players": {"min": 1, "max": 600},
    "min": 1,
    "max": 600,
    "minimum": 0,
    "default": 0,
    "type": "yes-no",
}
"""Replacements for missing values, so that the rest can be checked."""
_BY_SLUG = frozenset({"cards", "categories", "groups", "parts"})
"""Lists whose items are identified by a slug; items of others are identified by their name."""


class RepairedFile(NamedTuple):
    """The file with replacements for wrong values, or None if too much is wrong.

    `problems` are sentences by path, in which "#3" is the fourth item of a list. `lost` are lists that lost an item.
    """

    file: EditionFile | None
    problems: dict[tuple[str, ...], str]
    lost: frozenset[str]


def repair(document: dict[str, Any]) -> RepairedFile:
    """Validate a document, and repair it as far as possible."""
    draft = copy.deepcopy(document)
    problems: dict[tuple[str, ...], str] = {}
    lost: set[str] = set()
    places = {part: list(range(len(draft[part]))) for part in PARTS if isinstance(draft.get(part), list)}
    for part, duplicates in _duplicates(document).items():
        lost.add(part)
        for index in sorted(duplicates, reverse=True):
            name = names_of(draft[part][index])[0]
            problems[(part, f"#{index}")] = f"{part}.{name}: is used twice in the file; give the second another name"
            del draft[part][index], places[part][index]
    for _ in range(_ROUNDS):
        try:
            return RepairedFile(EditionFile.model_validate(draft), problems, frozenset(lost))
        except ValidationError as error:
            found = error.errors(include_url=False)
        reported = {path[:2] for path in problems}
        # Later items of a list are removed first, so that the indices of the others stay valid.
        for item in sorted(found, key=lambda item: [str(step).zfill(6) for step in item["loc"]], reverse=True):
            place = list(item["loc"])
            if len(place) > 1 and isinstance(place[1], int) and place[0] in places:
                place[1] = places[str(place[0])][place[1]]
            path = tuple(f"#{step}" if isinstance(step, int) else step for step in place)
            # Later mistakes in the same item follow from the first.
            if len(path) == 1 or path[:2] not in reported:
                problems.setdefault(path, f"{path_text(document, place)}: {error_sentence(item)}")
            if _repair(draft, item):
                part = str(item["loc"][0])
                lost.add(part)
                if len(item["loc"]) > 1 and part in places and len(draft[part]) < len(places[part]):
                    places[part].pop(int(item["loc"][1]))
    return RepairedFile(None, problems, frozenset(lost))


def _duplicates(document: dict[str, Any]) -> dict[str, set[int]]:
    """Return the indices of items whose name occurs earlier in their list."""
    duplicates: dict[str, set[int]] = {}
    for part in PARTS:
        seen: set[str] = set()
        items = document.get(part)
        for index, item in enumerate(items if isinstance(items, list) else ()):
            # The effect of a rule may be the key of another.
            names = {name for name in names_of(item) if part != "rules" or name != item.get("effect")}
            if names & seen:
                duplicates.setdefault(part, set()).add(index)
            seen |= names
    return duplicates


def _repair(draft: dict[str, Any], error: ErrorDetails) -> bool:
    """Replace or remove a missing or wrong value; return whether a named item was removed."""
    *path, last = error["loc"]
    parents: list[Any] = [draft]
    for step in path:
        try:
            parents.append(parents[-1][step])
        except (KeyError, IndexError, TypeError):
            return False
    here = parents[-1]
    if isinstance(here, list) and isinstance(last, int) and last < len(here):
        return _repair_item(here, last, str(path[0])) and len(path) == 1
    if not isinstance(here, dict):
        return False
    if error["type"] == "missing":
        listed = bool(path) and isinstance(parents[-2], list)
        if last in _DEFAULTS and not (listed and last == ("slug" if path[0] in _BY_SLUG else "name")):
            here[str(last)] = _default(draft, str(last))
        elif listed:
            parents[-2].pop(int(path[-1]))
            return True
    elif error["type"] in {"dict_type", "model_type"} and last in _DEFAULTS:
        here[str(last)] = _default(draft, str(last))
    elif last in here:
        return _repair_field(here, str(last), error, in_numbers=bool(path) and path[-1] == "numbers")
    return False


def _default(draft: dict[str, Any], name: str) -> object:
    """Return the replacement for a value; a text gets all languages of the edition."""
    value = copy.deepcopy(_DEFAULTS[name])
    title = draft.get("title")
    return dict.fromkeys(title, "?") if value == {"en": "?"} and isinstance(title, dict) else value


def _repair_item(here: list[Any], index: int, part: str) -> bool:
    if part == "facts" and isinstance(here[index], dict):
        limits = {"minimum", "maximum", "default"}
        here[index] = {name: value for name, value in here[index].items() if name not in limits} | {"type": "yes-no"}
        return False
    here.pop(index)
    return True


def _repair_field(here: dict[str, Any], name: str, error: ErrorDetails, *, in_numbers: bool) -> bool:
    if in_numbers or error["type"] == "greater_than_equal" or error["type"] == "int_type":
        here[name] = 1
    elif error["type"] == "string_type" and isinstance(here[name], int):
        here[name] = str(here[name])
    elif error["type"] == "literal_error" and name == "type":
        here[name] = "whole" if "maximum" in here else "yes-no"
    else:
        del here[name]
        return name in {"slug", "key"}
    return False
