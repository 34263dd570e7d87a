"""The demo's own page, and its doors: to be a player, the organiser, the big screen. No other server has them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response, make_response, redirect, request, send_file

from server.api.description import responses
from server.api.house.here import here
from server.api.house.limits import checks
from server.api.house.limits import pages as limited
from server.api.house.who import (
    COOKIE,
    SESSION_SECONDS,
    anybody,
    check_origin,
    cookie_name,
    marked,
    new_session,
    set_cookie,
    signed_in,
)
from server.app.demo_models import DemoModel, DeskLink, GameShort, PicturesModel, SampleLink
from server.app.demo_passes import from_this_machine
from server.app.demo_rooms import drawn_code, envelope_of, the_doors
from server.app.front import page
from server.play import reveal
from server.play.installation import installation
from server.play.refusals import Refusal, not_found
from server.play.tokens import join_token, projector_token
from server.store.tables import Game
from server.studio.demo.pictures import HEIGHT, WIDTH, samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy.orm import Session
    from werkzeug.wrappers import Response as AnyResponse


doors = APIBlueprint("demo_doors", __name__, tag="Demo")

LANDING = "/demo"
SEAT = "haggle_demo"
"""The cookie that says which envelope this browser has opened; 0 is one that the demo has not given it."""
ORGANISER = "Demo"
"""The organiser's name in the record."""
RESULT = 2
"""The envelope of the game that was played whose result is shown."""
FILES = ("sheets.pdf", "labels.pdf")
_SEAT_SECONDS = 24 * 3600
_ANYBODY = "Who may call it: anybody who reaches the demo."
_AT_THE_MACHINE = "Who may call it: whoever sits at the machine that runs the demo."
_ON: dict[int | str, Any] = {303: {"description": "Go on to the page behind the door"}}
_PDF: dict[int | str, Any] = {200: {"description": "The file", "content": {"application/pdf": {}}}}
_SVG: dict[int | str, Any] = {200: {"description": "The code", "content": {"image/svg+xml": {}}}}
_PAGE: dict[int | str, Any] = {200: {"description": "The page"}, 304: {"description": "The browser's is the same"}}


def machine(view: Callable[..., Any]) -> Callable[..., Any]:
    """Say that an endpoint is for whoever sits at this machine. It looks by itself."""
    return marked(view, "machine")


@doors.get(LANDING)
@limited
@anybody
@doors.doc(summary="The demo's page", description=_ANYBODY, operation_id="demo_page", responses=_PAGE)
def landing() -> Response:
    """Show the demo's page."""
    return page("demo")


@doors.get("/api/v1/demo")
@limited
@anybody
@doors.output(DemoModel)
@doors.doc(
    summary="What the demo offers, and how far it is",
    description=f"`desk` is true for whoever may open the organisers' desk without a password. {_ANYBODY}",
    operation_id="demo",
)
def show() -> DemoModel:
    """Say what there is."""
    own = the_doors()
    with here().house.database.reading() as session:
        playing, played = (_short(session, game.game) for game in (own.games.playing, own.games.played))
    ready = [job for job in samples(own.jobs) if job.file.is_file()]
    return DemoModel(
        desk=from_this_machine(),
        here=own.here,
        phone=own.phone,
        playing=playing,
        played=played,
        pictures=PicturesModel(made=sum(job.file.is_file() for job in own.jobs), all=len(own.jobs)),
        samples=[
            SampleLink(
                name=job.picture.name,
                url=f"{LANDING}/{job.file.name}",
                thumbnail=f"{LANDING}/{job.file.name}/thumbnail",
                width=WIDTH,
                height=HEIGHT,
                cards=len(job.cards),
            )
            for job in ready
        ],
    )


@doors.post("/api/v1/demo/desk")
@checks
@machine
@doors.output(DeskLink, status_code=201)
@doors.doc(
    summary="A link that opens the organisers' desk once",
    description=f"For the demo's own page alone. {_AT_THE_MACHINE}",
    operation_id="demo_desk_link",
    responses=responses({403: "From another machine, or not from the demo's own page"}),
)
def desk_link() -> DeskLink:
    """Give out a link."""
    check_origin()
    if not from_this_machine():
        raise Refusal("forbidden", f"The desk opens on the machine that runs the demo alone, at {the_doors().here}")
    return DeskLink(link=f"{LANDING}/desk?once={the_doors().passes.issue()}")


@doors.get(f"{LANDING}/desk")
@limited
@machine
@doors.doc(
    summary="Sign in as the demo's organiser, once, and go on to the desk",
    description=f"`once` is the code of a link; a used one leads back to the demo's page. {_AT_THE_MACHINE}",
    operation_id="demo_desk",
    responses=_ON,
)
def desk() -> AnyResponse:
    """Sign in."""
    if not from_this_machine():
        return redirect(f"{LANDING}?desk=elsewhere", 303)
    if not the_doors().passes.spend(request.args.get("once", "")):
        return redirect("/desk" if signed_in() else f"{LANDING}?desk=used", 303)
    response = make_response(redirect("/desk", 303))
    epoch = installation(here().house).epoch
    set_cookie(response, COOKIE, new_session(ORGANISER, epoch), SESSION_SECONDS)
    return response


@doors.get(f"{LANDING}/player")
@limited
@anybody
@doors.doc(
    summary="Open an envelope of the game that is played",
    description=f"One that nobody has opened, and for the same browser the same again. {_ANYBODY}",
    operation_id="demo_player",
    responses=_ON,
)
def player() -> AnyResponse:
    """Open an envelope."""
    own = the_doors()
    with here().house.database.reading() as session:
        game = session.get(Game, own.games.playing.game)
        if game is None:
            return _back()
        number = own.seat(session, request.cookies.get(cookie_name(SEAT), ""))
        link = _join(session, game, number)
    response = make_response(redirect(link, 303))
    set_cookie(response, SEAT, str(number), _SEAT_SECONDS)
    return response


@doors.get(f"{LANDING}/result")
@limited
@anybody
@doors.doc(
    summary="Open a player's result of the game that was played",
    description=_ANYBODY,
    operation_id="demo_result",
    responses=_ON,
)
def result() -> AnyResponse:
    """Open an envelope whose result is published."""
    with here().house.database.reading() as session:
        game = session.get(Game, the_doors().games.played.game)
        return _back() if game is None else redirect(_join(session, game, RESULT), 303)


@doors.get(f"{LANDING}/screen")
@limited
@anybody
@doors.doc(
    summary="Open the big screen of the game that is played",
    description=_ANYBODY,
    operation_id="demo_screen",
    responses=_ON,
)
def screen() -> AnyResponse:
    """Open the countdown."""
    return _screen(the_doors().games.playing.game)


@doors.get(f"{LANDING}/ceremony")
@limited
@anybody
@doors.doc(
    summary="Open the big screen of the game that was played",
    description=_ANYBODY,
    operation_id="demo_ceremony",
    responses=_ON,
)
def ceremony() -> AnyResponse:
    """Open the ceremony."""
    return _screen(the_doors().games.played.game)


@doors.get(f"{LANDING}/print/<name>")
@checks
@anybody
@doors.doc(
    summary="A file to print of the game that is played",
    description=f"sheets.pdf or labels.pdf. A real game shows neither to its players. {_ANYBODY}",
    operation_id="demo_print",
    responses=_PDF,
)
def printed(name: str) -> Response:
    """Send a file to print."""
    if name not in FILES:
        raise not_found("file")
    return send_file(
        io.BytesIO(the_doors().file(name)), "application/pdf", as_attachment=True, download_name=f"demo-{name}"
    )


@doors.get(f"{LANDING}/phone.svg")
@limited
@anybody
@doors.doc(
    summary="The demo's address for phones, as a code to scan",
    description=_ANYBODY,
    operation_id="demo_phone",
    responses=_SVG,
)
def phone_code() -> Response:
    """Draw the code."""
    address = the_doors().phone
    if address is None:
        raise not_found("address for phones")
    return Response(drawn_code(address), mimetype="image/svg+xml")


def lead_home(app: Flask) -> None:
    """Let an application lead whoever opens it without an envelope to the demo's page."""

    @app.before_request
    def _lead() -> AnyResponse | None:
        opened = cookie_name(SEAT) in request.cookies
        return None if opened or request.path != "/" or request.query_string else redirect(LANDING, 303)

    @app.after_request
    def _remember(response: Response) -> Response:
        if request.path == "/j" and cookie_name(SEAT) not in request.cookies:
            set_cookie(response, SEAT, "0", _SEAT_SECONDS)
        return response


def _back() -> AnyResponse:
    """Lead back to the demo's page, which says that the game is gone: an organiser has deleted it."""
    return redirect(f"{LANDING}?gone", 303)


def _screen(game: str) -> AnyResponse:
    with here().house.database.reading() as session:
        row = session.get(Game, game)
        return _back() if row is None else redirect(f"/screen#{projector_token(row.id, row.key)}", 303)


def _join(session: Session, game: Game, number: int) -> str:
    return f"/j#{join_token(game.id, game.key, number, envelope_of(session, game.id, number).token)}"


def _short(session: Session, game: str) -> GameShort | None:
    row = session.get(Game, game)
    if row is None:
        return None
    return GameShort(
        name=row.name,
        state=row.state,
        envelopes=reveal.open_envelopes(session, game),
        handed_in=reveal.hand_ins(session, game),
    )
