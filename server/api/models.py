"""The forms of the API's answers. Coordinates are (x, y) in pixels of the upright photograph, y downwards."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

Point = tuple[float, float]
Corners = Annotated[list[Point], Field(min_length=4, max_length=4)]
Decimal = Annotated[str, Field(description="An exact decimal, such as 27.5", examples=["42", "-3", "27.5"])]


class ProblemModel(BaseModel):
    """A problem after RFC 9457. `detail` says in words what to do."""

    type: str = Field(examples=["/problems/no-codes"])
    title: str
    status: int
    detail: str


class Health(BaseModel):
    """That the server runs."""

    status: Literal["ok"] = "ok"


class EditionModel(BaseModel):
    """The edition that a game is played with."""

    slug: str
    title: str
    summary: str


class CategoryModel(BaseModel):
    """A category of cards."""

    slug: str
    name: str


class KindModel(BaseModel):
    """A kind of card. Without its wording, which belongs to whoever holds the card."""

    slug: str
    category: str
    name: str
    ink: str = Field(description="#RRGGBB")
    symbol: str = Field(description="Name of the drawing on the card")
    number: int | None = Field(description="Number of a rule card")


class SettingModel(BaseModel):
    """A number that the organiser has set for the game."""

    name: str
    label: str
    value: int
    organiser: Literal[True] = Field(default=True, description="The organiser's value, not the rules'")


class LimitsModel(BaseModel):
    """What an upload may be."""

    photo_bytes: int


class SampleModel(BaseModel):
    """A ready photograph of the demo."""

    title: str
    note: str
    url: str
    thumbnail: str
    width: int
    height: int


class DownloadModel(BaseModel):
    """A file of the demo to print."""

    title: str
    url: str
    bytes: int


class GameModel(BaseModel):
    """The game that this server serves."""

    game: str = Field(description="The game's id, the four characters in every code")
    edition: EditionModel
    players: int
    categories: list[CategoryModel]
    kinds: list[KindModel]
    settings: list[SettingModel]
    limits: LimitsModel
    demo: bool
    samples: list[SampleModel] = Field(description="Only in the demo")
    downloads: list[DownloadModel] = Field(description="Only in the demo")


class CardModel(BaseModel):
    """A physical card: kind and copy."""

    kind: str
    number: int = Field(alias="copy", description="Counts from 1 within the kind")


class CodeModel(BaseModel):
    """A code that was read, once per place in the photograph."""

    text: str
    quad: Corners
    card: CardModel | None
    status: Literal["card", "label", "other-game", "forged", "foreign", "unchecked"]


class SeenModel(CardModel):
    """A physical card in the photograph: its outline, and the quads of its codes that were read."""

    name: str
    outline: Corners
    quads: list[Corners]


class DoubtModel(BaseModel):
    """A card that was not read, or a place that looks like a code."""

    quad: Corners
    reason: str = Field(description="small, dim, blur, motion, glare, pale, hidden, edge or unread")


class HintModel(BaseModel):
    """Advice for the next photograph."""

    slug: str
    text: str


class LineModel(BaseModel):
    """A line of a breakdown. The points of lines that are not void add up to the score."""

    rule: str | None = Field(description="Key of the rule; null for the plain worth of a kind of card")
    points: Decimal
    text: str
    void: bool
    voided_by: str | None


class DeckLineModel(LineModel):
    """A line of the breakdown of a photographed deck."""

    kind: str | None = Field(description="The kind whose plain worth this is")
    worth_rule: str | None = Field(description="Key of the rule that set the kind's base value")
    organiser: bool = Field(description="Whether a value that the organiser set is part of this line")


class RuleModel(BaseModel):
    """Title and wording of a rule that a line names."""

    name: str
    text: str
    number: int | None


class DeckResultModel(BaseModel):
    """The score of a photographed deck by itself."""

    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    verdict: str | None = Field(description="What elimination means, in words; null for a deck that has a score")
    lines: list[DeckLineModel]
    rules: dict[str, RuleModel] = Field(description="By key: the rules that the lines name and that the reader may see")
    settings: list[SettingModel]


class ScanModel(BaseModel):
    """What a photograph shows, and what the deck in it scores."""

    width: int
    height: int
    codes: list[CodeModel]
    seen: list[SeenModel]
    cards: dict[str, int] = Field(description="How many physical cards of each kind")
    labels: list[int] = Field(description="Numbers of the envelopes whose label lies in the photograph")
    doubts: list[DoubtModel]
    hints: list[HintModel]
    complete: bool = Field(description="False when time ran out before everything was tried")
    result: DeckResultModel


class HandModel(BaseModel):
    """A scored hand."""

    player: str
    score: Decimal | None = Field(description="null when eliminated")
    rank: int
    eliminated: bool
    decided_by: str | None = Field(description="The tie-break that set it apart from hands of equal score")
    lines: list[LineModel]


class ScoresModel(BaseModel):
    """All hands in rank order."""

    edition: str
    hands: list[HandModel]
