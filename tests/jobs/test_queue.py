"""The queue in the rows of the photographs: each is scanned by one, in a fair order, and none is forgotten."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.jobs import queue
from server.jobs.leases import LOOKS, LOOKS_AT_FAR, Leases
from server.jobs.queue import CLAIMS, LEASE, TRIES
from server.play.states import State
from server.store.tables import Photo
from tests.house import Clock, new_game, new_house
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House
    from server.store.database import Database


def claimed(house: House) -> queue.Claim:
    """Claim the next photograph."""
    found = queue.claim(house.database, house.clock())
    assert found
    return found


def put_back(house: House) -> int:
    """Look at the leases until it is known whose claimers are gone; return how many photographs were put back."""
    leases = Leases()
    return sum(leases.put_back(house.database, house.clock()) for _ in range(LOOKS))


def row(house: House, photo: str) -> Photo:
    """Return a photograph's row."""
    with house.database.reading() as session:
        return session.get_one(Photo, photo)


def test_players_come_first_then_the_oldest(house: House, clock: Clock) -> None:
    """Organisers' pictures by the hundred do not keep a player waiting, and one that was tried comes last."""
    game = new_game(house)
    bulk = [add_photo(house, game) for _ in range(2) if not clock.forward(seconds=1)]
    tried = add_photo(house, game, attempts=1, created=clock() - timedelta(days=1))
    players = [add_photo(house, game, envelope=number) for number in (1, 2) if not clock.forward(seconds=1)]
    assert [claimed(house).photo for _ in range(5)] == [*players, *bulk, tried]
    assert queue.claim(house.database, clock()) is None


def _scanned(house: House, clock: Clock, number: int) -> list[str]:
    """Scan photographs one after the other, a second each; return them."""
    done = []
    for _ in range(number):
        mine = claimed(house)
        clock.forward(seconds=1)
        with house.database.writing() as session:
            assert queue.finish(session, mine, reading([]).model_dump_json(), clock())
        done.append(mine.photo)
    return done


def test_envelopes_take_turns(house: House, clock: Clock) -> None:
    """Sixty pictures of one player keep no other one waiting: after one of them, whoever else waits is served."""
    game = new_game(house)
    many = [add_photo(house, game, envelope=1) for _ in range(60)]
    assert set(_scanned(house, clock, 1)) < set(many)
    few = [add_photo(house, game, envelope=number) for number in (2, 2, 3) if not clock.forward(seconds=1)]
    assert set(_scanned(house, clock, 2)) == {few[0], few[2]}
    assert few[1] in _scanned(house, clock, 2)


def test_pictures_that_are_tried_again_count_as_scanned(house: House, clock: Clock) -> None:
    """Pictures on which the scanner spends its time in vain are turns as well."""
    game = new_game(house)
    for _ in range(60):
        add_photo(house, game, envelope=1)
    with house.database.writing() as session:
        assert queue.fail(session, claimed(house), "too-slow", clock(), final=False)
    clock.forward(hours=1)
    other = add_photo(house, game, envelope=2)
    assert claimed(house).photo == other


@pytest.mark.parametrize("state", [State.OPEN, State.CLOSED])
def test_after_the_end_organisers_take_turns_with_players(house: House, clock: Clock, state: State) -> None:
    """While a game is played its players come first; then the pictures that the count waits for come in between."""
    game = new_game(house, state)
    bulk = {add_photo(house, game) for _ in range(20)}
    players = {add_photo(house, game, envelope=number) for number in (1, 1, 2, 2, 3, 3)}
    done = _scanned(house, clock, 6)
    assert len(players & set(done)) == (6 if state is State.OPEN else 3)
    assert len(bulk & set(done)) == (0 if state is State.OPEN else 3)


def test_turns_of_long_ago_are_forgotten(house: House, clock: Clock) -> None:
    """Whoever was served an hour ago waits no longer for it."""
    game = new_game(house)
    add_photo(house, game, envelope=1)
    _scanned(house, clock, 1)
    clock.forward(hours=1)
    first, _ = [add_photo(house, game, envelope=number) for number in (1, 2) if not clock.forward(seconds=1)]
    assert claimed(house).photo == first


def test_each_photograph_is_claimed_once(house: House, tmp_path: Path, clock: Clock) -> None:
    """Many threads of two processes' databases at once: each photograph goes to one of them."""
    game = new_game(house)
    photos = {add_photo(house, game) for _ in range(20)}
    other = new_house(tmp_path / "data", clock)
    got: list[str] = []

    def take(database: Database) -> None:
        while found := queue.claim(database, clock()):
            got.append(found.photo)

    threads = [threading.Thread(target=take, args=(one.database,)) for one in (house, other) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.database.close()
    assert sorted(got) == sorted(photos)


@pytest.mark.parametrize(("early", "back"), [(1, 0), (0, 0), (-1, 1)])
def test_a_lease_holds_until_it_is_over(house: House, clock: Clock, early: int, back: int) -> None:
    """A photograph whose claimer is gone is put back when its lease is over, and not before."""
    photo = add_photo(house, new_game(house))
    claimed(house)
    clock.time += LEASE - timedelta(milliseconds=early)
    assert put_back(house) == back
    assert row(house, photo).state == ("waiting" if back else "scanning")


def test_a_renewed_lease_holds(house: House, clock: Clock) -> None:
    """Who still works on a photograph keeps it, as long as it says so."""
    photo = add_photo(house, new_game(house))
    mine = claimed(house)
    clock.time += LEASE
    queue.renew(house.database, [mine], clock() + LEASE)
    clock.time += LEASE
    assert put_back(house) == 0
    assert row(house, photo).state == "scanning"


def test_who_renews_keeps_a_photograph_whatever_the_clocks_say(house: House, clock: Clock) -> None:
    """A process whose clock is two hours ahead puts nothing back that is renewed, nor does one that was away."""
    add_photo(house, new_game(house))
    mine, leases = claimed(house), Leases()
    for look in range(3 * LOOKS):
        assert leases.put_back(house.database, clock() + timedelta(hours=2)) == 0
        if look % (LOOKS - 1) == 0:
            clock.forward(seconds=5)
            queue.renew(house.database, [mine], clock() + LEASE)


@pytest.mark.parametrize(("wrong", "back"), [(timedelta(hours=2), 1), (timedelta(seconds=1), 1), (timedelta(0), 0)])
def test_a_lease_from_a_wrong_clock_is_over_as_well(house: House, clock: Clock, wrong: timedelta, back: int) -> None:
    """Where a clock that gave a lease was set back, its photograph waits a while longer, and no two hours."""
    add_photo(house, new_game(house))
    assert queue.claim(house.database, clock() + wrong)
    leases = Leases()
    assert [leases.put_back(house.database, clock()) for _ in range(LOOKS_AT_FAR - 1)] == [0] * (LOOKS_AT_FAR - 1)
    assert leases.put_back(house.database, clock()) == back


def test_one_look_more_or_less_counts(house: House, clock: Clock) -> None:
    """A claimer is gone with the fourth look that finds its lease as it was, not with the third."""
    add_photo(house, new_game(house))
    claimed(house)
    clock.time += 2 * LEASE
    leases = Leases()
    assert [leases.put_back(house.database, clock()) for _ in range(LOOKS)] == [0] * (LOOKS - 1) + [1]


def test_a_lost_claim_changes_nothing(house: House, clock: Clock) -> None:
    """Who comes back after the lease was over, with another at work, writes nothing, renews nothing."""
    photo = add_photo(house, new_game(house))
    late = claimed(house)
    clock.time += 2 * LEASE
    put_back(house)
    other = claimed(house)
    assert (other.photo, other.attempt) == (photo, 2)
    before = row(house, photo).lease
    queue.renew(house.database, [late], clock() + 9 * LEASE)
    assert row(house, photo).lease == before
    with house.database.writing() as session:
        assert not queue.finish(session, late, reading(["red-001"]).model_dump_json(), clock())
        assert not queue.fail(session, late, "crashed", clock(), final=True)
        assert not queue.put_back(session, late, clock())
    assert row(house, photo).state == "scanning"
    with house.database.writing() as session:
        assert queue.finish(session, other, reading(["red-002"]).model_dump_json(), clock())
    done = row(house, photo)
    assert (done.state, done.lease) == ("done", None)
    assert done.reading == reading(["red-002"]).as_json()


def test_the_third_failure_is_visible(house: House, clock: Clock) -> None:
    """Twice a photograph is tried again; the third time it has failed, with its reason, however it failed."""
    photo = add_photo(house, new_game(house))
    for attempt in range(1, TRIES + 1):
        mine = claimed(house)
        assert mine.attempt == attempt
        if attempt == 2:
            clock.time += 2 * LEASE
            assert put_back(house) == 1
        else:
            with house.database.writing() as session:
                assert queue.fail(session, mine, "too-slow", clock(), final=False)
        assert row(house, photo).state == ("failed" if attempt == TRIES else "waiting")
    failed = row(house, photo)
    assert (failed.reason, failed.scanned, failed.lease) == ("too-slow", clock(), None)
    assert queue.claim(house.database, clock()) is None
    with house.database.writing() as session:
        queue.scan_again(session, session.get_one(Photo, photo), clock())
    assert claimed(house).attempt == 1


def _lost(house: House, clock: Clock, *, ahead: bool = False, begun: bool = False) -> Photo:
    """Let the photograph whose turn it is be claimed by a server that is killed; return its row, put back."""
    mine = queue.claim(house.database, clock(), ahead=ahead)
    assert mine
    if begun:
        with house.database.writing() as session:
            assert queue.note_begun(session, [mine]) == {mine}
    clock.time += 2 * LEASE
    assert put_back(house) == 1
    return row(house, mine.photo)


def test_what_was_only_in_hand_has_lost_no_try(house: House, clock: Clock) -> None:
    """A server that is killed has one picture more in hand than it scans: that one is not to blame."""
    add_photo(house, new_game(house))
    for claims in range(1, TRIES + 2):
        waits = _lost(house, clock, ahead=True)
        assert (waits.state, waits.attempts, waits.begun) == ("waiting", claims, 0)
    states = [_lost(house, clock, ahead=begun, begun=begun).state for begun in (True, False, True)]
    assert states == ["waiting", "waiting", "failed"]


def test_what_ends_each_server_at_once_is_not_tried_for_ever(house: House, clock: Clock) -> None:
    """Where no server lives long enough to note that the scan began, many claims are enough."""
    add_photo(house, new_game(house))
    states = [_lost(house, clock, ahead=True).state for _ in range(CLAIMS)]
    assert states == ["waiting"] * (CLAIMS - 1) + ["failed"]
    assert queue.claim(house.database, clock()) is None


def test_all_claims_of_an_earlier_version_were_scans(house: House, clock: Clock) -> None:
    """It did not tell them apart: a picture that it tried twice has one try left."""
    photo = add_photo(house, new_game(house), attempts=TRIES - 1)
    assert row(house, photo).begun is None
    assert _lost(house, clock).state == "failed"


def test_what_was_in_hand_is_given_back_as_it_was(house: House, clock: Clock) -> None:
    """Also after a try, and whether its scan began or not."""
    photo = add_photo(house, new_game(house))
    assert _lost(house, clock).begun == 1
    for ahead in (True, False):
        mine = queue.claim(house.database, clock(), ahead=ahead)
        assert mine
        assert row(house, photo).begun == (1 if ahead else 2)
        with house.database.writing() as session:
            assert queue.put_back(session, mine, clock())
        assert (row(house, photo).attempts, row(house, photo).begun) == (1, 1)


def test_what_no_try_can_mend_fails_at_once(house: House, clock: Clock) -> None:
    """A file that is no picture is not tried again."""
    photo = add_photo(house, new_game(house))
    mine = claimed(house)
    with house.database.writing() as session:
        queue.fail(session, mine, "not-a-picture", clock(), final=True)
    assert row(house, photo).state == "failed"


def test_a_photograph_put_back_has_lost_no_try(house: House, clock: Clock) -> None:
    """A server that is shut down gives back what it had in hand, as if it had never had it."""
    photo = add_photo(house, new_game(house))
    mine = claimed(house)
    with house.database.writing() as session:
        assert queue.put_back(session, mine, clock())
    again = row(house, photo)
    assert (again.state, again.attempts, again.lease) == ("waiting", 0, None)


def test_a_deleted_photograph_is_no_trouble(house: House, clock: Clock) -> None:
    """Whoever scans a photograph that is deleted meanwhile finds that nothing is to be kept."""
    photo = add_photo(house, new_game(house))
    mine = claimed(house)
    with house.database.writing() as session:
        session.delete(session.get_one(Photo, photo))
    with house.database.writing() as session:
        assert not queue.finish(session, mine, reading([]).model_dump_json(), clock())


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_nobody_waits_for_a_photograph_that_another_has_in_hand(house: House, clock: Clock) -> None:
    """Whoever keeps what was read, and would claim the next one, keeps it all the same, without the next one."""
    game = new_game(house)
    photo = add_photo(house, game)
    one = queue.candidate(house.database, clock())
    assert one
    with house.database.writing() as other:
        other.execute(select(Photo).where(Photo.id == photo).with_for_update())
        with house.database.writing() as session:
            assert queue.take(session, one, clock()) is None
    with house.database.writing() as session:
        assert queue.take(session, one, clock())


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_nobody_waits_to_note_that_a_scan_began(house: House, clock: Clock) -> None:
    """While another has the row in hand (its lease is renewed) it is left for later; a lost claim for good."""
    photo = add_photo(house, new_game(house))
    mine = queue.claim(house.database, clock(), ahead=True)
    assert mine
    with house.database.writing() as other:
        other.execute(select(Photo).where(Photo.id == photo).with_for_update())
        with house.database.writing() as session:
            assert queue.note_begun(session, [mine]) == set()
    assert queue.renew(house.database, [mine], clock() + LEASE, [mine]) == {mine}
    assert row(house, photo).begun == 1
    with house.database.writing() as session:
        assert queue.put_back(session, mine, clock())
        assert queue.note_begun(session, [mine]) == set()
