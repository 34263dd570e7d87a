"""Editions, also those that are uploaded or being edited, in requests and responses."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from server.api.schemas.common import (
    SYMBOL,
    Decimal,
    Language,
    LineModel,
    OptionalReason,
    RequestBody,
    RequestQuery,
    symbol_of,
)
from server.editions.uploads import MAX_BYTES, MAX_SLUG_LENGTH
from server.games.lifecycle.settings import MAX_NAME_LENGTH
from server.printing.game_file import MAX_LABEL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.scoring.edition import Fact, Kind, PlayerFact


class EditionKindModel(BaseModel):
    """A kind of card, with the names of rules."""

    slug: str
    category: str
    name: str = Field(description="In the language of the edition or the game")
    ink: str = Field(description="#RRGGBB, or empty")
    symbol: str = Field(description=SYMBOL)
    number: int | None = Field(description="Number of a rule card")

    @classmethod
    def of(cls, kind: Kind) -> Self:
        """Return the model of a kind."""
        return cls.model_validate({**vars(kind), "symbol": symbol_of(kind)})


class NamedPartModel(BaseModel):
    """A labelled part of a deck."""

    part: str
    name: str


class AskedFactModel(BaseModel):
    """A fact that the edition asks for about each hand: a number, yes or no, or another player."""

    name: str
    label: str
    yes_no: bool
    player: bool = Field(description="true: names another player by number, 0 for nobody")
    minimum: int
    maximum: int

    @classmethod
    def all_of(cls, facts: Iterable[Fact], player_facts: Iterable[PlayerFact]) -> list[Self]:
        """Return the models of facts, then of those that name a player."""
        named = {"yes_no": False, "player": True, "minimum": 0, "maximum": MAX_LABEL}
        return [
            *(cls.model_validate({**vars(fact), "player": False}) for fact in facts),
            *(cls.model_validate({**vars(fact), **named}) for fact in player_facts),
        ]


class EditionVersionModel(BaseModel):
    """A version of an uploaded edition."""

    model_config = ConfigDict(from_attributes=True)

    version: int
    name: str = Field(description="The name by which games use it")
    title: str
    who: str
    at: datetime
    reason: str


class UploadedEditionModel(BaseModel):
    """An uploaded edition."""

    slug: str
    title: str
    games: int = Field(description="Games that use any version")
    versions: list[EditionVersionModel]


class UploadedEditionsModel(BaseModel):
    """All uploaded editions."""

    editions: list[UploadedEditionModel]


class UploadFindingModel(BaseModel):
    """A mistake in an edition, or a hint."""

    file: str
    line: int = Field(description="From 1; 0 if unknown")
    column: int = Field(description="Of the mistake in a formula, from 1; 0 for the whole line")
    field: str = Field(description="Such as rules.1.text.en; empty if unknown")
    detail: str
    hint: bool = Field(description="Whether it may be no mistake")


class StoredEditionModel(BaseModel):
    """A stored version of an edition."""

    slug: str
    version: int
    name: str = Field(description="The name by which games use it")
    title: str
    hints: list[UploadFindingModel]


class DraftNameModel(BaseModel):
    """A card, category or group of an edition that is being edited."""

    slug: str
    name: str


class DraftSymbolModel(BaseModel):
    """A symbol of an edition that is being edited."""

    name: str
    outline: str = Field(description="Its path data in a square from -50 to 50 with y downwards")


class DraftExampleModel(BaseModel):
    """A deck, or several hands, with the score."""

    deck: str
    score: str


class DraftRuleModel(BaseModel):
    """A rule as the machine understands it."""

    key: str
    name: str
    words: list[str] = Field(description="What the rule does, in plain words")
    phases: list[str]
    matters: bool = Field(description="False if no deck was found for which the rule matters")
    examples: list[list[DraftExampleModel]] = Field(description="Pairs of decks on either side of a boundary")


class DraftModel(BaseModel):
    """A report on an edition that is being edited. With mistakes there are only findings."""

    findings: list[UploadFindingModel]
    cards: list[DraftNameModel]
    categories: list[DraftNameModel]
    groups: list[DraftNameModel]
    symbols: list[DraftSymbolModel] = Field(description="The symbols that the edition brings")
    facts: list[AskedFactModel] = Field(description="The facts that are entered for each hand")
    card: str | None = Field(description="Slug of the card that is shown")
    face: str | None = Field(description="The card as it is printed, a PNG in base64; null if it cannot be drawn")
    rule: DraftRuleModel | None = Field(description="The rule of the card, if it has one")


BesideSlug = Annotated[str, Field(max_length=100)]
BESIDE = "Slug of the uploaded edition whose texts and symbols go with it"


ReportLanguage = Annotated[Language, Field(description="Of mistakes and plain words: en, de or fr")]


class DraftQuery(RequestQuery):
    """The card to show, and what belongs to the edition."""

    language: ReportLanguage = "en"
    slug: BesideSlug | None = Field(default=None, description=BESIDE)
    card: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        default=None, description="Slug of the card; default: the first with a rule"
    )


MAX_DECKS = 4
DeckCards = Annotated[
    dict[Annotated[str, Field(max_length=100)], Annotated[int, Field(ge=0, le=200)]], Field(max_length=200)
]
DeckFacts = Annotated[dict[Annotated[str, Field(max_length=100)], bool | int], Field(max_length=200)]


class DraftDecksBody(RequestBody):
    """Decks to score by an edition that is being edited."""

    language: Annotated[Language, Field(description="Of the lines, if the edition has it")] = "en"
    text: Annotated[str, Field(max_length=MAX_BYTES, description="The edition as TOML")]
    slug: BesideSlug | None = Field(default=None, description=BESIDE)
    decks: Annotated[list[DeckCards], Field(min_length=1, max_length=MAX_DECKS)]
    facts: Annotated[list[DeckFacts], Field(max_length=MAX_DECKS)] = Field(
        default=[],
        description="Facts of each deck by name, in the order of the decks; a fact that names a player has the number "
        "of that player's deck, from 1, or 0 for nobody",
    )


class DraftScoreModel(BaseModel):
    """The score of a deck."""

    score: Decimal | None = Field(description="null if a rule eliminates it")
    lines: list[LineModel]


class DraftScoresModel(BaseModel):
    """The scores of all decks, in their order; none if the edition has mistakes."""

    decks: list[DraftScoreModel]


class CommonRuleModel(BaseModel):
    """A common rule to begin with."""

    name: dict[str, str] = Field(description="Its title by language")
    slots: list[str] = Field(description="Which of tea, cake, plate and rule it has")
    rule: dict[str, Any] = Field(
        description="A table of edition.toml without a key, in which tea and cake are two cards, plate is a category, "
        "and rule is the key of another rule"
    )


class CommonRulesModel(BaseModel):
    """The gallery of common rules."""

    rules: list[CommonRuleModel]


EditionSlug = Annotated[str, Field(min_length=1, max_length=MAX_SLUG_LENGTH, pattern="^[a-z][a-z0-9-]*$")]
VersionNumber = Annotated[int, Field(ge=1, le=1_000_000)]


class NewEdition(RequestBody):
    """An edition to begin with."""

    slug: EditionSlug = Field(description="Its name: small letters, digits and hyphens")
    title: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
    base: EditionSlug | None = Field(default=None, description="The edition to begin with; null: an example")
    variant: bool = Field(default=False, description="Whether it only states what differs from the installed `base`")
    empty: bool = Field(default=False, description="Whether the example has one card and no rules")
    language: ReportLanguage = "en"


class EditionUploadQuery(RequestQuery):
    """The version that is changed."""

    after: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(
        default=None, description="The newest version known; 0 for a new edition; omitted: any"
    )
    slug: EditionSlug | None = Field(default=None, description="Replaces the slug in the file")
    keep_files: bool = Field(default=False, description="Whether to keep the files beside the TOML: texts and symbols")
    reason: OptionalReason = ""
    language: ReportLanguage = "en"


class VersionQuery(RequestQuery):
    """A version of an edition."""

    version: VersionNumber | None = Field(default=None, description="Omitted: the newest")
    files: bool = Field(default=True, description="Whether to include the files beside the TOML, in a ZIP file")


class RestoreBody(RequestBody):
    """An earlier version."""

    version: VersionNumber
