"""Print runs: dealt and kept once, their files made whenever they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response

from cardgen.printing import CARDS, LABELS, PACKING, PARTS, SHEETS, STICKERS
from server.api.description import responses
from server.api.house.games import MISSING, ORGANISERS, STATE, caller
from server.api.house.games_models import NewRun, RunModel, RunsModel
from server.api.house.here import here
from server.api.house.once import answered, answered_meanwhile, creates, once
from server.api.house.phones import address_for_phones
from server.api.house.print_models import FileQuery, PartsModel, described
from server.api.house.who import actor, organiser
from server.play.house import game_row
from server.play.overview import run_in_full, runs_in_full
from server.play.run_files import OF_GAME, run_file, sizes
from server.play.runs import add_run, dealt_apart, envelopes_wanted, expect_run, replace_cards

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from cardgen.printing import Part


blueprint = APIBlueprint("runs", __name__, url_prefix="/api/v1/games/<string:game>/runs", tag="Print runs")

NO_PRINT = {
    404: "There is no such game, print run or envelope",
    422: "It cannot be printed as asked",
    503: "Too much is being printed right now; see Retry-After",
}
"""The problems of what is printed."""
_TOLD = {
    SHEETS: ("get_sheets", "The card sheets of a run", ""),
    LABELS: (
        "get_labels",
        "The envelope labels of a run, or of one envelope",
        "With the join links that are valid now: they are secret.",
    ),
    CARDS: (
        "get_card_list",
        "The card list of a run",
        "Every card with its codes, envelope and place on the sheets: secret.",
    ),
    PACKING: (
        "get_packing",
        "The packing list of a run",
        "What lies in each envelope, and a list to tick off: secret.",
    ),
    STICKERS: (
        "get_stickers",
        "Stickers for cards and chips that people own",
        "Of the categories that `stick` names: their cards are not on the sheets then.",
    ),
}
"""Operation, summary and first sentence of each file."""


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
        "No card is ever printed twice. With `even` cards are swapped between hands; `spread` and `reached` "
        "say how near that came. With `number` nobody deals the same envelopes a second time: `conflict` tells "
        f"which were dealt meanwhile. {ORGANISERS}"
    ),
    operation_id="create_run",
    responses=responses({**MISSING, **STATE, 422: "It cannot be printed as asked"}),
)
def create(game: str, body: NewRun) -> tuple[dict[str, Any], int]:
    """Deal a print run."""
    # Before all else: what a first run may leave out, a second one has to say.
    if (before := answered(caller())) is not None:
        return before
    return answered_meanwhile(caller(), lambda: _dealt(game, body))


def _dealt(game: str, body: NewRun) -> tuple[dict[str, Any], int]:
    house = here().house
    dealt = None
    if body.even is not None and not body.replace:
        # Takes seconds: outside of the transaction that keeps it.
        dealt = dealt_apart(house, game, body.envelopes, body.spare, body.even)

    def work(session: Session) -> dict[str, Any]:
        row, at = game_row(session, game), house.clock()
        if body.number is not None:
            expect_run(session, row, body.number)
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


@blueprint.get("/<int:number>/pages")
@organiser
@blueprint.input(FileQuery, location="query", arg_name="query")
@blueprint.output(PartsModel)
@blueprint.doc(
    summary="How many pages each file of a run has",
    description=f"As it would come out now, with the sizes of its pages. {ORGANISERS}",
    operation_id="get_run_pages",
    responses=responses(NO_PRINT),
)
def pages(game: str, number: int, query: FileQuery) -> dict[str, Any]:
    """Measure a run's files."""
    return {"parts": sizes(here().house, game, number, query.choices())}


def _add(name: str, part: Part) -> None:
    """Add the address of one of a run's files."""
    operation, summary, more = _TOLD.get(name, (f"get_{name.partition('.')[0]}", f"The {name} of a run", ""))

    @blueprint.get(f"/<int:number>/{name}", endpoint=operation)
    @organiser
    @blueprint.input(FileQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=summary,
        description=f"{more} The same each time. {ORGANISERS}".strip(),
        operation_id=operation,
        responses=described(part.media, responses(NO_PRINT)),
    )
    def send(game: str, number: int, query: FileQuery) -> Response:
        house, wanted = here().house, query.choices()
        data = run_file(house, game, number, name, choices=wanted, envelope=query.envelope, join=query.join)
        return as_file(data, part.media, f"{game.upper()}-{number}-{name}")


def as_file(data: bytes, media: str, name: str) -> Response:
    """Answer with a file to keep; nobody on the way may keep it."""
    response = Response(data, mimetype=media)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


for _name, _part in PARTS.items():
    if _name not in OF_GAME:
        _add(_name, _part)
