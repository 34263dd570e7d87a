"""Print jobs: files that take long to make, such as all sheets of a game."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from flask import Response
from pydantic import BaseModel, ConfigDict, Field

from cardgen.pages.layout import MAX_BLEED
from cardgen.print_service import MAX_DPI, MIN_DPI, Form, Product
from server.api.application import current_context
from server.api.auth import organiser
from server.api.openapi import file_response, responses
from server.api.organiser.print_runs import PRINT_PROBLEMS
from server.api.schemas.common import PrintState  # noqa: TC001 - pydantic reads it
from server.api.schemas.printing import PrintOptionsQuery, ServerUrl
from server.games.printing.jobs import (
    JOB_FILES,
    cancel_print,
    print_job,
    print_jobs_of_game,
    printed_file,
    start_print,
)

if TYPE_CHECKING:
    from server.db.models import PrintJob


_SERVICE = Product()


class NewPrintJob(PrintOptionsQuery):
    """A file to make, with its print options."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=1, max_length=40)] = Field(description="Name of a file of the run")
    join: ServerUrl | None = Field(
        default=None, description="For labels: the server's address, if it differs from the run's"
    )
    form: Form = Field(default=_SERVICE.form, description="For a print shop: the format of the file of each card")
    dpi: Annotated[int, Field(ge=MIN_DPI, le=MAX_DPI)] = Field(
        default=_SERVICE.dpi, description="For a print shop: dots per inch"
    )
    edge: Annotated[float, Field(ge=0, le=MAX_BLEED)] = Field(
        default=_SERVICE.bleed, description="For a print shop: bleed in millimetres"
    )


class PrintJobModel(BaseModel):
    """A print job."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str = Field(description="Name of the file")
    state: PrintState
    done: int = Field(description="Number of finished pages or cards")
    of: int = Field(description="Total number of pages or cards; 0 while it is unknown")
    bytes: int | None = Field(description="Size of the file; null until it is finished")
    problem: str | None = Field(description="Why it failed")
    cause: dict[str, Any] | None = Field(
        description="The reason for programs, as `why` and numbers; null for unexpected failures"
    )
    created: datetime
    until: datetime | None = Field(description="When the file is deleted")


class PrintJobsModel(BaseModel):
    """A game's print jobs, newest first."""

    prints: list[PrintJobModel]


blueprint = APIBlueprint("prints", __name__, url_prefix="/api/v1/games/<string:game>", tag="Print runs")

_MISSING = {404: "No such game or print job; files are kept for half an hour"}


@blueprint.post("/runs/<int:number>/prints")
@organiser
@blueprint.input(NewPrintJob, arg_name="body")
@blueprint.output(PrintJobModel, status_code=202)
@blueprint.doc(
    summary="Start a print job for a file of a print run",
    description=f"For files that take long: one of {', '.join(JOB_FILES)}. Jobs run one after another. "
    "Requesting the same file with the same options again returns the same job.",
    operation_id="create_print",
    responses=responses(PRINT_PROBLEMS),
)
def create(game: str, number: int, body: NewPrintJob) -> tuple[PrintJob, int]:
    """Start a print job."""
    product = Product(body.form, body.dpi, body.edge)
    context, wanted = current_context(), body.options()
    return start_print(context, game, number, body.name, product=product, options=wanted, server_url=body.join), 202


@blueprint.get("/prints")
@organiser
@blueprint.output(PrintJobsModel)
@blueprint.doc(operation_id="list_prints", responses=responses({404: "There is no such game"}))
def show_all(game: str) -> dict[str, Any]:
    """List a game's print jobs.

    Newest first, including finished ones whose files are still kept.
    """
    return {"prints": print_jobs_of_game(current_context(), game)}


@blueprint.get("/prints/<string:print_>")
@organiser
@blueprint.output(PrintJobModel)
@blueprint.doc(operation_id="get_print", responses=responses(_MISSING))
def show(game: str, print_: str) -> PrintJob:
    """Get a print job and its progress."""
    return print_job(current_context(), game, print_)


@blueprint.get("/prints/<string:print_>/file")
@organiser
@blueprint.doc(
    operation_id="get_print_file",
    responses={
        **file_response("application/pdf", "application/zip", "text/csv"),
        **responses({**_MISSING, 409: "The job is not finished, or it failed"}),
    },
)
def file(game: str, print_: str) -> Response:
    """Download the file of a finished print job.

    A PDF, a card list, or a ZIP archive of all files or of card images for a print shop.
    """
    job, found = printed_file(current_context(), game, print_)
    response = Response(found.pieces, mimetype=job.media)
    response.headers.set("Content-Disposition", "attachment", filename=job.name)
    response.headers["Cache-Control"] = "no-store"
    response.content_length = found.size
    return response


@blueprint.delete("/prints/<string:print_>")
@organiser
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="delete_print", responses=responses(_MISSING))
def delete(game: str, print_: str) -> str:
    """Cancel a print job, or delete its file."""
    cancel_print(current_context(), game, print_)
    return ""
