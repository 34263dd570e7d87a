"""What organisers send and get: games, print runs and envelopes."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from server.games.lifecycle.envelopes import MOST_COUNTED
from server.games.lifecycle.settings import BOUNDS, LONGEST_NAME, MOST_PLAYERS
from server.games.printing.print_runs import MOST_ENVELOPES, MOST_EVEN

State = Literal["draft", "printed", "open", "closed", "frozen", "published"]
Mode = Literal["off", "inventory", "known", "total", "full"]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Size = Literal["poker", "bridge", "mini", "business", "business-us"]
Slug = Annotated[str, Field(min_length=1, max_length=100)]
Players = Annotated[int, Field(ge=1, le=MOST_PLAYERS)]
Value = Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]
Settings = Annotated[dict[Slug, Value], Field(max_length=100)]
Keys = Annotated[list[Annotated[str, Field(min_length=1, max_length=20)]], Field(max_length=1000)]
Names = Annotated[list[Slug], Field(max_length=100)]
Reason = Annotated[str, Field(max_length=1000)]
Counted = Annotated[int, Field(ge=0, le=MOST_COUNTED)]


def _text(value: Any) -> Any:  # noqa: ANN401 - whatever was sent
    if not isinstance(value, str):
        # Numbers are dates to pydantic; people who send one mean something else.
        raise ValueError("must be a text such as 2026-03-27T12:00:00+01:00")  # noqa: TRY004 - pydantic wants this one
    return value


Deadline = Annotated[AwareDatetime, BeforeValidator(_text), Field(strict=False)]


Tries = Annotated[int, Field(ge=BOUNDS["tries"][0], le=BOUNDS["tries"][1])]
Pause = Annotated[int, Field(ge=BOUNDS["pause"][0], le=BOUNDS["pause"][1])]
Days = Annotated[int, Field(ge=BOUNDS["keep_days"][0], le=BOUNDS["keep_days"][1])]
Hours = Annotated[int, Field(ge=BOUNDS["keep_hours"][0], le=BOUNDS["keep_hours"][1])]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewGame(_Body):
    """A game as an organiser wants it. What is left out has its default."""

    name: Name
    edition: Slug
    players: Players
    language: Annotated[str, Field(min_length=2, max_length=10)] | None = None
    size: Size = Field(default="poker", description="Of the cards; the same for ever once some are printed")
    settings: Settings = Field(default_factory=dict, description="Of the edition; defaults where left out")
    active_rules: Keys | None = Field(default=None, description="Keys of the rules that count; null: all")
    confirmed: Names = Field(default_factory=list, description="Settings whose values the organiser confirms")
    deadline: Deadline | None = Field(default=None, description="With its zone; null: closed by hand")
    timezone: Annotated[str, Field(min_length=1, max_length=64)] = "UTC"
    mode: Mode = "known"
    tries: Tries = 3
    pause: Pause = Field(default=20 * 60, description="Seconds between two tries of a player")
    keep_days: Days = Field(default=30, description="Days after publication for which pictures of hand-ins are kept")
    keep_hours: Hours = Field(default=24, description="Hours for which a player's own pictures are kept")
    expect_dealt: bool = Field(
        default=False, description="Whether each envelope is expected to hold as many cards as were dealt into it"
    )


class ChangeGame(_Body):
    """What is to change; what is left out (or null, but for `deadline` and `active_rules`) stays as it is."""

    name: Name | None = None
    edition: Slug | None = None
    players: Players | None = None
    size: Size | None = None
    language: Annotated[str, Field(min_length=2, max_length=10)] | None = None
    settings: Settings | None = Field(default=None, description="Those that change; the others stay")
    active_rules: Keys | None = Field(default=None, description="null: all rules count")
    confirmed: Names | None = None
    deadline: Deadline | None = Field(default=None, description="null: no deadline")
    timezone: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    mode: Mode | None = None
    tries: Tries | None = None
    pause: Pause | None = None
    keep_days: Days | None = None
    keep_hours: Hours | None = None
    expect_dealt: bool | None = None
    reason: Reason = Field(default="", description="Needed for corrections of a counted game")

    def changes(self) -> dict[str, Any]:
        """Return what is to change, by the names of `server.games.lifecycle.settings`."""
        given = {name: getattr(self, name) for name in self.model_fields_set - {"reason"}}
        return {
            name: value for name, value in given.items() if value is not None or name in {"deadline", "active_rules"}
        }


class DoAct(_Body):
    """What is to happen with a game."""

    act: Literal["open", "close", "reopen", "freeze", "thaw", "publish", "unpublish"]
    reason: Reason = Field(default="", description="Needed to take a publication back")
    override: Reason = Field(default="", description="To freeze: the reason to count although something is open")
    version: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="To publish: which version of the results; null: the newest"
    )


class CountsModel(BaseModel):
    """How far a game is."""

    envelopes: int
    open: int
    joined: int
    claimed: int = Field(description="Handed in with the phone")
    received: int = Field(description="Had in hand by the organisers")


class GameSummaryModel(BaseModel):
    """A game in a few words."""

    id: str
    name: str
    edition: str = Field(description="The edition's slug")
    state: State
    players: int
    deadline: datetime | None
    timezone: str
    created: datetime
    counts: CountsModel


class GamesModel(BaseModel):
    """All games, the newest first."""

    games: list[GameSummaryModel]


class FullGameModel(GameSummaryModel):
    """A game for its organisers."""

    now: datetime = Field(description="The server's time")
    language: str
    languages: list[str]
    size: str = Field(description="Of the cards, by name; empty for one without a name")
    title: str = Field(description="The edition's name")
    settings: dict[str, int]
    active_rules: list[str] | None
    confirmed: list[str]
    mode: Mode
    tries: int
    pause: int
    keep_days: int
    keep_hours: int
    expect_dealt: bool
    opened: datetime | None
    closed: datetime | None
    frozen: datetime | None
    published: datetime | None
    published_version: int | None
    revision: str = Field(description="Another one as soon as a setting changes; see If-Match")
    allowed: list[str] = Field(description="What the game's state allows: names of the acts in the documentation")
    notes: list[str] = Field(description="What the organiser should know; nothing of it is forbidden")
    projector: str = Field(description="The token of the read-only view for the big screen")


class NewRun(_Body):
    """More envelopes, or other copies of cards that were lost."""

    envelopes: Annotated[int, Field(ge=0, le=MOST_ENVELOPES)] | None = Field(
        default=None, description="How many players' envelopes; null: as many as the game has players, in the first run"
    )
    spare: Annotated[int, Field(ge=0, le=MOST_ENVELOPES)] = Field(default=0, description="How many spare ones besides")
    even: Annotated[int, Field(ge=0, le=MOST_EVEN)] | None = Field(
        default=None, description="Deal until the starting hands are within so many points, as often as is bearable"
    )
    join: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="Address of this server, for the links on the labels; null: the first run's"
    )
    replace: Annotated[list[Annotated[str, Field(max_length=110)]], Field(max_length=1000)] = Field(
        default_factory=list,
        description="Names of lost cards: others are printed instead of all above",
    )
    reason: Reason = Field(default="", description="Needed to replace cards")
    number: Annotated[int, Field(ge=1)] | None = Field(
        default=None,
        description="The run's number, one above the newest that you know: refused if somebody has dealt meanwhile",
    )


class RunModel(BaseModel):
    """A print run."""

    number: int
    first: int = Field(description="Number of its first envelope; 0 for a run that replaces cards")
    envelopes: int = Field(description="All its envelopes, spare ones too")
    spare: int = Field(description="How many of them, the last ones, are spare")
    cards: int
    even: int | None = Field(description="Within how many points the starting hands were to be; null: by chance")
    spread: str | None = Field(description="Points between its best and its worst starting hand, an exact decimal")
    reached: bool | None = Field(description="Whether they are as even as wanted; null where nobody asked")
    tries: int = Field(description="How often it was dealt: once, before more often; 0 where cards are replaced")
    join: str | None
    created: datetime


class RunsModel(BaseModel):
    """A game's print runs."""

    runs: list[RunModel]
    address: str | None = Field(
        description="Where phones reach this server; null where only this machine does, as far as it can tell"
    )


class EnvelopeModel(BaseModel):
    """An envelope for the organisers."""

    number: int
    run: int
    cards: int = Field(description="Cards dealt into it, lost ones not counted")
    spare: bool = Field(description="Stays sealed when the game opens: printed as a spare one, or sealed for a no-show")
    opened: datetime | None = Field(description="null: sealed, its cards are dead")
    given: datetime | None = Field(
        description="When it was given out at the door; null: not that organisers wrote it down"
    )
    name: str | None
    hidden: bool
    joined: datetime | None
    claimed: datetime | None
    received: datetime | None
    lateness: str | None
    counted: int | None = Field(description="Cards counted in it by hand; null: nobody has said")


class EnvelopesModel(BaseModel):
    """A game's envelopes."""

    envelopes: list[EnvelopeModel]


class ChangeEnvelope(_Body):
    """What is to change; what is left out stays as it is."""

    open: bool | None = Field(default=None, description="true: its cards live; false: sealed, its cards are dead")
    give: Literal[True] | None = Field(default=None, description="Write down that it was given out at the door")
    name: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(default=None, description="null: no name")
    counted: Counted | None = Field(default=None, description="Cards counted in it by hand; null: nobody has said")
    insist: bool = Field(default=False, description="Seal it although its cards have been seen in pictures")
    take_back: bool = Field(default=False, description="Undo the player's hand-in with the phone; needs a reason")
    reason: Reason = ""


class RevokeLink(_Body):
    """Why an envelope's link ends."""

    reason: Reason = ""


class LinkModel(BaseModel):
    """An envelope's new link."""

    envelope: int
    version: int
    link: str | None = Field(description="null where its run was printed without an address, or a later link ended it")
