"""Deadlines: the exact time, changes, and wrong clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from server.db import session as session_module
from server.db.models import Game
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.repository import close_due_games, is_late, load_game
from server.games.lifecycle.settings import change_game
from server.games.lifecycle.states import Act, State
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import ORGANISER, START, Clock, new_game
from tests.engines.cluster import Cluster, on_postgresql, services_or_skip
from tests.players import audited

DEADLINE = START + timedelta(hours=2)
MOMENT = timedelta(microseconds=1)


def state_of(context: AppContext, game: str) -> tuple[str, datetime | None]:
    with context.database.reading() as session:
        row = load_game(session, game)
        return row.state, row.closed


@pytest.mark.parametrize(("early", "state"), [(MOMENT, "open"), (0 * MOMENT, "closed"), (-MOMENT, "closed")])
def test_a_game_closes_at_its_deadline(context: AppContext, clock: Clock, early: timedelta, state: str) -> None:
    game = new_game(context, deadline=DEADLINE)
    clock.time = DEADLINE - early
    expected = state, DEADLINE if state == "closed" else None
    assert state_of(context, game) == expected
    with context.database.reading() as session:
        assert session.get_one(Game, game).state == "open", "a reader writes nothing"
    with context.database.writing() as session:
        assert load_game(session, game).state == state
    with context.database.reading() as session:
        row = session.get_one(Game, game)
        assert (row.state, row.closed) == expected


def test_the_recorded_time_of_closing_is_the_deadline(context: AppContext, clock: Clock) -> None:
    game, other = new_game(context, deadline=DEADLINE), new_game(context)
    clock.time = DEADLINE + timedelta(days=1)
    assert close_due_games(context) == [game]
    assert close_due_games(context) == []
    assert state_of(context, other) == (State.OPEN, None)
    (entry,) = audited(context, game, "close")
    assert (entry.at, entry.who) == (DEADLINE, "the server")


def test_the_deadline_of_an_open_game_can_be_moved(context: AppContext, clock: Clock) -> None:
    game = new_game(context, deadline=DEADLINE)
    later = DEADLINE + timedelta(minutes=30)
    with context.database.writing() as session:
        change_game(session, load_game(session, game), {"deadline": later}, ORGANISER, context.clock(), "a long queue")
    for clock.time, state in ((DEADLINE, State.OPEN), (later, State.CLOSED)):
        assert state_of(context, game)[0] == state


def test_a_game_reopens_with_a_later_deadline(context: AppContext, clock: Clock) -> None:
    game = new_game(context, deadline=DEADLINE)
    clock.time = came = DEADLINE + timedelta(minutes=1)
    with context.database.writing() as session:
        row = load_game(session, game)
        assert is_late(row, came)
        with pytest.raises(DomainError, match="set a later one") as error:
            change_state(session, row, Act.REOPEN, ORGANISER, context.clock())
        assert error.value.slug == "deadline-passed"
        change_game(session, row, {"deadline": DEADLINE + timedelta(hours=1)}, ORGANISER, context.clock())
        change_state(session, row, Act.REOPEN, ORGANISER, context.clock())
    with context.database.reading() as session:
        row = load_game(session, game)
        assert (row.state, is_late(row, came)) == ("open", False)


def test_hand_ins_after_a_manual_close_are_late(context: AppContext, clock: Clock) -> None:
    game = new_game(context)
    clock.forward(days=30)
    with context.database.writing() as session:
        change_state(session, load_game(session, game), Act.CLOSE, ORGANISER, context.clock(), "all are here")
    with context.database.reading() as session:
        row = load_game(session, game)
        assert [is_late(row, row.closed + n * MOMENT) for n in (-1, 0, 1)] == [False, True, True]


def test_deadlines_are_in_the_future(context: AppContext, clock: Clock) -> None:
    game = new_game(context)
    for deadline in (START, START - timedelta(hours=1), START.replace(tzinfo=None), START + timedelta(days=4000)):
        with context.database.writing() as session, pytest.raises(DomainError) as error:
            change_game(session, load_game(session, game), {"deadline": deadline}, ORGANISER, clock())
        assert error.value.slug == "wrong-setting", deadline
    with context.database.writing() as session:
        soon = {"deadline": START + MOMENT}
        assert change_game(session, load_game(session, game), soon, ORGANISER, clock()) == ["deadline"]


def _set_clock(monkeypatch: pytest.MonkeyPatch, wrong: timedelta) -> None:
    """Replace this machine's clock by a wrong one."""

    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # the plain class
            return datetime.now(tz) + wrong

    monkeypatch.setattr(session_module, "datetime", Wrong)


@on_postgresql
@pytest.mark.parametrize("wrong", [timedelta(hours=2), timedelta(hours=-2)])
def test_a_wrong_clock_does_not_change_deadlines(
    context: AppContext, monkeypatch: pytest.MonkeyPatch, wrong: timedelta
) -> None:
    shared = AppContext(context.database, context.photos)
    at = datetime.now(UTC)
    later, earlier = (new_game(shared, deadline=at + timedelta(hours=1)) for _ in range(2))
    with shared.database.writing() as session:
        session.get_one(Game, earlier).deadline = at
    _set_clock(monkeypatch, wrong)
    assert abs(shared.clock() - at) > timedelta(hours=1)
    assert abs(shared.time() - at) < timedelta(minutes=1)
    assert close_due_games(shared) == [earlier]
    with shared.database.writing() as session:
        assert load_game(session, later).state == State.OPEN


def test_a_difference_to_the_clock_of_the_database_is_logged(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    addresses = services_or_skip(cluster)
    for wrong in (timedelta(0), timedelta(minutes=-3)):
        assert "clock" not in caplog.text
        _set_clock(monkeypatch, wrong)
        open_context(AppConfig(tmp_path, database=addresses.database)).close()
    assert "this machine's clock is 180 s behind the database's" in caplog.text
    cluster.postgres.drop(addresses.database)
