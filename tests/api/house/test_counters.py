"""Limits hold for all servers together that share a Redis, and each server goes on by itself without it."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest

from server.api.house import counters
from server.api.house.counters import CalmStorage, Counters
from server.app.house import HouseConfig, create_house_app
from tests.engines.festival import redis_to_end
from tests.house import ORIGIN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from server.play.house import House
    from tests.engines.redis import PrivateRedis

LIMIT = 60.0
SESSION = "/api/v1/session"


@pytest.fixture(scope="module")
def redis() -> Iterator[PrivateRedis]:
    """Give a Redis of the tests of this file, which they may end."""
    yield from redis_to_end()


@pytest.fixture
def servers(house: House, tmp_path: Path, redis: PrivateRedis) -> list[Flask]:
    """Return two servers of one house, which share a Redis."""
    config = HouseConfig(tmp_path / "data", queue=redis.url())
    return [create_house_app(config, house) for _ in range(2)]


def _guess(app: Flask, address: str = "10.0.0.1") -> int:
    sent = {"name": "Eve", "password": "a wrong password"}
    client = app.test_client()
    return client.post(
        SESSION, json=sent, headers={"Origin": ORIGIN}, environ_base={"REMOTE_ADDR": address}
    ).status_code


def test_guesses_are_counted_for_all_servers_together(servers: list[Flask]) -> None:
    """Whoever guesses at one server after the other gains nothing; others are let in at each."""
    assert [_guess(servers[number % 2]) for number in range(11)] == [401] * 10 + [429]
    assert [_guess(app) for app in servers] == [429, 429]
    assert [_guess(app, "10.0.0.2") for app in servers] == [401, 401]


def test_a_refusal_says_when_to_come_back(servers: list[Flask]) -> None:
    """Also where the count is not this server's own."""
    for _ in range(10):
        _guess(servers[0])
    refused = (
        servers[1]
        .test_client()
        .post(
            SESSION,
            json={"name": "Eve", "password": "a wrong password"},
            headers={"Origin": ORIGIN},
            environ_base={"REMOTE_ADDR": "10.0.0.1"},
        )
    )
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 120


def test_servers_without_a_redis_count_each_for_itself(house: House, tmp_path: Path) -> None:
    """Two applications in one process share nothing by accident."""
    first, second = (create_house_app(HouseConfig(tmp_path / "data"), house) for _ in range(2))
    assert [_guess(first) for _ in range(11)] == [401] * 10 + [429]
    assert _guess(second) == 401


def test_keys_are_told_from_those_of_others(servers: list[Flask], redis: PrivateRedis) -> None:
    """Whatever else lies in the Redis, ours begins with our name, and goes by itself."""
    import redis as library  # noqa: PLC0415 - the fixture has the name

    number = int(servers[0].extensions["haggle-counters"]._shared.storage.connection_pool.connection_kwargs["db"])
    _guess(servers[0])
    with library.Redis(port=redis.port, db=number) as client:
        found = [str(key) for key in client.scan_iter()]
        assert found
        assert all(f"'{counters.PREFIX}:" in key for key in found)
        assert all(0 < client.ttl(key) <= 7200 for key in client.scan_iter())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_without_redis_each_server_goes_on_by_itself(
    servers: list[Flask],
    redis: PrivateRedis,
    how: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A Redis that is gone or hangs is found out once: no call fails, hardly any waits. Later it is asked again."""
    monkeypatch.setattr(counters, "PAUSE", 600.0)
    app = servers[0]
    store = app.extensions["haggle-counters"]
    for one in servers:
        assert one.test_client().get(SESSION).status_code == 200
    asked: list[str] = []
    real = store._shared.acquire_sliding_window_entry

    def ask(key: str, *rest: int) -> bool:
        asked.append(key)
        return bool(real(key, *rest))

    monkeypatch.setattr(store._shared, "acquire_sliding_window_entry", ask)
    with caplog.at_level(logging.WARNING, logger=counters.__name__):
        if how is signal.SIGKILL:
            redis.kill()
        else:
            os.kill(redis.pid, how)
        try:
            assert [_guess(app, "10.0.0.9") for _ in range(11)] == [401] * 10 + [429]
        finally:
            if how is signal.SIGKILL:
                redis.start()
            else:
                os.kill(redis.pid, signal.SIGCONT)
    assert store.away
    # Eleven calls with four limits each: one of them found out.
    assert len(asked) == 1
    assert len([one for one in caplog.records if "does not answer" in one.getMessage()]) == 1
    store._next_try = 0.0
    assert app.test_client().get(SESSION).status_code == 200
    assert not store.away


def test_a_redis_that_hangs_is_waited_for_once_and_briefly(redis: PrivateRedis) -> None:
    """The first to ask gives it a moment, also on a connection that has yet to be made; no try follows at once."""
    fresh, used = Counters(redis.url()), Counters(redis.url())
    hit = ("a key", 10, 60)
    used.ask(lambda one: one.acquire_sliding_window_entry(*hit))
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        for store in (fresh, used):
            before = time.process_time(), time.monotonic()
            for _ in range(100):
                assert isinstance(store.ask(lambda one: one.acquire_sliding_window_entry(*hit)), bool)
            # One silence, not a hundred, nor one for each try.
            assert time.monotonic() - before[1] - (time.process_time() - before[0]) < 20 * counters.SECONDS
            assert store.away
    finally:
        os.kill(redis.pid, signal.SIGCONT)


def test_a_wrong_password_is_told_by_the_variables_name(redis: PrivateRedis, caplog: pytest.LogCaptureFixture) -> None:
    """Calls are counted here then, and the log says what to mend, without the password."""
    address = redis.url().replace("redis://", "redis://:secret@")
    with caplog.at_level(logging.WARNING, logger=counters.__name__):
        assert Counters(address).ask(lambda one: one.get("nothing")) == 0
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert "password in HAGGLE_QUEUE_URL" in told[0]
    assert "secret" not in told[0]


def test_counting_starts_no_thread_for_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many calls in a moment: what has expired is looked for once, and not yet."""
    storage = CalmStorage()
    started: list[threading.Thread] = []
    monkeypatch.setattr(threading.Thread, "start", started.append)
    for number in range(100):
        storage.incr(f"caller {number % 7}", 60)
    assert started == []


def test_counts_that_have_expired_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of callers who never come again too, once somebody else has called after the pause."""
    monkeypatch.setattr(counters, "LOOK", 0.1)
    storage = CalmStorage()
    storage.incr("once", 0.01)
    until = time.monotonic() + LIMIT
    while "once" in storage.expirations:
        assert time.monotonic() < until
        storage.incr("another", 60)
        time.sleep(0.05)
    assert "another" in storage.expirations
