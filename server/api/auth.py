"""Authentication of organisers, players and projectors.

Each endpoint has exactly one access decorator: `organiser`, `player`, `projector` or `public`.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar, cast

from flask import g, request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import select

from cardgen.payload import is_join_code, join_code, join_token, parse_join_code, signer
from server.api.application import current_application, current_context
from server.db.models import EndedSession, Envelope, Game, ServerConfig
from server.games.audit import Actor
from server.games.errors import DomainError
from server.games.lifecycle.repository import PlayerIdentity

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response
    from sqlalchemy.orm import Session

P = ParamSpec("P")
R = TypeVar("R")

MAX_TOKEN = 200
"""Maximum length of a token."""
COOKIE = "haggle_organiser"
SESSION_SECONDS = 14 * 24 * 3600
"""Lifetime of an organiser's session in seconds. Ended sessions are stored for as long."""
_BROWSER_COOKIE = "haggle_browser"
_BROWSER_SECONDS = 365 * 24 * 3600

# The API description, which is public.
_FRAMEWORK_ENDPOINTS = {"openapi.spec"}
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def organiser(view: Callable[P, R]) -> Callable[P, R]:
    """Admit organisers who are signed in; requests that change something must come from the server's own pages."""

    @wraps(view)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        g.actor = Actor("organiser", _require_organiser())
        return view(*args, **kwargs)

    return access(checked, "organiser")


def player(view: Callable[P, R]) -> Callable[P, R]:
    """Admit the player whose join token is sent as `Authorization: Bearer`, which browsers never do by themselves."""

    @wraps(view)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        g.player = _player_of(_bearer_token())
        g.actor = Actor("player", f"envelope {g.player.envelope}")
        return view(*args, **kwargs)

    return access(checked, "player")


def projector(view: Callable[P, R]) -> Callable[P, R]:
    """Admit clients that send the game's projector token as `Authorization: Bearer`."""

    @wraps(view)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        with current_context().database.reading() as session:
            g.projector_game = projected_game(session, _bearer_token())
        return view(*args, **kwargs)

    return access(checked, "projector")


def public(view: Callable[P, R]) -> Callable[P, R]:
    """Admit anybody."""
    return access(view, "public")


def access(view: Callable[P, R], label: str) -> Callable[P, R]:
    """Record an access label on a view, for `check_access`, the API description and tests of all endpoints."""
    view.__dict__.setdefault("access", []).append(label)
    return view


def check_access(app: Flask) -> None:
    """Raise RuntimeError for a view without exactly one access decorator, which might be served to anybody."""
    for endpoint, view in app.view_functions.items():
        if endpoint not in _FRAMEWORK_ENDPOINTS and len(getattr(view, "access", ())) != 1:
            raise RuntimeError(f"{endpoint} has no access decorator, or several")


def current_actor() -> Actor:
    """Return the caller, for the audit log."""
    return cast("Actor", g.actor)


def idempotency_caller() -> str:
    """Return the caller to whom idempotency keys belong."""
    actor = current_actor()
    if actor.role == "player":
        return f"player {current_player().game} {current_player().envelope}"
    return f"organiser {actor.name}"


def current_player() -> PlayerIdentity:
    """Return the calling player's game and envelope."""
    return cast("PlayerIdentity", g.player)


def current_organiser() -> str | None:
    """Return the name of the organiser who is signed in, or None."""
    session = _session()
    return session and session.name


def caller_id() -> str | None:
    """Return an identifier of the authenticated caller, None if there is none.

    It is not secret, and does not depend on how the token or session cookie is encoded.
    """
    if "caller_id" not in g:
        g.caller_id = _caller_id()
    return cast("str | None", g.caller_id)


def cookie_name(name: str = COOKIE) -> str:
    """Return a cookie's name; over HTTPS with a prefix that keeps other hosts and plain HTTP from setting it."""
    return f"__Host-{name}" if request.is_secure else name


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send."""
    response.set_cookie(
        cookie_name(name), value, max_age=seconds, secure=request.is_secure, httponly=True, samesite="Strict"
    )


def new_session(name: str, epoch: int) -> str:
    """Return the cookie value of a new organiser session."""
    return _session_serializer().dumps({"name": name, "epoch": epoch, "id": secrets.token_hex(16)})


def end_session() -> None:
    """End the caller's session, if there is one, for all copies of its cookie."""
    session = _session()
    if session:
        context = current_context()
        with context.database.writing() as writing:
            writing.merge(EndedSession(id=session.id, at=context.clock()))


def known_browser() -> str | None:
    """Return the ID of a browser in which somebody has signed in before, else None. It grants no access."""
    cookie = request.cookies.get(cookie_name(_BROWSER_COOKIE), "")
    try:
        browser, created = _browser_serializer().loads(cookie, return_timestamp=True)
    except BadSignature:
        return None
    return None if datetime.now(UTC) - created > timedelta(seconds=_BROWSER_SECONDS) else str(browser)


def remember_browser(response: Response) -> None:
    """Remember a browser in which somebody has signed in."""
    browser = known_browser() or secrets.token_hex(8)
    set_cookie(response, _BROWSER_COOKIE, _browser_serializer().dumps(browser), _BROWSER_SECONDS)


def check_origin() -> None:
    """Refuse requests that another site's page sends with our cookie; DomainError `other-origin`.

    Browsers set the Origin header. Programs that use an organiser's session have to set it to the server's address.
    """
    ours = request.host_url.rstrip("/")
    if request.headers.get("Origin") != ours or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise DomainError(
            "other-origin",
            "This request did not come from Haggle's own page. Open the page and try again there. "
            f"Programs must send the header Origin with the server's address: {ours}",
        )


def _require_organiser() -> str:
    name = current_organiser()
    if name is None:
        raise DomainError("not-signed-in", "Sign in as an organiser first.")
    if request.method not in _SAFE_METHODS:
        check_origin()
    return name


class _Session(NamedTuple):
    """A valid organiser session."""

    id: str
    name: str
    created: datetime


def _session() -> _Session | None:
    try:
        data, created = _session_serializer().loads(request.cookies.get(cookie_name(), ""), return_timestamp=True)
    except BadSignature:
        return None
    # `max_age` would reject sessions created in the future, which occur where the clocks of two servers differ.
    if datetime.now(UTC) - created > timedelta(seconds=SESSION_SECONDS):
        return None
    # Earlier versions created sessions without an ID, which cannot be ended.
    if "id" not in data:
        return None
    session = _Session(data["id"], str(data["name"]), created)
    return session if data["epoch"] == _epoch(session.id) else None


def _epoch(session: str) -> int | None:
    """Return the epoch of valid sessions, None if this one was ended; queried once per request."""
    if "epoch" not in g:
        ended = select(EndedSession.id).where(EndedSession.id == session)
        with current_context().database.reading() as reading:
            g.epoch = reading.scalar(select(ServerConfig.session_epoch).where(~ended.exists()))
    return cast("int | None", g.epoch)


def _session_serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_application().secret, salt="haggle.organiser")


def _browser_serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_application().secret, salt="haggle.browser")


def _caller_id() -> str | None:
    if token := _bearer_token():
        with contextlib.suppress(DomainError):
            identity = _player_of(token)
            return f"player {identity.game}/{identity.envelope}"
        with current_context().database.reading() as session, contextlib.suppress(DomainError):
            return f"projector {projected_game(session, token)}"
    found = _session() if cookie_name() in request.cookies else None
    return found and f"organiser {found.name} since {found.created:%Y-%m-%d %H:%M:%S}"


def _player_of(token: str) -> PlayerIdentity:
    """Return the player that a token identifies, queried once per request; DomainError `bad-token`."""
    cached: tuple[str, PlayerIdentity] | None = g.get("identified_player")
    if cached and cached[0] == token:
        return cached[1]
    with current_context().database.reading() as session:
        identity = player_of(session, token)
    g.identified_player = token, identity
    return identity


def _bearer_token() -> str:
    """Return the request's bearer token, "" without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token if scheme == "Bearer" else ""


def projector_token(game: str, key: bytes) -> str:
    """Return the token for a game's public view, shown by a projector."""
    return signer(key, "projector").sign(game).decode()


def player_of(session: Session, token: str) -> PlayerIdentity:
    """Return the player of a token. Raises DomainError `bad-token` for one that is forged, revoked or unknown.

    All of these get the same answer, so that it does not reveal which games and envelopes exist.
    """
    game, envelope, version = _token_parts(token)
    row = session.get(Game, game)
    if row is None or not _is_signed(row.key, "join", token):
        raise _bad_token()
    found = session.get(Envelope, (game, envelope))
    if found is None or found.token_version != version:
        raise _bad_token()
    return PlayerIdentity(game, envelope)


def projected_game(session: Session, token: str) -> str:
    """Return the game of a projector's token. Raises DomainError `bad-token`."""
    row = session.get(Game, token[:4]) if len(token) <= MAX_TOKEN else None
    if row is None or not _is_signed(row.key, "projector", token) or not token.startswith(f"{row.id}."):
        raise _bad_token()
    return row.id


def _token_parts(token: str) -> tuple[str, int, int]:
    parts = token.split(".") if len(token) <= MAX_TOKEN and token.isascii() else []
    if len(parts) != 4 or not (parts[1].isdigit() and parts[2].isdigit()):  # noqa: PLR2004 - game, envelope, version, signature
        raise _bad_token()
    return parts[0], int(parts[1][:9]), int(parts[2][:9])


def _is_signed(key: bytes, purpose: str, token: str) -> bool:
    """Return whether a token is exactly the text that was issued: base64 can spell a signature in several ways."""
    if not token.isascii():
        return False
    return hmac.compare_digest(signer(key, purpose).sign(token.rpartition(".")[0]), token.encode())


def token_of_code(session: Session, typed: str) -> str:
    """Return an envelope's token by its join code. Raises DomainError `wrong-join-code`, the same for all causes."""
    game, number = parse_join_code(typed) or ("", 0)
    row, envelope = session.get(Game, game), session.get(Envelope, (game, number))
    if row and envelope and is_join_code(typed, join_code(game, row.key, number, envelope.token_version)):
        return join_token(game, row.key, number, envelope.token_version)
    raise DomainError(
        "wrong-join-code", "No envelope has this code. Compare it with the label, or ask an organiser for a new label."
    )


def _bad_token() -> DomainError:
    return DomainError(
        "bad-token", "This link is wrong, or no longer works. Scan the code on your envelope's label again."
    )
