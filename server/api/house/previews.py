"""Pages of print runs as pictures, also before anything is dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from apiflask import APIBlueprint
from flask import Response, request
from pydantic import BaseModel, ConfigDict, Field

from server.api.description import responses
from server.api.house.games import ORGANISERS
from server.api.house.here import here
from server.api.house.who import organiser
from server.play import previews
from server.play.previews import NARROWEST, WIDEST

if TYPE_CHECKING:
    from server.play.previews import Picture

blueprint = APIBlueprint("previews", __name__, url_prefix="/api/v1/games/<string:game>", tag="Print runs")

_PNG: dict[int | str, Any] = {
    200: {
        "description": "The picture",
        "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
    },
    304: {"description": "The picture that the browser has is the same"},
    **responses(
        {
            404: "There is no such game, print run or page",
            422: "It cannot be printed as asked",
            503: "Too much is being printed right now; see Retry-After",
        }
    ),
}


class PictureQuery(BaseModel):
    """How large the picture is wanted, and of which paper."""

    model_config = ConfigDict(extra="forbid")

    width: Annotated[int, Field(ge=NARROWEST, le=WIDEST)] = Field(default=800, description="In pixels")
    paper: Literal["a4", "letter"] = "a4"


class LabelQuery(PictureQuery):
    """How a label is wanted."""

    join: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="Address of this server, for the link; null: the print run's"
    )


@blueprint.get("/runs/<int:number>/sheets/<int:page>.png")
@organiser
@blueprint.input(PictureQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="A page of a run's card sheets as a picture",
    description=f"To look at, not to print. {ORGANISERS}",
    operation_id="get_sheet_image",
    responses=_PNG,
)
def sheet(game: str, number: int, page: int, query: PictureQuery) -> Response:
    """Show a page of the sheets."""
    return _picture(previews.sheet(here().house, game, number, page, query.paper), query.width)


@blueprint.get("/runs/<int:number>/labels/<int:page>.png")
@organiser
@blueprint.input(LabelQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="A page of a run's labels as a picture",
    description=f"With the join links that are valid now: they are secret. {ORGANISERS}",
    operation_id="get_labels_image",
    responses=_PNG,
)
def labels(game: str, number: int, page: int, query: LabelQuery) -> Response:
    """Show a page of the labels."""
    found = previews.labels(here().house, game, number, page, query.paper, query.join)
    return _picture(found, query.width, secret=True)


@blueprint.get("/runs/<int:number>/envelopes/<int:envelope>/label.png")
@organiser
@blueprint.input(LabelQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="The label of one envelope as a picture",
    description=f"With the join link that is valid now, for a phone to read off the screen. {ORGANISERS}",
    operation_id="get_label_image",
    responses=_PNG,
)
def label(game: str, number: int, envelope: int, query: LabelQuery) -> Response:
    """Show one label."""
    return _picture(previews.label(here().house, game, number, envelope, query.join), query.width, secret=True)


@blueprint.get("/sample/sheet.png")
@organiser
@blueprint.input(PictureQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="A card sheet as it would come out",
    description=f"Of cards that belong to no game, before anything is dealt. {ORGANISERS}",
    operation_id="get_sample_sheet",
    responses=_PNG,
)
def sample_sheet(game: str, query: PictureQuery) -> Response:
    """Show a sheet before anything is dealt."""
    return _picture(previews.sample_sheet(here().house, game, query.paper), query.width)


@blueprint.get("/sample/label.png")
@organiser
@blueprint.input(LabelQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="A label as it would come out",
    description=f"Its codes open nothing. {ORGANISERS}",
    operation_id="get_sample_label",
    responses=_PNG,
)
def sample_label(game: str, query: LabelQuery) -> Response:
    """Show a label before anything is dealt."""
    return _picture(previews.sample_label(here().house, game, query.join), query.width)


def _picture(found: Picture, width: int, *, secret: bool = False) -> Response:
    """Send a picture; one that the browser has is not drawn again. What opens an envelope is never kept."""
    response = Response(mimetype="image/png")
    tag = f"{found.tag}-{width}"
    response.set_etag(tag)
    response.headers["Cache-Control"] = "no-store" if secret else "private, no-cache"
    if secret or not request.if_none_match.contains(tag):
        response.set_data(found.drawn(width))
        return response
    response.status_code = 304
    return response
