"""Organisers choose a password once, sign in with it, and nothing else lets them in."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.api.house import who
from server.api.house.who import COOKIE
from server.play.installation import LONGEST, SHORTEST, installation, new_setup_code, reset_password, sign_in
from server.play.refusals import Refusal
from server.play.retention import forget_old
from server.store.tables import EndedSession, Installation
from tests.engines.festival import on_postgresql
from tests.house import ORGANISER, ORIGIN, as_organiser

if TYPE_CHECKING:
    from datetime import tzinfo

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.play.house import House
    from tests.house import Clock

PASSWORD = "three green bottles"  # noqa: S105 - of a test
OLD_HASH = "d7c1a87d2729059d9a338413ad3d529b2763edd4b8f6e2378a25d2ae736f344d"
SESSION = "/api/v1/session"
HOUR = 3600


def _page(app: Flask) -> FlaskClient:
    """Return a client that calls from our own page."""
    client = app.test_client()
    client.environ_base["HTTP_ORIGIN"] = ORIGIN
    return client


def _set_up(client: FlaskClient, house: House, **more: str) -> TestResponse:
    sent = {"name": "Olga", "password": PASSWORD, "code": new_setup_code(house), **more}
    return client.post(f"{SESSION}/setup", json=sent)


def _sign_in(client: FlaskClient, password: str = PASSWORD, **more: Any) -> TestResponse:  # noqa: ANN401 - of a request
    return client.post(SESSION, json={"name": "Otto", "password": password}, **more)


def test_the_code_of_the_first_start_chooses_the_password(app: Flask, house: House) -> None:
    """Whoever has the code chooses the password and is signed in; others then sign in with it."""
    first, second = _page(app), _page(app)
    assert first.get(SESSION).json == {"name": None, "ready": False}
    assert _set_up(first, house).json == {"name": "Olga", "ready": True}
    assert first.get(SESSION).json == {"name": "Olga", "ready": True}
    assert second.get(SESSION).json == {"name": None, "ready": True}
    assert _sign_in(second).status_code == 201
    assert second.get(SESSION).json == {"name": "Otto", "ready": True}


def test_a_code_works_once(app: Flask, house: House) -> None:
    """A used code, an older one and a wrong one choose nothing."""
    old, code = new_setup_code(house), new_setup_code(house)
    page = _page(app)
    for wrong in (old, "", "0" * 20):
        told = page.post(f"{SESSION}/setup", json={"name": "Eve", "password": PASSWORD, "code": wrong or "x"})
        assert (told.status_code, told.json["type"]) == (422, "/problems/wrong-code")
    sent = {"name": "Olga", "password": PASSWORD, "code": code}
    assert page.post(f"{SESSION}/setup", json=sent).status_code == 201
    assert page.post(f"{SESSION}/setup", json=sent).status_code == 422
    assert new_setup_code(house) is None


@pytest.mark.parametrize("between", [" ", "-", " \u2013 ", "\u00a0", "\t"])
def test_a_code_may_be_typed_in_groups(app: Flask, house: House, between: str) -> None:
    """Spaces, hyphens and small letters, with which people copy a code, do not matter."""
    code = new_setup_code(house) or ""
    typed = f" {between.join(code[at : at + 5].lower() for at in range(0, 20, 5))} "
    sent = {"name": "Olga", "password": PASSWORD, "code": typed}
    assert _page(app).post(f"{SESSION}/setup", json=sent).status_code == 201


@on_postgresql
def test_of_two_with_the_code_one_wins(app: Flask, house: House) -> None:
    """Two who use the code at the same time do not both become the first organiser."""
    code = new_setup_code(house)
    told: list[int] = []

    def use(name: str) -> None:
        sent = {"name": name, "password": f"{PASSWORD} of {name}", "code": code}
        told.append(_page(app).post(f"{SESSION}/setup", json=sent).status_code)

    threads = [threading.Thread(target=use, args=(name,)) for name in ("Ada", "Bob", "Cleo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [201, 422, 422]


@pytest.mark.parametrize(
    ("length", "status"), [(SHORTEST - 1, 422), (SHORTEST, 201), (LONGEST, 201), (LONGEST + 1, 422)]
)
def test_a_password_has_a_length(app: Flask, house: House, length: int, status: int) -> None:
    """Too short and too long passwords are refused before anything is set."""
    assert _set_up(_page(app), house, password="x" * length).status_code == status


def test_a_wrong_password_lets_nobody_in(app: Flask, house: House) -> None:
    """A wrong password sets no cookie, before and after one was chosen."""
    page = _page(app)
    for chosen in (False, True):
        if chosen:
            _set_up(_page(app), house)
        told = _sign_in(page, PASSWORD + "!")
        assert (told.status_code, told.json["type"]) == (401, "/problems/wrong-password")
        assert "Set-Cookie" not in told.headers


def test_signing_out_ends_the_session_of_a_copied_cookie_too(app: Flask, house: House, clock: Clock) -> None:
    """Whoever has copied the cookie is signed out with its owner; another device, and the next session, are not."""
    _set_up(_page(app), house)
    page, copied, other = _page(app), _page(app), _page(app)
    _sign_in(page)
    _sign_in(other)
    cookie = page.get_cookie(COOKIE)
    assert cookie is not None
    copied.set_cookie(COOKIE, cookie.value)
    assert copied.get("/api/v1/games").status_code == 200
    assert page.delete(SESSION).status_code == 204
    assert copied.get("/api/v1/games").status_code == 401
    assert copied.delete(SESSION).status_code == 204
    assert other.get("/api/v1/games").status_code == 200
    assert _sign_in(page).status_code == 201
    assert page.get("/api/v1/games").status_code == 200
    clock.forward(days=15)
    forget_old(house)
    with house.database.reading() as session:
        assert not session.scalars(select(EndedSession)).all()


def test_the_cookie_is_for_this_server_alone(app: Flask, house: House) -> None:
    """No script reads the cookie, no other site sends it, and over https it says so."""
    _set_up(_page(app), house)
    plain = _sign_in(_page(app)).headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(plain.split("; "))
    told = _sign_in(_page(app), base_url="https://localhost", headers={"Origin": "https://localhost"})
    assert told.headers["Set-Cookie"].startswith("__Host-haggle_organiser=")
    assert "Secure" in told.headers["Set-Cookie"].split("; ")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_change_nothing(app: Flask, house: House, headers: dict[str, str]) -> None:
    """A change that does not come from our own page is refused, signed in or not."""
    _set_up(_page(app), house)
    client = as_organiser(app)
    for call in (
        client.post(SESSION, json={"name": "Eve", "password": PASSWORD}, headers=headers),
        client.delete(SESSION, headers=headers),
    ):
        assert (call.status_code, call.json["type"]) == (403, "/problems/other-origin")
        assert call.json["detail"].endswith(f"A program sends the header Origin with the server's address: {ORIGIN}")


def test_a_new_password_ends_all_other_sessions(app: Flask, house: House) -> None:
    """Whoever was signed in must sign in again, but for the one who changed the password."""
    first, second = _page(app), _page(app)
    _set_up(first, house)
    _sign_in(second)
    sent = {"old": PASSWORD, "new": "another long password"}
    assert first.post(f"{SESSION}/password", json={**sent, "old": "wrong one!"}).status_code == 401
    assert second.get(SESSION).json["name"] == "Otto"
    assert first.post(f"{SESSION}/password", json=sent).status_code == 200
    assert first.get(SESSION).json["name"] == "Olga"
    assert second.get(SESSION).json["name"] is None
    assert second.post(f"{SESSION}/password", json=sent).status_code == 401


def test_signing_out_forgets_the_session(app: Flask, house: House) -> None:
    """After signing out the browser is nobody again."""
    page = _page(app)
    _set_up(page, house)
    assert page.delete(SESSION).status_code == 204
    assert page.get(SESSION).json["name"] is None


def test_a_cookie_that_was_changed_is_nobody(app: Flask, house: House) -> None:
    """A session of our own making, of another server or cut short, is none."""
    _set_up(_page(app), house)
    client = as_organiser(app)
    for text in ("", "x", "e30.e30.e30", "a" * 3000):
        client.set_cookie("haggle_organiser", text)
        assert client.get(SESSION).json["name"] is None


def test_guesses_are_limited(app: Flask, house: House) -> None:
    """After ten wrong passwords in a minute an address waits, and is told how long; even the right one waits."""
    _set_up(_page(app), house)
    page = _page(app)
    told = [_sign_in(page, "a wrong password").status_code for _ in range(10)]
    assert told == [401] * 10
    last = _sign_in(page)
    assert (last.status_code, last.json["type"]) == (429, "/problems/too-many")
    assert 1 <= int(last.headers["Retry-After"]) <= 120


@pytest.mark.parametrize("name", ["the server", "Envelope 3", "Olga\u202e", "\u200b"])
def test_nobody_signs_in_by_a_name_that_misleads(app: Flask, house: House, name: str) -> None:
    """The audit names organisers, so they have names that people can read and tell from others."""
    assert _set_up(_page(app), house, name=name).status_code == 422
    _set_up(_page(app), house)
    told = _page(app).post(SESSION, json={"name": name, "password": PASSWORD})
    assert (told.status_code, told.json["type"]) == (422, "/problems/wrong-name")


@pytest.mark.parametrize("name", ["olga", "\u041elga", "Ol\u200dga", "O\u217cga", "\uff2f\uff4c\uff47\uff41"])
def test_no_two_organisers_have_names_that_look_alike(app: Flask, house: House, name: str) -> None:
    """The second is told the name that is taken; by exactly that name, from any device, somebody is the first."""
    _set_up(_page(app), house)
    page = _page(app)
    told = page.post(SESSION, json={"name": name, "password": PASSWORD})
    assert (told.status_code, told.json["type"], told.json["name"]) == (409, "/problems/looks-alike", "Olga")
    assert page.get(SESSION).json["name"] is None
    for other in ("Olga", "Otto", "Otto"):
        assert page.post(SESSION, json={"name": other, "password": PASSWORD}).status_code == 201


def test_hashes_are_salted(house: House) -> None:
    """The same password has another hash each time."""
    hashes = set()
    for _ in range(2):
        reset_password(house, PASSWORD, ORGANISER)
        hashes.add(installation(house).password)
    assert len(hashes) == 2


def test_hashes_of_earlier_versions_are_known(house: House) -> None:
    """Only the right password is taken for the one of which such a hash was made."""
    installation(house)
    with house.database.writing() as session:
        session.get_one(Installation, 1).password = f"scrypt$32768$8$1${bytes(range(16)).hex()}${OLD_HASH}"
    sign_in(house, PASSWORD)
    with pytest.raises(Refusal):
        sign_in(house, PASSWORD.upper())


@pytest.mark.parametrize(("moved", "there"), [(-2 * HOUR, True), (14 * 24 * HOUR, True), (14 * 24 * HOUR + 2, False)])
def test_a_session_lasts_as_the_clock_says(
    app: Flask, monkeypatch: pytest.MonkeyPatch, moved: float, *, there: bool
) -> None:
    """After two weeks a session is over. One of a server whose clock goes ahead, or was set back since, holds."""
    page, signed = as_organiser(app), time.time()

    class Moved(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Moved:
            return cls.fromtimestamp(int(signed) + moved, tz)

    monkeypatch.setattr(who, "datetime", Moved)
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: signed + moved)
    assert page.get("/api/v1/games").status_code == (200 if there else 401)
