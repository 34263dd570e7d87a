"""Live events: all watchers get what is theirs, in order, once."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from server.play import events
from server.play.events import KEPT, MOST_ALIKE, Audience, Broker, Event, prune
from server.play.record import changed
from server.store.changes import note_change
from server.store.tables import Change
from tests.house import new_game
from tests.waiting import run

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine

    from server.play.house import House

PERIOD = 0.02
Events = "AsyncGenerator[Event | None, None]"


@pytest.fixture
def game(house: House) -> str:
    """Return a game that is open."""
    return new_game(house)


def _say(house: House, game: str, topic: str, envelope: int | None = None) -> None:
    with house.database.writing() as session:
        changed(session, game, house.clock(), topic, envelope)


def _watched(house: House, watch: Callable[[Broker], Coroutine[None, None, None]], most: int = 20) -> None:
    """Run a test's coroutine with a broker that looks often."""
    run(watch(Broker(house.database, PERIOD, most)))


async def _next(stream: AsyncGenerator[Event | None, None]) -> Event | None:
    return await asyncio.wait_for(anext(stream, None), 10)


async def _begun(broker: Broker, *audiences: Audience) -> list[AsyncGenerator[Event | None, None]]:
    """Return streams that have begun."""
    streams = [broker.events(audience) for audience in audiences]
    for stream in streams:
        assert await _next(stream) == Event("start")
    return streams


def test_each_audience_is_told_its_own_and_nothing_else(house: House, game: str) -> None:
    """Players hear of their envelope and the game, the projector of the game and hand-ins, organisers of all."""
    other = new_game(house)

    async def watch(broker: Broker) -> None:
        organiser, projector, player = await _begun(
            broker, Audience(game, "organiser"), Audience(game, "projector"), Audience(game, "player", 2)
        )
        for topic, envelope in [("photos", 2), ("envelopes", 3), ("queue", None), ("results", None), ("game", None)]:
            _say(house, game, topic, envelope)
            _say(house, other, topic, envelope)
        assert [await _next(organiser) for _ in range(5)] == [
            Event("photos", 2),
            Event("envelopes", 3),
            Event("queue"),
            Event("results"),
            Event("game"),
        ]
        assert [await _next(projector) for _ in range(2)] == [Event("hand-ins"), Event("game")]
        assert [await _next(player) for _ in range(2)] == [Event("photos"), Event("game")]

    _watched(house, watch)


def test_many_changes_alike_are_one_event(house: House, game: str) -> None:
    """What has to be fetched is fetched once."""

    async def watch(broker: Broker) -> None:
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        with house.database.writing() as session:
            for _ in range(50):
                changed(session, game, house.clock(), "photos", 4)
        _say(house, game, "queue")
        assert [await _next(stream) for _ in range(2)] == [Event("photos", 4), Event("queue")]

    _watched(house, watch)


def test_a_slow_watcher_is_told_to_fetch_everything(house: House, game: str) -> None:
    """Its events are bounded: more than it takes become one."""

    async def watch(broker: Broker) -> None:
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        with house.database.writing() as session:
            for number in range(301):
                changed(session, game, house.clock(), "photos", number)
        await asyncio.sleep(10 * PERIOD)
        assert await _next(stream) == Event("all")

    _watched(house, watch)


def test_changes_while_watchers_come_are_neither_lost_nor_told_twice(house: House, game: str) -> None:
    """Who watches from the beginning gets every change exactly once, however many join."""

    async def watch(broker: Broker) -> None:
        (first,) = await _begun(broker, Audience(game, "organiser"))
        writer = threading.Thread(target=lambda: [_say(house, game, "photos", number) for number in range(60)])
        writer.start()
        late = await _begun(broker, *[Audience(game, "player", number) for number in range(4)])
        assert [await _next(first) for _ in range(60)] == [Event("photos", number) for number in range(60)]
        writer.join()
        assert late

    _watched(house, watch)


def test_places_are_bounded_and_come_back(house: House, game: str) -> None:
    """A process has so many; who watches too often loses the oldest of their own, not somebody else's."""

    async def watch(broker: Broker) -> None:
        mine = await _begun(broker, *[Audience(game, "player", 1)] * (MOST_ALIKE + 1))
        assert await _next(mine[0]) is None
        await mine[0].aclose()
        others = await _begun(broker, *[Audience(game, "player", number) for number in range(2, 2 + 20 - MOST_ALIKE)])
        assert broker.full
        assert broker.audiences == {"player": 20}
        await others[0].aclose()
        assert not broker.full

    _watched(house, watch)


def test_nothing_is_looked_for_while_nobody_watches(house: House, game: str) -> None:
    """The database rests, and watching begins again."""

    async def watch(broker: Broker) -> None:
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        await stream.aclose()
        await asyncio.sleep(5 * PERIOD)
        assert len(asyncio.all_tasks()) == 1
        _say(house, game, "photos", 1)
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        _say(house, game, "queue")
        assert await _next(stream) == Event("queue")

    _watched(house, watch)


def test_a_stream_says_that_it_lives_and_ends_by_itself(
    house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None comes while nothing happens, until its life is over."""
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    monkeypatch.setattr(events, "LIFE", 0.5)

    async def watch(broker: Broker) -> None:
        async with aclosing(broker.events(Audience(game, "organiser"))) as stream:
            told = [event async for event in stream]
        assert told[0] == Event("start")
        assert set(told[1:]) == {None}
        assert len(told) > 4

    _watched(house, watch)


def test_watching_goes_on_when_the_database_is_back(
    house: House, game: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is lost meanwhile, and the log says once that the changes cannot be read."""

    def away(*_: object) -> None:
        raise OperationalError("", {}, Exception())

    async def watch(broker: Broker) -> None:
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        with monkeypatch.context() as patch:
            patch.setattr(house.database, "reading", away)
            await asyncio.sleep(10 * PERIOD)
        _say(house, game, "queue")
        assert await _next(stream) == Event("queue")

    _watched(house, watch)
    assert len(caplog.records) == 1


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_what_is_committed_after_a_later_change_is_told_too(house: House, game: str) -> None:
    """PostgreSQL gives a change its number before others see it: it is told when it can be seen."""

    async def watch(broker: Broker) -> None:
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        with house.database.writing() as slow:
            changed(slow, game, house.clock(), "photos", 1)
            slow.flush()
            # Its number is lower than those that are seen when the other watcher comes, too.
            _say(house, game, "photos", 2)
            assert await _next(stream) == Event("photos", 2)
            _say(house, game, "photos", 3)
            assert await _next(stream) == Event("photos", 3)
        assert await _next(stream) == Event("photos", 1)

    _watched(house, watch)


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_what_is_uncommitted_when_watching_begins_is_told(house: House, game: str) -> None:
    """Though a later change has been seen before."""

    async def watch(broker: Broker) -> None:
        with house.database.writing() as slow:
            changed(slow, game, house.clock(), "photos", 1)
            slow.flush()
            _say(house, game, "photos", 2)
            (stream,) = await _begun(broker, Audience(game, "organiser"))
        assert await _next(stream) == Event("photos", 1)

    _watched(house, watch)


def test_old_changes_are_deleted_and_numbers_go_on(house: House, game: str) -> None:
    """At the edge they are kept, beyond it they are gone; a number is never given again."""
    _say(house, game, "photos", 1)
    with house.database.writing() as session:
        highest = session.scalar(select(func.max(Change.id))) or 0
        assert prune(session, house.clock() + KEPT) == 0
        assert prune(session, house.clock() + KEPT + timedelta(seconds=1)) > 0
        assert session.scalar(select(func.count()).select_from(Change)) == 0
    _say(house, game, "photos", 1)
    with house.database.reading() as session:
        assert session.scalar(select(Change.id)) == highest + 1


def test_a_transaction_tells_of_a_thing_once(house: House, game: str) -> None:
    """All that changes in it is seen at the same moment. The next one tells again."""
    at = house.clock()

    def told() -> int:
        with house.database.reading() as session:
            return session.query(Change).filter_by(game=game, topic="photos").count()

    for before in (0, 3):
        with house.database.writing() as session:
            for envelope in (None, 1, None, 1, 2):
                note_change(session, game, "photos", envelope, at)
        assert told() == before + 3
