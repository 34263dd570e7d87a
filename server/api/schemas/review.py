"""What organisers send and get about doubts of hand-ins, and what their pictures, cards and answers share with it."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from server.api.schemas.common import (
    Corners,  # noqa: TC001 - pydantic reads them
    HintModel,  # noqa: TC001 - pydantic reads them
)

Kind = Literal[
    "failed",
    "two-labels",
    "no-label",
    "nothing",
    "sealed",
    "doubt",
    "incomplete",
    "two-decks",
    "dead",
    "copy",
    "forged",
    "other-game",
    "foreign",
    "late",
    "unseen",
    "count",
    "missing",
    "assigned",
    "by-hand",
]
Standing = Literal["open", "ruled", "settled"]
Reason = Annotated[str, Field(min_length=1, max_length=1000, description="Why; it stands in the record")]
EnvelopeNumber = Annotated[int, Field(ge=1, le=1_048_575)]
Limit = Annotated[int, Field(ge=1, le=1000, description="How many at most")]
Offset = Annotated[int, Field(ge=0, le=1_000_000, description="How many to pass over")]


class CardNameModel(BaseModel):
    """A physical card."""

    card: str = Field(description="Its name, such as red-007")
    kind: str
    name: str = Field(description="The kind's name in the game's language")
    code: str | None = Field(description="The short code printed on it")


class PlaceModel(BaseModel):
    """Where something was seen."""

    photo: str | None = Field(description="null for what was entered by hand or is on a player's own list")
    quad: Corners | None = Field(description="Its corners in the upright picture; null for the whole picture")
    how: Literal["seen", "label", "code", "doubt", "by-hand", "claim"]
    image: str | None = Field(description="Address of the picture, cut to the place")


class ChoiceModel(BaseModel):
    """What may be decided."""

    do: str
    text: str
    needs: list[str] = Field(description="What has to be said besides: envelope, envelopes, card")
    may: list[str] = Field(description="What can be said besides")
    envelopes: list[int] = Field(description="Envelopes that may be named; empty: all of the game's")
    piles: int = Field(description="How many envelopes have to be named, from the left")


class SuggestionModel(BaseModel):
    """Whose a picture may be. Nothing follows from it by itself."""

    envelope: int
    why: str
    how: Literal["list", "deck", "between", "before", "after"] = Field(description="Which reason it is")
    shared: int = Field(description="How many cards of the picture are on the player's own list")


class DecisionModel(BaseModel):
    """What was decided."""

    do: str
    envelope: int | None = None
    envelopes: list[int | None] | None = None
    card: str | None = None


class RulingModel(BaseModel):
    """A decision, and who took it when and why."""

    decision: DecisionModel
    reason: str
    who: str
    at: datetime


class ItemModel(BaseModel):
    """One thing to look at."""

    key: str
    kind: Kind
    standing: Standing
    revision: str = Field(description="Send it as If-Match with a decision")
    text: str
    envelopes: list[int]
    players: list[str | None] = Field(description="The names of these envelopes' players")
    cards: list[CardNameModel]
    missing: list[str] = Field(description="Cards of the player's own list that were not seen")
    extra: list[str] = Field(description="Cards that were seen and are not on the player's own list")
    places: list[PlaceModel]
    choices: list[ChoiceModel]
    suggestions: list[SuggestionModel]
    settled: str = Field(description="What settled it without a decision, in words; empty if nothing did")
    case: str = Field(description="Which case of its kind it is, for other words than `text`; often empty")
    says: str = Field(description="What a strange code says, or the number on a strange label; else empty")
    seen: int | None = Field(description="How many cards were seen in the envelope; only of `count`")
    expected: int | None = Field(
        description="How many should lie in it, where that is another number: `case` says who says so; only of `count`"
    )
    settled_by: str = Field(description="What settled it, for other words than `settled`; empty if nothing did")
    ruling: RulingModel | None


class ReasonQuery(BaseModel):
    """Why something is taken back or deleted."""

    reason: Reason


class RuledModel(BaseModel):
    """The item as it is after a decision; null if it is no more."""

    item: ItemModel | None
    open: int = Field(description="Items that are still open")


PhotoState = Literal["waiting", "scanning", "done", "failed"]


class PhotoModel(BaseModel):
    """An organiser's picture."""

    id: str
    name: str
    batch: str | None
    place: int
    state: PhotoState
    reason: str | None = Field(description="Why the scan failed")
    created: datetime
    scanned: datetime | None
    erased: datetime | None = Field(description="When the picture itself was deleted; what was read in it stays")
    labels: list[int]
    cards: int
    doubts: int
    same_as: str | None = Field(description="Another picture of which this is the same file: it counts once")
    envelopes: list[int] = Field(description="Whose it is")
    decided: Literal["assign", "split", "ignore", "empty"] | None = Field(
        description="What an organiser decided of whose it is; null: nobody had to"
    )
    digest: str = Field(description="SHA-256 of the file as it came, in hexadecimal")
    open: int = Field(description="Open items about it")


class SeenCardModel(CardNameModel):
    """A card in a picture."""

    outline: Corners


class DoubtPlaceModel(BaseModel):
    """A place that was not read."""

    quad: Corners
    reason: str


class PileModel(BaseModel):
    """Cards that lie together in a picture."""

    label: int | None = Field(description="The envelope whose label lies there")
    cards: list[int] = Field(description="Places in `seen`, from 0")


class PhotoDetailModel(PhotoModel):
    """A picture and all that was read in it."""

    width: int | None
    height: int | None
    seen: list[SeenCardModel]
    piles: list[PileModel] = Field(description="The piles that `split` gives to envelopes, from the left")
    doubt_places: list[DoubtPlaceModel]
    hints: list[HintModel]
    items: list[ItemModel]
    key: str | None = Field(description="The item under which it is decided whose the picture is")
    revision: str | None = Field(description="Send it as If-Match when you say whose the picture is")
