"""Limits hold for all servers together that share a Redis, and each server goes on by itself without it."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from server.app.house import HouseConfig, create_house_app
from tests.engines.festival import redis_to_end
from tests.house import ORIGIN
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House
    from tests.engines.redis import PrivateRedis

SESSION = "/api/v1/session"


@pytest.fixture(scope="module")
def redis() -> Iterator[PrivateRedis]:
    """Give a Redis of the tests of this file, which they may end."""
    yield from redis_to_end()


@pytest.fixture
def begin(house: House, tmp_path: Path, redis: PrivateRedis) -> Callable[[], Flask]:
    """Return what begins one more server that uses the Redis; its counts in memory, if it has any, are its own."""
    config = HouseConfig(tmp_path / "data", redis=redis.url())
    return lambda: create_house_app(config, house)


def _guess(app: Flask, address: str = "10.0.0.1") -> TestResponse:
    sent = {"name": "Eve", "password": "a wrong password"}
    headers = {"Origin": ORIGIN}
    return app.test_client().post(SESSION, json=sent, headers=headers, environ_base={"REMOTE_ADDR": address})


def test_guesses_are_counted_for_all_servers_together(begin: Callable[[], Flask]) -> None:
    """Whoever guesses at one server after the other gains nothing, and is told when to come back."""
    app = begin()
    assert [_guess(app).status_code for _ in range(10)] == [401] * 10
    other = begin()
    refused = _guess(other)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 120
    assert _guess(other, "10.0.0.2").status_code == 401


def test_servers_without_a_redis_count_each_for_itself(house: House, tmp_path: Path) -> None:
    """What was counted in one process is not known in another."""
    app = create_house_app(HouseConfig(tmp_path / "data"), house)
    assert [_guess(app).status_code for _ in range(11)] == [401] * 10 + [429]
    assert _guess(create_house_app(HouseConfig(tmp_path / "data"), house)).status_code == 401


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_without_redis_each_server_goes_on_by_itself(
    begin: Callable[[], Flask], redis: PrivateRedis, how: signal.Signals
) -> None:
    """A Redis that is gone or hangs fails no call, and is hardly waited for; later calls are counted in it again."""
    app = begin()
    assert app.test_client().get(SESSION).status_code == 200
    if how is signal.SIGKILL:
        redis.kill()
    else:
        os.kill(redis.pid, how)
    try:
        before = time.monotonic() - time.process_time()
        assert [_guess(app).status_code for _ in range(11)] == [401] * 10 + [429]
        assert time.monotonic() - time.process_time() - before < 10
    finally:
        if how is signal.SIGKILL:
            redis.start()
        else:
            os.kill(redis.pid, signal.SIGCONT)
    until(lambda: _guess(app).status_code == 401)


def test_a_redis_that_does_not_answer_is_told_of_at_the_start(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Calls are counted here then. The log names the variable, and no password."""
    app = create_house_app(HouseConfig(tmp_path / "data", redis="redis://:secret@127.0.0.1:9/0"), house)
    assert [_guess(app).status_code for _ in range(11)] == [401] * 10 + [429]
    assert "HAGGLE_REDIS_URL" in caplog.text
    assert "secret" not in caplog.text
