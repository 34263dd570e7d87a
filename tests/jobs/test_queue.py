"""The queue of photographs: each is scanned by one process, in a fair order, and none is forgotten."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.jobs import queue
from server.jobs.queue import LATELY, LEASE, SCANS, TRIES
from server.play.states import State
from server.store.database import Database
from server.store.tables import Photo
from tests.engines.festival import on_postgresql
from tests.house import Clock, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from server.play.house import House

BOTH = pytest.mark.parametrize("place", ["laptop", "festival"], indirect=True)
"""For the statements that are written for each engine."""
OVER = -1.0
"""Seconds of a lease that has ended as it begins: that of a process that was killed, or is asleep."""


def claimed(house: House, seconds: float = LEASE) -> Photo:
    """Claim the photograph whose turn it is."""
    with house.database.writing() as session:
        photo = queue.claim(session, house.clock(), seconds)
    assert photo
    return photo


def none_can_be_claimed(house: House) -> bool:
    """Tell whether no photograph can be claimed."""
    with house.database.writing() as session:
        return queue.claim(session, house.clock()) is None


def finish(house: House, photo: Photo, seconds: float = 0.3) -> bool:
    """Keep what was read in a photograph."""
    with house.database.writing() as session:
        return queue.finish(session, photo, reading().model_dump_json(), house.clock(), seconds=seconds)


def fail(house: House, photo: Photo, *, again: bool = True) -> bool:
    """Note that a scan failed."""
    with house.database.writing() as session:
        return queue.fail(session, photo, "crashed", house.clock(), again=again)


def put_back(house: House, photo: Photo, pause: float = 0.0) -> bool:
    """Give a photograph back."""
    with house.database.writing() as session:
        return queue.put_back(session, photo, house.clock(), pause)


def renew(house: House, photo: Photo, seconds: float = LEASE) -> bool:
    """Renew a claim."""
    with house.database.writing() as session:
        SCANS.renew(session, [photo.token], seconds)
        return SCANS.holds(session, photo)


def give_up(house: House) -> None:
    """Let photographs fail whose last lease has ended."""
    with house.database.writing() as session:
        queue.give_up(session, house.clock())


def row(house: House, photo: str) -> Photo:
    """Return a photograph's row."""
    with house.database.reading() as session:
        return session.get_one(Photo, photo)


def scanned(house: House, clock: Clock, number: int) -> list[str]:
    """Scan photographs one after the other, a third of a second each; return them."""
    done = []
    for _ in range(number):
        photo = claimed(house)
        clock.forward(seconds=0.3)
        assert finish(house, photo)
        done.append(photo.id)
    return done


@BOTH
def test_players_of_a_running_game_come_first_then_the_oldest(house: House, clock: Clock) -> None:
    """Organisers' pictures by the hundred do not keep a player waiting."""
    game = new_game(house)
    bulk = [add_photo(house, game) for _ in range(2) if not clock.forward(seconds=1)]
    players = [add_photo(house, game, envelope=number) for number in (1, 2) if not clock.forward(seconds=1)]
    assert [claimed(house).id for _ in range(4)] == [*players, *bulk]
    assert none_can_be_claimed(house)


def test_envelopes_take_turns(house: House, clock: Clock) -> None:
    """Sixty pictures of one player keep no other one waiting: after one of them, whoever else waits is served."""
    game = new_game(house)
    many = [add_photo(house, game, envelope=1) for _ in range(60)]
    assert set(scanned(house, clock, 1)) < set(many)
    few = [add_photo(house, game, envelope=number) for number in (2, 2, 3) if not clock.forward(seconds=1)]
    assert set(scanned(house, clock, 2)) == {few[0], few[2]}
    assert few[1] in scanned(house, clock, 2)


def test_slow_pictures_of_one_player_keep_nobody_waiting(house: House, clock: Clock) -> None:
    """Six that take 25 seconds each: whoever comes in the minutes after the first is served before the second."""
    game = new_game(house, players=24)
    slow = [add_photo(house, game, envelope=1) for _ in range(6)]
    first = claimed(house)
    assert first.id in slow
    early = [add_photo(house, game, envelope=number) for number in range(2, 12)]
    clock.forward(seconds=25)
    assert finish(house, first, seconds=25.0)
    clock.forward(minutes=2)
    late = [add_photo(house, game, envelope=number) for number in range(12, 22)]
    seventh = add_photo(house, game, envelope=1)
    assert set(scanned(house, clock, 20)) == {*early, *late}
    assert {claimed(house).id for _ in range(6)} == {*slow, seventh} - {first.id}


def test_an_envelope_has_one_scanner_while_others_wait(house: House, clock: Clock) -> None:
    """It gets more of them when nobody else waits, or when its scan was broken off."""
    game = new_game(house)
    mine = [add_photo(house, game, envelope=1) for _ in range(4)]
    clock.forward(hours=1)
    others = [add_photo(house, game, envelope=2), add_photo(house, game)]
    assert [claimed(house, seconds).id for seconds in (LEASE, LEASE, LEASE)] == [mine[0], *others]
    assert [claimed(house).id for _ in range(3)] == mine[1:]


@pytest.mark.parametrize("state", [State.OPEN, State.CLOSED])
def test_after_the_end_organisers_take_turns_with_players(house: House, clock: Clock, state: State) -> None:
    """While a game is played its players come first; then the pictures that the count waits for come in between."""
    game = new_game(house, state)
    bulk = {add_photo(house, game) for _ in range(20)}
    clock.forward(seconds=1)
    players = {add_photo(house, game, envelope=number) for number in (1, 1, 2, 2)}
    done = scanned(house, clock, 4)
    assert len(bulk & set(done)) == (0 if state is State.OPEN else 2)
    assert len(players & set(done)) == (4 if state is State.OPEN else 2)


def test_scans_of_long_ago_are_forgotten(house: House, clock: Clock) -> None:
    """Whoever used the scanner much waits for others within five minutes, and not after that."""
    game = new_game(house)
    for pause, first in ((LATELY - timedelta(seconds=60), 2), (LATELY + timedelta(seconds=60), 1)):
        add_photo(house, game, envelope=1)
        assert finish(house, claimed(house), seconds=20.0)
        clock.time += pause
        for number in (1, 2):
            add_photo(house, game, envelope=number)
            clock.forward(seconds=1)
        assert [claimed(house).envelope for _ in range(2)] == [first, 3 - first]
        clock.forward(days=1)


@BOTH
def test_each_photograph_is_claimed_once(house: House, clock: Clock) -> None:
    """Many threads on two databases' connections at once: each photograph goes to one of them."""
    game = new_game(house)
    photos = {add_photo(house, game) for _ in range(20)}
    other = Database(house.database.engine.url.render_as_string(hide_password=False))
    got: list[str] = []

    def take(database: Database) -> None:
        while True:
            with database.writing() as session:
                photo = queue.claim(session, clock())
            if photo is None:
                return
            got.append(photo.id)

    threads = [threading.Thread(target=take, args=(one,)) for one in (house.database, other) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert sorted(got) == sorted(photos)


@BOTH
def test_only_who_holds_the_last_claim_changes_a_photograph(house: House) -> None:
    """A lease keeps others away, also one that was over and renewed; who comes back after another writes nothing.

    The times are the database's own: the server's clock does not matter.
    """
    photo = add_photo(house, new_game(house))
    late = claimed(house, OVER)
    assert renew(house, late)
    assert none_can_be_claimed(house)
    with house.database.writing() as session:
        session.get_one(Photo, photo).lease = house.clock() - timedelta(days=30_000)
    other = claimed(house)
    assert other.id == photo
    assert not renew(house, late, 900.0)
    assert not finish(house, late)
    assert not fail(house, late, again=False)
    assert not put_back(house, late)
    still = row(house, photo)
    assert (still.state, still.token, still.lease) == ("scanning", other.token, other.lease)
    assert finish(house, other)
    assert not renew(house, other)
    done = row(house, photo)
    assert (done.state, done.token, done.lease) == ("done", None, None)
    assert done.reading == reading().as_json()


@pytest.mark.parametrize("noticed", [True, False])
def test_the_third_crash_is_visible(house: House, clock: Clock, *, noticed: bool) -> None:
    """Twice a photograph is tried again, the third time it has failed, whether its server noticed or was killed too."""
    photo = add_photo(house, new_game(house))
    for attempt in range(1, TRIES + 1):
        mine = claimed(house, LEASE if noticed else OVER)
        assert mine.attempts == attempt
        if noticed:
            fail(house, mine)
        give_up(house)
    failed = row(house, photo)
    assert (failed.state, failed.reason, failed.scanned, failed.lease) == ("failed", "crashed", clock(), None)
    assert none_can_be_claimed(house)
    with house.database.writing() as session:
        queue.scan_again(session, session.get_one(Photo, photo), clock())
    assert claimed(house).attempts == 1


def test_who_was_only_asleep_has_not_crashed(house: House) -> None:
    """However often a laptop sleeps while a picture is scanned, and another process takes it over."""
    photo = add_photo(house, new_game(house))
    for _ in range(2 * TRIES):
        asleep = claimed(house, OVER)
        awake = claimed(house, OVER)
        assert not finish(house, asleep)
        assert row(house, photo).attempts == 1
        assert put_back(house, awake)
        give_up(house)
    assert row(house, photo).state == "waiting"


def test_a_photograph_that_is_tried_again_comes_after_others(house: House, clock: Clock) -> None:
    """One that ends its scanner does not keep those behind it waiting; what no try can mend fails at once."""
    game = new_game(house)
    bad, good = [add_photo(house, game, envelope=number) for number in (1, 2) if not clock.forward(seconds=1)]
    assert fail(house, claimed(house))
    assert [claimed(house).id for _ in range(2)] == [good, bad]
    photo = add_photo(house, game)
    assert fail(house, claimed(house), again=False)
    assert row(house, photo).state == "failed"


@BOTH
def test_a_photograph_put_back_has_lost_no_try(house: House) -> None:
    """A server that is shut down gives back what it has; where the picture could not be fetched, after a pause."""
    photo = add_photo(house, new_game(house))
    assert put_back(house, claimed(house))
    assert claimed(house, OVER).attempts == 1
    assert put_back(house, claimed(house), pause=60.0)
    assert (row(house, photo).state, row(house, photo).attempts) == ("waiting", 1)
    assert none_can_be_claimed(house)
    add_photo(house, new_game(house))
    mine = claimed(house)
    with house.database.writing() as session:
        session.delete(session.get_one(Photo, mine.id))
    # Nothing is to be kept of a photograph that is deleted meanwhile.
    assert not finish(house, mine)


@on_postgresql
def test_locked_rows_keep_nobody_waiting(house: House, clock: Clock) -> None:
    """While a game is deleted, which locks its photographs, others are claimed, and claims are renewed."""
    deleted, other = new_game(house), new_game(house)
    scanning = [add_photo(house, game) and claimed(house) for game in (deleted, other)]
    add_photo(house, deleted)
    clock.forward(seconds=1)
    free = add_photo(house, other)
    with house.database.writing() as deletes:
        deletes.execute(select(Photo).where(Photo.game == deleted).with_for_update())
        with house.database.writing() as session:
            SCANS.renew(session, [photo.token for photo in scanning], LEASE)
            queue.give_up(session, clock())
            photo = queue.claim(session, clock())
            assert photo
            assert photo.id == free
        assert none_can_be_claimed(house)
