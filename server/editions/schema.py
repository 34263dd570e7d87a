"""What an edition's `edition.toml` may say. Texts stand under language keys, such as `name.en`."""

from __future__ import annotations

import copy
import json
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    ValidationError,
    model_validator,
)

from server.editions.source import PARTS, names_of
from server.scoring.rules import OF_POINTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails


def _number(value: object) -> int | Fraction:
    """Take a whole number, or one with decimals as the reader made it: exact."""
    if isinstance(value, Fraction) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise ValueError(f"must be a number without quotation marks, not {value!r}")


def _points_phases(names: list[str]) -> list[str]:
    """Take the names of phases about points, each once."""
    known = [phase.name.lower() for phase in OF_POINTS]
    if len(set(names)) < len(names) or not set(names) <= set(known):
        raise ValueError(f"should name phases about points, each once (there is {', '.join(known)})")
    return names


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
RuleKey = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$")]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
Texts = Annotated[dict[Language, str], Field(min_length=1)]
Number = Annotated[int | Fraction, PlainValidator(_number)]
PhaseNames = Annotated[list[str], AfterValidator(_points_phases)]
Acts = Literal["always", "holder", "in-play"]


class EditionTable(BaseModel):
    """A table of the file: unknown keys and loose types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlayersPart(EditionTable):
    """How many players the edition is made for; a recommendation."""

    min: int = Field(ge=1)
    max: int = Field(ge=1)


class SupplyPart(EditionTable):
    """A stock of whole sets, shared out equally.

    `sets` are pairs of most players and sets; with still more players there are as many sets as give each of them
    `enough` cards. Kinds in `single` have one copy always.
    """

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
    """A category of cards, and how many of them each player starts with.

    That is `each` cards of the category, `each_kind` of each of its kinds, or an equal share of a `supply`. `worth` is
    what a card is worth where no rule says otherwise; a category with a worth, or with `valued`, brings points.
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


class GroupPart(EditionTable):
    """A set of kinds with a name, such as a suit. Cards say to which groups they belong."""

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
    """A kind of card that is no rule card. `told_by` are the rules that tell a player its `worth`, all together.

    Its face is a `symbol` in an `ink`, or the drawing of a tarot card or a token, its `motif`.
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


class FamilyPart(EditionTable):
    """What rules of one family share: for whom they act, title and wording where a rule has none, and sentences."""

    name: Name
    acts: Acts = "always"
    title: Texts | None = None
    text: Texts | None = None
    says: dict[Name, Texts] = Field(default_factory=dict)


class RulePart(EditionTable):
    """A rule and its card: title, wording with {placeholders}, the numbers that fill them, and its sentences.

    `keys` instead of `key` are several cards that all say the same; their `effect` has a name of its own. `settings`
    names the organiser's values that the rule uses like numbers of its own; `lists` are kinds, groups or categories
    that its function reads; `says` are the templates of its lines in a breakdown, besides those of its `family`.
    A rule that `informs` only tells what counts anyway; numbers in `wording_only` stand in words alone, on purpose. The
    card of a `puzzle` only hints at what the rule does.
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
    """A tie-break; with `rule` it holds only while that rule is active.

    With `shares` it orders the list of those who share a place, and parts nobody.
    """

    name: Slug
    label: Texts
    rule: RuleKey | None = None
    shares: bool = False


class FactPart(EditionTable):
    """What the organiser enters for each hand at its hand-in.

    A whole number from `minimum` to `maximum`, or yes or no. Where nothing is entered, `default` counts; where that is
    left out, `minimum` or no.
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
        """What counts where nothing is entered."""
        if self.default is not None:
            return self.default
        return self.minimum or 0 if self.type == "whole" else False


class DeckPart(EditionTable):
    """A labelled part of a deck, such as one of three piles."""

    slug: Slug
    name: Texts


class RulingPart(EditionTable):
    """What the edition settles where a rule leaves something open."""

    rule: RuleKey | None = None
    text: Texts


class HandoutPart(EditionTable):
    """A section of the hand-out: the rules of play that everybody may know.

    One that bears the name of a section that all editions share replaces it.
    """

    name: Slug
    heading: Texts
    text: Texts


class EditionFile(EditionTable):
    """The whole file. `language` is the one in which the edition is shown where nobody asks for another.

    A variant `extends` another edition, and leaves out parts of it by their names `without`.
    """

    slug: Slug
    extends: Slug | None = None
    without: dict[
        Literal["categories", "groups", "families", "settings", "facts", "parts", "cards", "rules", "ties"],
        list[int | str],
    ] = Field(default_factory=dict)
    language: Language = "en"
    title: Texts
    summary: Texts
    players: PlayersPart
    categories: list[CategoryPart] = Field(min_length=1)
    phases: PhaseNames = Field(default_factory=list)
    groups: list[GroupPart] = Field(default_factory=list)
    families: list[FamilyPart] = Field(default_factory=list)
    settings: list[SettingPart] = Field(default_factory=list)
    facts: list[FactPart] = Field(default_factory=list)
    parts: list[DeckPart] = Field(default_factory=list)
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
    "^[a-z]{2}$": "is no language; write two small letters, such as en",
}
_LONGEST = 40


def path_text(document: dict[str, Any], way: Sequence[PathStep]) -> str:
    """Write the way to a value; an item of a list goes by its name, or by its place in the list from 1."""
    steps: list[str] = []
    here: Any = document
    for step in way:
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
    """Return what is wrong with a value, and what it must be."""
    what, value, limits = error["type"], _value(error["input"]), error.get("ctx", {})
    last = next((step for step in reversed(error["loc"]) if isinstance(step, str)), "")
    known = _fields(error["loc"])
    if what == "extra_forbidden":
        close = get_close_matches(last, known, 1)
        return f"is no field here; write {close[0]}" if close else f"is no field here (there is {', '.join(known)})"
    if what == "string_pattern_mismatch":
        return f"{_PATTERNS.get(limits['pattern'], 'has a form that cannot be')}, not {value}".replace(
            "such as en, not", "such as en, instead of"
        )
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
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _fields(way: Sequence[PathStep]) -> list[str]:
    """Return the fields of the table in which the last step of a way stands."""
    model: Any = EditionFile
    for step in way[:-1]:
        if isinstance(step, str) and model is not None:
            field = model.model_fields.get(step)
            model = _model(field.annotation) if field else None
    return list(model.model_fields) if model is not None else []


def _model(annotation: object) -> type[BaseModel] | None:
    """Return the table that a field holds, alone, in a list or as one of several types."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for inner in get_args(annotation) if (model := _model(inner))), None)


_ROUNDS = 6
_STAND_INS: dict[str, Any] = {
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
"""What takes the place of a missing value, so that the rest can be checked."""
_BY_SLUG = frozenset({"cards", "categories", "groups", "parts"})
"""Lists whose items are known by a slug, and have a name in words; items of others are known by their name."""
_FACT_RANGE = ("minimum", "maximum", "default")


class SchemaProblem(NamedTuple):
    """A mistake: the way to it, in which "#3" is the fourth item of a list, and a sentence."""

    way: tuple[str, ...]
    sentence: str


class RepairedFile(NamedTuple):
    """The file with stand-ins for what is wrong; None if too much is. `lost` are lists of which an item is gone."""

    file: EditionFile | None
    problems: list[SchemaProblem]
    lost: frozenset[str]


def repair(document: dict[str, Any]) -> RepairedFile:
    """Check a document and mend it as far as that can be done."""
    draft = copy.deepcopy(document)
    problems: dict[tuple[str, ...], str] = {}
    lost: set[str] = set()
    _drop_twins(draft, problems, lost)
    places = {part: list(range(len(draft[part]))) for part in PARTS if isinstance(draft.get(part), list)}
    for part, twins in _twins(document).items():
        places[part] = [place for place in range(len(document[part])) if place not in twins]
    for _ in range(_ROUNDS):
        try:
            return RepairedFile(EditionFile.model_validate(draft), _listed(problems), frozenset(lost))
        except ValidationError as error:
            found = error.errors(include_url=False)
        told = {way[:2] for way in problems}
        # Later items of a list go first, so that the places of the others stay true.
        for item in sorted(found, key=lambda item: [str(step).zfill(6) for step in item["loc"]], reverse=True):
            place = list(item["loc"])
            if len(place) > 1 and isinstance(place[1], int) and place[0] in places:
                place[1] = places[str(place[0])][place[1]]
            way = tuple(f"#{step}" if isinstance(step, int) else step for step in place)
            # What comes up in a later round about the same item follows from the first.
            if len(way) == 1 or way[:2] not in told:
                problems.setdefault(way, f"{path_text(document, place)}: {error_sentence(item)}")
            if _mend(draft, item):
                part = str(item["loc"][0])
                lost.add(part)
                if len(item["loc"]) > 1 and part in places and len(draft[part]) < len(places[part]):
                    places[part].pop(int(item["loc"][1]))
    return RepairedFile(None, _listed(problems), frozenset(lost))


def _listed(problems: dict[tuple[str, ...], str]) -> list[SchemaProblem]:
    return [SchemaProblem(way, what) for way, what in problems.items()]


def _twins(document: dict[str, Any]) -> dict[str, set[int]]:
    """Return the places of items whose name stands earlier in their list."""
    twins: dict[str, set[int]] = {}
    for part in PARTS:
        seen: set[str] = set()
        items = document.get(part)
        for place, item in enumerate(items if isinstance(items, list) else ()):
            # A rule may bear the name of a family; only its keys count.
            names = {name for name in names_of(item) if part != "rules" or name != item.get("effect")}
            if names & seen:
                twins.setdefault(part, set()).add(place)
            seen |= names
    return twins


def _drop_twins(draft: dict[str, Any], problems: dict[tuple[str, ...], str], lost: set[str]) -> None:
    for part, places in _twins(draft).items():
        for place in sorted(places, reverse=True):
            name = names_of(draft[part][place])[0]
            problems[(part, f"#{place}")] = f"{part}.{name}: stands twice in the file; give the second another name"
            del draft[part][place]
        lost.add(part)


def _mend(draft: dict[str, Any], error: ErrorDetails) -> bool:
    """Put a stand-in where a value is missing or wrong, or take it out; tell whether a named item is gone."""
    *way, last = error["loc"]
    parents: list[Any] = [draft]
    for step in way:
        try:
            parents.append(parents[-1][step])
        except (KeyError, IndexError, TypeError):
            return False
    here = parents[-1]
    if isinstance(here, list) and isinstance(last, int) and last < len(here):
        return _mend_item(here, last, str(way[0])) and len(way) == 1
    if not isinstance(here, dict):
        return False
    if error["type"] == "missing":
        listed = bool(way) and isinstance(parents[-2], list)
        if last in _STAND_INS and not (listed and last == ("slug" if way[0] in _BY_SLUG else "name")):
            here[str(last)] = _stand_in(draft, str(last))
        elif listed:
            parents[-2].pop(int(way[-1]))
            return True
    elif error["type"] in {"dict_type", "model_type"} and last in _STAND_INS:
        here[str(last)] = _stand_in(draft, str(last))
    elif last in here:
        return _mend_field(here, str(last), error, in_numbers=bool(way) and way[-1] == "numbers")
    return False


def _stand_in(draft: dict[str, Any], name: str) -> object:
    """Return what takes the place of a value; a text in all languages of the edition, so that none is missing."""
    value = copy.deepcopy(_STAND_INS[name])
    title = draft.get("title")
    return dict.fromkeys(title, "?") if value == {"en": "?"} and isinstance(title, dict) else value


def _mend_item(here: list[Any], place: int, part: str) -> bool:
    if part == "facts" and isinstance(here[place], dict):
        here[place] = {name: value for name, value in here[place].items() if name not in _FACT_RANGE}
        here[place]["type"] = "yes-no"
        return False
    here.pop(place)
    return True


def _mend_field(here: dict[str, Any], name: str, error: ErrorDetails, *, in_numbers: bool) -> bool:
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
