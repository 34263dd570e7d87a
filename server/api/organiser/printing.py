"""Print runs: dealt and kept once, their files made whenever they are asked for."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response, request

from cardgen.print_run import CALIBRATION, CARDS, HANDOUT, LABELS, PACKING, PARTS, SHEETS, STICKERS
from server.api.auth import actor, organiser
from server.api.context import current_context
from server.api.idempotency import answered, answered_meanwhile, creates, once
from server.api.openapi import responses
from server.api.organiser.games import MISSING, ORGANISERS, STATE, caller
from server.api.schemas.games import NewRun, RunModel, RunsModel
from server.api.schemas.printing import (
    FileQuery,
    GameFileQuery,
    GamePageQuery,
    LabelQuery,
    PartsModel,
    SheetQuery,
    described,
)
from server.games.lifecycle.overview import run_in_full, runs_in_full
from server.games.lifecycle.repository import load_game
from server.games.printing import previews
from server.games.printing.print_files import OF_GAME, game_file, run_file, sizes
from server.games.printing.print_runs import add_run, dealt_apart, envelopes_wanted, expect_run, replace_cards
from server.printing.links import phone_address

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from cardgen.print_run import PrintPart
    from server.games.printing.previews import PagePreview


def address_for_phones() -> str | None:
    """Return the address by which the organiser has come; that of this machine in its network for `localhost`."""
    host = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    if not is_local(host.strip("[]")):
        return request.host_url.rstrip("/")
    port = str(request.environ.get("SERVER_PORT", ""))
    return phone_address(int(port)) if port.isdecimal() and 0 < int(port) < 1 << 16 else None


def is_local(host: str) -> bool:
    """Tell whether a host's name or address means the machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


blueprint = APIBlueprint("runs", __name__, url_prefix="/api/v1/games/<string:game>/runs", tag="Print runs")

NO_PRINT = {
    404: "There is no such game, print run or envelope",
    422: "It cannot be printed as asked",
    503: "Too much is being printed right now; see Retry-After",
}
"""The problems of what is printed."""
_FILES = {
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
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
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
    context = current_context().context
    dealt = None
    if body.even is not None and not body.replace:
        # Takes seconds: outside of the transaction that keeps it.
        dealt = dealt_apart(context, game, body.envelopes, body.spare, body.even)

    def work(session: Session) -> dict[str, Any]:
        row, at = load_game(session, game), context.clock()
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
    return {"parts": sizes(current_context().context, game, number, query.choices())}


def _add(name: str, part: PrintPart) -> None:
    """Add the address of one of a run's files."""
    operation, summary, more = _FILES.get(name, (f"get_{name.partition('.')[0]}", f"The {name} of a run", ""))

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
        context, wanted = current_context().context, query.choices()
        data = run_file(context, game, number, name, choices=wanted, envelope=query.envelope, join=query.join)
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


previews_blueprint = APIBlueprint("previews", __name__, url_prefix="/api/v1/games/<string:game>", tag="Print runs")

_SECRET = frozenset({LABELS, PACKING})
_NO_PAGE = {**NO_PRINT, 404: "There is no such game"}
_PREVIEWS = {
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

    @previews_blueprint.get(f"/runs/<int:number>/{stem}/<int:page>.png", endpoint=operation)
    @organiser
    @previews_blueprint.input(LabelQuery, location="query", arg_name="query")
    @previews_blueprint.doc(
        summary=f"A page of a run's {stem} as a picture",
        description=f"{'Secret. ' if secret else ''}To look at, not to print. {ORGANISERS}",
        operation_id=operation,
        responses=_PNG,
    )
    def show(game: str, number: int, page: int, query: LabelQuery) -> Response:
        found = previews.page(
            current_context().context, game, number, name, page, choices=query.choices(), join=query.join
        )
        return _picture(found, query.width, secret=secret)


def _add_game_file(name: str, media: str) -> None:
    """Add the addresses of a file that needs no cards, and of its pages."""
    stem = name.partition(".")[0]
    summary, more = _PREVIEWS.get(name, (f"The {name} of a game", ""))

    @previews_blueprint.get(f"/{name}", endpoint=f"get_{stem}")
    @organiser
    @previews_blueprint.input(GameFileQuery, location="query", arg_name="query")
    @previews_blueprint.doc(
        summary=summary,
        description=f"{more} Before anything is dealt, too. {ORGANISERS}".strip(),
        operation_id=f"get_{stem}",
        responses=described(media, responses(_NO_PAGE)),
    )
    def send(game: str, query: GameFileQuery) -> Response:
        data = game_file(current_context().context, game, name, choices=query.choices(), language=query.language)
        return as_file(data, media, f"{game.upper()}-{name}")

    @previews_blueprint.get(f"/{stem}/<int:page>.png", endpoint=f"get_{stem}_image")
    @organiser
    @previews_blueprint.input(GamePageQuery, location="query", arg_name="query")
    @previews_blueprint.doc(
        summary=f"A page of a game's {stem} as a picture",
        description=f"To look at, not to print. {ORGANISERS}",
        operation_id=f"get_{stem}_image",
        responses=_PNG,
    )
    def show(game: str, page: int, query: GamePageQuery) -> Response:
        found = previews.game_page(
            current_context().context, game, name, page, choices=query.choices(), language=query.language
        )
        return _picture(found, query.width)


for _preview_name, _preview_part in PARTS.items():
    if _preview_name in OF_GAME:
        _add_game_file(_preview_name, _preview_part.media)
    elif _preview_part.media == "application/pdf":
        _add_page(_preview_name)


@previews_blueprint.get("/runs/<int:number>/envelopes/<int:envelope>/label.png")
@organiser
@previews_blueprint.input(LabelQuery, location="query", arg_name="query")
@previews_blueprint.doc(
    summary="The label of one envelope as a picture",
    description=f"With the join link that is valid now, for a phone to read off the screen. {ORGANISERS}",
    operation_id="get_label_image",
    responses=_PNG,
)
def label(game: str, number: int, envelope: int, query: LabelQuery) -> Response:
    """Show one label."""
    return _picture(
        previews.label(current_context().context, game, number, envelope, query.join), query.width, secret=True
    )


@previews_blueprint.get("/sample/sheet.png")
@organiser
@previews_blueprint.input(SheetQuery, location="query", arg_name="query")
@previews_blueprint.doc(
    summary="A card sheet as it would come out",
    description=f"Of cards that belong to no game, before anything is dealt. {ORGANISERS}",
    operation_id="get_sample_sheet",
    responses=_PNG,
)
def sample_sheet(game: str, query: SheetQuery) -> Response:
    """Show a sheet before anything is dealt."""
    return _picture(previews.sample_sheet(current_context().context, game, query.page, query.choices()), query.width)


@previews_blueprint.get("/sample/label.png")
@organiser
@previews_blueprint.input(LabelQuery, location="query", arg_name="query")
@previews_blueprint.doc(
    summary="A label as it would come out",
    description=f"Its codes open nothing. {ORGANISERS}",
    operation_id="get_sample_label",
    responses=_PNG,
)
def sample_label(game: str, query: LabelQuery) -> Response:
    """Show a label before anything is dealt."""
    return _picture(previews.sample_label(current_context().context, game, query.join, query.choices()), query.width)


def _picture(found: PagePreview, width: int, *, secret: bool = False) -> Response:
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
