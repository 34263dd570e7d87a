"""The event broker: audiences, order, limits and failures."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from datetime import timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from server.db.models import GameEvent
from server.games import events
from server.games.context import AppContext
from server.games.events import MAX_SAME_AUDIENCE, RETENTION, Audience, Broker, Event, delete_old_events, publish_event
from tests.context import new_game
from tests.engines.cluster import on_postgresql
from tests.waiting import run

Stream = AsyncGenerator[Event | None, None]
Watch = Callable[[Broker], Coroutine[None, None, None]]

POLL_INTERVAL = 0.02


@pytest.fixture
def game(context: AppContext) -> str:
    return new_game(context)


def _say(context: AppContext, game: str, topic: str, *envelopes: int | None) -> None:
    with context.database.writing() as session:
        for envelope in envelopes or (None,):
            publish_event(session, game, context.clock(), topic, envelope)


def _watched(context: AppContext, watch: Watch) -> None:
    """Run a coroutine with a broker that polls often and has room for twenty streams."""
    run(watch(Broker(context.database, POLL_INTERVAL, 20)))


async def _next(stream: Stream, number: int = 1) -> list[Event | None]:
    return [await asyncio.wait_for(anext(stream, None), 10) for _ in range(number)]


async def _begun(broker: Broker, *audiences: Audience) -> list[Stream]:
    streams = [broker.events(audience) for audience in audiences]
    for stream in streams:
        assert await _next(stream) == [Event("start")]
    return streams


def test_each_audience_gets_only_its_events(context: AppContext, game: str) -> None:
    other = new_game(context)

    async def watch(broker: Broker) -> None:
        organiser, projector, player = await _begun(
            broker, Audience(game, "organiser"), Audience(game, "projector"), Audience(game, "player", 2)
        )
        for topic, envelope in [("photos", 2), ("envelopes", 3), ("queue", None), ("results", None), ("game", None)]:
            _say(context, game, topic, envelope)
            _say(context, other, topic, envelope)
        every = [Event("photos", 2), Event("envelopes", 3), Event("queue"), Event("results"), Event("game")]
        assert await _next(organiser, 5) == every
        assert await _next(projector, 2) == [Event("hand-ins"), Event("game")]
        assert await _next(player, 2) == [Event("photos"), Event("game")]

    _watched(context, watch)


def test_equal_changes_are_one_event_and_many_become_a_reload(context: AppContext, game: str) -> None:
    async def watch(broker: Broker) -> None:
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        _say(context, game, "photos", *[4] * 50)
        _say(context, game, "queue")
        assert await _next(stream, 2) == [Event("photos", 4), Event("queue")]
        _say(context, game, "photos", *range(301))
        await asyncio.sleep(10 * POLL_INTERVAL)
        assert await _next(stream) == [Event("all")]

    _watched(context, watch)


def test_changes_while_streams_begin_are_sent_once(context: AppContext, game: str) -> None:
    async def watch(broker: Broker) -> None:
        (first,) = await _begun(broker, Audience(game, "organiser"))
        writer = threading.Thread(target=lambda: [_say(context, game, "photos", number) for number in range(40)])
        writer.start()
        assert await _begun(broker, *[Audience(game, "player", number) for number in range(4)])
        assert await _next(first, 40) == [Event("photos", number) for number in range(40)]
        writer.join()

    _watched(context, watch)


def test_the_number_of_streams_is_limited(context: AppContext, game: str) -> None:
    """A client with too many streams loses its oldest one, not that of another client."""

    async def watch(broker: Broker) -> None:
        mine = await _begun(broker, *[Audience(game, "player", 1)] * (MAX_SAME_AUDIENCE + 1))
        assert await _next(mine[0]) == [None]
        await mine[0].aclose()
        others = await _begun(
            broker, *[Audience(game, "player", number) for number in range(2, 2 + 20 - MAX_SAME_AUDIENCE)]
        )
        assert broker.full
        assert broker.audiences == {"player": 20}
        await others[0].aclose()
        assert not broker.full

    _watched(context, watch)


def test_a_stream_has_heartbeats_and_a_maximum_age(
    context: AppContext, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    monkeypatch.setattr(events, "STREAM_SECONDS", 0.5)

    async def watch(broker: Broker) -> None:
        async with aclosing(broker.events(Audience(game, "organiser"))) as stream:
            result = [event async for event in stream]
        assert (result[0], set(result[1:])) == (Event("start"), {None})
        assert len(result) > 4

    _watched(context, watch)


def test_streams_continue_after_a_database_outage(
    context: AppContext, game: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object) -> None:
        raise OperationalError("", {}, Exception())

    async def watch(broker: Broker) -> None:
        (stream,) = await _begun(broker, Audience(game, "organiser"))
        with monkeypatch.context() as patch:
            patch.setattr(context.database, "reading", away)
            await asyncio.sleep(10 * POLL_INTERVAL)
        _say(context, game, "queue")
        assert await _next(stream) == [Event("queue")]

    _watched(context, watch)
    assert len(caplog.records) == 1


@on_postgresql
def test_late_commits_with_smaller_numbers_are_sent(context: AppContext, game: str) -> None:
    """PostgreSQL assigns the number of a change before it is visible to others."""

    async def watch(broker: Broker) -> None:
        with context.database.writing() as early:
            publish_event(early, game, context.clock(), "photos", 0)
            early.flush()
            _say(context, game, "photos", 9)
            (stream,) = await _begun(broker, Audience(game, "organiser"))
        assert await _next(stream) == [Event("photos", 0)], "begun before watching began"
        with context.database.writing() as slow:
            publish_event(slow, game, context.clock(), "photos", 1)
            slow.flush()
            for number in (2, 3):
                _say(context, game, "photos", number)
                assert await _next(stream) == [Event("photos", number)]
        assert await _next(stream) == [Event("photos", 1)]

    _watched(context, watch)


def test_old_changes_are_deleted_and_numbers_not_reused(context: AppContext, game: str) -> None:
    _say(context, game, "photos", 1)
    with context.database.writing() as session:
        highest = session.scalar(select(func.max(GameEvent.id))) or 0
        assert delete_old_events(session, context.clock() + RETENTION) == 0
        assert delete_old_events(session, context.clock() + RETENTION + timedelta(seconds=1)) > 0
        assert session.scalar(select(func.count()).select_from(GameEvent)) == 0
    _say(context, game, "photos", 1)
    with context.database.reading() as session:
        assert session.scalar(select(GameEvent.id)) == highest + 1
