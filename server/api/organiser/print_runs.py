"""Print runs: cards are dealt and stored once, files are made on request."""

from __future__ import annotations

import ipaddress
from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from flask import Response, request
from pydantic import BaseModel, ConfigDict, Field

from cardgen.print_run import CARDS, LABELS, PACKING, PARTS, SHEETS, STICKERS
from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.file_responses import attachment
from server.api.idempotency import describe_idempotency_key, run_once, run_or_stored, stored_response
from server.api.openapi import file_response, responses
from server.api.organiser.games import MISSING, STATE
from server.api.schemas.common import OptionalReason, RequestBody
from server.api.schemas.printing import PrintOptionsQuery, ServerUrl
from server.games.lifecycle.overview import print_run_overview, print_runs_overview
from server.games.lifecycle.repository import load_game
from server.games.printing.files import FILES_WITHOUT_CARDS, file_sizes, run_file
from server.games.printing.runs import (
    MAX_ENVELOPES,
    MAX_EVEN,
    add_run,
    check_next_run,
    deal_in_subprocess,
    envelope_count,
    replace_cards,
)
from server.printing.links import phone_address

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from cardgen.print_run import PrintPart


class NewRun(RequestBody):
    """A new print run: envelopes, or replacements of lost cards."""

    envelopes: Annotated[int, Field(ge=0, le=MAX_ENVELOPES)] | None = Field(
        default=None, description="Number of players' envelopes; null in the first run: one for each player"
    )
    spare: Annotated[int, Field(ge=0, le=MAX_ENVELOPES)] = Field(
        default=0, description="Number of additional spare envelopes"
    )
    even: Annotated[int, Field(ge=0, le=MAX_EVEN)] | None = Field(
        default=None, description="Largest difference in points between starting hands, as far as it can be reached"
    )
    join: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="The server's address in the links on labels; default: the first run's"
    )
    replace: Annotated[list[Annotated[str, Field(max_length=110)]], Field(max_length=1000)] = Field(
        default_factory=list,
        description="Names of lost cards to replace, instead of new envelopes",
    )
    reason: OptionalReason = Field(default="", description="Required to replace cards")
    number: Annotated[int, Field(ge=1)] | None = Field(
        default=None,
        description="The number of the new run; refused if it exists because somebody else has dealt in the meantime",
    )


class RunModel(BaseModel):
    """A print run."""

    number: int
    first: int = Field(description="Number of its first envelope; 0 for replacements")
    envelopes: int = Field(description="Number of its envelopes, including spare ones")
    spare: int = Field(description="Number of spare envelopes, which are the last ones")
    cards: int
    even: int | None = Field(description="The requested difference between starting hands; null: dealt at random")
    spread: str | None = Field(
        description="Difference in points between the best and the worst starting hand, an exact decimal"
    )
    reached: bool | None = Field(description="Whether the requested difference was reached; null without one")
    tries: int = Field(description="Number of deals; 0 for replacements")
    join: str | None
    created: datetime


class RunsModel(BaseModel):
    """A game's print runs."""

    runs: list[RunModel]
    address: str | None = Field(description="The server's address for phones; null if none is known")


class FileQuery(PrintOptionsQuery):
    """Options of a file of a print run."""

    model_config = ConfigDict(extra="forbid")

    envelope: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="For labels: only the label of this envelope"
    )
    join: ServerUrl | None = Field(
        default=None, description="For labels: the server's address, if it differs from the run's"
    )


class PrintFileModel(BaseModel):
    """A file of a print run."""

    name: str
    pages: int
    width: float = Field(description="Width of a page in millimetres")
    height: float
    problem: str | None = Field(description="Why it cannot be printed with these options; null: it can")
    cause: dict[str, Any] | None = Field(description="The reason for programs, as `why` and numbers")


class PrintFilesModel(BaseModel):
    """The files of a print run."""

    parts: list[PrintFileModel]


def address_for_phones() -> str | None:
    """Return the address in the request; for `localhost`, this machine's address in its network."""
    host = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    if not is_local(host.strip("[]")):
        return request.host_url.rstrip("/")
    port = str(request.environ.get("SERVER_PORT", ""))
    return phone_address(int(port)) if port.isdecimal() and 0 < int(port) < 1 << 16 else None


def is_local(host: str) -> bool:
    """Return whether a host name or address is that of the machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


blueprint = APIBlueprint("runs", __name__, url_prefix="/api/v1/games/<string:game>/runs", tag="Print runs")

PRINT_PROBLEMS = {
    404: "No such game, print run or envelope",
    422: "It cannot be printed with these options",
    503: "Too many files are being printed; see Retry-After",
}
"""Problems of printed files."""
_FILES = {
    SHEETS: ("get_sheets", "Download the card sheets of a print run", ""),
    LABELS: (
        "get_labels",
        "Download the envelope labels of a print run, or the label of one envelope",
        "Secret: contains the current join links.",
    ),
    CARDS: (
        "get_card_list",
        "Download the card list of a print run",
        "Secret: all cards with their codes, envelopes and positions on the sheets.",
    ),
    PACKING: (
        "get_packing",
        "Download the packing list of a print run",
        "Secret: the contents of each envelope, and a checklist.",
    ),
    STICKERS: (
        "get_stickers",
        "Download stickers for your own cards and chips",
        "For the categories that `stick` names, whose cards are then not on the sheets.",
    ),
}
"""Operation ID, summary and description of each file."""


@blueprint.get("")
@organiser
@blueprint.output(RunsModel)
@blueprint.doc(operation_id="list_runs", responses=responses(MISSING))
def show_all(game: str) -> RunsModel:
    """List a game's print runs.

    Oldest first.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        runs = [RunModel.model_validate(run) for run in print_runs_overview(session, row)]
    return RunsModel(runs=runs, address=address_for_phones())


@blueprint.post("")
@describe_idempotency_key
@organiser
@blueprint.input(NewRun, arg_name="body")
@blueprint.output(RunModel, status_code=201)
@blueprint.doc(
    operation_id="create_run", responses=responses({**MISSING, **STATE, 422: "It cannot be printed with these options"})
)
def create(game: str, body: NewRun) -> tuple[dict[str, Any], int]:
    """Deal the cards of new envelopes, or replace lost cards.

    No card is ever printed twice. `even` swaps cards between hands to make them equally strong; `spread` and
    `reached` show the outcome. `number` protects against dealing the same envelopes twice: a `conflict` names the
    envelopes dealt in the meantime.
    """
    # Comes first, since a first run may omit fields that a second one needs.
    if (before := stored_response()) is not None:
        return before
    return run_or_stored(lambda: _create(game, body))


def _create(game: str, body: NewRun) -> tuple[dict[str, Any], int]:
    context = current_context()
    dealt = None
    if body.even is not None and not body.replace:
        # Takes seconds, so it is done before the transaction.
        dealt = deal_in_subprocess(context, game, body.envelopes, body.spare, body.even)

    def work(session: Session) -> dict[str, Any]:
        row, at = load_game(session, game), context.clock()
        if body.number is not None:
            check_next_run(session, row, body.number)
        if body.replace:
            run = replace_cards(session, row, body.replace, current_actor(), at, body.reason)
        else:
            number = envelope_count(session, row, body.envelopes) + body.spare
            run = add_run(
                session,
                row,
                number,
                current_actor(),
                at,
                spare=body.spare,
                server_url=body.join,
                even=body.even,
                dealt=dealt,
            )
        session.flush()
        return RunModel.model_validate(print_run_overview(session, row, run)).model_dump(mode="json")

    return run_once(work)


@blueprint.get("/<int:number>/pages")
@organiser
@blueprint.input(FileQuery, location="query", arg_name="query")
@blueprint.output(PrintFilesModel)
@blueprint.doc(operation_id="get_run_pages", responses=responses(PRINT_PROBLEMS))
def pages(game: str, number: int, query: FileQuery) -> dict[str, Any]:
    """Get the number of pages of each file of a print run.

    For the given print options, with page sizes.
    """
    return {"parts": file_sizes(current_context(), game, number, query.options())}


def _add_file_endpoint(name: str, part: PrintPart) -> None:
    """Add the endpoint of a print run's file."""
    operation, summary, description = _FILES.get(
        name, (f"get_{name.partition('.')[0]}", f"Download {name} of a print run", "")
    )

    @blueprint.get(f"/<int:number>/{name}", endpoint=operation)
    @organiser
    @blueprint.input(FileQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=summary,
        description=f"{description} The file is the same each time.".strip(),
        operation_id=operation,
        responses={**file_response(part.media), **responses(PRINT_PROBLEMS)},
    )
    def send(game: str, number: int, query: FileQuery) -> Response:
        context, wanted = current_context(), query.options()
        data = run_file(context, game, number, name, options=wanted, envelope=query.envelope, server_url=query.join)
        return attachment(data, part.media, f"{game.upper()}-{number}-{name}")


for _name, _part in PARTS.items():
    if _name not in FILES_WITHOUT_CARDS:
        _add_file_endpoint(_name, _part)
