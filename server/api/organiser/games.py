"""Games: creation, settings, state changes and deletion."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from pydantic import AwareDatetime, BaseModel, BeforeValidator, Field

from server.api.application import current_context
from server.api.auth import current_actor, organiser, projector_token
from server.api.idempotency import describe_idempotency_key, run_once
from server.api.openapi import responses
from server.api.revisions import requested_revision
from server.api.schemas.common import CardSize, GameState, Language, OptionalReason, RequestBody, ScoreMode, StateChange
from server.games.errors import DomainError
from server.games.lifecycle.commands import DEFAULT_SIZE, GameDraft, change_state, create_game, delete_game
from server.games.lifecycle.overview import game_overview, games_overview, revision_of
from server.games.lifecycle.repository import load_game, lock_game
from server.games.lifecycle.settings import BOUNDS, KNOWN, MAX_NAME_LENGTH, change_game
from server.games.lifecycle.states import Act
from server.games.results import versions
from server.printing.contents import MAX_PLAYERS

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game


Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
Slug = Annotated[str, Field(min_length=1, max_length=100)]
Players = Annotated[int, Field(ge=1, le=MAX_PLAYERS)]
Value = Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]
Settings = Annotated[dict[Slug, Value], Field(max_length=100)]
Keys = Annotated[list[Annotated[str, Field(min_length=1, max_length=20)]], Field(max_length=1000)]
Names = Annotated[list[Slug], Field(max_length=100)]


def _text(value: Any) -> Any:  # noqa: ANN401 - anything can be sent
    if not isinstance(value, str):
        # Pydantic would accept numbers as timestamps.
        raise ValueError("must be a text such as 2026-03-27T12:00:00+01:00")  # noqa: TRY004 - pydantic wants this one
    return value


Deadline = Annotated[AwareDatetime, BeforeValidator(_text), Field(strict=False)]
Attempts = Annotated[int, Field(ge=BOUNDS["tries"][0], le=BOUNDS["tries"][1])]
Pause = Annotated[int, Field(ge=BOUNDS["pause"][0], le=BOUNDS["pause"][1])]
Days = Annotated[int, Field(ge=BOUNDS["keep_days"][0], le=BOUNDS["keep_days"][1])]
Hours = Annotated[int, Field(ge=BOUNDS["keep_hours"][0], le=BOUNDS["keep_hours"][1])]


class NewGame(RequestBody):
    """The settings of a new game."""

    name: Name
    edition: Slug
    players: Players
    language: Language | None = None
    size: CardSize = Field(default=DEFAULT_SIZE, description="Size of the cards; fixed once cards were printed")
    settings: Settings = Field(default_factory=dict, description="Settings of the edition")
    active_rules: Keys | None = Field(default=None, description="Keys of the active rules; null: all")
    confirmed: Names = Field(default_factory=list, description="Settings whose values are confirmed")
    deadline: Deadline | None = Field(default=None, description="With a time zone; null: the game is closed by hand")
    timezone: Annotated[str, Field(min_length=1, max_length=64)] = GameDraft.timezone
    mode: ScoreMode = KNOWN
    tries: Attempts = GameDraft.tries
    pause: Pause = Field(default=GameDraft.pause, description="Seconds between two attempts of a player")
    keep_days: Days = Field(
        default=GameDraft.keep_days, description="Days after publication until the photos of envelopes are deleted"
    )
    keep_hours: Hours = Field(default=GameDraft.keep_hours, description="Hours until players' own photos are deleted")
    expect_dealt: bool = Field(
        default=GameDraft.expect_dealt,
        description="Whether each envelope should contain as many cards as were dealt into it",
    )


class GameChanges(RequestBody):
    """Changes of settings. Omitted fields, and null except for `deadline` and `active_rules`, keep their values."""

    name: Name | None = None
    edition: Slug | None = None
    players: Players | None = None
    size: CardSize | None = None
    language: Language | None = None
    settings: Settings | None = Field(default=None, description="Omitted settings keep their values")
    active_rules: Keys | None = Field(default=None, description="null: all rules are active")
    confirmed: Names | None = None
    deadline: Deadline | None = Field(default=None, description="null: no deadline")
    timezone: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    mode: ScoreMode | None = None
    tries: Attempts | None = None
    pause: Pause | None = None
    keep_days: Days | None = None
    keep_hours: Hours | None = None
    expect_dealt: bool | None = None
    reason: OptionalReason = Field(default="", description="Required for corrections of a scored game")

    def changes(self) -> dict[str, Any]:
        """Return the changes by the names of `server.games.lifecycle.settings`."""
        given = {name: getattr(self, name) for name in self.model_fields_set - {"reason"}}
        return {
            name: value for name, value in given.items() if value is not None or name in {"deadline", "active_rules"}
        }


class StateChangeBody(RequestBody):
    """A change of a game's state."""

    act: StateChange
    reason: OptionalReason = Field(default="", description="Required to unpublish")
    override: OptionalReason = Field(
        default="", description="To freeze: the reason for scoring although points are open"
    )
    version: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="To publish: the result version; null: the newest"
    )


class CountsModel(BaseModel):
    """Numbers of envelopes by progress."""

    envelopes: int
    open: int
    joined: int
    claimed: int = Field(description="Handed in by phone")
    received: int = Field(description="Received by the organisers")


class GameSummaryModel(BaseModel):
    """A game in short form."""

    id: str
    name: str
    edition: str = Field(description="The edition's slug")
    state: GameState
    players: int
    deadline: datetime | None
    closed: datetime | None
    timezone: str
    created: datetime
    counts: CountsModel


class GamesModel(BaseModel):
    """All games, newest first."""

    games: list[GameSummaryModel]


class FullGameModel(GameSummaryModel):
    """A game with its settings."""

    now: datetime = Field(description="The server's time")
    language: str
    languages: list[str]
    size: str = Field(description="Name of the size of the cards; empty for unnamed sizes")
    title: str = Field(description="The edition's name")
    settings: dict[str, int]
    active_rules: list[str] | None
    confirmed: list[str]
    mode: ScoreMode
    tries: int
    pause: int
    keep_days: int
    keep_hours: int
    expect_dealt: bool
    opened: datetime | None
    frozen: datetime | None
    published: datetime | None
    published_version: int | None
    revision: str = Field(description="Changes with every setting; for If-Match")
    allowed: list[str] = Field(description="Actions that the game's state allows")
    notes: list[str] = Field(description="Hints for the organiser")
    projector: str = Field(description="The projector token")


blueprint = APIBlueprint("games", __name__, url_prefix="/api/v1/games", tag="Games")

MISSING = {404: "No such game"}
STATE = {409: "The game's state does not allow it"}


@blueprint.get("")
@organiser
@blueprint.output(GamesModel)
@blueprint.doc(operation_id="list_games")
def show_all() -> GamesModel:
    """List all games.

    Newest first.
    """
    context = current_context()
    with context.database.reading() as session:
        games = games_overview(session, context.clock())
        return GamesModel(games=[GameSummaryModel.model_validate(game) for game in games])


@blueprint.post("")
@describe_idempotency_key
@organiser
@blueprint.input(NewGame, arg_name="body")
@blueprint.output(FullGameModel, status_code=201)
@blueprint.doc(
    operation_id="create_game", responses=responses({422: "A setting is invalid, or the Idempotency-Key is missing"})
)
def create(body: NewGame) -> tuple[dict[str, Any], int]:
    """Create a game.

    The server generates its ID, signing key and random seed.
    """

    def work(session: Session) -> dict[str, Any]:
        game = create_game(session, GameDraft(**body.model_dump()), current_actor(), current_context().clock())
        return full_game(session, game).model_dump(mode="json", exclude={"projector"})

    stored, status = run_once(work)
    # The token is secret, so it is not stored with the response.
    with current_context().database.reading() as session:
        return stored | {"projector": _projector(load_game(session, stored["id"]))}, status


@blueprint.get("/<string:game>")
@organiser
@blueprint.output(FullGameModel)
@blueprint.doc(operation_id="get_game", responses=responses(MISSING))
def show(game: str) -> FullGameModel:
    """Get a game and its settings.

    Includes the actions that its state allows.
    """
    with current_context().database.reading() as session:
        return full_game(session, load_game(session, game))


@blueprint.patch("/<string:game>")
@organiser
@blueprint.input(GameChanges, arg_name="body")
@blueprint.output(FullGameModel)
@blueprint.doc(
    operation_id="change_game",
    responses=responses(
        {
            **MISSING,
            **STATE,
            412: "The game has changed in the meantime",
            422: "A setting is invalid, or the reason is missing",
        }
    ),
)
def change(game: str, body: GameChanges) -> FullGameModel:
    """Change a game's settings.

    Each setting can be changed in some states only; the audit log records the old and the new values. Send the
    game's `revision` in If-Match to have the change refused if somebody else has changed a setting in the meantime.
    """
    context = current_context()
    with context.database.writing() as session:
        row = load_game(session, game)
        lock_game(session, row)
        if (seen := requested_revision()) and seen != revision_of(row):
            raise DomainError("changed", "Somebody else has changed this game's settings since: look at them again.")
        change_game(session, row, body.changes(), current_actor(), context.clock(), body.reason)
        return full_game(session, row)


@blueprint.delete("/<string:game>")
@organiser
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="delete_game", responses=responses({**MISSING, **STATE}))
def delete(game: str) -> str:
    """Delete a game.

    Deletes all its photos and results as well. This cannot be undone.
    """
    delete_game(current_context(), game, current_actor())
    return ""


@blueprint.post("/<string:game>/acts")
@organiser
@blueprint.input(StateChangeBody, arg_name="body")
@blueprint.output(FullGameModel)
@blueprint.doc(
    operation_id="act_on_game",
    responses=responses({**MISSING, 409: "The game's state does not allow it, or points are open"}),
)
def change_state_of_game(game: str, body: StateChangeBody) -> FullGameModel:
    """Change a game's state.

    Opens, closes, reopens, freezes (and scores), thaws, publishes or unpublishes the game. If the state does not
    allow the action, for example because it was done already, the problem contains the current state.
    """
    context = current_context()
    what = Act[body.act.upper()]
    if what is Act.FREEZE:
        versions.freeze(context, game, current_actor(), versions.CountRequest(body.reason, body.override))
    else:
        with context.database.writing() as session:
            row, at = load_game(session, game), context.time(session)
            if what is Act.PUBLISH:
                versions.publish(session, row, body.version, current_actor(), at, body.reason)
            elif what is Act.UNPUBLISH:
                versions.unpublish(session, row, current_actor(), at, body.reason)
            else:
                change_state(session, row, what, current_actor(), at, body.reason)
    with context.database.reading() as session:
        return full_game(session, load_game(session, game))


def full_game(session: Session, row: Game) -> FullGameModel:
    """Return the model of a game."""
    facts = game_overview(session, row, current_context().clock())
    return FullGameModel.model_validate(facts | {"projector": _projector(row)})


def _projector(row: Game) -> str:
    return projector_token(row.id, row.key)
