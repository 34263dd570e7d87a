"""The forms of results: for organisers, for a player, for the big screen."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from server.api.schemas.common import Decimal, LineModel
from server.api.schemas.player import KindCountModel  # noqa: TC001 - pydantic reads it

Language = Annotated[str, Field(pattern="^[a-z]{2}$", description="en, de or fr; the game's own if left out")]
_DECIDED = "The tie-break that set it apart from hands of equal score, in words"
_RANK = "Shared places count as 1, 2, 2, 4"


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ToCount(_Input):
    """Why a game is counted. Without `override` nothing may be open."""

    reason: Annotated[str, Field(max_length=1000)] = ""
    override: Annotated[str, Field(max_length=1000, description="Why to count although something is open")] = ""


class LanguageQuery(_Input):
    """In which language sentences come."""

    language: Language | None = None


class ForPaper(LanguageQuery):
    """How results are printed."""

    paper: Literal["a4", "letter"] = "a4"


class Compared(LanguageQuery):
    """A version, and the one with which it is compared."""

    since: Annotated[int, Field(ge=1, le=1_000_000, description="Default: the version before")] | None = None


class OpenPointModel(BaseModel):
    """Something that must be settled before the game is counted."""

    slug: str
    text: str


class VersionModel(BaseModel):
    """A count of the game. It never changes."""

    version: int
    at: datetime
    who: str
    reason: str
    override: str = Field(description="Why it was counted although something was open")
    hands: int
    published: bool


class VersionsModel(BaseModel):
    """All counts of a game, the newest first."""

    versions: list[VersionModel]
    stale: bool = Field(description="Whether something that counts has changed since the newest version")
    open: list[OpenPointModel] = Field(description="What is open now; empty while the game is still played")


class MadeModel(BaseModel):
    """The version that was made."""

    version: int


class StandingModel(BaseModel):
    """A hand in the ranking."""

    envelope: int
    player: str
    hidden: bool = Field(description="Whether the player wants no place in the public ranking")
    rank: int = Field(description=_RANK)
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    decided_by: str | None = Field(description=_DECIDED)
    lines: list[LineModel]


class RankModel(BaseModel):
    """Where a hand stood in one of two counts."""

    player: str
    score: Decimal | None
    rank: int
    eliminated: bool
    decided_by: str | None


class MovedLineModel(BaseModel):
    """A line that only one of two counts has."""

    rule: str | None
    points: Decimal
    text: str
    void: bool
    voided_by: str | None


class MoveModel(BaseModel):
    """What moved for an envelope from one count to the other. null: not counted there."""

    envelope: int
    before: RankModel | None
    after: RankModel | None
    gone: list[MovedLineModel]
    come: list[MovedLineModel]


class LeftOutModel(BaseModel):
    """An envelope whose hand does not count."""

    envelope: int
    reason: str


class PublishedRuleModel(BaseModel):
    """A rule with its wording. All are told once results are published."""

    key: str
    name: str
    text: str
    number: int | None
    active: bool = Field(description="Whether it counted in this game")


class ResultModel(BaseModel):
    """A version in full, for organisers."""

    version: VersionModel
    language: str
    hands: list[StandingModel] = Field(description="In rank order")
    left_out: list[LeftOutModel]
    overridden: list[OpenPointModel] = Field(description="What was open when it was counted")
    since: int | None = Field(description="The version with which it is compared; null for the first one")
    moves: list[MoveModel] = Field(description="What moved since then")


class PublicPlaceModel(BaseModel):
    """A place of the public ranking."""

    rank: int = Field(description=_RANK)
    player: str | None = Field(description="null for a player who is not to be named")
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    decided_by: str | None = Field(description=_DECIDED)


class RankedModel(PublicPlaceModel):
    """A place of the ranking as a player sees it."""

    me: bool


class OwnLineModel(LineModel):
    """A line of a player's own breakdown."""

    kind: str | None = Field(description="The kind of card whose plain worth it tells, where that is known")


class OwnResultModel(BaseModel):
    """A player's own hand, every line."""

    player: str
    rank: int = Field(description=_RANK)
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    verdict: str | None = Field(description="What elimination means, in words")
    decided_by: str | None = Field(description=_DECIDED)
    lines: list[OwnLineModel]
    kinds: list[KindCountModel] = Field(description="The cards that counted")


class MyResultModel(BaseModel):
    """What a player sees once the results are published."""

    version: int
    at: datetime
    language: str
    envelope: int
    own: OwnResultModel | None = Field(description="null where the hand did not count")
    left_out: str | None = Field(description="Why the hand did not count")
    listed: list[KindCountModel] | None = Field(
        description="The cards of the own list at the hand-in; null without one"
    )
    ranking: list[RankedModel]
    rules: list[PublishedRuleModel] = Field(description="All rules of the edition")


class RevealLossModel(BaseModel):
    """A rule that cost points."""

    rule: str | None = Field(description="null for the plain worth of cards")
    name: str | None = Field(description="The rule's name")
    points: Decimal
    text: str


class RevealLineModel(RevealLossModel):
    """A rule that made a difference."""

    more: Decimal = Field(description="Points more than the hand one place below got by it")


class RevealVoidModel(RevealLossModel):
    """A line that is void; it would have brought these points."""

    voided_by: str | None


class RevealModel(PublicPlaceModel):
    """A step of the reveal. Players who are not named have no lines, and no number of cards."""

    cards: int | None = Field(description="How many cards the hand has")
    lines: list[RevealLineModel] = Field(description="What made the difference to the place below")
    losses: list[RevealLossModel] = Field(description="What cost most")
    void: list[RevealVoidModel] = Field(description="What would have counted most, had no rule voided it")


class CeremonyModel(BaseModel):
    """The reveal of a version, for the organiser who presents it."""

    version: int
    language: str
    published: bool = Field(description="Whether players see this version by now")
    reveal: list[RevealModel] = Field(description="From the last place up")


class ProjectorModel(BaseModel):
    """What the big screen shows."""

    game: str
    name: str
    edition: str
    state: Literal["draft", "printed", "open", "closed", "frozen", "published"]
    deadline: datetime | None
    timezone: str
    now: datetime = Field(description="The server's time")
    envelopes: int = Field(description="In play")
    hand_ins: int
    language: str
    version: int | None = Field(description="The version that is published; null before publication")
    reveal: list[RevealModel] | None = Field(description="From the last place up; null before publication")
