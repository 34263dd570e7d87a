"""Live events: everybody gets what is theirs, in order, once, and nobody holds the server."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select
from sqlalchemy.pool import QueuePool

from server.play.events import KEPT, MOST_ALIKE, Audience, Broker, Event, Watch, prune
from server.play.numbering import PATIENCE
from server.play.record import changed
from server.play.refusals import Refusal
from server.store.changes import note_change
from server.store.tables import Change, Game
from tests.house import new_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.play.house import House
    from tests.house import Clock

PERIOD = 0.02


@pytest.fixture
def broker(house: House) -> Iterator[Broker]:
    """Give a broker of few places that looks often."""
    broker = Broker(house.database, PERIOD, most=20)
    yield broker
    broker.close()


@pytest.fixture
def game(house: House) -> str:
    """Return a game that is open."""
    return new_game(house)


def _say(house: House, game: str, topic: str, envelope: int | None = None) -> None:
    with house.database.writing() as session:
        changed(session, game, house.clock(), topic, envelope)


def _told(watch: Watch, number: int) -> list[Event]:
    events = [watch.next(5) for _ in range(number)]
    assert watch.next(4 * PERIOD) is None
    return [event for event in events if event is not None]


def test_each_audience_is_told_its_own_and_nothing_else(broker: Broker, house: House, game: str) -> None:
    """Players hear of their envelope and the game, the projector of the game and hand-ins, organisers of all."""
    other = new_game(house)
    audiences = [Audience(game, "organiser"), Audience(game, "projector"), Audience(game, "player", 2)]
    watches = [broker.watch(audience) for audience in audiences]
    for watch in watches:
        start = watch.next(1)
        assert start is not None
        assert start.topic == "start"
    for topic, envelope in [
        ("photos", 2),
        ("envelopes", 3),
        ("queue", None),
        ("queue", 2),
        ("results", None),
        ("game", None),
    ]:
        _say(house, game, topic, envelope)
        _say(house, other, topic, envelope)
    organiser, projector, player = watches
    assert [(event.topic, event.envelope) for event in _told(organiser, 6)] == [
        ("photos", 2),
        ("envelopes", 3),
        ("queue", None),
        ("queue", 2),
        ("results", None),
        ("game", None),
    ]
    assert [(event.topic, event.envelope) for event in _told(projector, 2)] == [("hand-ins", None), ("game", None)]
    assert [(event.topic, event.envelope) for event in _told(player, 2)] == [("photos", None), ("game", None)]


def test_a_watcher_goes_on_where_it_was(broker: Broker, house: House, game: str, clock: Clock) -> None:
    """What happened while it was away comes once, and then what is new."""
    clock.forward(seconds=PATIENCE)
    _say(house, game, "game")
    watch = broker.watch(Audience(game, "organiser"))
    start = watch.next(1)
    assert start is not None
    broker.leave(watch)
    _say(house, game, "photos", 1)
    _say(house, game, "photos", 2)
    again = broker.watch(Audience(game, "organiser"), start.number)
    assert [event.envelope for event in _told(again, 2)] == [1, 2]
    _say(house, game, "photos", 3)
    assert [event.envelope for event in _told(again, 1)] == [3]


@pytest.mark.parametrize("last", ["too old", "never was"])
def test_a_watcher_who_missed_too_much_fetches_everything(last: str, broker: Broker, house: House, game: str) -> None:
    """Changes that are deleted, or a number that was never given, are told by one event."""
    _say(house, game, "photos", 1)
    with house.database.writing() as session:
        highest = session.scalar(select(func.max(Change.id))) or 0
        prune(session, house.clock() + KEPT + timedelta(seconds=1))
    _say(house, game, "photos", 1)
    watch = broker.watch(Audience(game, "organiser"), highest - 1 if last == "too old" else 10**9)
    assert [event.topic for event in _told(watch, 1)] == ["all"]


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


def test_a_slow_watcher_is_told_to_fetch_everything(game: str) -> None:
    """Its events are bounded: more than it takes become one."""
    watch = Watch(Audience(game, "organiser"))
    for number in range(301):
        watch.put(Event(number, "photos", number))
    assert watch.next(0) == Event(300, "all")
    assert watch.next(0) is None


def test_places_are_bounded_and_come_back(broker: Broker, game: str) -> None:
    """A server has so many; whoever watches too often loses the oldest of the own ones, not somebody else's."""
    mine = [broker.watch(Audience(game, "player", 1)) for _ in range(MOST_ALIKE + 1)]
    assert [watch.ended for watch in mine] == [True] + [False] * MOST_ALIKE
    others = [broker.watch(Audience(game, "player", number)) for number in range(2, 2 + 20 - MOST_ALIKE)]
    with pytest.raises(Refusal, match="Too many") as told:
        broker.watch(Audience(game, "projector"))
    assert told.value.retry
    broker.leave(others[0])
    broker.watch(Audience(game, "projector"))


def test_the_thread_ends_with_the_last_watcher(broker: Broker, house: House, game: str) -> None:
    """Nothing looks at the database while nobody watches, and watching begins again."""
    before = threading.active_count()
    watch = broker.watch(Audience(game, "organiser"))
    assert threading.active_count() == before + 1
    broker.leave(watch)
    for _ in range(100):
        if threading.active_count() == before:
            break
        time.sleep(PERIOD)
    assert threading.active_count() == before
    again = broker.watch(Audience(game, "organiser"))
    again.next(1)
    _say(house, game, "queue")
    assert [event.topic for event in _told(again, 1)] == ["queue"]


def test_many_changes_alike_are_one_event(broker: Broker, house: House, game: str) -> None:
    """What has to be fetched anew is fetched once."""
    watch = broker.watch(Audience(game, "organiser"))
    watch.next(1)
    with house.database.writing() as session:
        for _ in range(50):
            changed(session, game, house.clock(), "photos", 4)
    assert len(_told(watch, 1)) == 1


def test_changes_while_watchers_come_are_neither_lost_nor_told_twice(
    broker: Broker, house: House, game: str, clock: Clock
) -> None:
    """Each watcher that joins in the middle gets every later change exactly once."""
    clock.forward(seconds=PATIENCE)
    _say(house, game, "game")
    first = broker.watch(Audience(game, "organiser"))
    start = first.next(1)
    assert start is not None
    writer = threading.Thread(target=lambda: [_say(house, game, "photos", number) for number in range(60)])
    writer.start()
    late = [broker.watch(Audience(game, "organiser"), start.number) for _ in range(4)]
    writer.join()
    for watch in [first, *late]:
        seen = []
        while (event := watch.next(10 * PERIOD)) is not None:
            seen.append(event.envelope)
        assert seen == list(range(60))


def test_a_change_is_told_when_it_is_committed(house: House, game: str) -> None:
    """Who watches in the same process does not wait for the next look."""
    broker = Broker(house.database, period=600, news=house.news)
    try:
        watch = broker.watch(Audience(game, "organiser"))
        assert watch.next(60) is not None
        for topic in ("photos", "queue", "results"):
            _say(house, game, topic)
            event = watch.next(60)
            assert event is not None
            assert event.topic == topic
    finally:
        broker.close()


def test_the_bell_rings_after_the_commit_and_only_for_changes(house: House, game: str) -> None:
    """Who wakes finds the row; what was rolled back, or is no change, wakes nobody."""
    before = house.news.count
    with house.database.writing() as session:
        changed(session, game, house.clock(), "photos")
        session.flush()
        assert house.news.count == before
    assert house.news.count == before + 1
    with house.database.writing() as session:
        changed(session, game, house.clock(), "photos")
        session.flush()
        session.rollback()
    with house.database.writing() as session:
        session.get_one(Game, game).name = "Another name"
    assert house.news.count == before + 1


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_what_is_committed_after_a_later_change_is_told_too(
    broker: Broker, house: House, game: str, clock: Clock
) -> None:
    """A change gets its number before others see it: it is told when it can be seen, to who was away as well."""
    clock.forward(seconds=PATIENCE)
    watch = broker.watch(Audience(game, "organiser"))
    start = watch.next(5)
    assert start is not None
    with house.database.writing() as slow:
        changed(slow, game, house.clock(), "photos", 1)
        slow.flush()
        _say(house, game, "photos", 2)
        quick = watch.next(5)
        assert quick is not None
        assert quick.envelope == 2
    late = watch.next(5)
    assert late is not None
    assert (late.envelope, late.number) == (1, quick.number - 1)
    away = broker.watch(Audience(game, "organiser"), quick.number)
    assert [event.envelope for event in _told(away, 1)] == [1]


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_what_is_committed_late_is_told_on_another_server_too(
    broker: Broker, house: House, game: str, clock: Clock
) -> None:
    """The watcher was told of a later change elsewhere, and comes back when the one before it has been committed."""
    clock.forward(seconds=PATIENCE)
    with house.database.writing() as slow:
        changed(slow, game, house.clock(), "photos", 1)
        slow.flush()
        _say(house, game, "photos", 2)
    with house.database.reading() as session:
        last = session.scalar(select(func.max(Change.id))) or 0
    back = broker.watch(Audience(game, "organiser"), last)
    assert [(event.envelope, event.number) for event in _told(back, 1)] == [(1, last)]
    with house.database.writing() as session:
        session.delete(session.get_one(Change, last))
    assert _told(broker.watch(Audience(game, "organiser"), last), 0) == []


def test_who_watches_holds_no_connection(broker: Broker, house: House, game: str) -> None:
    """However many watch, the database is used in moments alone."""
    for number in range(1, 7):
        broker.watch(Audience(game, "player", number))
    pool = house.database.engine.pool
    assert isinstance(pool, QueuePool)
    in_use = []
    for _ in range(200):
        in_use.append(pool.checkedout())
        time.sleep(PERIOD / 10)
    assert 0 in in_use


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
