"""A short deadline rush against two real server processes; and that each invariant would notice what breaks it."""

from __future__ import annotations

import contextlib
import copy
import sqlite3
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, update

from benchmarks.load.checks import invariants, late
from benchmarks.load.plan import Haste
from benchmarks.load.run import Outcome, Rush, as_json, rush
from benchmarks.load.servers import Stage, set_stage
from benchmarks.photos import bench_game
from server.play.house import House, now
from server.play.refusals import Refusal
from server.store.database import DATABASE
from server.store.tables import AuditEntry, Check, Game, Photo, Ruling
from tests.house import new_house
from tests.house_process import HouseProcess
from tests.killable import picture
from tests.players import dealt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.sql.dml import Delete, Update

    from benchmarks.load.plan import Record

PLAYERS, DESK = 10, 4
HASTE = Haste(6.0, think=(0.05, 0.3), megabits=(40.0, 80.0), grace=240.0)


@dataclass
class Played:
    """A rush that is over."""

    folder: Path
    house: House
    stage: Stage
    outcome: Outcome

    def broken(self, folder: Path, *changes: Delete | Update) -> list[str]:
        """Return which invariants are broken where the house keeps something else; tried on a copy."""
        folder.mkdir()
        with (
            contextlib.closing(sqlite3.connect(self.folder / DATABASE)) as source,
            contextlib.closing(sqlite3.connect(folder / DATABASE)) as copied,
        ):
            source.backup(copied)
        house = new_house(folder, now)
        try:
            with house.database.writing() as session:
                for change in changes:
                    session.execute(change)
            return self.broken_by(self.outcome.record, house)
        finally:
            house.database.close()

    def broken_by(self, record: Record, house: House | None = None) -> list[str]:
        """Return which invariants are broken where other things were noted."""
        return [one.says for one in invariants(house or self.house, self.stage.game, record, PLAYERS) if one.broken]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Let ten players rush to a deadline, on two server processes, with pictures that tell what is to be read."""
    folder = tmp_path_factory.mktemp("rush")
    house = new_house(folder / "data", now)
    stage = set_stage(house, bench_game(PLAYERS, "tests"))
    pictures = {number: _pictures(house, stage.game, number, folder) for number in range(1, PLAYERS + 1)}
    wanted = Rush(PLAYERS, PLAYERS - 2, HASTE, "tests", pictures, desk=DESK)
    with (
        HouseProcess(folder / "data", job="told", scan_workers=1) as one,
        HouseProcess(folder / "data", job="told", scan_workers=1) as two,
    ):
        assert one.process
        assert two.process
        outcome = rush(house, stage, [one.url, two.url], wanted, [one.process.pid, two.process.pid])
    yield Played(folder / "data", house, stage, outcome)
    house.database.close()


def test_nothing_is_refused_for_good_lost_or_doubled(played: Played) -> None:
    """Every invariant holds: no errors, no broken stream; each picture, hand-in, score and decision is there once."""
    assert {one.says: one.broken for one in played.outcome.invariants if one.broken} == {}
    assert played.outcome.held
    asked = {one.says: one.over for one in played.outcome.invariants}
    assert asked["every player has handed in"] == asked["every deck is there once"] == PLAYERS
    assert asked["every hand-in is there once, as its receipt says"] == PLAYERS
    assert asked["every accepted picture is there once, and no other"] >= PLAYERS + DESK
    assert asked["every decision of the organiser is there once"] >= 1


def test_the_figures_tell_what_was_done(played: Played) -> None:
    """Times by what was asked, each at least as long as the one before; and what came of streams, desk and players."""
    told = as_json(played.outcome)
    by_what = {row["what"]: row for row in told["calls"]}
    assert by_what["all"]["calls"] == sum(row["calls"] for row in told["calls"]) / 2
    assert by_what["hand in"]["calls"] == told["hand_ins"] == PLAYERS
    for row in told["calls"]:
        assert 0 < row["median"] <= row["p95"] <= row["p99"] <= row["most"]
    assert told["photos"] == told["picture_to_reading"]["calls"] >= PLAYERS + DESK
    assert told["desk"]["pictures"] == DESK
    assert told["streams_told"]["opened"] >= PLAYERS + 1
    assert told["late"] == late(played.outcome.record.promises)


def test_a_lost_picture_is_noticed(played: Played, tmp_path: Path) -> None:
    """A promise without a row breaks the invariant on pictures, and that alone."""
    one = played.outcome.record.promises[0].photos[0]
    assert played.broken(tmp_path / "copy", delete(Photo).where(Photo.id == one)) == [
        "every accepted picture is there once, and no other"
    ]


def test_a_picture_that_was_not_read_is_noticed(played: Played, tmp_path: Path) -> None:
    """One that still waits in the end, or has failed."""
    one = played.outcome.record.promises[0].photos[0]
    for state in ("waiting", "failed"):
        change = update(Photo).where(Photo.id == one).values(state=state)
        assert played.broken(tmp_path / state, change) == ["every accepted picture was read"]


def test_a_score_that_was_lost_is_noticed(played: Played, tmp_path: Path) -> None:
    """Where a player was told one."""
    if not any(one.checks for one in played.outcome.record.promises):
        pytest.skip("all came too late for a score")
    assert played.broken(tmp_path / "copy", delete(Check)) == ["every score was kept once"]


def test_a_decision_that_was_lost_is_noticed(played: Played, tmp_path: Path) -> None:
    """An organiser's."""
    assert played.broken(tmp_path / "copy", delete(Ruling)) == ["every decision of the organiser is there once"]


def test_another_hand_in_than_its_receipt_says_is_noticed(played: Played, tmp_path: Path) -> None:
    """Another time of the hand-in, or a second entry of the audit; and a player without a receipt."""
    broken = "every hand-in is there once, as its receipt says"
    promise = played.outcome.record.promises[0]
    other = copy.deepcopy(played.outcome.record)
    other.promises[0].receipt["at"] = str(now() + timedelta(days=1))
    assert played.broken_by(other) == [broken]
    other.promises[0].receipt = {}
    assert played.broken_by(other) == [
        "every player has handed in",
        broken,
    ]
    entries = {one.subject for one in _handed_in(played)}
    assert f"envelope {promise.envelope}" in entries
    doubled = update(AuditEntry).where(AuditEntry.action == "hand-in").values(subject=f"envelope {promise.envelope}")
    assert played.broken(tmp_path / "copy", doubled) == [broken]


def test_a_game_that_goes_on_is_noticed(played: Played, tmp_path: Path) -> None:
    """One that was closed at another time than its deadline."""
    change = update(Game).values(closed=now() + timedelta(days=1))
    assert "the game was closed at its deadline" in played.broken(tmp_path / "copy", change)


def test_a_game_is_played_once_in_a_house(played: Played) -> None:
    """The same seed makes the same game, which cannot be there twice."""
    with pytest.raises(Refusal, match="is here already"):
        set_stage(played.house, bench_game(PLAYERS, "tests"), "a password")


def _handed_in(played: Played) -> list[AuditEntry]:
    with played.house.database.reading() as session:
        return session.query(AuditEntry).where(AuditEntry.action == "hand-in").all()


def _pictures(house: House, game: str, envelope: int, folder: Path) -> tuple[Path, Path, Path]:
    """Write an envelope's pictures; each tells the whole hand."""
    hand = dealt(house, game, envelope)
    first, second, desk = (folder / f"{envelope}-{part}.png" for part in range(3))
    for part, file in enumerate((first, second, desk)):
        told = {"cards": hand, "labels": [envelope], "envelope": envelope, "part": part, "game": game}
        file.write_bytes(picture(told))
    return first, second, desk
