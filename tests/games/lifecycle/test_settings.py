"""States and settings of games: transitions, validation and audit entries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from server.db.models import AuditEntry
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.commands import GameDraft, change_state, create_game
from server.games.lifecycle.repository import check_allowed, load_game
from server.games.lifecycle.settings import ACTS, BOUNDS, change_game, local_time, notes_on, unconfirmed
from server.games.lifecycle.states import ALLOWED, NEXT, Act, State
from tests.context import ORGANISER, START, new_game
from tests.players import audited, set_game

OTHER: dict[str, Any] = {
    "edition": "sackson-1969",
    "players": 7,
    "size": "bridge",
    "active_rules": ["1", "2"],
    "settings": {"blue_base": 5},
    "confirmed": ["blue_base"],
    "deadline": START + timedelta(days=3),
    "timezone": "Europe/Berlin",
    "mode": "total",
    "tries": 5,
    "pause": 60,
    "expect_dealt": True,
    "name": "Another name",
    "language": "de",
    "keep_days": 3,
    "keep_hours": 2,
}
"""A different value for each setting of a game."""


def change(context: AppContext, game: str, changes: dict[str, Any], reason: str = "") -> list[str]:
    with context.database.writing() as session:
        return change_game(session, load_game(session, game), changes, ORGANISER, context.clock(), reason)


def settings_of(context: AppContext, game: str) -> dict[str, Any]:
    with context.database.reading() as session:
        row = load_game(session, game)
        return {name: getattr(row, name) for name in ACTS}


def test_a_refused_transition_names_the_allowed_states(context: AppContext) -> None:
    game = new_game(context, State.DRAFT)
    for state in State:
        set_game(context, game, state=state.value)
        for act in Act:
            with context.database.reading() as session:
                row = load_game(session, game)
                if state in ALLOWED[act]:
                    check_allowed(row, act)
                    continue
                with pytest.raises(DomainError, match=f"it is {state.value}") as error:
                    check_allowed(row, act)
            assert error.value.members["allowed_in"] == [s.value for s in State if s in ALLOWED[act]], act


@pytest.mark.parametrize("act", NEXT)
def test_a_transition_changes_the_state_and_is_audited(act: Act, context: AppContext) -> None:
    game = new_game(context, min(ALLOWED[act], key=list(State).index))
    with context.database.writing() as session:
        change_state(session, load_game(session, game), act, ORGANISER, context.clock(), "because")
    with context.database.reading() as session:
        assert load_game(session, game).state == NEXT[act]
        entries = select(AuditEntry).where(AuditEntry.game == game).order_by(AuditEntry.id.desc())
        entry = session.scalars(entries).first()
    assert entry is not None
    assert (entry.who, entry.action, entry.reason) == ("Olga", act.name.lower(), "because")


@pytest.mark.parametrize("state", State)
def test_each_setting_can_be_changed_only_in_its_states(state: State, context: AppContext) -> None:
    game = new_game(context, state)
    # Another edition has other settings.
    for name in sorted(ACTS, key=lambda name: name == "edition"):
        act = ACTS[name]
        corrects = act in {Act.EDIT_RULES, Act.EDIT_SETTINGS} and state in ALLOWED[Act.CORRECT]
        if state in ALLOWED[act]:
            assert name in change(context, game, {name: OTHER[name]})
        elif corrects:
            with pytest.raises(DomainError, match="say why") as error:
                change(context, game, {name: OTHER[name]})
            assert error.value.slug == "no-reason", name
            assert name in change(context, game, {name: OTHER[name]}, "a mistake")
        else:
            with pytest.raises(DomainError) as error:
                change(context, game, {name: OTHER[name]}, "a reason does not help")
            assert error.value.slug == "wrong-state", name
            assert settings_of(context, game)[name] != OTHER[name]


def test_only_differences_are_audited(context: AppContext) -> None:
    game = new_game(context, State.PUBLISHED)
    same = settings_of(context, game)
    assert change(context, game, same) == []
    assert change(context, game, same | {"keep_days": 1}) == ["keep_days"]
    (entry,) = audited(context, game, "change")
    assert (entry.before, entry.after) == ({"keep_days": 30}, {"keep_days": 1})


def test_numbers_are_limited(context: AppContext) -> None:
    game = new_game(context)
    for name, (low, high) in BOUNDS.items():
        for value in (low, high):
            assert change(context, game, {name: value}) == [name]
        for value in (low - 1, high + 1):
            with pytest.raises(DomainError, match=f"{name} is {low} to {high}") as error:
                change(context, game, {name: value})
            assert error.value.members == {"why": "bounds", "name": name, "least": low, "most": high}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"players": 0}, "1 to 600 players"),
        ({"players": 601}, "1 to 600 players"),
        ({"edition": "chess"}, "unknown edition"),
        ({"language": "xx"}, "xx"),
        ({"active_rules": ["99"]}, "no rule '99'"),
        ({"active_rules": []}, "Without any rule"),
        ({"settings": {"green": 1}}, "no such setting"),
        ({"settings": {"blue_base": -1}}, "from 0 to"),
        ({"settings": {"blue_base": 10**12}}, "blue_base"),
        ({"confirmed": ["green"]}, "no setting 'green'"),
        ({"mode": "all"}, "one of off, inventory, known, total, full"),
        ({"timezone": "Mars/Olympus"}, "Europe/Berlin"),
        ({"timezone": "../etc/passwd"}, "Europe/Berlin"),
        ({"name": " "}, "must not be empty"),
        ({"name": "a\u202eb"}, "cannot be printed"),
        ({"name": "x" * 201}, "at most 200"),
    ],
)
def test_invalid_settings_are_refused_for_new_and_existing_games(
    wrong: dict[str, Any], words: str, context: AppContext
) -> None:
    game = new_game(context, State.DRAFT)
    before = settings_of(context, game)
    with pytest.raises(DomainError, match=words):
        change(context, game, {"keep_days": 5} | wrong)
    assert settings_of(context, game) == before
    draft = {"name": "A game", "edition": "eurocg-2026", "players": 6} | wrong
    with context.database.writing() as session, pytest.raises(DomainError, match=words):
        create_game(session, GameDraft(**draft), ORGANISER, context.clock())


def test_a_changed_setting_has_to_be_confirmed_again(context: AppContext) -> None:
    game = new_game(context)

    def unconfirmed_settings() -> list[str]:
        with context.database.reading() as session:
            row = load_game(session, game)
            assert len(notes_on(row)) == len(unconfirmed(row)) + 1  # six players are few for EuroCG
            return [setting.name for setting in unconfirmed(row)]

    assert unconfirmed_settings() == ["blue_base"]
    change(context, game, {"settings": {"blue_base": 4}, "confirmed": ["blue_base"]})
    change(context, game, {"settings": {"blue_base": 4}})
    assert unconfirmed_settings() == []
    assert set(change(context, game, {"settings": {"blue_base": 5}})) == {"settings", "confirmed"}
    assert unconfirmed_settings() == ["blue_base"]


def test_another_edition_replaces_settings_and_rules(context: AppContext) -> None:
    game = new_game(context, State.DRAFT, active_rules=["10", "2", "2", "1"], confirmed=["blue_base"])
    assert change(context, game, {"active_rules": ["1", "2", "10"]}) == []
    change(context, game, {"edition": "sackson-1969"})
    with context.database.reading() as session:
        row = load_game(session, game)
        assert (row.settings, row.active_rules, row.confirmed) == ({}, None, [])
        assert row.kinds[:5] == ["yellow", "blue", "red", "orange", "white"]


def test_local_times_are_in_the_time_zone_of_the_game() -> None:
    assert local_time("2026-03-27 12:00", "Europe/Berlin").astimezone(UTC) == datetime(2026, 3, 27, 11, 0, tzinfo=UTC)
    assert local_time("2026-03-27T12:00+05:00", "Europe/Berlin").astimezone(UTC).hour == 7
    for skipped_or_repeated in ("2026-03-29 02:30", "2026-10-25 02:30"):
        with pytest.raises(DomainError, match="the clocks change"):
            local_time(skipped_or_repeated, "Europe/Berlin")
    with pytest.raises(DomainError, match="Write the deadline as"):
        local_time("noon", "UTC")
