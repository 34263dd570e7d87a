"""The deadline: by the server's clock, at the moment itself, whenever that is noticed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.app.house import HouseConfig, open_house
from server.play import house as house_module
from server.play.deadline import close_due, is_late
from server.play.games import move
from server.play.house import House, game_row
from server.play.refusals import Refusal
from server.play.settings import change_game
from server.play.states import Act, State
from server.store.tables import AuditEntry, Game
from tests.engines.festival import place_or_skip
from tests.house import ORGANISER, START, new_game

if TYPE_CHECKING:
    from datetime import tzinfo
    from pathlib import Path

    from tests.engines.festival import Festival
    from tests.house import Clock

DEADLINE = START + timedelta(hours=2)


@pytest.mark.parametrize(
    ("early", "state"),
    [(timedelta(microseconds=1), "open"), (timedelta(0), "closed"), (timedelta(microseconds=-1), "closed")],
)
def test_a_game_closes_exactly_at_its_deadline(house: House, clock: Clock, early: timedelta, state: str) -> None:
    """A microsecond before it is open; at the deadline and after it is closed, for whoever reads and whoever writes."""
    game = new_game(house, deadline=DEADLINE)
    clock.time = DEADLINE - early
    with house.database.reading() as session:
        assert game_row(session, game).state == state
    with house.database.writing() as session:
        assert game_row(session, game).state == state
    with house.database.reading() as session:
        kept = session.get_one(Game, game)
        assert kept.state == state
        assert kept.closed == (DEADLINE if state == "closed" else None)


def test_a_reader_changes_nothing(house: House, clock: Clock) -> None:
    """Who only reads sees the game closed; the row is left to those who write."""
    game = new_game(house, deadline=DEADLINE)
    clock.time = DEADLINE + timedelta(days=1)
    with house.database.reading() as session:
        row = game_row(session, game)
        assert (row.state, row.closed) == ("closed", DEADLINE)
        session.flush()
    with house.database.reading() as session:
        assert session.get_one(Game, game).state == "open"


def test_the_close_that_is_written_down_is_the_deadline(house: House, clock: Clock) -> None:
    """Noticed a day later, the game closed at its deadline all the same, by the server; a second look does nothing."""
    game = new_game(house, deadline=DEADLINE)
    other = new_game(house)
    clock.time = DEADLINE + timedelta(days=1)
    assert close_due(house) == [game]
    assert close_due(house) == []
    with house.database.reading() as session:
        assert game_row(session, other).state == State.OPEN
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.game == game, AuditEntry.action == "close"))
    assert (entry.at, entry.who) == (DEADLINE, "the server")


def test_an_open_game_s_deadline_can_be_moved(house: House, clock: Clock) -> None:
    """The later deadline counts, also where the clock has passed the first one."""
    game = new_game(house, deadline=DEADLINE)
    later = DEADLINE + timedelta(minutes=30)
    with house.database.writing() as session:
        change_game(session, game_row(session, game), {"deadline": later}, ORGANISER, house.clock(), "a long queue")
    clock.time = DEADLINE
    with house.database.reading() as session:
        assert game_row(session, game).state == State.OPEN
    clock.time = later
    with house.database.reading() as session:
        assert game_row(session, game).state == State.CLOSED


def test_a_game_whose_deadline_has_passed_opens_again_with_a_later_one(house: House, clock: Clock) -> None:
    """Otherwise it would close at once; what came in between is late no longer."""
    game = new_game(house, deadline=DEADLINE)
    clock.time = DEADLINE + timedelta(minutes=1)
    came = house.clock()
    with house.database.writing() as session:
        row = game_row(session, game)
        assert is_late(row, came)
        with pytest.raises(Refusal, match="set a later one") as told:
            move(session, row, Act.REOPEN, ORGANISER, house.clock())
        assert told.value.slug == "deadline-passed"
        change_game(session, row, {"deadline": DEADLINE + timedelta(hours=1)}, ORGANISER, house.clock())
        move(session, row, Act.REOPEN, ORGANISER, house.clock())
    with house.database.reading() as session:
        row = game_row(session, game)
        assert (row.state, is_late(row, came)) == ("open", False)


def test_a_game_without_deadline_closes_by_hand(house: House, clock: Clock) -> None:
    """What comes at that moment or later is late, what came before is not."""
    game = new_game(house)
    clock.forward(days=30)
    with house.database.writing() as session:
        move(session, game_row(session, game), Act.CLOSE, ORGANISER, house.clock(), "all are here")
    with house.database.reading() as session:
        row = game_row(session, game)
        moments = [row.closed + timedelta(microseconds=n) for n in (-1, 0, 1)]
        assert [is_late(row, moment) for moment in moments] == [False, True, True]


def test_deadlines_lie_ahead(house: House, clock: Clock) -> None:
    """A deadline now or before is refused, and so is one that has no zone or lies far ahead."""
    game = new_game(house)
    for deadline in (START, START - timedelta(hours=1), START.replace(tzinfo=None), START + timedelta(days=4000)):
        with house.database.writing() as session, pytest.raises(Refusal) as told:
            change_game(session, game_row(session, game), {"deadline": deadline}, ORGANISER, clock())
        assert told.value.slug == "wrong-setting"
    with house.database.writing() as session:
        soon = START + timedelta(microseconds=1)
        assert change_game(session, game_row(session, game), {"deadline": soon}, ORGANISER, clock()) == ["deadline"]


def _set_clock(monkeypatch: pytest.MonkeyPatch, wrong: timedelta) -> None:
    """Let this machine's clock be wrong."""

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # the plain class
            return datetime.now(tz) + wrong

    monkeypatch.setattr(house_module, "datetime", Wrong)


@pytest.mark.parametrize("place", ["festival"], indirect=True)
@pytest.mark.parametrize("wrong", [timedelta(hours=2), timedelta(hours=-2)])
def test_a_wrong_clock_of_one_machine_moves_no_deadline(
    house: House, monkeypatch: pytest.MonkeyPatch, wrong: timedelta
) -> None:
    """Games close and hand-ins are timed by the database's clock."""
    shared = House(house.database, house.photos)
    at = datetime.now(UTC)
    later, earlier = (new_game(shared, deadline=at + timedelta(hours=1)) for _ in range(2))
    with shared.database.writing() as session:
        session.get_one(Game, earlier).deadline = at
    _set_clock(monkeypatch, wrong)
    assert abs(shared.clock() - at) > timedelta(hours=1)
    assert abs(shared.time() - at) < timedelta(minutes=1)
    assert close_due(shared) == [earlier]
    with shared.database.writing() as session:
        assert game_row(session, later).state == State.OPEN


def test_a_clock_that_differs_from_the_database_s_is_logged(
    festival: Festival, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """At the start, where machines share a database; a clock that is right is not."""
    addresses = place_or_skip(festival)
    for wrong in (timedelta(0), timedelta(minutes=-3)):
        assert "clock" not in caplog.text
        _set_clock(monkeypatch, wrong)
        open_house(HouseConfig(tmp_path, database=addresses.database)).close()
    assert "this machine's clock is 180 s behind the database's" in caplog.text
    festival.postgres.drop(addresses.database)
