"""The settings of a game: what they may be, when they may change, and what is kept of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.play.games import Draft, create_game
from server.play.house import game_row
from server.play.refusals import Refusal
from server.play.settings import ACTS, BOUNDS, change_game, local_time, notes_on, unconfirmed
from server.play.states import ALLOWED, Act, State
from server.store.tables import AuditEntry
from tests.house import ORGANISER, START, new_game

if TYPE_CHECKING:
    from server.play.house import House

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
"""Another value for each setting of a game."""


def change(house: House, game: str, changes: dict[str, Any], reason: str = "") -> list[str]:
    """Change settings of a game, as its organiser."""
    with house.database.writing() as session:
        return change_game(session, game_row(session, game), changes, ORGANISER, house.clock(), reason)


@pytest.mark.parametrize("state", State)
def test_each_setting_changes_in_its_states_alone(state: State, house: House) -> None:
    """Elsewhere it is refused; what decides the count may be corrected with a reason once the game is counted."""
    # What refuses all changes stays as it was, and so serves for all that are refused.
    unchanged = new_game(house, state)
    for name, act in ACTS.items():
        corrects = act in {Act.EDIT_RULES, Act.EDIT_SETTINGS} and state in ALLOWED[Act.CORRECT]
        game = new_game(house, state) if corrects or state in ALLOWED[act] else unchanged
        if state in ALLOWED[act]:
            assert name in change(house, game, {name: OTHER[name]})
        elif corrects:
            with pytest.raises(Refusal, match="say why") as told:
                change(house, game, {name: OTHER[name]})
            assert told.value.slug == "no-reason", name
            assert name in change(house, game, {name: OTHER[name]}, "a mistake")
        else:
            with pytest.raises(Refusal) as told:
                change(house, game, {name: OTHER[name]}, "a reason does not help")
            assert told.value.slug == "wrong-state", name
            with house.database.reading() as session:
                assert getattr(game_row(session, game), name) != OTHER[name]


def test_what_stays_the_same_needs_no_permission(house: House) -> None:
    """A form that sends all settings changes those that differ, and leaves one entry for them."""
    game = new_game(house, State.PUBLISHED)
    with house.database.reading() as session:
        row = game_row(session, game)
        same = {name: getattr(row, name) for name in ACTS}
    assert change(house, game, same) == []
    assert change(house, game, same | {"keep_days": 1}) == ["keep_days"]
    with house.database.reading() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.game == game, AuditEntry.action == "change"))
    assert (entry.before, entry.after) == ({"keep_days": 30}, {"keep_days": 1})


@pytest.mark.parametrize("name", BOUNDS)
def test_numbers_have_bounds(name: str, house: House) -> None:
    """The lowest and the highest value are taken, those beyond are refused."""
    game = new_game(house)
    low, high = BOUNDS[name]
    for value in (low, high):
        assert change(house, game, {name: value}) == [name]
    for value in (low - 1, high + 1):
        with pytest.raises(Refusal, match=f"{name} is {low} to {high}") as told:
            change(house, game, {name: value})
        assert told.value.members == {"why": "bounds", "name": name, "least": low, "most": high}


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
def test_what_cannot_be_is_refused(wrong: dict[str, Any], words: str, house: House) -> None:
    """With words that say what could be; nothing changes, and no such game is made."""
    game = new_game(house, State.DRAFT)
    with house.database.writing() as session:
        row = game_row(session, game)
        before = {name: getattr(row, name) for name in ACTS}
        with pytest.raises(Refusal, match=words):
            change_game(session, row, {"keep_days": 5} | wrong, ORGANISER, house.clock())
    with house.database.reading() as session:
        row = game_row(session, game)
        assert {name: getattr(row, name) for name in ACTS} == before
    draft = {"name": "A game", "edition": "eurocg-2026", "players": 6} | wrong
    with house.database.writing() as session, pytest.raises(Refusal, match=words):
        create_game(session, Draft(**draft), ORGANISER, house.clock())


def test_a_setting_that_changes_is_confirmed_anew(house: House) -> None:
    """The value that counts is the one that the organiser has seen."""
    game = new_game(house)

    def open_ones() -> list[str]:
        with house.database.reading() as session:
            row = game_row(session, game)
            assert len(notes_on(row)) == len(unconfirmed(row)) + 1  # six players are few for EuroCG
            return [setting.name for setting in unconfirmed(row)]

    assert open_ones() == ["blue_base"]
    change(house, game, {"settings": {"blue_base": 4}, "confirmed": ["blue_base"]})
    assert open_ones() == []
    change(house, game, {"settings": {"blue_base": 4}})
    assert open_ones() == []
    assert set(change(house, game, {"settings": {"blue_base": 5}})) == {"settings", "confirmed"}
    assert open_ones() == ["blue_base"]


def test_another_edition_brings_its_own_settings(house: House) -> None:
    """What belonged to the first one is gone: settings, rules, kinds of cards."""
    game = new_game(house, State.DRAFT, active_rules=["1", "2", "3"], confirmed=["blue_base"])
    change(house, game, {"edition": "sackson-1969"})
    with house.database.reading() as session:
        row = game_row(session, game)
        assert (row.settings, row.active_rules, row.confirmed) == ({}, None, [])
        assert row.kinds[:5] == ["yellow", "blue", "red", "orange", "white"]


def test_rules_are_kept_in_the_edition_s_order(house: House) -> None:
    """Named in any order and twice, they are the same rules."""
    game = new_game(house, State.DRAFT)
    change(house, game, {"active_rules": ["10", "2", "2", "1"]})
    assert change(house, game, {"active_rules": ["1", "2", "10"]}) == []


def test_local_times_are_read_in_the_game_s_zone() -> None:
    """With a zone of its own a time is that; those that the clocks skip or repeat are refused."""
    assert local_time("2026-03-27 12:00", "Europe/Berlin").astimezone(UTC) == datetime(2026, 3, 27, 11, 0, tzinfo=UTC)
    assert local_time("2026-03-27T12:00+05:00", "Europe/Berlin").astimezone(UTC).hour == 7
    for text in ("2026-03-29 02:30", "2026-10-25 02:30"):
        with pytest.raises(Refusal, match="the clocks change"):
            local_time(text, "Europe/Berlin")
    with pytest.raises(Refusal, match="Write the deadline as"):
        local_time("noon", "UTC")
