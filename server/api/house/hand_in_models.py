"""What organisers send and get about hand-ins: pictures, the queue, cards by hand, questions, the record."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from server.api.models import Corners, HintModel  # noqa: TC001 - pydantic reads them

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
PhotoState = Literal["waiting", "scanning", "done", "failed"]
Reason = Annotated[str, Field(min_length=1, max_length=1000, description="Why; it stands in the record")]
Envelope = Annotated[int, Field(ge=1, le=1_048_575)]
Count = Annotated[int, Field(ge=0, le=9_999)]
Limit = Annotated[int, Field(ge=1, le=1000, description="How many at most")]
Offset = Annotated[int, Field(ge=0, le=1_000_000, description="How many to pass over")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


# ------------------------------------------------------------------------------------------------- cards and items


class CardNameModel(BaseModel):
    """A physical card."""

    card: str = Field(description="Its name, such as red-007")
    kind: str
    name: str = Field(description="The kind's name in the game's language")
    code: str | None = Field(description="The short code printed on it")


class GameKindModel(BaseModel):
    """A kind of card, for organisers: rules with their names."""

    slug: str
    category: str
    name: str = Field(description="In the game's language")
    ink: str = Field(description="#RRGGBB, or empty")
    symbol: str = Field(description="Name of the drawing on the card, or empty")
    number: int | None = Field(description="Number of a rule card")


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
    settled_by: str = Field(description="What settled it, for other words than `settled`; empty if nothing did")
    ruling: RulingModel | None


class LostRulingModel(RulingModel):
    """A decision without effect: what it was about is no more."""

    key: str


class QueueModel(BaseModel):
    """What there is to look at."""

    items: list[ItemModel]
    total: int = Field(description="How many items the filters let through")
    open: int = Field(description="Open items of the whole game")
    ruled: int
    settled: int
    kinds: dict[str, int] = Field(description="Open items by kind")
    waiting: int = Field(description="Pictures that are still to be read")
    without_effect: list[LostRulingModel]


class QueueQuery(BaseModel):
    """Which items are wanted."""

    standing: Standing | Literal["all"] = "open"
    kind: Kind | None = None
    envelope: Envelope | None = None
    photo: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    limit: Limit = 200
    offset: Offset = 0


class RulingBody(_Body):
    """A decision. `card` is a card's short code, or its name."""

    do: Annotated[str, Field(min_length=1, max_length=20)]
    envelope: Envelope | None = None
    envelopes: Annotated[list[Envelope | None], Field(max_length=200)] | None = None
    card: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    reason: Reason


class ReasonQuery(BaseModel):
    """Why something is taken back or deleted."""

    reason: Reason


class RuledModel(BaseModel):
    """The item as it is after a decision; null if it is no more."""

    item: ItemModel | None
    open: int = Field(description="Items that are still open")


# ------------------------------------------------------------------------------------------------------- pictures


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


class KindsModel(BaseModel):
    """A game's kinds of cards, in the order in which codes number them."""

    kinds: list[GameKindModel]


class PhotosModel(BaseModel):
    """Pictures, and how far all of them are."""

    photos: list[PhotoModel]
    total: int = Field(description="How many pictures the filters let through")
    states: dict[str, int] = Field(description="All of the game's pictures by state")


class PhotosQuery(BaseModel):
    """Which pictures are wanted."""

    state: PhotoState | None = None
    batch: Annotated[str, Field(max_length=64)] | None = None
    envelope: Envelope | None = None
    doubtful: bool | None = Field(default=None, description="Only those with open items, or only those without")
    limit: Limit = 200
    offset: Offset = 0


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


class UploadQuery(BaseModel):
    """Where a picture belongs in its batch, and its file's name, so that people find it."""

    batch: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\w.:-]+$")] | None = None
    place: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    name: Annotated[str, Field(max_length=200)] = ""


class ImageQuery(BaseModel):
    """Which part of a picture, and how large. Without both: the picture as it is kept."""

    crop: Annotated[str, Field(pattern=r"^-?\d{1,6}(\.\d{1,3})?(,-?\d{1,6}(\.\d{1,3})?){3}$", max_length=60)] | None = (
        Field(default=None, description="x0,y0,x1,y1 in pixels of the upright picture")
    )
    width: Annotated[int, Field(ge=16, le=2000)] | None = Field(
        default=None, description="Pixels along the longer side, at most"
    )


class AssignBody(_Body):
    """Whose a picture is: one envelope's, or each pile's from the left, or nobody's."""

    do: Literal["assign", "split", "ignore", "empty"] = "assign"
    envelope: Envelope | None = None
    envelopes: Annotated[list[Envelope | None], Field(max_length=200)] | None = None
    reason: Reason


# --------------------------------------------------------------------------------------------------- cards by hand


class CardBody(_Body):
    """A card that lies in an envelope, or does not, whatever the pictures show."""

    code: Annotated[str, Field(min_length=1, max_length=100, description="Its short code, or its name")]
    envelope: Envelope
    do: Literal["add", "remove"] = "add"
    reason: Reason


class CardFactsModel(CardNameModel):
    """A card: which envelope it was dealt into, and where it lies now."""

    dealt: int
    envelope: int | None = Field(description="In whose hand it counts; null for nobody's")
    places: list[PlaceModel]
    items: list[ItemModel] = Field(description="All items about it")


class CardsModel(BaseModel):
    """The cards that were entered by hand."""

    entered: list[ItemModel]


# -------------------------------------------------------------------------------------------------------- questions


class FactModel(BaseModel):
    """A fact that the edition asks for, and what was entered."""

    name: str
    label: str
    yes_no: bool
    minimum: int
    maximum: int
    value: bool | int | None


class RuleNameModel(BaseModel):
    """A rule card."""

    rule: str
    name: str
    text: str


class PartModel(BaseModel):
    """A labelled part of a deck."""

    part: str
    name: str


class QuestionModel(BaseModel):
    """What is asked about a hand."""

    envelope: int
    player: str | None
    open: bool
    revision: str = Field(description="Send it as If-Match with the answers")
    facts: list[FactModel]
    cards: list[RuleNameModel] = Field(description="The player's cards that cancel a rule")
    may_cancel: list[RuleNameModel] = Field(description="The rules to choose from")
    most: int = Field(description="How many of them may be chosen")
    cancelled: list[str] | None = Field(description="The choice; null while nobody has said")
    parts: list[PartModel] = Field(description="The labelled parts of a deck, where the edition has any")
    kinds: dict[str, int] = Field(description="The cards of the hand, to be laid into parts")
    laid: dict[str, dict[str, int]] | None = Field(description="What lies in each part; null while nobody has said")
    mistakes: list[str] = Field(description="Why an earlier answer does not fit any more")


class QuestionsModel(BaseModel):
    """What is asked before the final count."""

    questions: list[QuestionModel]
    open: int


class AnswerBody(_Body):
    """Answers about a hand. What is left out stays as it is."""

    facts: Annotated[dict[str, bool | int | None], Field(max_length=200)] | None = Field(
        default=None, description="Values by name; null: not known any more"
    )
    cancels: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=200)] | None = Field(
        default=None, description="Keys of the rules that the player cancels; [] for none"
    )
    parts: Annotated[dict[str, Annotated[dict[str, Count], Field(max_length=2000)]], Field(max_length=200)] | None = (
        Field(default=None, description="How many cards of each kind lie in each part; {} for none in any")
    )
    reason: Annotated[str, Field(max_length=1000)] = Field(
        default="", description="Why; needed once the game has been counted"
    )


# ------------------------------------------------------------------------------------------------------- the record


class EntryModel(BaseModel):
    """A change of something, and who made it, when and why."""

    id: int
    at: datetime
    who: str
    role: Literal["organiser", "player", "server"] = Field(description="Whose name `who` is")
    action: str
    subject: str
    reason: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditModel(BaseModel):
    """Changes, the newest first."""

    entries: list[EntryModel]
    next: int | None = Field(description="Send it as `before` for the older ones; null at the end")


class AuditQuery(BaseModel):
    """Which changes are wanted."""

    before: Annotated[int, Field(ge=1, le=2**53)] | None = None
    action: Annotated[str, Field(max_length=60)] | None = None
    subject: Annotated[str, Field(max_length=300)] | None = None
    who: Annotated[str, Field(max_length=100)] | None = None
    limit: Limit = 100
