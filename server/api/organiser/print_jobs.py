"""Prints that take long: asked for, watched, fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response

from cardgen.print_service import Product
from server.api.auth import organiser
from server.api.context import current_context
from server.api.openapi import responses
from server.api.organiser.games import ORGANISERS
from server.api.organiser.printing import NO_PRINT
from server.api.schemas.printing import NewPrint, PrintModel, PrintsModel
from server.games.printing.print_jobs import MADE, cancel_print, print_job, printed_file, prints, start_print

if TYPE_CHECKING:
    from server.db.models import PrintJob

blueprint = APIBlueprint("prints", __name__, url_prefix="/api/v1/games/<string:game>", tag="Print runs")

_NONE = {404: "There is no such game or print; one that is done is kept half an hour"}


@blueprint.post("/runs/<int:number>/prints")
@organiser
@blueprint.input(NewPrint, arg_name="body")
@blueprint.output(PrintModel, status_code=202)
@blueprint.doc(
    summary="Have a file of a run made beside the server",
    description=(
        f"For what takes long: one of {', '.join(MADE)}. Files are made one after the other. Asked for again in the "
        f"same way, it is the same print. {ORGANISERS}"
    ),
    operation_id="create_print",
    responses=responses(NO_PRINT),
)
def create(game: str, number: int, body: NewPrint) -> tuple[PrintJob, int]:
    """Have a file made."""
    product = Product(body.form, body.dpi, body.edge)
    context, wanted = current_context().context, body.choices()
    return start_print(context, game, number, body.name, product=product, choices=wanted, join=body.join), 202


@blueprint.get("/prints")
@organiser
@blueprint.output(PrintsModel)
@blueprint.doc(
    summary="A game's prints that are being made or are kept",
    description=f"The newest first. {ORGANISERS}",
    operation_id="list_prints",
    responses=responses({404: "There is no such game"}),
)
def show_all(game: str) -> dict[str, Any]:
    """List a game's prints."""
    return {"prints": prints(current_context().context, game)}


@blueprint.get("/prints/<string:print_>")
@organiser
@blueprint.output(PrintModel)
@blueprint.doc(
    summary="How far a print is", description=ORGANISERS, operation_id="get_print", responses=responses(_NONE)
)
def show(game: str, print_: str) -> PrintJob:
    """Show a print."""
    return print_job(current_context().context, game, print_)


@blueprint.get("/prints/<string:print_>/file")
@organiser
@blueprint.doc(
    summary="The file of a print that is done",
    description=f"A PDF, a list, or a ZIP of all files or for a print service. {ORGANISERS}",
    operation_id="get_print_file",
    responses={
        200: {
            "description": "The file",
            "content": {
                media: {"schema": {"type": "string", "format": "binary"}}
                for media in ("application/pdf", "application/zip", "text/csv")
            },
        },
        **responses({**_NONE, 409: "It is not done yet, or it failed"}),
    },
)
def file(game: str, print_: str) -> Response:
    """Send a print's file."""
    job, found = printed_file(current_context().context, game, print_)
    response = Response(found.pieces, mimetype=job.media)
    response.headers.set("Content-Disposition", "attachment", filename=job.name)
    response.headers["Cache-Control"] = "no-store"
    response.content_length = found.size
    return response


@blueprint.delete("/prints/<string:print_>")
@organiser
@blueprint.output({}, status_code=204)
@blueprint.doc(
    summary="Cancel a print, or drop its file",
    description=ORGANISERS,
    operation_id="delete_print",
    responses=responses(_NONE),
)
def delete(game: str, print_: str) -> str:
    """Cancel a print."""
    cancel_print(current_context().context, game, print_)
    return ""
