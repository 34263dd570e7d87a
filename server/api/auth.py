"""Who may call an endpoint. Each endpoint of the house has exactly one of these decorators."""

from __future__ import annotations

import contextlib
import secrets
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar, cast

from flask import g, request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import bindparam, select

from server.api.context import current_context
from server.db.models import EndedSession, ServerConfig
from server.games.audit import Actor
from server.games.errors import DomainError
from server.games.photos.retention import SESSIONS
from server.games.tokens import PlayerIdentity, projected_game, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response

P = ParamSpec("P")
R = TypeVar("R")

COOKIE = "haggle_organiser"
SESSION_SECONDS = int(SESSIONS.total_seconds())
_TRUSTED = "haggle_browser"
_TRUSTED_SECONDS = 365 * 24 * 3600

# How long a browser in which somebody signed in is counted by itself.
_SAFE = {"GET", "HEAD", "OPTIONS"}
_EPOCH = select(ServerConfig.session_epoch).where(
    ServerConfig.id == 1, ~select(EndedSession.id).where(EndedSession.id == bindparam("session")).exists()
)


def cookie_name(name: str = COOKIE) -> str:
    """Return the session cookie's name, or another's: over https one that no other host, and no plain http, can set."""
    return f"__Host-{name}" if request.is_secure else name


def new_session(name: str, epoch: int) -> str:
    """Return the text of a cookie for a new session of an organiser."""
    return _session_serializer().dumps({"name": name, "epoch": epoch, "id": secrets.token_hex(16)})


def end_session() -> None:
    """End the caller's session, if there is one: no copy of its cookie works from now on."""
    session = _session()
    if session:
        context = current_context().context
        with context.database.writing() as writing:
            writing.merge(EndedSession(id=session.id, at=context.clock()))


def organiser(view: Callable[P, R]) -> Callable[P, R]:
    """Let in organisers who are signed in, and changes only from our own pages."""

    @wraps(view)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        g.actor = Actor("organiser", _organiser_name())
        return view(*args, **kwargs)

    return marked(checked, "organiser")


def player(view: Callable[P, R]) -> Callable[P, R]:
    """Let in the player whose join token comes as `Authorization: Bearer`. Browsers never send it by themselves."""

    @wraps(view)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        g.seat = _seat_of(_bearer())
        g.actor = Actor("player", f"envelope {g.seat.envelope}")
        return view(*args, **kwargs)

    return marked(checked, "player")


def projector(view: Callable[P, R]) -> Callable[P, R]:
    """Let in whoever has the game's projector token, as `Authorization: Bearer`."""

    @wraps(view)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        with current_context().context.database.reading() as session:
            g.projected = projected_game(session, _bearer())
        return view(*args, **kwargs)

    return marked(checked, "projector")


def anybody(view: Callable[P, R]) -> Callable[P, R]:
    """Let in anybody. It says that this was meant."""
    return marked(view, "anybody")


def marked(view: Callable[P, R], who: str) -> Callable[P, R]:
    """Write on an endpoint's function who may call it, for the tests that ask every endpoint."""
    view.__dict__.setdefault("who", []).append(who)
    return view


def actor() -> Actor:
    """Return who is calling."""
    return cast("Actor", g.actor)


def seat() -> PlayerIdentity:
    """Return the calling player's game and envelope."""
    return cast("PlayerIdentity", g.seat)


def signed_in() -> str | None:
    """Return the name of the organiser whose session this is; None for nobody's."""
    found = _session()
    return found and found.name


def known() -> str | None:
    """Return who is calling in a few words, None for nobody that we know.

    It is the same however the token or the session is written, and no secret.
    """
    if "known" not in g:
        g.known = _known()
    return cast("str | None", g.known)


def trusted() -> str | None:
    """Return the number of a browser in which somebody knew the password once, else None. It opens nothing."""
    try:
        said, began = _trusted_serializer().loads(request.cookies.get(cookie_name(_TRUSTED), ""), return_timestamp=True)
    except BadSignature:
        return None
    return None if datetime.now(UTC) - began > timedelta(seconds=_TRUSTED_SECONDS) else str(said)


def trust(response: Response) -> None:
    """Remember a browser in which somebody knew the password just now."""
    set_cookie(response, _TRUSTED, _trusted_serializer().dumps(trusted() or secrets.token_hex(8)), _TRUSTED_SECONDS)


def set_cookie(response: Response, name: str, text: str, seconds: int) -> None:
    """Set a cookie that no script reads and no other site sends."""
    response.set_cookie(
        cookie_name(name), text, max_age=seconds, secure=request.is_secure, httponly=True, samesite="Strict"
    )


def check_origin() -> None:
    """Refuse a change that another site's page sends with our cookie; Refusal `other-origin`.

    Browsers say where a change comes from. Programs that use an organiser's session say it too: the header Origin with
    the server's own address.
    """
    ours = request.host_url.rstrip("/")
    if request.headers.get("Origin") != ours or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise DomainError(
            "other-origin",
            "This request did not come from Haggle's own page. Open the page and try there. "
            f"A program sends the header Origin with the server's address: {ours}",
        )


def _organiser_name() -> str:
    name = signed_in()
    if name is None:
        raise DomainError("not-signed-in", "Sign in as an organiser first.")
    if request.method not in _SAFE:
        check_origin()
    return name


def _trusted_serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_context().secret, salt="haggle.browser")


def _session_serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_context().secret, salt="haggle.organiser")


class _Session(NamedTuple):
    """A session of an organiser that has not ended."""

    id: str
    name: str
    began: datetime


def _session() -> _Session | None:
    """Return the session of which the cookie is."""
    try:
        said, began = _session_serializer().loads(request.cookies.get(cookie_name(), ""), return_timestamp=True)
    except BadSignature:
        return None
    # Not by `max_age`, to which a session that began in the future is none: the clocks of two servers differ, and one
    # may be set back. We have signed it, so it is no older than it says.
    if datetime.now(UTC) - began > timedelta(seconds=SESSION_SECONDS):
        return None
    if "id" not in said:
        # Of a version that could not end a single session.
        return None
    session = _Session(said["id"], str(said["name"]), began)
    return session if said["epoch"] == _epoch(session.id) else None


def _epoch(session: str) -> int | None:
    """Return the epoch whose sessions are good, None if this one was ended.

    Looked up once in a request: who limits calls asks, and then who lets in.
    """
    if "epoch" not in g:
        row = current_context().context.database.look(_EPOCH, {"session": session})
        g.epoch = row and row.session_epoch
    return cast("int | None", g.epoch)


def _known() -> str | None:
    if token := _bearer():
        with contextlib.suppress(DomainError):
            seat = _seat_of(token)
            return f"player {seat.game}/{seat.envelope}"
        with current_context().context.database.reading() as session, contextlib.suppress(DomainError):
            return f"projector {projected_game(session, token)}"
    found = _session() if cookie_name() in request.cookies else None
    return found and f"organiser {found.name} since {found.began:%Y-%m-%d %H:%M:%S}"


def _seat_of(token: str) -> PlayerIdentity:
    """Return whose a player's token is, looked up once in a request; Refusal `bad-token`."""
    before: tuple[str, PlayerIdentity] | None = g.get("found")
    if before and before[0] == token:
        return before[1]
    with current_context().context.database.reading() as session:
        seat = seat_of(session, token)
    g.found = token, seat
    return seat


def _bearer() -> str:
    """Return the token that the request brings, in the one form in which we take it; "" for none."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token if kind == "Bearer" else ""
