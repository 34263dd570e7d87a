"""The demo's own page, and its doors: to be a player, the organiser, the big screen. No other server has them."""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from apiflask import APIBlueprint
from flask import Response, current_app, make_response, redirect, request, send_file

from cardgen.symbols import matrix, runs
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
    session_serializer,
    set_cookie,
    signed_in,
)
from server.app.demo_models import DemoModel, DeskLink, GameShort, PicturesModel, SampleLink
from server.app.demo_passes import Passes, from_this_machine
from server.app.front import page
from server.play import reveal
from server.play.installation import installation
from server.play.refusals import Refusal, not_found
from server.play.run_files import run_file
from server.play.tokens import join_token, projector_token
from server.store.tables import Envelope, Game
from server.studio.demo.decks import PLAYERS
from server.studio.demo.games import NAMED
from server.studio.demo.pictures import HEIGHT, WIDTH, samples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Flask
    from sqlalchemy.orm import Session
    from werkzeug.wrappers import Response as AnyResponse

    from server.studio.demo.games import Pair
    from server.studio.demo.pictures import Job

doors = APIBlueprint("demo_doors", __name__, tag="Demo")

LANDING = "/demo"
SEAT = "haggle_demo"
"""The cookie that says which envelope this browser has opened; 0 is one that the demo has not given it."""
ORGANISER = "Demo"
"""The organiser's name in the record."""
RESULT = 2
"""The envelope of the game that was played whose result is shown."""
FILES = ("sheets.pdf", "labels.pdf")
_KEY = "haggle-demo"
_SEAT_SECONDS = 24 * 3600
_QUIET = 4
# Modules around a code.
_ANYBODY = "Who may call it: anybody who reaches the demo."
_AT_THE_MACHINE = "Who may call it: whoever sits at the machine that runs the demo."
_ON: dict[int | str, Any] = {303: {"description": "Go on to the page behind the door"}}
_PDF: dict[int | str, Any] = {200: {"description": "The file", "content": {"application/pdf": {}}}}
_SVG: dict[int | str, Any] = {200: {"description": "The code", "content": {"image/svg+xml": {}}}}
_PAGE: dict[int | str, Any] = {200: {"description": "The page"}, 304: {"description": "The browser's is the same"}}


@dataclass
class Doors:
    """What the doors lead to. `here` and `phone` are the addresses of the demo's page on this machine and on phones."""

    games: Pair
    jobs: Sequence[Job]
    passes: Passes
    here: str
    phone: str | None
    _given: set[int] = field(default_factory=set)
    _files: dict[str, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def move_in(self, app: Flask) -> None:
        """Put the doors into an application, where its endpoints find them."""
        app.extensions[_KEY] = self

    def seat(self, session: Session, before: str) -> int:
        """Return the envelope for a browser that had `before`: the same again, else one that nobody has opened."""
        free = range(NAMED + 1, PLAYERS + 1)
        if before.isascii() and before.isdecimal() and before in map(str, free):
            return int(before)
        with self._lock:
            taken = {n for n in free if n in self._given or _envelope(session, self.games.playing.game, n).joined}
            if len(taken) == len(free):
                self._given.clear()
            number = next((n for n in free if n not in taken), free[0])
            self._given.add(number)
        return number

    def file(self, name: str) -> bytes:
        """Return a file of the game that is played, to print; it is made once."""
        with self._lock:
            made = self._files.get(name)
        if made is None:
            made = run_file(here().house, self.games.playing.game, 1, name)
            with self._lock:
                self._files[name] = made
        return made


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
    own = _doors()
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
        raise Refusal("forbidden", f"The desk opens on the machine that runs the demo alone, at {_doors().here}")
    return DeskLink(link=f"{LANDING}/desk?once={_doors().passes.issue()}")


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
    if not _doors().passes.spend(request.args.get("once", "")):
        return redirect("/desk" if signed_in() else f"{LANDING}?desk=used", 303)
    response = make_response(redirect("/desk", 303))
    epoch = installation(here().house).epoch
    set_cookie(response, COOKIE, session_serializer().dumps({"name": ORGANISER, "epoch": epoch}), SESSION_SECONDS)
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
    own = _doors()
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
        game = session.get(Game, _doors().games.played.game)
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
    return _screen(_doors().games.playing.game)


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
    return _screen(_doors().games.played.game)


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
        io.BytesIO(_doors().file(name)), "application/pdf", as_attachment=True, download_name=f"demo-{name}"
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
    address = _doors().phone
    if address is None:
        raise not_found("address for phones")
    modules = matrix(address, alphanumeric=False)
    side = len(modules) + 2 * _QUIET
    path = "".join(f"M{column + _QUIET} {row + _QUIET}h{length}v1h-{length}z" for row, column, length in runs(modules))
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path d="{path}"/></svg>'
    )
    return Response(drawn, mimetype="image/svg+xml")


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


def _doors() -> Doors:
    return cast("Doors", current_app.extensions[_KEY])


def _back() -> AnyResponse:
    """Lead back to the demo's page, which says that the game is gone: an organiser has deleted it."""
    return redirect(f"{LANDING}?gone", 303)


def _screen(game: str) -> AnyResponse:
    with here().house.database.reading() as session:
        row = session.get(Game, game)
        return _back() if row is None else redirect(f"/screen#{projector_token(row.id, row.key)}", 303)


def _join(session: Session, game: Game, number: int) -> str:
    return f"/j#{join_token(game.id, game.key, number, _envelope(session, game.id, number).token)}"


def _envelope(session: Session, game: str, number: int) -> Envelope:
    return session.get_one(Envelope, (game, number))


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
