"""What players send and get. Replies about a deck have one form in every mode; what a mode does not tell is empty."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from server.api.schemas.common import Corners, Decimal, DoubtModel, HintModel  # noqa: TC001 - pydantic reads them
from server.games.lifecycle.envelopes import MOST_COUNTED

Mode = Literal["off", "inventory", "known", "total", "full"]
DeckState = Literal["open", "confirmed", "handed-in"]
Id = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Digest = Annotated[str, Field(description="Names a list of cards", pattern=r"^[0-9a-f]{64}$")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ChangeMe(_Body):
    """What a player may say of themselves. What is left out stays as it is."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="Name or nickname, at most 40 characters, no other player's; until the game closes"
    )
    hidden: bool | None = Field(default=None, description="Whether the public ranking leaves the name out")


class Confirm(_Body):
    """The player's yes to a list of cards."""

    digest: Digest
    counted: Annotated[int, Field(ge=1, le=MOST_COUNTED)] | None = Field(
        default=None, description="How many cards the player counted by hand, dead ones too; null: not said"
    )


class Language(BaseModel):
    """The language of the answer's sentences."""

    language: Annotated[str, Field(min_length=2, max_length=10)] | None = Field(
        default=None, description="One of the edition's languages; the game's own for any other"
    )


class Question(Language):
    """What a player asks for a provisional score."""

    mode: Mode | None = Field(
        default=None,
        description="The mode that the player believes in: in any other nothing is told and no try spent",
    )


class Size(BaseModel):
    """How large a picture is wanted. Without: as it is kept."""

    width: Annotated[int, Field(ge=16, le=2000)] | None = Field(
        default=None, description="Pixels along the longer side, at most"
    )


class PublicKindModel(BaseModel):
    """A kind of card, as far as its back and its corners tell it to everybody: never what a rule says or is called."""

    slug: str
    category: str
    name: str | None = Field(description="null where the card has a wording: its name may say what the rule is")
    ink: str = Field(description="#RRGGBB, or empty")
    symbol: str = Field(description="Name of the drawing on the card, or empty")
    number: int | None = Field(description="Number of a rule card")


class MyGameModel(BaseModel):
    """The public facts of the game."""

    id: str
    name: str
    edition: str = Field(description="The edition's name in the game's language")
    language: str
    languages: list[str]
    state: Literal["draft", "printed", "open", "closed", "frozen", "published"]
    deadline: datetime | None
    timezone: str
    photo_bytes: int = Field(description="The largest picture that is taken")
    kinds: list[PublicKindModel] = Field(description="All kinds of cards, in the order in which codes number them")


class MyEnvelopeModel(BaseModel):
    """The player's own envelope."""

    number: int
    name: str | None
    hidden: bool
    spare: bool = Field(description="Whether it stays closed when the game opens, until an organiser opens it")
    opened: bool = Field(description="Whether it was given out; until then its cards are dead")
    joined: datetime | None


class TriesModel(BaseModel):
    """What a provisional score tells in this game, and how many tries are left."""

    mode: Mode
    left: int | None = Field(description="Tries left; null in modes that do not count them")
    wait: int = Field(description="Seconds until the next try may be spent")


class ReceiptModel(BaseModel):
    """That the player has handed in."""

    at: datetime
    late: bool
    cards: int | None = Field(description="Number of cards; null without a list")
    digest: str | None
    code: str = Field(description="To be read out to an organiser if there is any doubt")


class DeckSummaryModel(BaseModel):
    """A deck of the player."""

    id: Id
    state: DeckState
    created: datetime
    confirmed: datetime | None
    cards: int | None = Field(description="Number of cards of a confirmed list")
    digest: str | None


class DecksModel(BaseModel):
    """The player's decks."""

    decks: list[DeckSummaryModel] = Field(description="The oldest first")


class MeModel(BaseModel):
    """All that a player may know besides the own decks' contents."""

    now: datetime = Field(description="The server's time")
    game: MyGameModel
    envelope: MyEnvelopeModel
    provisional: TriesModel
    decks: list[DeckSummaryModel] = Field(description="The oldest first")
    receipt: ReceiptModel | None


class KindCountModel(BaseModel):
    """How many cards of a kind are in the list."""

    kind: str
    name: str
    category: str
    ink: str
    symbol: str
    number: int | None
    count: int


class FoundModel(BaseModel):
    """A card in a picture, named if it counts."""

    card: str | None = Field(description="Such as red-007; null for a card that was not dealt and does not count")
    kind: str | None
    name: str | None
    outline: Corners


class DeckPhotoModel(BaseModel):
    """A picture of a deck, and what was found in it once it is `done`."""

    id: Id
    state: Literal["waiting", "scanning", "done", "failed"]
    reason: str | None = Field(description="Why it could not be read")
    created: datetime
    image: bool = Field(description="Whether the picture itself is still there")
    width: int | None
    height: int | None
    cards: list[FoundModel]
    strangers: list[Corners] = Field(description="Codes that are no cards of this game and do not count")
    own_label: bool
    other_label: bool = Field(description="Another player's label lies in the picture: take another one without it")
    doubts: list[DoubtModel]
    hints: list[HintModel]


class DeckModel(BaseModel):
    """A deck: its pictures, and one list of cards."""

    id: Id
    state: DeckState
    created: datetime
    confirmed: datetime | None
    photos: list[DeckPhotoModel]
    pending: int = Field(description="Pictures that are still being read")
    ahead: int = Field(description="About so many pictures of other players are read before them")
    kinds: list[KindCountModel]
    cards: list[str]
    total: int
    digest: str | None = Field(description="Names the list; null where nothing is told of cards")
    own_label: bool
    other_label: bool
    dead: int = Field(description="Cards in the pictures that were not dealt and do not count")
    counted: int | None = Field(description="How many cards the player counted when confirming the list")


class RuleTextModel(BaseModel):
    """Title and wording of a rule whose card lies in the deck."""

    name: str
    text: str
    number: int | None


class CheckLineModel(BaseModel):
    """A line of a breakdown. The points of lines that are not void add up to the score."""

    rule: str | None
    kind: str | None
    points: Decimal | None = Field(description="null where the player's rules do not tell them")
    text: str
    void: bool
    voided_by: str | None
    open: bool = Field(description="Whether it tells what other hands may still change")


class CheckModel(BaseModel):
    """A provisional answer. It always has the same parts; the mode decides which of them say anything."""

    provisional: Literal[True] = True
    mode: Mode
    deck: str
    digest: str | None
    total: int
    kinds: list[KindCountModel]
    score: Decimal | None
    eliminated: bool
    unknown: list[str] = Field(
        description="Kinds whose worth the player's rules do not tell: the score is without them"
    )
    lines: list[CheckLineModel]
    rules: dict[str, RuleTextModel] = Field(description="By key: rules whose cards lie in the deck")
    leaves_out: list[Literal["score", "other-rules", "other-hands", "chance", "facts", "cancels"]]
    spent: bool = Field(description="Whether this answer has cost a try")
    tries: TriesModel
