"""The queue of photographs: each is scanned by one process, in a fair order."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.db.models import Photo
from server.db.session import Database
from server.games.lifecycle.states import State
from server.games.photos import scan_queue
from server.games.photos.scan_queue import RECENT, SCANS
from server.workers.lease_queue import LEASE, MAX_ATTEMPTS
from tests.context import Clock, new_game
from tests.engines.cluster import on_postgresql
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from server.games.context import AppContext

BOTH = pytest.mark.parametrize("backend", ["single", "cluster"], indirect=True)
"""For statements that differ between engines."""
OVER = -1.0
"""Seconds of a lease that has expired already, like that of a killed or suspended process."""


def claimed(context: AppContext, seconds: float = LEASE) -> Photo:
    """Claim the next photograph."""
    with context.database.writing() as session:
        photo = scan_queue.claim(session, context.clock(), seconds)
    assert photo
    return photo


def none_can_be_claimed(context: AppContext) -> bool:
    """Return whether no photograph can be claimed."""
    with context.database.writing() as session:
        return scan_queue.claim(session, context.clock()) is None


def finish(context: AppContext, photo: Photo, seconds: float = 0.3) -> bool:
    """Finish a scan."""
    with context.database.writing() as session:
        return scan_queue.finish(
            session, photo, reading().model_dump_json(by_alias=True), context.clock(), seconds=seconds
        )


def fail(context: AppContext, photo: Photo, *, again: bool = True) -> bool:
    """Record that a scan failed."""
    with context.database.writing() as session:
        return scan_queue.fail(session, photo, "crashed", context.clock(), again=again)


def put_back(context: AppContext, photo: Photo, pause: float = 0.0) -> bool:
    """Return a photograph to the queue."""
    with context.database.writing() as session:
        return scan_queue.put_back(session, photo, context.clock(), pause)


def renew(context: AppContext, photo: Photo, seconds: float = LEASE) -> bool:
    """Renew a claim."""
    with context.database.writing() as session:
        SCANS.renew(session, [photo.token], seconds)
        return SCANS.holds(session, photo)


def give_up(context: AppContext) -> None:
    """Mark photographs as failed whose last lease has expired."""
    with context.database.writing() as session:
        scan_queue.give_up(session, context.clock())


def row(context: AppContext, photo: str) -> Photo:
    """Return a photograph's row."""
    with context.database.reading() as session:
        return session.get_one(Photo, photo)


def scanned(context: AppContext, clock: Clock, number: int) -> list[str]:
    """Scan photographs one after the other, in 0.3 seconds each; return their ids."""
    done = []
    for _ in range(number):
        photo = claimed(context)
        clock.forward(seconds=0.3)
        assert finish(context, photo)
        done.append(photo.id)
    return done


@BOTH
def test_players_of_a_running_game_come_first_then_the_oldest(context: AppContext, clock: Clock) -> None:
    """Many photographs of organisers do not delay those of players."""
    game = new_game(context)
    bulk = [add_photo(context, game) for _ in range(2) if not clock.forward(seconds=1)]
    players = [add_photo(context, game, envelope=number) for number in (1, 2) if not clock.forward(seconds=1)]
    assert [claimed(context).id for _ in range(4)] == [*players, *bulk]
    assert none_can_be_claimed(context)


def test_envelopes_take_turns(context: AppContext, clock: Clock) -> None:
    """Sixty photographs of one player do not delay others, which follow after one of them."""
    game = new_game(context)
    many = [add_photo(context, game, envelope=1) for _ in range(60)]
    assert set(scanned(context, clock, 1)) < set(many)
    few = [add_photo(context, game, envelope=number) for number in (2, 2, 3) if not clock.forward(seconds=1)]
    assert set(scanned(context, clock, 2)) == {few[0], few[2]}
    assert few[1] in scanned(context, clock, 2)


def test_slow_photographs_of_one_player_do_not_delay_others(context: AppContext, clock: Clock) -> None:
    """If six take 25 seconds each, photographs of the next minutes come before the second one."""
    game = new_game(context, players=24)
    slow = [add_photo(context, game, envelope=1) for _ in range(6)]
    first = claimed(context)
    assert first.id in slow
    early = [add_photo(context, game, envelope=number) for number in range(2, 12)]
    clock.forward(seconds=25)
    assert finish(context, first, seconds=25.0)
    clock.forward(minutes=2)
    late = [add_photo(context, game, envelope=number) for number in range(12, 22)]
    seventh = add_photo(context, game, envelope=1)
    assert set(scanned(context, clock, 20)) == {*early, *late}
    assert {claimed(context).id for _ in range(6)} == {*slow, seventh} - {first.id}


def test_an_envelope_has_one_scanner_while_others_wait(context: AppContext, clock: Clock) -> None:
    """It gets more if no other envelope waits, or if its scan was interrupted."""
    game = new_game(context)
    mine = [add_photo(context, game, envelope=1) for _ in range(4)]
    clock.forward(hours=1)
    others = [add_photo(context, game, envelope=2), add_photo(context, game)]
    assert [claimed(context, seconds).id for seconds in (LEASE, LEASE, LEASE)] == [mine[0], *others]
    assert [claimed(context).id for _ in range(3)] == mine[1:]


@pytest.mark.parametrize("state", [State.OPEN, State.CLOSED])
def test_after_the_end_organisers_take_turns_with_players(context: AppContext, clock: Clock, state: State) -> None:
    """Players come first while a game is open; then photographs of organisers take turns with theirs."""
    game = new_game(context, state)
    bulk = {add_photo(context, game) for _ in range(20)}
    clock.forward(seconds=1)
    players = {add_photo(context, game, envelope=number) for number in (1, 1, 2, 2)}
    done = scanned(context, clock, 4)
    assert len(bulk & set(done)) == (0 if state is State.OPEN else 2)
    assert len(players & set(done)) == (4 if state is State.OPEN else 2)


def test_old_scans_do_not_count(context: AppContext, clock: Clock) -> None:
    """An envelope with many scans waits for others only within five minutes."""
    game = new_game(context)
    for pause, first in ((RECENT - timedelta(seconds=60), 2), (RECENT + timedelta(seconds=60), 1)):
        add_photo(context, game, envelope=1)
        assert finish(context, claimed(context), seconds=20.0)
        clock.time += pause
        for number in (1, 2):
            add_photo(context, game, envelope=number)
            clock.forward(seconds=1)
        assert [claimed(context).envelope for _ in range(2)] == [first, 3 - first]
        clock.forward(days=1)


@BOTH
def test_each_photograph_is_claimed_once(context: AppContext, clock: Clock) -> None:
    """Of many threads with two connection pools, only one gets each photograph."""
    game = new_game(context)
    photos = {add_photo(context, game) for _ in range(20)}
    other = Database(context.database.engine.url.render_as_string(hide_password=False))
    got: list[str] = []

    def take(database: Database) -> None:
        while True:
            with database.writing() as session:
                photo = scan_queue.claim(session, clock())
            if photo is None:
                return
            got.append(photo.id)

    threads = [threading.Thread(target=take, args=(one,)) for one in (context.database, other) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert sorted(got) == sorted(photos)


@BOTH
def test_only_the_holder_of_the_last_claim_changes_a_photograph(context: AppContext) -> None:
    """A lease excludes others, even if renewed after it had expired. A holder that lost its claim writes nothing.

    The times are the database's; the server's clock does not matter.
    """
    photo = add_photo(context, new_game(context))
    late = claimed(context, OVER)
    assert renew(context, late)
    assert none_can_be_claimed(context)
    with context.database.writing() as session:
        session.get_one(Photo, photo).lease = context.clock() - timedelta(days=30_000)
    other = claimed(context)
    assert other.id == photo
    assert not renew(context, late, 900.0)
    assert not finish(context, late)
    assert not fail(context, late, again=False)
    assert not put_back(context, late)
    still = row(context, photo)
    assert (still.state, still.token, still.lease) == ("scanning", other.token, other.lease)
    assert finish(context, other)
    assert not renew(context, other)
    done = row(context, photo)
    assert (done.state, done.token, done.lease) == ("done", None, None)
    assert done.scan_result == reading().as_json()


@pytest.mark.parametrize("noticed", [True, False])
def test_a_photograph_fails_after_the_third_crash(context: AppContext, clock: Clock, *, noticed: bool) -> None:
    """It is tried three times, whether or not the server noticed the crash."""
    photo = add_photo(context, new_game(context))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        mine = claimed(context, LEASE if noticed else OVER)
        assert mine.attempts == attempt
        if noticed:
            fail(context, mine)
        give_up(context)
    failed = row(context, photo)
    assert (failed.state, failed.reason, failed.scanned, failed.lease) == ("failed", "crashed", clock(), None)
    assert none_can_be_claimed(context)
    with context.database.writing() as session:
        scan_queue.scan_again(session, session.get_one(Photo, photo), clock())
    assert claimed(context).attempts == 1


def test_a_suspended_process_has_not_crashed(context: AppContext) -> None:
    """Even if it is suspended during several scans, and other processes continue them."""
    photo = add_photo(context, new_game(context))
    for _ in range(2 * MAX_ATTEMPTS):
        asleep = claimed(context, OVER)
        awake = claimed(context, OVER)
        assert not finish(context, asleep)
        assert row(context, photo).attempts == 1
        assert put_back(context, awake)
        give_up(context)
    assert row(context, photo).state == "waiting"


def test_a_photograph_that_is_tried_again_comes_after_others(context: AppContext, clock: Clock) -> None:
    """One that crashes its scanner does not delay others; one that cannot succeed fails at once."""
    game = new_game(context)
    bad, good = [add_photo(context, game, envelope=number) for number in (1, 2) if not clock.forward(seconds=1)]
    assert fail(context, claimed(context))
    assert [claimed(context).id for _ in range(2)] == [good, bad]
    photo = add_photo(context, game)
    assert fail(context, claimed(context), again=False)
    assert row(context, photo).state == "failed"


@BOTH
def test_returning_a_photo_to_the_queue_costs_no_attempt(context: AppContext) -> None:
    """A server that stops puts its photographs back; one that could not be fetched is tried again after a pause."""
    photo = add_photo(context, new_game(context))
    assert put_back(context, claimed(context))
    assert claimed(context, OVER).attempts == 1
    assert put_back(context, claimed(context), pause=60.0)
    assert (row(context, photo).state, row(context, photo).attempts) == ("waiting", 1)
    assert none_can_be_claimed(context)
    add_photo(context, new_game(context))
    mine = claimed(context)
    with context.database.writing() as session:
        session.delete(session.get_one(Photo, mine.id))
    # The result of a photograph that was deleted meanwhile is not stored.
    assert not finish(context, mine)


@on_postgresql
def test_locked_rows_do_not_delay_others(context: AppContext, clock: Clock) -> None:
    """While a deletion locks a game's photographs, others can be claimed, and claims renewed."""
    deleted, other = new_game(context), new_game(context)
    scanning = [add_photo(context, game) and claimed(context) for game in (deleted, other)]
    add_photo(context, deleted)
    clock.forward(seconds=1)
    free = add_photo(context, other)
    with context.database.writing() as deletes:
        deletes.execute(select(Photo).where(Photo.game == deleted).with_for_update())
        with context.database.writing() as session:
            SCANS.renew(session, [photo.token for photo in scanning], LEASE)
            scan_queue.give_up(session, clock())
            photo = scan_queue.claim(session, clock())
            assert photo
            assert photo.id == free
        assert none_can_be_claimed(context)
