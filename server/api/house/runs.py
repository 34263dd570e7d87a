"""Print runs: dealt and kept once, their files made whenever they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response

from cardgen.printing import CARDS, LABELS, SHEETS
from server.api.description import responses
from server.api.house.games import MISSING, ORGANISERS, STATE, caller
from server.api.house.games_models import FileQuery, NewRun, RunModel, RunsModel
from server.api.house.here import here
from server.api.house.once import creates, once
from server.api.house.phones import address_for_phones
from server.api.house.who import actor, organiser
from server.play.house import game_row
from server.play.overview import run_in_full, runs_in_full
from server.play.run_files import run_file
from server.play.runs import add_run, dealt_apart, envelopes_wanted, replace_cards

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


blueprint = APIBlueprint("runs", __name__, url_prefix="/api/v1/games/<string:game>/runs", tag="Print runs")

_TYPES = {SHEETS: "application/pdf", LABELS: "application/pdf", CARDS: "text/csv"}
_NO_RUN = {404: "There is no such game or print run", 422: "It cannot be printed as asked"}


@blueprint.get("")
@organiser
@blueprint.output(RunsModel)
@blueprint.doc(
    summary="A game's print runs",
    description=f"The first one first. {ORGANISERS}",
    operation_id="list_runs",
    responses=responses(MISSING),
)
def show_all(game: str) -> RunsModel:
    """List a game's print runs."""
    with here().house.database.reading() as session:
        row = game_row(session, game)
        runs = [RunModel.model_validate(run) for run in runs_in_full(session, row)]
    return RunsModel(runs=runs, address=address_for_phones())


@blueprint.post("")
@creates
@organiser
@blueprint.input(NewRun, arg_name="body")
@blueprint.output(RunModel, status_code=201)
@blueprint.doc(
    summary="Deal the cards of more envelopes, or replace lost ones",
    description=(
        "No card is ever printed twice. With `even` it is dealt again and again; `spread` and `reached` say how near "
        f"it came. {ORGANISERS}"
    ),
    operation_id="create_run",
    responses=responses({**MISSING, **STATE, 422: "It cannot be printed as asked"}),
)
def create(game: str, body: NewRun) -> tuple[dict[str, Any], int]:
    """Deal a print run."""
    house = here().house
    dealt = None
    if body.even is not None and not body.replace:
        # Takes seconds: outside of the transaction that keeps it.
        dealt = dealt_apart(house, game, body.envelopes, body.spare, body.even)

    def work(session: Session) -> dict[str, Any]:
        row, at = game_row(session, game), house.clock()
        if body.replace:
            run = replace_cards(session, row, body.replace, actor(), at, body.reason)
        else:
            number = envelopes_wanted(session, row, body.envelopes) + body.spare
            run = add_run(
                session, row, number, actor(), at, spare=body.spare, join=body.join, even=body.even, dealt=dealt
            )
        session.flush()
        return RunModel.model_validate(run_in_full(session, row, run)).model_dump(mode="json")

    return once(caller(), work)


def _described(name: str) -> dict[str | int, Any]:
    schema = {"type": "string", "format": "binary"} if _TYPES[name] == "application/pdf" else {"type": "string"}
    return {
        200: {"description": "The file", "content": {_TYPES[name]: {"schema": schema}}},
        **responses({**_NO_RUN, 503: "Too much is being printed right now; see Retry-After"}),
    }


@blueprint.get("/<int:number>/sheets.pdf")
@organiser
@blueprint.input(FileQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="The card sheets of a run",
    description=f"The same each time. {ORGANISERS}",
    operation_id="get_sheets",
    responses=_described(SHEETS),
)
def sheets(game: str, number: int, query: FileQuery) -> Response:
    """Send the card sheets."""
    return _file(game, number, SHEETS, query)


@blueprint.get("/<int:number>/labels.pdf")
@organiser
@blueprint.input(FileQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="The envelope labels of a run, or of one envelope",
    description=f"With the join links that are valid now: they are secret. {ORGANISERS}",
    operation_id="get_labels",
    responses=_described(LABELS),
)
def labels(game: str, number: int, query: FileQuery) -> Response:
    """Send the envelope labels."""
    return _file(game, number, LABELS, query)


@blueprint.get("/<int:number>/cards.csv")
@organiser
@blueprint.input(FileQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="The card list of a run",
    description=f"Every card with its codes, envelope and place on the sheets: secret. {ORGANISERS}",
    operation_id="get_card_list",
    responses=_described(CARDS),
)
def cards(game: str, number: int, query: FileQuery) -> Response:
    """Send the card list."""
    return _file(game, number, CARDS, query)


def _file(game: str, number: int, name: str, query: FileQuery) -> Response:
    data = run_file(here().house, game, number, name, paper=query.paper, envelope=query.envelope, join=query.join)
    response = Response(data, mimetype=_TYPES[name])
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Disposition"] = f'attachment; filename="{game.upper()}-{number}-{name}"'
    return response
