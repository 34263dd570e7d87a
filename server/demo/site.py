"""The demo's server: that of `haggle serve` with seeded games and a landing page, which no other server has."""

from __future__ import annotations

import contextlib
import io
import ipaddress
import threading
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import qrcode
import qrcode.image.svg
from apiflask import APIBlueprint
from flask import Response, current_app, make_response, redirect, request, send_file
from pydantic import BaseModel, Field

from cardgen.payload import join_token
from server.api.application import current_context
from server.api.auth import (
    COOKIE,
    SESSION_SECONDS,
    check_access,
    cookie_name,
    current_organiser,
    new_session,
    projector_token,
    public,
    set_cookie,
)
from server.api.openapi import responses
from server.api.rate_limit import limit_expensive, limit_pages
from server.db.models import Envelope, Game
from server.demo.seed import (
    NAMED,
    ORGANISER,
    PLAYED,
    PLAYERS,
    PLAYING,
    SAMPLES,
    begin_folder,
    check_folder,
    make_demo,
)
from server.games.errors import DomainError, not_found
from server.games.printing.files import run_file
from server.games.results import reveal
from server.games.server_config import load_server_config
from server.operating_system import interrupts_deferred
from server.web_app.assets import Assets
from server.web_app.instrumentation import ObservabilityConfig
from server.web_app.pages import page
from server.web_app.server import load_app, run
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from apiflask import APIFlask
    from sqlalchemy.orm import Session
    from werkzeug.wrappers import Response as AnyResponse

site = APIBlueprint("demo", __name__, tag="Demo")

LANDING = "/demo"
SEAT = "haggle_demo"
"""The cookie with the envelope that this browser has opened; 0 is one that the demo has not chosen."""
RESULT = 2
"""The envelope whose result is shown."""
FILES = ("sheets.pdf", "labels.pdf")
_OBSERVABILITY = ObservabilityConfig(logs="text")
_SEAT_SECONDS = 24 * 3600

# Seconds that a request waits while another one makes the same file to print.
_PATIENCE = 5.0
_KEY = "haggle-demo"


# A name that leads to this machine and is another's, as in DNS rebinding, is not among them.
_LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}
_PROXIED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")

_SEE: dict[int | str, Any] = {303: {"description": "See the page"}}
_FILE: dict[int | str, Any] = {200: {"description": "The file"}}
_PAGE: dict[int | str, Any] = {200: {"description": "The page"}, 304: {"description": "The browser's is the same"}}


@dataclass(frozen=True)
class DemoConfig:
    """A demo: its data folder, its addresses, and the language of its games.

    `here` is its address on this machine, `phone` the one for phones, None where none is let in; both end with a slash.
    """

    data: Path
    here: str
    phone: str | None
    language: str


@dataclass
class Demo:
    """The state of the landing page's endpoints."""

    config: DemoConfig
    given: set[int] = field(default_factory=set)
    files: dict[str, bytes] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    making: threading.Lock = field(default_factory=threading.Lock)


class GameModel(BaseModel):
    """The summary of a game of the demo."""

    name: str
    state: str
    envelopes: int = Field(description="Envelopes in play")
    handed_in: int = Field(description="Envelopes that were handed in, by phone or on the table")


class SampleModel(BaseModel):
    """A photo of a deck that was not handed in."""

    name: str
    url: str
    preview: str
    cards: int


class DemoModel(BaseModel):
    """The state of the demo. A game is null after an organiser has deleted it."""

    desk: bool = Field(description="Whether the caller may open the organisers' desk without a password")
    here: str = Field(description="The landing page on the machine that runs the demo")
    phone: str | None = Field(description="The landing page for phones of the same network; null where none is let in")
    playing: GameModel | None
    played: GameModel | None
    samples: list[SampleModel]


@site.get(LANDING)
@limit_pages
@public
@site.doc(summary="The landing page", operation_id="demo_page", responses=_PAGE)
def landing() -> Response:
    """Show the landing page."""
    return page("demo")


@site.get("/api/v1/demo")
@limit_pages
@public
@site.output(DemoModel)
@site.doc(summary="What the demo offers", operation_id="demo")
def show() -> DemoModel:
    """Describe the demo."""
    config = _demo().config
    with current_context().database.reading() as session:
        playing, played = (_short(session, name) for name in (PLAYING, PLAYED))
    return DemoModel(
        desk=_from_this_machine(),
        here=_landing(config.here),
        phone=config.phone and _landing(config.phone),
        playing=playing,
        played=played,
        samples=[
            SampleModel(
                name=photo.name,
                url=f"{LANDING}/photos/{photo.file.name}",
                preview=f"{LANDING}/photos/{photo.preview.name}",
                cards=len(photo.cards()),
            )
            for photo in SAMPLES
        ],
    )


@site.get(f"{LANDING}/desk")
@limit_pages
@public
@site.doc(
    summary="Sign in as the demo's organiser, and see the desk",
    description="Only on the machine that runs the demo, from the landing page or by typing the address. Other callers "
    "are redirected to the landing page.",
    operation_id="demo_desk",
    responses=_SEE,
)
def desk() -> AnyResponse:
    """Sign in without a password."""
    # No page of another site signs a browser in.
    ours = request.headers.get("Sec-Fetch-Site", "none") in {"none", "same-origin"}
    if not (ours and _from_this_machine()):
        return redirect(LANDING, 303)
    response = make_response(redirect("/desk", 303))
    if not current_organiser():
        set_cookie(
            response,
            COOKIE,
            new_session(ORGANISER, load_server_config(current_context().database).session_epoch),
            SESSION_SECONDS,
        )
    return response


@site.get(f"{LANDING}/<any(player, result, screen, ceremony):to>")
@limit_pages
@public
@site.doc(
    summary="Open an envelope, a result, or the big screen of either game",
    description="player: an envelope that nobody has opened, and the same one again for the same browser. result: of "
    "the published game. screen, ceremony: the big screen of the open and of the published game.",
    operation_id="demo_open",
    responses=_SEE,
)
def follow(to: str) -> AnyResponse:
    """Redirect to a page of one of the games, as its own link would."""
    with current_context().database.reading() as session:
        game = session.get(Game, PLAYING if to in {"player", "screen"} else PLAYED)
        if game is None:
            return redirect(f"{LANDING}?gone", 303)
        if to in {"screen", "ceremony"}:
            return redirect(f"/screen#{projector_token(game.id, game.key)}", 303)
        number = RESULT if to == "result" else _free_envelope(session)
        seat = session.get_one(Envelope, (game.id, number))
        link = f"/j#{join_token(game.id, game.key, number, seat.token_version)}"
        response = make_response(redirect(link, 303))
    if to == "player":
        set_cookie(response, SEAT, str(number), _SEAT_SECONDS)
    return response


@site.get(f"{LANDING}/photos/<name>")
@limit_pages
@public
@site.doc(
    summary="A photograph of a deck that nobody has handed in, or its preview",
    operation_id="demo_photo",
    responses=_FILE,
)
def photo(name: str) -> Response:
    """Send a photograph."""
    file = next((file for photo in SAMPLES for file in (photo.file, photo.preview) if file.name == name), None)
    if file is None:
        raise not_found("photograph")
    response = send_file(file, mimetype="image/webp")
    response.headers["Cache-Control"] = "no-cache"
    return response


@site.get(f"{LANDING}/print/<name>")
@limit_expensive
@public
@site.doc(
    summary="A file to print of the open game",
    description="sheets.pdf or labels.pdf. Other servers show neither to players.",
    operation_id="demo_print",
    responses={**_FILE, **responses({503: "It is being made; see Retry-After"})},
)
def printed(name: str) -> Response:
    """Send a file to print; it is made once."""
    if name not in FILES:
        raise not_found("file")
    demo = _demo()
    if name not in demo.files:
        if not demo.making.acquire(timeout=_PATIENCE):
            raise DomainError("busy", "This file is being made right now. Try again in a few seconds.", retry=5)
        try:
            if name not in demo.files:
                demo.files[name] = run_file(current_context(), PLAYING, 1, name)
        finally:
            demo.making.release()
    return send_file(io.BytesIO(demo.files[name]), "application/pdf", as_attachment=True, download_name=f"demo-{name}")


@site.get(f"{LANDING}/phone.svg")
@limit_pages
@public
@site.doc(summary="The address for phones as a QR code", operation_id="demo_phone", responses=_FILE)
def phone_code() -> Response:
    """Draw the code."""
    phone = _demo().config.phone
    if phone is None:
        raise not_found("address for phones")
    image = qrcode.make(_landing(phone), image_factory=qrcode.image.svg.SvgPathFillImage, border=4)
    return Response(image.to_string(), mimetype="image/svg+xml")


def serve_demo(config: DemoConfig, host: str, port: int, *, announce: Callable[[int], None] | None = None) -> None:
    """Make a demo in its folder, unless it is there, and serve it until Ctrl-C or SIGTERM.

    Arguments and errors as `serving.serve_app`, and DemoError.
    """
    _OBSERVABILITY.check()
    check_folder(config.data)
    # As in `serve_app`: what is missing is reported before anything starts.
    Assets.load()
    begin_folder(config.data)
    with interrupts_deferred(), contextlib.closing(open_context(AppConfig(config.data))) as context:
        make_demo(context, config.data, config.language, config.phone or config.here)
    run(partial(load_demo, config), host, port, config.data, announce=announce)


def load_demo(config: DemoConfig) -> APIFlask:
    """Return the demo's application in the serving process."""
    app = load_app(AppConfig(config.data), _OBSERVABILITY)
    add_landing(app, config)
    return app


def add_landing(app: APIFlask, config: DemoConfig) -> None:
    """Add the landing page to an application; who opens `/` without an envelope is redirected to it."""
    app.extensions[_KEY] = Demo(config)
    app.register_blueprint(site)
    check_access(app)

    @app.before_request
    def _redirect() -> AnyResponse | None:
        opened = cookie_name(SEAT) in request.cookies
        return None if opened or request.path != "/" or request.query_string else redirect(LANDING, 303)

    @app.after_request
    def _remember(response: Response) -> Response:
        if request.path == "/j" and cookie_name(SEAT) not in request.cookies:
            set_cookie(response, SEAT, "0", _SEAT_SECONDS)
        return response


def _demo() -> Demo:
    return cast("Demo", current_app.extensions[_KEY])


def _landing(address: str) -> str:
    return f"{address.rstrip('/')}{LANDING}"


def _short(session: Session, name: str) -> GameModel | None:
    game = session.get(Game, name)
    if game is None:
        return None
    envelopes, handed_in = reveal.count_open_envelopes(session, name), reveal.count_hand_ins(session, name)
    return GameModel(name=game.name, state=game.state, envelopes=envelopes, handed_in=handed_in)


def _free_envelope(session: Session) -> int:
    """Return the caller's envelope: the same again, else one that nobody has opened, else a shared one."""
    free = range(NAMED + 1, PLAYERS + 1)
    before = request.cookies.get(cookie_name(SEAT), "")
    if before in map(str, free):
        return int(before)
    demo = _demo()
    with demo.lock:
        left = [n for n in free if n not in demo.given and not session.get_one(Envelope, (PLAYING, n)).joined]
        if not left:
            demo.given.clear()
        number = next(iter(left), free[0])
        demo.given.add(number)
    return number


def _from_this_machine() -> bool:
    """Return whether the current request comes from this machine, to a name of its own, and not through a proxy."""
    if request.host not in _LOOPBACK and request.host.rpartition(":")[0] not in _LOOPBACK:
        return False
    if any(name in request.headers for name in _PROXIED):
        return False
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
