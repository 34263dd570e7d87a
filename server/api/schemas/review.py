"""Models of the review queue and of organisers' photos."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated

from pydantic import BaseModel, Field

from server.api.schemas.common import (  # noqa: TC001 - pydantic reads them
    Corners,
    DoubtModel,
    HintModel,
    IssueKind,
    IssueStatus,
    PhotoDecision,
    PhotoState,
)
from server.games.review.issues import PlaceEvidence, SuggestionReason  # noqa: TC001 - pydantic reads them

Reason = Annotated[str, Field(min_length=1, max_length=1000, description="The reason, for the audit log")]
EnvelopeNumber = Annotated[int, Field(ge=1, le=1_048_575)]
Limit = Annotated[int, Field(ge=1, le=1000, description="Maximum number of items")]
Offset = Annotated[int, Field(ge=0, le=1_000_000, description="Number of items to skip")]


class CardNameModel(BaseModel):
    """A physical card."""

    card: str = Field(description="Its name, such as red-007")
    kind: str
    name: str = Field(description="The kind's name in the game's language")
    code: str | None = Field(description="The short code printed on it")


class PlaceModel(BaseModel):
    """A place where something was seen."""

    photo: str | None = Field(description="null for cards that were entered by hand or are on the player's own list")
    quad: Corners | None = Field(description="Its corners in the upright photo; null for the whole photo")
    how: PlaceEvidence
    image: str | None = Field(description="Address of the photo, cropped to the place")


class ChoiceModel(BaseModel):
    """A possible decision."""

    do: str
    text: str
    needs: list[str] = Field(description="Required fields: envelope, envelopes, card")
    may: list[str] = Field(description="Optional fields")
    envelopes: list[int] = Field(description="Envelopes that may be given; empty: all of the game")
    piles: int = Field(description="Number of envelopes that have to be given, from left to right")
    labels: list[int | None] = Field(description="Envelopes on the labels of these piles; null without a label")


class SuggestionModel(BaseModel):
    """A suggestion to which envelope a photo belongs. It has no effect by itself."""

    envelope: int
    why: str
    how: SuggestionReason = Field(description="The kind of reason")
    shared: int = Field(description="Number of cards in the photo that are on the player's own list")
    photographed: bool = Field(description="Whether another photo belongs to the envelope")


class DecisionModel(BaseModel):
    """The content of a decision."""

    do: str
    envelope: int | None = None
    envelopes: list[int | None] | None = None
    card: str | None = None


class DecisionRecordModel(BaseModel):
    """A decision with its author, time and reason."""

    decision: DecisionModel
    reason: str
    who: str
    at: datetime


class IssueModel(BaseModel):
    """An item of the review queue."""

    key: str
    kind: IssueKind
    standing: IssueStatus
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
    settled: str = Field(description="Text on what settled it without a decision; empty if nothing did")
    case: str = Field(description="The case within its kind, for programs that do not show `text`; often empty")
    says: str = Field(description="Content of an unknown code, or number on an unknown label; otherwise empty")
    seen: int | None = Field(description="Number of cards seen in the envelope; only of kind `count`")
    expected: int | None = Field(
        description="Expected number of cards if it differs; `case` says who expects it. Only of kind `count`"
    )
    settled_by: str = Field(
        description="Slug of what settled it, for programs that do not show `settled`; empty if nothing did"
    )
    ruling: DecisionRecordModel | None


class ReasonQuery(BaseModel):
    """The reason for revoking or deleting something."""

    reason: Reason


class DecisionOutcomeModel(BaseModel):
    """The item after a decision; null if it does not exist any more."""

    item: IssueModel | None
    open: int = Field(description="Number of open items")
    entered: list[IssueModel] = Field(description="Items about the cards that the decision entered by hand")


class PhotoModel(BaseModel):
    """A photo of an organiser."""

    id: str
    name: str
    batch: str | None
    place: int
    state: PhotoState
    reason: str | None = Field(description="The reason why the scan failed")
    created: datetime
    scanned: datetime | None
    erased: datetime | None = Field(description="Time at which the image was deleted; the result of its scan is kept")
    labels: list[int]
    cards: int
    doubts: int
    same_as: str | None = Field(description="Another photo with the same file, which counts once")
    envelopes: list[int] = Field(description="The envelopes to which it belongs")
    decided: PhotoDecision | None = Field(description="An organiser's decision on the envelopes; null if there is none")
    digest: str = Field(description="SHA-256 of the uploaded file, in hexadecimal")
    open: int = Field(description="Number of open items about it")


class SeenCardModel(CardNameModel):
    """A card in a photo."""

    outline: Corners


class PileModel(BaseModel):
    """Cards that lie together in a photo."""

    label: int | None = Field(description="The envelope whose label lies with them")
    cards: list[int] = Field(description="Indices into `seen`")


class PhotoDetailModel(PhotoModel):
    """A photo and everything that was read in it."""

    width: int | None
    height: int | None
    seen: list[SeenCardModel]
    piles: list[PileModel] = Field(description="The piles that `split` assigns to envelopes, from left to right")
    doubt_places: list[DoubtModel]
    hints: list[HintModel]
    items: list[IssueModel]
    key: str | None = Field(description="Key of the item that decides to which envelopes the photo belongs")
    revision: str | None = Field(description="Send it as If-Match when assigning the photo")
