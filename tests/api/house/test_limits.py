"""Limits count by who calls: an address that is nobody yet, a player, an organiser."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from limits import strategies
from limits.storage import memory

from server.api.house.who import COOKIE
from server.app.house import HouseConfig, create_house_app
from server.play.installation import new_setup_code
from tests.house import ORIGIN, as_organiser, as_player, new_game

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House

SESSION = "/api/v1/session"


@pytest.fixture(autouse=True)
def _one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all calls of a test come at the same time: a busy machine takes so long for hundreds that a few expire."""
    now = time.time()
    stands_still = SimpleNamespace(**{**vars(time), "time": lambda: now})
    for module in (memory, strategies):
        monkeypatch.setattr(module, "time", stands_still)


def _guess(client: FlaskClient, address: str, forwarded: str | None = None) -> int:
    headers = {"Origin": ORIGIN} | ({} if forwarded is None else {"X-Forwarded-For": forwarded})
    sent = {"name": "Eve", "password": "a wrong password"}
    return client.post(SESSION, json=sent, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code


def test_each_address_has_guesses_of_its_own(app: Flask) -> None:
    """One address that has used up its guesses keeps no other one from signing in."""
    client = app.test_client()
    assert {_guess(client, "10.0.0.1") for _ in range(10)} == {401}
    assert _guess(client, "10.0.0.1") == 429
    assert _guess(client, "10.0.0.2") == 401


def test_many_addresses_together_have_a_limit_too(app: Flask) -> None:
    """Guesses from everywhere at once are bounded: each one costs time and memory."""
    client = app.test_client()
    told = [_guess(client, f"10.0.{number}.1") for number in range(61)]
    assert set(told[:60]) == {401}
    assert told[60] == 429


@pytest.mark.parametrize(("proxies", "last"), [(0, 429), (1, 401)])
def test_a_claimed_address_counts_only_behind_a_proxy(house: House, tmp_path: Path, proxies: int, last: int) -> None:
    """Whoever claims another address with each guess gains nothing, unless a proxy in front is said to be there."""
    client = create_house_app(HouseConfig(tmp_path / "data", proxies=proxies), house).test_client()
    told = [_guess(client, "10.0.0.1", f"192.0.2.{number}") for number in range(11)]
    assert told == [401] * 10 + [last]


def test_https_before_a_proxy_makes_a_secure_cookie(house: House, tmp_path: Path) -> None:
    """Behind one proxy that ends https, our own origin is the https one."""
    app = create_house_app(HouseConfig(tmp_path / "data", proxies=1), house)
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "haggle.example.org"}
    client = app.test_client()
    for origin, status in (("https://haggle.example.org", 204), ("http://localhost", 403)):
        assert client.delete(SESSION, headers={**headers, "Origin": origin}).status_code == status


def test_a_signed_in_organiser_is_not_counted_with_the_address(app: Flask) -> None:
    """Others at the same address who call too often do not stop an organiser."""
    nobody, organiser = app.test_client(), as_organiser(app)
    told = [nobody.get(SESSION).status_code for _ in range(601)]
    assert told == [200] * 600 + [429]
    assert organiser.get(SESSION).status_code == 200


ME = "/api/v1/me"


def _token(client: FlaskClient) -> str:
    return str(client.environ_base["HTTP_AUTHORIZATION"]).removeprefix("Bearer ")


def test_a_player_is_one_caller_however_the_token_is_written(app: Flask, house: House) -> None:
    """Other ways to write the header are no second bucket: they open nothing."""
    player = as_player(app, house, new_game(house), 1)
    token = _token(player)
    assert [player.get(ME).status_code for _ in range(601)] == [200] * 600 + [429]
    for kind in ("bearer", "BEARER", "Bearer ", "Bearer\t", "Token"):
        assert player.get(ME, headers={"Authorization": f"{kind} {token}"}).status_code == 401
    for text in (f"{token} ", f"{token}\t", f"{token}=", f"{token}=="):
        assert player.get(ME, headers={"Authorization": f"Bearer {text}"}).status_code in {401, 429}


def test_players_at_one_address_do_not_count_together(app: Flask, house: House) -> None:
    """Many phones share an address, and somebody there sends junk: each player's calls are counted alone."""
    game = new_game(house)
    first, second, nobody = as_player(app, house, game, 1), as_player(app, house, game, 2), app.test_client()
    assert {first.get(ME).status_code for _ in range(400)} == {200}
    junk = {"Authorization": "Bearer junk"}
    assert [nobody.get(ME, headers=junk).status_code for _ in range(601)] == [401] * 600 + [429]
    assert {second.get(ME).status_code for _ in range(400)} == {200}


def test_a_session_is_one_caller_however_the_cookie_is_written(app: Flask) -> None:
    """A cookie with an added sign counts as the same organiser, or as nobody."""
    organiser = as_organiser(app)
    cookie = organiser.get_cookie(COOKIE)
    assert cookie
    assert [organiser.get("/api/v1/games").status_code for _ in range(601)] == [200] * 600 + [429]
    other = app.test_client()
    other.set_cookie(COOKIE, f"{cookie.value}=")
    assert other.get("/api/v1/games").status_code in {401, 429}


def _browser(app: Flask, address: str) -> FlaskClient:
    client = app.test_client()
    client.environ_base |= {"HTTP_ORIGIN": ORIGIN, "REMOTE_ADDR": address}
    return client


def _sign_in(client: FlaskClient, password: str) -> int:
    return client.post(SESSION, json={"name": "Olga", "password": password}).status_code


def test_guesses_of_others_do_not_lock_an_organiser_out(app: Flask, house: House) -> None:
    """A browser in which an organiser was signed in has guesses of its own, at the same address and in all."""
    olga = _browser(app, "10.0.0.1")
    sent = {"name": "Olga", "password": "three green bottles", "code": new_setup_code(house)}
    assert olga.post(f"{SESSION}/setup", json=sent).status_code == 201
    assert olga.delete(SESSION).status_code == 204
    told = [_guess(app.test_client(), f"10.0.0.{1 + number // 10}") for number in range(60)]
    assert 429 in {_guess(app.test_client(), "10.0.0.1"), *told}
    assert _guess(app.test_client(), "10.0.0.99") == 429
    assert _sign_in(_browser(app, "10.0.0.99"), "three green bottles") == 429
    assert _sign_in(olga, "three green bottles") == 201


def test_a_known_browser_guesses_no_faster(app: Flask, house: House) -> None:
    """It has ten guesses a minute like everybody, also under another way to write its cookie, and opens nothing."""
    olga = _browser(app, "10.0.0.1")
    sent = {"name": "Olga", "password": "three green bottles", "code": new_setup_code(house)}
    olga.post(f"{SESSION}/setup", json=sent)
    olga.delete_cookie(COOKIE)
    assert olga.get("/api/v1/games").status_code == 401
    told = [_sign_in(olga, "a wrong password") for _ in range(11)]
    assert told == [401] * 10 + [429]
    cookie = olga.get_cookie("haggle_browser")
    assert cookie
    assert cookie.http_only
    olga.set_cookie("haggle_browser", f"{cookie.value}=")
    assert _sign_in(olga, "a wrong password") in {401, 429}
    olga.set_cookie("haggle_browser", cookie.value)
    assert _sign_in(olga, "a wrong password") == 429


def test_a_conference_opens_the_page_at_once(app: Flask) -> None:
    """Phones behind one address load the page as often as they need to."""
    client = app.test_client()
    assert {client.get(path).status_code for path in ("/", "/j") for _ in range(1000)} == {200}
