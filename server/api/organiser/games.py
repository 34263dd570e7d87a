"""Games: made, set up, led from state to state, and deleted by organisers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint

from server.api.auth import actor, organiser
from server.api.context import current_context
from server.api.idempotency import creates, named_revision, once
from server.api.openapi import responses
from server.api.schemas.games import ChangeGame, DoAct, FullGameModel, GamesModel, GameSummaryModel, NewGame
from server.db.locks import lock_game_row
from server.games.errors import DomainError
from server.games.lifecycle.commands import Draft, create_game, delete_game, move
from server.games.lifecycle.overview import games_in_short, in_full, revision_of
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.settings import change_game
from server.games.lifecycle.states import Act
from server.games.results import versions
from server.games.tokens import projector_token

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game

blueprint = APIBlueprint("games", __name__, url_prefix="/api/v1/games", tag="Games")

ORGANISERS = "Who may call it: organisers who are signed in."
MISSING = {404: "There is no such game"}
STATE = {409: "The game's state does not allow it"}


@blueprint.get("")
@organiser
@blueprint.output(GamesModel)
@blueprint.doc(summary="All games", description=f"The newest first. {ORGANISERS}", operation_id="list_games")
def show_all() -> GamesModel:
    """List the games."""
    context = current_context().context
    with context.database.reading() as session:
        games = games_in_short(session, context.clock())
        return GamesModel(games=[GameSummaryModel.model_validate(game) for game in games])


@blueprint.post("")
@creates
@organiser
@blueprint.input(NewGame, arg_name="body")
@blueprint.output(FullGameModel, status_code=201)
@blueprint.doc(
    summary="Make a game",
    description=f"It gets an id, a secret key and a secret seed. {ORGANISERS}",
    operation_id="create_game",
    responses=responses({422: "A setting is wrong, or the Idempotency-Key is missing"}),
)
def create(body: NewGame) -> tuple[dict[str, Any], int]:
    """Make a game."""

    def work(session: Session) -> dict[str, Any]:
        game = create_game(session, Draft(**body.model_dump()), actor(), current_context().context.clock())
        return full_game(session, game).model_dump(mode="json", exclude={"projector"})

    answer, status = once(caller(), work)
    # The token is not kept with the answer.
    with current_context().context.database.reading() as session:
        return answer | {"projector": _projector(load_game(session, answer["id"]))}, status


@blueprint.get("/<string:game>")
@organiser
@blueprint.output(FullGameModel)
@blueprint.doc(
    summary="A game with its settings",
    description=f"Also what its state allows. {ORGANISERS}",
    operation_id="get_game",
    responses=responses(MISSING),
)
def show(game: str) -> FullGameModel:
    """Show a game."""
    with current_context().context.database.reading() as session:
        return full_game(session, load_game(session, game))


@blueprint.patch("/<string:game>")
@organiser
@blueprint.input(ChangeGame, arg_name="body")
@blueprint.output(FullGameModel)
@blueprint.doc(
    summary="Change a game's settings",
    description=(
        "Each in the states that allow it; the audit keeps the values before and after. With the game's `revision` in "
        f"If-Match it is refused if somebody else has changed a setting since. {ORGANISERS}"
    ),
    operation_id="change_game",
    responses=responses(
        {**MISSING, **STATE, 412: "It has changed since: look again", 422: "A setting is wrong, or a reason is missing"}
    ),
)
def change(game: str, body: ChangeGame) -> FullGameModel:
    """Change a game's settings."""
    context = current_context().context
    with context.database.writing() as session:
        row = load_game(session, game)
        lock_game_row(session, row)
        if (seen := named_revision()) and seen != revision_of(row):
            raise DomainError("changed", "Somebody else has changed this game's settings since: look at them again.")
        change_game(session, row, body.changes(), actor(), context.clock(), body.reason)
        return full_game(session, row)


@blueprint.delete("/<string:game>")
@organiser
@blueprint.output({}, status_code=204)
@blueprint.doc(
    summary="Delete a game",
    description=f"With all its pictures and results. There is no way back. {ORGANISERS}",
    operation_id="delete_game",
    responses=responses({**MISSING, **STATE}),
)
def delete(game: str) -> str:
    """Delete a game."""
    delete_game(current_context().context, game, actor())
    return ""


@blueprint.post("/<string:game>/acts")
@organiser
@blueprint.input(DoAct, arg_name="body")
@blueprint.output(FullGameModel)
@blueprint.doc(
    summary="Lead a game to its next state",
    description=(
        "Open, close, reopen, freeze (counts it), thaw, publish, unpublish. Sent again after it was done, it is "
        f"refused with the state that the game has. {ORGANISERS}"
    ),
    operation_id="act_on_game",
    responses=responses({**MISSING, 409: "The game's state does not allow it, or something is still open"}),
)
def act(game: str, body: DoAct) -> FullGameModel:
    """Lead a game to its next state."""
    context = current_context().context
    what = Act[body.act.upper()]
    if what is Act.FREEZE:
        versions.freeze(context, game, actor(), versions.CountRequest(body.reason, body.override))
    else:
        with context.database.writing() as session:
            row, at = load_game(session, game), context.time(session)
            if what is Act.PUBLISH:
                versions.publish(session, row, body.version, actor(), at, body.reason)
            elif what is Act.UNPUBLISH:
                versions.unpublish(session, row, actor(), at, body.reason)
            else:
                move(session, row, what, actor(), at, body.reason)
    with context.database.reading() as session:
        return full_game(session, load_game(session, game))


def caller() -> str:
    """Return under whose name an organiser's idempotency keys are kept."""
    return f"organiser {actor().name}"[:100]


def full_game(session: Session, row: Game) -> FullGameModel:
    """Return a game as its organisers see it."""
    facts = in_full(session, row, current_context().context.clock())
    return FullGameModel.model_validate(facts | {"projector": _projector(row)})


def _projector(row: Game) -> str:
    return projector_token(row.id, row.key)
