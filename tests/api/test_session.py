"""Sessions of organisers: first password, sign-in, cookies and names."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.api import auth
from server.api.auth import COOKIE
from server.db.models import EndedSession, ServerConfig
from server.games.errors import DomainError
from server.games.server_config import (
    MAX_PASSWORD_LENGTH,
    MIN_PASSWORD_LENGTH,
    load_server_config,
    new_setup_code,
    reset_password,
    sign_in,
)
from server.web_app.background import delete_old_rows
from tests.context import ORGANISER, ORIGIN, as_organiser
from tests.players import problem

if TYPE_CHECKING:
    from datetime import tzinfo

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext
    from tests.context import Clock

PASSWORD = "three green bottles"  # noqa: S105 - of a test
OLD_HASH = "d7c1a87d2729059d9a338413ad3d529b2763edd4b8f6e2378a25d2ae736f344d"
SESSION = "/api/v1/session"
DAY = 24 * 3600


def _page(app: Flask) -> FlaskClient:
    """Return a client that sends our own origin."""
    client = app.test_client()
    client.environ_base["HTTP_ORIGIN"] = ORIGIN
    return client


def _set_up(client: FlaskClient, context: AppContext, code: str | None = None, **more: str) -> TestResponse:
    sent = {"name": "Olga", "password": PASSWORD, "code": code or new_setup_code(context), **more}
    return client.post(f"{SESSION}/setup", json=sent)


def _sign_in(client: FlaskClient, password: str = PASSWORD, name: str = "Otto", **more: Any) -> TestResponse:  # noqa: ANN401 - of a request
    return client.post(SESSION, json={"name": name, "password": password}, **more)


def test_the_first_password_needs_the_set_up_code(app: Flask, context: AppContext) -> None:
    """Used, outdated and wrong codes are refused. Spaces, hyphens and case do not matter."""
    first, second = _page(app), _page(app)
    assert first.get(SESSION).json == {"name": None, "ready": False}
    assert problem(_sign_in(second)) == "401 wrong-password"
    old, code = new_setup_code(context), str(new_setup_code(context)).lower()
    for wrong in (str(old), "x", "0" * 20):
        assert problem(_set_up(first, context, code=wrong)) == "422 wrong-code"
    between = (" ", "-", " \u2013 ", "\u00a0", "\t", "")
    typed = "".join(code[at : at + 3] + sign for at, sign in zip(range(0, 18, 3), between, strict=True))
    for short_or_long in ("x" * (MIN_PASSWORD_LENGTH - 1), "x" * (MAX_PASSWORD_LENGTH + 1)):
        assert _set_up(first, context, code=code, password=short_or_long).status_code == 422
    assert _set_up(first, context, code=f" {typed}{code[18:]} ").json == {"name": "Olga", "ready": True}
    assert _set_up(second, context, code=code).status_code == 422
    assert new_setup_code(context) is None
    assert first.get(SESSION).json == {"name": "Olga", "ready": True}
    assert second.get(SESSION).json == {"name": None, "ready": True}
    wrong = _sign_in(second, PASSWORD + "!")
    assert (problem(wrong), "Set-Cookie" in wrong.headers) == ("401 wrong-password", False)
    assert _sign_in(second).status_code == 201
    assert second.get(SESSION).json == {"name": "Otto", "ready": True}


def test_signing_out_also_invalidates_copies_of_the_cookie(app: Flask, context: AppContext, clock: Clock) -> None:
    _set_up(_page(app), context)
    page, copied, other = _page(app), _page(app), _page(app)
    _sign_in(page)
    _sign_in(other)
    cookie = page.get_cookie(COOKIE)
    assert cookie is not None
    copied.set_cookie(COOKIE, cookie.value)
    assert copied.get("/api/v1/games").status_code == 200
    assert page.delete(SESSION).status_code == 204
    assert page.get(SESSION).json["name"] is None
    assert copied.get("/api/v1/games").status_code == 401
    assert copied.delete(SESSION).status_code == 204
    assert other.get("/api/v1/games").status_code == 200
    assert _sign_in(page).status_code == 201
    assert page.get("/api/v1/games").status_code == 200
    clock.forward(days=15)
    delete_old_rows(context)
    with context.database.reading() as session:
        assert not session.scalars(select(EndedSession)).all()


def test_the_session_cookie_is_protected(app: Flask, context: AppContext) -> None:
    """It is HttpOnly, SameSite and, over HTTPS, Secure; a modified cookie is invalid."""
    _set_up(_page(app), context)
    plain = _sign_in(_page(app)).headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(plain.split("; "))
    reply = _sign_in(_page(app), base_url="https://localhost", headers={"Origin": "https://localhost"})
    assert reply.headers["Set-Cookie"].startswith("__Host-haggle_organiser=")
    assert "Secure" in reply.headers["Set-Cookie"].split("; ")
    client = as_organiser(app)
    cookie = client.get_cookie(COOKIE)
    assert cookie
    for text in ("", "x", cookie.value[:-1], cookie.value.swapcase()):
        client.set_cookie(COOKIE, text)
        assert client.get(SESSION).json["name"] is None


def test_requests_from_other_sites_are_refused(app: Flask, context: AppContext) -> None:
    _set_up(_page(app), context)
    client = as_organiser(app)
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "same-site"},
    ):
        for call in (_sign_in(client, headers=headers), client.delete(SESSION, headers=headers)):
            assert problem(call) == "403 other-origin", headers
            assert call.json["detail"].endswith(f"send the header Origin with the server's address: {ORIGIN}")


def test_a_new_password_ends_all_other_sessions(app: Flask, context: AppContext) -> None:
    first, second = _page(app), _page(app)
    assert _set_up(first, context, password="x" * MIN_PASSWORD_LENGTH).status_code == 201
    _sign_in(second, "x" * MIN_PASSWORD_LENGTH)
    sent = {"old": "x" * MIN_PASSWORD_LENGTH, "new": "y" * MAX_PASSWORD_LENGTH}
    assert first.post(f"{SESSION}/password", json={**sent, "old": "wrong one!"}).status_code == 401
    assert second.get(SESSION).json["name"] == "Otto"
    assert first.post(f"{SESSION}/password", json=sent).status_code == 200
    assert first.get(SESSION).json["name"] == "Olga"
    assert second.get(SESSION).json["name"] is None
    assert second.post(f"{SESSION}/password", json=sent).status_code == 401
    assert _sign_in(second, sent["new"]).status_code == 201


def test_misleading_names_are_refused(app: Flask, context: AppContext) -> None:
    assert problem(_set_up(_page(app), context, name="the server")) == "422 wrong-name"
    _set_up(_page(app), context)
    for name in ("the server", "Envelope 3", "Olga\u202e", "\u200b"):
        assert problem(_sign_in(_page(app), name=name)) == "422 wrong-name"


def test_organisers_cannot_have_lookalike_names(app: Flask, context: AppContext) -> None:
    """The refusal shows the existing name, which can be used again on any device."""
    _set_up(_page(app), context)
    page = _page(app)
    for name in ("olga", "\u041elga", "Ol\u200dga", "O\u217cga", "\uff2f\uff4c\uff47\uff41"):
        reply = _sign_in(page, name=name)
        assert (problem(reply), reply.json["name"]) == ("409 looks-alike", "Olga"), name
    assert page.get(SESSION).json["name"] is None
    for name in ("Olga", "Otto", "Otto"):
        assert _sign_in(page, name=name).status_code == 201


def test_hashes_are_salted(context: AppContext) -> None:
    """Hashes of the same password differ; hashes of an earlier version are accepted."""
    hashes = set()
    for _ in range(2):
        reset_password(context, PASSWORD, ORGANISER)
        hashes.add(load_server_config(context.database).password)
    assert len(hashes) == 2
    with context.database.writing() as session:
        session.get_one(ServerConfig, 1).password = f"scrypt$32768$8$1${bytes(range(16)).hex()}${OLD_HASH}"
    sign_in(context, PASSWORD)
    with pytest.raises(DomainError):
        sign_in(context, PASSWORD.upper())


def test_a_session_ends_after_two_weeks(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions from servers with a slightly wrong clock are valid."""
    page, signed, moved = as_organiser(app), time.time(), 0

    class Moved(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Moved:
            return cls.fromtimestamp(int(signed) + moved, tz)

    monkeypatch.setattr(auth, "datetime", Moved)
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: signed + moved)
    for seconds, status in ((-DAY // 12, 200), (14 * DAY, 200), (14 * DAY + 2, 401)):
        moved = seconds
        assert page.get("/api/v1/games").status_code == status
