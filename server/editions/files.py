"""What an edition's `edition.toml` may say. Texts stand under language keys, such as `name.en`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
RuleKey = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$")]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
Texts = Annotated[dict[Language, str], Field(min_length=1)]


class Part(BaseModel):
    """A table of the file: unknown keys and loose types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlayersPart(Part):
    """How many players the edition is made for; a recommendation."""

    min: int = Field(ge=1)
    max: int = Field(ge=1)


class CategoryPart(Part):
    """A category of cards and how many of them each player starts with."""

    slug: Slug
    name: Texts
    each: int = Field(ge=0)
    different: bool = False
    valued: bool = False


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
    """A kind of card that is no rule card."""

    slug: Slug
    category: Slug
    name: Texts
    text: Texts | None = None
    ink: Annotated[str, StringConstraints(pattern=r"^#[0-9A-F]{6}$")] | None = None
    symbol: Slug | None = None


class RulePart(Part):
    """A rule and its card: title, wording with {placeholders}, the numbers that fill them, and its sentences.

    `settings` names the organiser's values that the rule uses like numbers of its own; `says` are the templates
    of its lines in a breakdown.
    """

    key: RuleKey
    name: Texts
    text: Texts
    numbers: dict[Name, int] = Field(default_factory=dict)
    settings: list[Name] = Field(default_factory=list)
    says: dict[Name, Texts] = Field(default_factory=dict)


class TiePart(Part):
    """A tie-break; with `rule` it holds only while that rule is active."""

    name: Slug
    label: Texts
    rule: RuleKey | None = None


class RulingPart(Part):
    """What the edition settles where a rule leaves something open."""

    rule: RuleKey | None = None
    text: Texts


class EditionFile(Part):
    """The whole file."""

    slug: Slug
    title: Texts
    summary: Texts
    players: PlayersPart
    categories: list[CategoryPart] = Field(min_length=1)
    settings: list[SettingPart] = Field(default_factory=list)
    cards: list[CardPart] = Field(min_length=1)
    rules: list[RulePart] = Field(default_factory=list)
    ties: list[TiePart] = Field(default_factory=list)
    rulings: list[RulingPart] = Field(default_factory=list)
