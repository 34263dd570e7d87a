"""What an edition's `edition.toml` may say. Texts stand under language keys, such as `name.en`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, StringConstraints, model_validator

from server.scoring.phases import OF_POINTS


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


class Part(BaseModel):
    """A table of the file: unknown keys and loose types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlayersPart(Part):
    """How many players the edition is made for; a recommendation."""

    min: int = Field(ge=1)
    max: int = Field(ge=1)


class SupplyPart(Part):
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


class CategoryPart(Part):
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


class GroupPart(Part):
    """A set of kinds with a name, such as a suit. Cards say to which groups they belong."""

    slug: Slug
    name: Texts


class SettingPart(Part):
    """A number that the organiser sets for a game."""

    name: Name
    label: Texts
    text: Texts
    minimum: int
    maximum: int | None = None
    default: int
    confirm: bool = False


class CardPart(Part):
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


class FamilyPart(Part):
    """What rules of one family share: for whom they act, title and wording where a rule has none, and sentences."""

    name: Name
    acts: Acts = "always"
    title: Texts | None = None
    text: Texts | None = None
    says: dict[Name, Texts] = Field(default_factory=dict)


class RulePart(Part):
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


class TiePart(Part):
    """A tie-break; with `rule` it holds only while that rule is active.

    With `shares` it orders the list of those who share a place, and parts nobody.
    """

    name: Slug
    label: Texts
    rule: RuleKey | None = None
    shares: bool = False


class FactPart(Part):
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


class DeckPart(Part):
    """A labelled part of a deck, such as one of three piles."""

    slug: Slug
    name: Texts


class RulingPart(Part):
    """What the edition settles where a rule leaves something open."""

    rule: RuleKey | None = None
    text: Texts


class HandoutPart(Part):
    """A section of the hand-out: the rules of play that everybody may know.

    One that bears the name of a section that all editions share replaces it.
    """

    name: Slug
    heading: Texts
    text: Texts


class EditionFile(Part):
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
