"""Games: made, set up, led from state to state, and deleted by organisers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint

from server.api.description import responses
from server.api.house.games_models import (
    ChangeGame,
    DoAct,
    FullGameModel,
    GamesModel,
    GameSummaryModel,
    NewGame,
)
from server.api.house.here import here
from server.api.house.once import creates, once
from server.api.house.revisions import named_revision
from server.api.house.who import actor, organiser
from server.play import versions
from server.play.games import Draft, create_game, delete_game, move
from server.play.house import game_row, hold
from server.play.overview import games_in_short, in_full, revision_of
from server.play.refusals import Refusal
from server.play.settings import change_game
from server.play.states import Act
from server.play.tokens import projector_token

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.store.tables import Game

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
    house = here().house
    with house.database.reading() as session:
        games = games_in_short(session, house.clock())
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
        game = create_game(session, Draft(**body.model_dump()), actor(), here().house.clock())
        return full_game(session, game).model_dump(mode="json", exclude={"projector"})

    answer, status = once(caller(), work)
    # The token is not kept with the answer.
    with here().house.database.reading() as session:
        return answer | {"projector": _projector(game_row(session, answer["id"]))}, status


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
    with here().house.database.reading() as session:
        return full_game(session, game_row(session, game))


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
    house = here().house
    with house.database.writing() as session:
        row = game_row(session, game)
        hold(session, row)
        if (seen := named_revision()) and seen != revision_of(row):
            raise Refusal("changed", "Somebody else has changed this game's settings since: look at them again.")
        change_game(session, row, body.changes(), actor(), house.clock(), body.reason)
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
    delete_game(here().house, game, actor())
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
    house = here().house
    what = Act[body.act.upper()]
    if what is Act.FREEZE:
        versions.freeze(house, game, actor(), versions.Wish(body.reason, body.override))
    else:
        with house.database.writing() as session:
            row, at = game_row(session, game), house.time(session)
            if what is Act.PUBLISH:
                versions.publish(session, row, body.version, actor(), at, body.reason)
            elif what is Act.UNPUBLISH:
                versions.unpublish(session, row, actor(), at, body.reason)
            else:
                move(session, row, what, actor(), at, body.reason)
    with house.database.reading() as session:
        return full_game(session, game_row(session, game))


def caller() -> str:
    """Return under whose name an organiser's idempotency keys are kept."""
    return f"organiser {actor().name}"[:100]


def full_game(session: Session, row: Game) -> FullGameModel:
    """Return a game as its organisers see it."""
    facts = in_full(session, row, here().house.clock())
    return FullGameModel.model_validate(facts | {"projector": _projector(row)})


def _projector(row: Game) -> str:
    return projector_token(row.id, row.key)
