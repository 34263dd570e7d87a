"""Pages of print runs as pictures, also before anything is dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response, request

from cardgen.printing import CALIBRATION, HANDOUT, LABELS, PACKING, PARTS, SHEETS
from server.api.description import responses
from server.api.house.games import ORGANISERS
from server.api.house.here import here
from server.api.house.print_models import GameFileQuery, GamePageQuery, LabelQuery, SheetQuery, described
from server.api.house.runs import NO_PRINT, as_file
from server.api.house.who import organiser
from server.play import previews
from server.play.run_files import OF_GAME, game_file

if TYPE_CHECKING:
    from server.play.previews import Picture

blueprint = APIBlueprint("previews", __name__, url_prefix="/api/v1/games/<string:game>", tag="Print runs")

_SECRET = frozenset({LABELS, PACKING})
_NO_PAGE = {**NO_PRINT, 404: "There is no such game"}
_TOLD = {
    HANDOUT: ("The hand-out of a game", "The public rules of play, for everybody, in a language of the edition."),
    CALIBRATION: (
        "A page that measures a printer",
        "Rulers, a frame for fronts and backs, and codes that get smaller and smaller.",
    ),
}
"""Summary and first sentence of each file that needs no cards."""
_PNG: dict[int | str, Any] = {
    200: {
        "description": "The picture",
        "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
    },
    304: {"description": "The picture that the browser has is the same"},
    **responses(
        {
            **NO_PRINT,
            404: "There is no such game, print run or page",
        }
    ),
}


def _add_page(name: str) -> None:
    """Add the address of the pages of one of a run's files."""
    stem = name.partition(".")[0]
    secret = name in _SECRET
    operation = {SHEETS: "get_sheet_image"}.get(name, f"get_{stem}_image")

    @blueprint.get(f"/runs/<int:number>/{stem}/<int:page>.png", endpoint=operation)
    @organiser
    @blueprint.input(LabelQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=f"A page of a run's {stem} as a picture",
        description=f"{'Secret. ' if secret else ''}To look at, not to print. {ORGANISERS}",
        operation_id=operation,
        responses=_PNG,
    )
    def show(game: str, number: int, page: int, query: LabelQuery) -> Response:
        found = previews.page(here().house, game, number, name, page, choices=query.choices(), join=query.join)
        return _picture(found, query.width, secret=secret)


def _add_game_file(name: str, media: str) -> None:
    """Add the addresses of a file that needs no cards, and of its pages."""
    stem = name.partition(".")[0]
    summary, more = _TOLD.get(name, (f"The {name} of a game", ""))

    @blueprint.get(f"/{name}", endpoint=f"get_{stem}")
    @organiser
    @blueprint.input(GameFileQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=summary,
        description=f"{more} Before anything is dealt, too. {ORGANISERS}".strip(),
        operation_id=f"get_{stem}",
        responses=described(media, responses(_NO_PAGE)),
    )
    def send(game: str, query: GameFileQuery) -> Response:
        data = game_file(here().house, game, name, choices=query.choices(), language=query.language)
        return as_file(data, media, f"{game.upper()}-{name}")

    @blueprint.get(f"/{stem}/<int:page>.png", endpoint=f"get_{stem}_image")
    @organiser
    @blueprint.input(GamePageQuery, location="query", arg_name="query")
    @blueprint.doc(
        summary=f"A page of a game's {stem} as a picture",
        description=f"To look at, not to print. {ORGANISERS}",
        operation_id=f"get_{stem}_image",
        responses=_PNG,
    )
    def show(game: str, page: int, query: GamePageQuery) -> Response:
        found = previews.game_page(here().house, game, name, page, choices=query.choices(), language=query.language)
        return _picture(found, query.width)


for _name, _part in PARTS.items():
    if _name in OF_GAME:
        _add_game_file(_name, _part.media)
    elif _part.media == "application/pdf":
        _add_page(_name)


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
@blueprint.input(SheetQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="A card sheet as it would come out",
    description=f"Of cards that belong to no game, before anything is dealt. {ORGANISERS}",
    operation_id="get_sample_sheet",
    responses=_PNG,
)
def sample_sheet(game: str, query: SheetQuery) -> Response:
    """Show a sheet before anything is dealt."""
    return _picture(previews.sample_sheet(here().house, game, query.page, query.choices()), query.width)


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
    return _picture(previews.sample_label(here().house, game, query.join, query.choices()), query.width)


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
