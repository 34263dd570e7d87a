"""Rate limits by caller, and shared by servers with the same Redis."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING

import psycopg
import pytest
from limits import strategies
from limits.storage import memory
from sqlalchemy.exc import OperationalError

from cardgen.payload import join_code
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.server_config import new_setup_code
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.context import ORIGIN, as_organiser, as_player, new_game
from tests.engines.cluster import restartable_redis
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext
    from tests.engines.redis import LocalRedis

SESSION, ME = "/api/v1/session", "/api/v1/me"
PASSWORD = "three green bottles"  # noqa: S105 - of a test
TEN_GUESSES = [401] * 10 + [429]


@pytest.fixture
def _one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze the time of rate limits, since hundreds of requests take so long on a busy machine that some expire."""
    now = time.time()
    frozen_time = SimpleNamespace(**{**vars(time), "time": lambda: now})
    for module in (memory, strategies):
        monkeypatch.setattr(module, "time", frozen_time)


def _browser(app: Flask, address: str) -> FlaskClient:
    client = app.test_client()
    client.environ_base |= {"HTTP_ORIGIN": ORIGIN, "REMOTE_ADDR": address}
    return client


def _sign_in(client: FlaskClient, password: str = "a wrong password", **headers: str) -> TestResponse:  # noqa: S107 - of a test
    return client.post(SESSION, json={"name": "Olga", "password": password}, headers=headers)


def _guess(app: Flask, address: str = "10.0.0.1", **headers: str) -> int:
    return _sign_in(_browser(app, address), **headers).status_code


def _set_up(app: Flask, context: AppContext) -> FlaskClient:
    """Choose the password; return the browser, signed out again."""
    olga = _browser(app, "10.0.0.1")
    sent = {"name": "Olga", "password": PASSWORD, "code": new_setup_code(context)}
    assert olga.post(f"{SESSION}/setup", json=sent).status_code == 201
    assert olga.delete(SESSION).status_code == 204
    return olga


@pytest.mark.usefixtures("_one_moment")
def test_password_guesses_are_limited(app: Flask, context: AppContext) -> None:
    """An address gets ten guesses a minute. Then even the right password is refused, but only from this address."""
    _set_up(app, context)
    assert [_guess(app, "10.0.0.2") for _ in range(11)] == TEN_GUESSES
    last = _sign_in(_browser(app, "10.0.0.2"), PASSWORD)
    assert (last.status_code, last.json["type"]) == (429, "/problems/too-many")
    assert 1 <= int(last.headers["Retry-After"]) <= 120
    assert _guess(app, "10.0.0.3") == 401


@pytest.mark.usefixtures("_one_moment")
def test_guesses_of_others_do_not_lock_out_an_organiser(app: Flask, context: AppContext) -> None:
    """Guesses are also limited in total. A browser in which an organiser was signed in has its own limit."""
    olga = _set_up(app, context)
    # Choosing the password was the first of sixty requests.
    assert [_guess(app, f"10.0.{number}.1") for number in range(60)] == [401] * 59 + [429]
    assert _sign_in(_browser(app, "10.0.99.1"), PASSWORD).status_code == 429
    assert _sign_in(olga, PASSWORD).status_code == 201


@pytest.mark.usefixtures("_one_moment")
def test_a_known_browser_has_no_more_guesses(app: Flask, context: AppContext) -> None:
    """It gets ten guesses a minute like everybody, even if it changes the encoding of its cookie."""
    olga = _set_up(app, context)
    assert olga.get("/api/v1/games").status_code == 401
    assert [_sign_in(olga).status_code for _ in range(11)] == TEN_GUESSES
    cookie = olga.get_cookie("haggle_browser")
    assert cookie
    assert cookie.http_only
    olga.set_cookie("haggle_browser", f"{cookie.value}=")
    assert _sign_in(olga).status_code in {401, 429}
    olga.set_cookie("haggle_browser", cookie.value)
    assert _sign_in(olga).status_code == 429


def _type_code(app: Flask, code: str, address: str) -> int:
    """Type a join code; return the status."""
    return _browser(app, address).post(f"{ME}/token", json={"code": code}).status_code


@pytest.mark.usefixtures("_one_moment")
def test_only_wrong_join_codes_are_limited(app: Flask, context: AppContext) -> None:
    """A conference behind one address joins, but guesses soon end there, even for somebody with a valid link."""
    game = new_game(context, State.OPEN)
    with context.database.reading() as session:
        code = join_code(game, load_game(session, game).key, 1)
    assert {_type_code(app, code, "10.0.0.1") for _ in range(30)} == {200}
    player = as_player(app, context, game, 1)
    player.environ_base["REMOTE_ADDR"] = "10.0.0.1"
    guess = {"code": code[:-1] + ("0" if code[-1] != "0" else "2")}
    tried = [player.post(f"{ME}/token", json=guess).status_code for _ in range(21)]
    assert tried == [404] * 20 + [429]
    assert _type_code(app, code, "10.0.0.1") == 429
    assert _type_code(app, code, "10.0.0.2") == 200


@pytest.mark.usefixtures("_one_moment")
def test_wrong_join_codes_are_limited_in_total(app: Flask) -> None:
    """Nobody gains by having many addresses."""
    tried = [_type_code(app, "wrong", f"10.1.{number // 20}.1") for number in range(601)]
    assert tried == [404] * 600 + [429]


@pytest.mark.parametrize(("proxies", "last"), [(0, 429), (1, 401)])
@pytest.mark.usefixtures("_one_moment")
def test_forwarded_addresses_count_only_behind_a_proxy(
    context: AppContext, tmp_path: Path, proxies: int, last: int
) -> None:
    """Forged X-Forwarded-For headers do not help an attacker without a configured proxy.

    Behind a proxy with HTTPS, our own origin is the HTTPS one.
    """
    app = create_app(AppConfig(tmp_path / "data", proxies=proxies), context)
    result = [_guess(app, **{"X-Forwarded-For": f"192.0.2.{number}"}) for number in range(11)]
    assert result == [401] * 10 + [last]
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "haggle.example.org"}
    statuses = [
        app.test_client().delete(SESSION, headers={**headers, "Origin": origin}).status_code
        for origin in ("https://haggle.example.org", ORIGIN)
    ]
    assert statuses == ([204, 403] if proxies else [403, 204])


@pytest.mark.usefixtures("_one_moment")
def test_players_at_one_address_have_separate_limits(app: Flask, context: AppContext) -> None:
    """Even if somebody at their address sends junk, however the token is written."""
    game = new_game(context)
    first, second = as_player(app, context, game, 1), as_player(app, context, game, 2)
    check, junk = f"{ME}/decks/x/check", {"Authorization": "Bearer junk"}
    assert [app.test_client().post(check, headers=junk).status_code for _ in range(31)] == [401] * 30 + [429]
    assert [first.post(check).status_code for _ in range(31)] == [404] * 30 + [429]
    assert second.post(check).status_code == 404
    token = str(first.environ_base["HTTP_AUTHORIZATION"]).removeprefix("Bearer ")
    kinds, ends = ("bearer", "BEARER", "Bearer ", "Bearer\t", "Token"), (" ", "\t", "=", "==")
    for text in (*(f"{kind} {token}" for kind in kinds), *(f"Bearer {token}{end}" for end in ends)):
        assert second.post(check, headers={"Authorization": text}).status_code == 429, text
    for kind in kinds:
        assert second.get(ME, headers={"Authorization": f"{kind} {token}"}).status_code == 401, kind


@pytest.mark.usefixtures("_one_moment")
def test_a_signed_in_organiser_has_a_separate_limit(app: Flask) -> None:
    """Too many requests from the same address neither stop an organiser nor prevent others from opening the page."""
    anonymous, organiser = app.test_client(), as_organiser(app)
    assert [anonymous.get(SESSION).status_code for _ in range(601)] == [200] * 600 + [429]
    assert organiser.get(SESSION).status_code == 200
    # At a conference everybody may have the same address.
    assert {anonymous.get("/j").status_code for _ in range(601)} == {200}


@pytest.fixture(scope="module")
def redis() -> Iterator[LocalRedis]:
    """Provide a Redis that tests may stop."""
    yield from restartable_redis()


@pytest.fixture
def new_app(context: AppContext, tmp_path: Path, redis: LocalRedis) -> Callable[[], Flask]:
    """Return a function that creates another application with the same Redis and its own counters in memory."""
    config = AppConfig(tmp_path / "data", redis=redis.url())
    return lambda: create_app(config, context)


def test_servers_count_guesses_together(new_app: Callable[[], Flask]) -> None:
    app = new_app()
    assert [_guess(app) for _ in range(10)] == [401] * 10
    other = new_app()
    refused = _sign_in(_browser(other, "10.0.0.1"))
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 120
    assert _guess(other, "10.0.0.2") == 401


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_without_redis_each_server_counts_separately(
    new_app: Callable[[], Flask], redis: LocalRedis, how: signal.Signals
) -> None:
    app = new_app()
    assert app.test_client().get(SESSION).status_code == 200
    if how is signal.SIGKILL:
        redis.kill()
    else:
        os.kill(redis.pid, how)
    try:
        before = time.monotonic() - time.process_time()
        assert [_guess(app) for _ in range(11)] == TEN_GUESSES
        assert time.monotonic() - time.process_time() - before < 10
    finally:
        if how is signal.SIGKILL:
            redis.start()
        else:
            os.kill(redis.pid, signal.SIGCONT)
    until(lambda: _guess(app) == 401)


def test_requests_that_are_waiting_when_redis_hangs_are_answered(
    new_app: Callable[[], Flask], redis: LocalRedis
) -> None:
    app = new_app()
    assert app.test_client().get(SESSION).status_code == 200
    at_once = threading.Barrier(8)

    def ask(_: int) -> int:
        client = app.test_client()
        at_once.wait(10)
        return client.get(SESSION).status_code

    os.kill(redis.pid, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(at_once.parties) as threads:
            assert set(threads.map(ask, range(at_once.parties))) == {200}
    finally:
        os.kill(redis.pid, signal.SIGCONT)


def test_a_database_error_is_not_taken_for_one_of_redis(
    new_app: Callable[[], Flask], context: AppContext, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The request gets 503 instead of passing without a limit, and the servers still count together."""
    player = as_player(new_app(), context, new_game(context), 1)

    def unavailable() -> None:
        raise OperationalError("", {}, psycopg.OperationalError("connection refused"))

    with monkeypatch.context() as patch:
        patch.setattr(context.database, "reading", unavailable)
        assert player.get(SESSION).status_code == 503
    assert player.get(SESSION).status_code == 200
    assert not [one for one in caplog.records if one.name == "flask-limiter"]


def test_an_unreachable_redis_is_logged_at_the_start(
    context: AppContext, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Requests are then counted in memory. The log names the variable, but no password."""
    app = create_app(AppConfig(tmp_path / "data", redis="redis://:secret@127.0.0.1:9/0"), context)
    assert [_guess(app) for _ in range(11)] == TEN_GUESSES
    assert "HAGGLE_REDIS_URL" in caplog.text
    assert "secret" not in caplog.text
