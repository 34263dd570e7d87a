"""Bells ring in other processes too, over Redis; and without it everything goes on."""

from __future__ import annotations

import logging
import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError, ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as SilenceError

from server.jobs import wire as wires
from server.jobs.wire import Wire, WireError, why_silent
from tests.engines.festival import redis_to_end
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.jobs.bell import Bell
    from tests.engines.redis import PrivateRedis

LIMIT = 60.0
NEVER = 600.0


@pytest.fixture(scope="module")
def redis() -> Iterator[PrivateRedis]:
    """Give a Redis of the tests of this file, which they may end."""
    yield from redis_to_end()


@pytest.fixture
def pair(redis: PrivateRedis, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Wire, Wire]]:
    """Give two wires, as two processes have them."""
    monkeypatch.setattr(wires, "_LONGEST_PAUSE", 1.0)
    url = redis.url()
    both = Wire(url), Wire(url)
    yield both
    for one in both:
        one.close()


def _listening(wire: Wire, bell: Bell) -> Bell:
    """Return the bell, when it hears others."""
    bell.wait(bell.count, 0.0)
    until(lambda: wire.hears)
    return bell


def test_a_ring_is_heard_by_the_others_of_that_name(pair: tuple[Wire, Wire]) -> None:
    """Who waits in another process wakes; who waits for something else sleeps on, and nobody hears itself twice."""
    here, there = pair
    ringing, other = here.bell("photos"), _listening(there, there.bell("news"))
    heard = _listening(there, there.bell("photos"))
    _listening(here, ringing)
    before, quiet, own = heard.count, other.count, ringing.count
    woken = threading.Thread(target=heard.wait, args=(before, NEVER))
    woken.start()
    ringing.ring()
    woken.join(LIMIT)
    assert not woken.is_alive()
    assert (heard.count, other.count, ringing.count) == (before + 1, quiet, own + 1)


def test_other_databases_of_the_same_redis_hear_nothing(redis: PrivateRedis) -> None:
    """Two servers of different organisers may use one Redis, each with a number of its own."""
    mine, yours = Wire(redis.url()), Wire(redis.url())
    again = Wire(f"redis://127.0.0.1:{redis.port}/{mine._channel.rpartition(':')[2]}")
    try:
        theirs, ours = _listening(yours, yours.bell("photos")), _listening(again, again.bell("photos"))
        before, heard = theirs.count, ours.count
        mine.bell("photos").ring()
        until(lambda: ours.count > heard)
        assert theirs.count == before
    finally:
        for one in (mine, yours, again):
            one.close()


def test_a_redis_that_was_away_is_heard_again_by_itself(
    redis: PrivateRedis, pair: tuple[Wire, Wire], caplog: pytest.LogCaptureFixture
) -> None:
    """While it is away a ring rings here at once; when it is back, what may have been missed is looked for."""
    here, there = pair
    ringing, heard = here.bell("photos"), _listening(there, there.bell("photos"))
    with caplog.at_level(logging.WARNING, logger=wires.__name__):
        redis.kill()
        until(lambda: not there.hears)
        before = ringing.count
        for _ in range(50):
            ringing.ring()
        assert ringing.count == before + 50
        until(lambda: here._away)
        missed = heard.count
        redis.start()
        until(lambda: heard.count > missed)
        until(lambda: not here._outgoing)
        count = heard.count
        ringing.ring()
        until(lambda: heard.count > count)
    told = [record.getMessage() for record in caplog.records]
    assert 1 <= len([text for text in told if "does not answer" in text]) <= 4
    assert "Redis answers again" in told


def test_one_slow_answer_is_forgotten_with_the_next(
    pair: tuple[Wire, Wire], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who only rings hears of it too that Redis is back, so that the next time it is away is told of again."""
    here, _ = pair
    monkeypatch.setattr(wires, "_FIRST_PAUSE", 0.01)
    real = here._redis.publish

    def silent(*_: object) -> None:
        raise SilenceError

    bell = here.bell("photos")
    with caplog.at_level(logging.WARNING, logger=wires.__name__):
        for number in (1, 2):
            monkeypatch.setattr(here._redis, "publish", silent)
            bell.ring()
            until(lambda: here._away)
            monkeypatch.setattr(here._redis, "publish", real)
            bell.ring()
            until(lambda: not here._away)
            told = [record.getMessage() for record in caplog.records]
            assert len([text for text in told if "does not answer" in text]) == number
            assert len([text for text in told if "answers again" in text]) == number


def test_a_redis_that_hangs_keeps_nobody_waiting(
    redis: PrivateRedis, pair: tuple[Wire, Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ring is a matter of this process alone then; that Redis hangs is noticed, and that it is back."""
    monkeypatch.setattr(wires, "QUIET", 1)
    here, there = pair
    ringing, heard = here.bell("photos"), _listening(there, there.bell("photos"))
    os.kill(redis.pid, signal.SIGSTOP)
    try:

        def ring_often() -> None:
            for _ in range(1000):
                ringing.ring()

        rings = threading.Thread(target=ring_often)
        rings.start()
        rings.join(LIMIT)
        assert not rings.is_alive()
        until(lambda: not there.hears)
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    until(lambda: there.hears)
    until(lambda: not here._outgoing)
    before = heard.count
    ringing.ring()
    until(lambda: heard.count > before)


def test_what_is_no_text_is_passed_over(pair: tuple[Wire, Wire], redis: PrivateRedis) -> None:
    """Whoever else uses that Redis may send anything: what is rung afterwards is heard, over the same connection."""
    here, there = pair
    heard = _listening(there, there.bell("photos"))
    with Redis.from_url(redis.url().rpartition("/")[0]) as stranger:
        for said in (b"\xff\xfe", b"", b"photos"):
            stranger.publish(here._channel, said)
    before = heard.count
    here.bell("photos").ring()
    until(lambda: heard.count > before)
    assert there.hears


def test_what_is_rung_last_still_goes_out(redis: PrivateRedis) -> None:
    """A command that ends after its work tells the servers of it."""
    url = redis.url()
    there = Wire(url)
    heard = _listening(there, there.bell("news"))
    before = heard.count
    command = Wire(url)
    command.bell("news").ring()
    command.close()
    until(lambda: heard.count > before)
    there.close()


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "redis://127.0.0.1:port/", "nothing"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    """A mistake in the variable shows at once, in a line that names it."""
    with pytest.raises(WireError, match="HAGGLE_QUEUE_URL"):
        Wire(url)


@pytest.mark.parametrize("end", ["abc", "0/1", "-1", "1a", "\N{SUPERSCRIPT TWO}", "secret@host/0"])
def test_a_database_that_is_no_number_is_told(end: str) -> None:
    """Redis has numbers for its databases: no other one is taken in place of what was meant."""
    with pytest.raises(WireError, match="HAGGLE_QUEUE_URL names a database that is no number") as told:
        Wire(f"redis://:pass/{end}")
    assert "\n" not in str(told.value)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("url", ["redis://host", "redis://host/", "rediss://host:6379/12/", "unix:///run/redis.sock"])
def test_an_address_may_leave_the_number_out(url: str) -> None:
    """Then it is that of the first database; and the way to a socket is no number."""
    Wire(url).close()


@pytest.mark.parametrize(("who", "number", "what"), [(":secret@", "0", "password"), ("", "99", "a number")])
def test_a_redis_that_refuses_is_told_by_the_variables_name(
    redis: PrivateRedis, caplog: pytest.LogCaptureFixture, who: str, number: str, what: str
) -> None:
    """A wrong password, or a number that it has not, is the operator's to mend: the log says where, and no secret."""
    wire = Wire(f"redis://{who}127.0.0.1:{redis.port}/{number}")
    with caplog.at_level(logging.WARNING, logger=wires.__name__):
        wire.bell("photos").ring()
        until(lambda: wire._away)
    wire.close()
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert "HAGGLE_QUEUE_URL" in told[0]
    assert what in told[0]
    assert "secret" not in told[0]


@pytest.mark.parametrize("error", [OutOfMemoryError("full"), ReadOnlyError("a replica"), ResponseError("MISCONF")])
def test_a_redis_that_is_ill_is_not_blamed_on_the_address_alone(error: Exception) -> None:
    """Whoever runs it is sent to its own log, and nothing is told of what it said."""
    told = why_silent(error)
    assert "its own log says why" in told
    assert ("HAGGLE_QUEUE_URL" in told) == (type(error) is ResponseError)
    assert str(error) not in told
