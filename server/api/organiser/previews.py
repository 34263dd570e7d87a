"""Previews of printed files as images, and files that need no cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from flask import Response, request
from pydantic import ConfigDict, Field

from cardgen.print_run import CALIBRATION, HANDOUT, LABELS, PACKING, PARTS, SHEETS
from server.api.application import current_context
from server.api.auth import organiser
from server.api.file_responses import attachment
from server.api.openapi import file_response, responses
from server.api.organiser.print_runs import PRINT_PROBLEMS
from server.api.schemas.common import Language  # noqa: TC001 - pydantic reads it
from server.api.schemas.printing import PrintOptionsQuery, ServerUrl
from server.games.printing import previews
from server.games.printing.files import FILES_WITHOUT_CARDS, handout_or_calibration
from server.games.printing.previews import MAX_WIDTH, MIN_WIDTH

if TYPE_CHECKING:
    from server.games.printing.previews import PagePreview


class GameFileQuery(PrintOptionsQuery):
    """Options of a file that needs no cards."""

    model_config = ConfigDict(extra="forbid")

    language: Language | None = Field(default=None, description="default: the game's")


class PreviewQuery(PrintOptionsQuery):
    """Options of a page as an image."""

    model_config = ConfigDict(extra="forbid")

    width: Annotated[int, Field(ge=MIN_WIDTH, le=MAX_WIDTH)] = Field(default=800, description="Width in pixels")


class LabelQuery(PreviewQuery):
    """Options of a label as an image."""

    join: ServerUrl | None = Field(
        default=None, description="The server's address in the link; default: the print run's"
    )


class SheetQuery(PreviewQuery):
    """Options of a sample sheet."""

    page: Annotated[int, Field(ge=1, le=2)] = Field(default=1, description="2: the page of backs, if there is one")


class GamePageQuery(PreviewQuery):
    """Options of a page of a file that needs no cards."""

    language: Language | None = Field(default=None, description="default: the game's")


blueprint = APIBlueprint("previews", __name__, url_prefix="/api/v1/games/<string:game>", tag="Print runs")

_SECRET = frozenset({LABELS, PACKING})
_NO_PAGE = {**PRINT_PROBLEMS, 404: "No such game"}
_GAME_FILES = {
    HANDOUT: ("Download the handout of a game", "The public rules of the game, in a language of the edition."),
    CALIBRATION: (
        "Download the printer calibration page",
        "Rulers, a frame that shows how fronts and backs align, and codes of decreasing size.",
    ),
}
"""Summary and description of each file that needs no cards."""
_PNG: dict[int | str, Any] = {
    **file_response("image/png", description="The image"),
    304: {"description": "The browser's copy is up to date"},
    **responses(
        {
            **PRINT_PROBLEMS,
            404: "No such game, print run or page",
        }
    ),
}


def _add_page_endpoint(name: str) -> None:
    """Add the endpoint for the pages of a print run's file."""
    stem = name.partition(".")[0]
    secret = name in _SECRET
    operation = {SHEETS: "get_sheet_image"}.get(name, f"get_{stem}_image")

    @blueprint.get(f"/runs/<int:number>/{stem}/<int:page>.png", endpoint=operation)
    @organiser
    @blueprint.input(LabelQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=f"Preview a page of a print run's {stem}",
        description=f"{'Secret. ' if secret else ''}For display, not for printing.",
        operation_id=operation,
        responses=_PNG,
    )
    def show(game: str, number: int, page: int, query: LabelQuery) -> Response:
        found = previews.page(
            current_context(), game, number, name, page, options=query.options(), server_url=query.join
        )
        return _image_response(found, query.width, secret=secret)


def _add_game_file_endpoints(name: str, media: str) -> None:
    """Add the endpoints of a file that needs no cards, and of its pages."""
    stem = name.partition(".")[0]
    summary, description = _GAME_FILES.get(name, (f"Download {name} of a game", ""))

    @blueprint.get(f"/{name}", endpoint=f"get_{stem}")
    @organiser
    @blueprint.input(GameFileQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=summary,
        description=f"{description} Available before anything is dealt.".strip(),
        operation_id=f"get_{stem}",
        responses={**file_response(media), **responses(_NO_PAGE)},
    )
    def send(game: str, query: GameFileQuery) -> Response:
        data = handout_or_calibration(current_context(), game, name, options=query.options(), language=query.language)
        return attachment(data, media, f"{game.upper()}-{name}")

    @blueprint.get(f"/{stem}/<int:page>.png", endpoint=f"get_{stem}_image")
    @organiser
    @blueprint.input(GamePageQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=f"Preview a page of a game's {stem}",
        description="For display, not for printing.",
        operation_id=f"get_{stem}_image",
        responses=_PNG,
    )
    def show(game: str, page: int, query: GamePageQuery) -> Response:
        found = previews.game_page(
            current_context(), game, name, page, options=query.options(), language=query.language
        )
        return _image_response(found, query.width)


for _name, _part in PARTS.items():
    if _name in FILES_WITHOUT_CARDS:
        _add_game_file_endpoints(_name, _part.media)
    elif _part.media == "application/pdf":
        _add_page_endpoint(_name)


@blueprint.get("/runs/<int:number>/envelopes/<int:envelope>/label.png")
@organiser
@blueprint.input(LabelQuery, location="query", arg_name="query")
@blueprint.doc(operation_id="get_label_image", responses=_PNG)
def label(game: str, number: int, envelope: int, query: LabelQuery) -> Response:
    """Get the label of an envelope as an image.

    With the current join link, which a phone can scan from the screen.
    """
    return _image_response(
        previews.label(current_context(), game, number, envelope, query.join), query.width, secret=True
    )


@blueprint.get("/sample/sheet.png")
@organiser
@blueprint.input(SheetQuery, location="query", arg_name="query")
@blueprint.doc(operation_id="get_sample_sheet", responses=_PNG)
def sample_sheet(game: str, query: SheetQuery) -> Response:
    """Preview a card sheet.

    With cards of no game; works before anything is dealt.
    """
    return _image_response(previews.sample_sheet(current_context(), game, query.page, query.options()), query.width)


@blueprint.get("/sample/label.png")
@organiser
@blueprint.input(LabelQuery, location="query", arg_name="query")
@blueprint.doc(operation_id="get_sample_label", responses=_PNG)
def sample_label(game: str, query: LabelQuery) -> Response:
    """Preview a label.

    Its codes are not valid.
    """
    return _image_response(previews.sample_label(current_context(), game, query.join, query.options()), query.width)


def _image_response(found: PagePreview, width: int, *, secret: bool = False) -> Response:
    """Return a page as an image, drawn only if the browser has no copy. Secret pages must not be cached."""
    response = Response(mimetype="image/png")
    tag = f"{found.tag}-{width}"
    response.set_etag(tag)
    response.headers["Cache-Control"] = "no-store" if secret else "private, no-cache"
    if secret or not request.if_none_match.contains(tag):
        response.set_data(found.drawn(width))
        return response
    response.status_code = 304
    return response
