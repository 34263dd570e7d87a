"""A short deadline rush against two server processes, and checks of each invariant."""

from __future__ import annotations

import contextlib
import copy
import os
import signal
import sqlite3
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, update

from benchmarks.load.checks import invariants
from benchmarks.load.plan import ARRIVALS, Timing, schedule
from benchmarks.load.rush import Outcome, RushSettings, as_json, rush, show
from benchmarks.load.servers import BenchGame, Servers, ServersError, open_bench_game
from benchmarks.photos import bench_game
from server.db.models import AuditEntry, Game, Photo, ProvisionalScore, ReviewDecision
from server.db.session import DATABASE, now
from server.games.context import AppContext
from tests.context import new_context
from tests.fake_scan_pool import picture
from tests.game_server import GameServer
from tests.players import dealt
from tests.processes import await_ends, descendants
from tests.waiting import LIMIT, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.sql.dml import Delete, Update

    from benchmarks.load.plan import Record

PLAYERS, DESK = 6, 3
TIMING = Timing(3.0, think=(0.05, 0.3), megabits=(40.0, 80.0))
PICTURES, HAND_INS = (
    "every accepted picture is there once, and no other",
    "every hand-in is there once, as its receipt says",
)


@dataclass
class Played:
    """A finished rush."""

    folder: Path
    context: AppContext
    stage: BenchGame
    outcome: Outcome

    def broken(self, folder: Path, change: Delete | Update) -> list[str]:
        """Return the violated invariants after changing a copy of the server's data."""
        folder.mkdir()
        with (
            contextlib.closing(sqlite3.connect(self.folder / DATABASE)) as source,
            contextlib.closing(sqlite3.connect(folder / DATABASE)) as copied,
        ):
            source.backup(copied)
        context = new_context(folder, now)
        try:
            with context.database.writing() as session:
                session.execute(change)
            return self.broken_by(self.outcome.record, context)
        finally:
            context.database.close()

    def broken_by(self, record: Record, context: AppContext | None = None) -> list[str]:
        """Return the violated invariants for a changed record."""
        return [one.says for one in invariants(context or self.context, self.stage.game, record, PLAYERS) if one.broken]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Run a rush on two server processes, with fake scans."""
    folder = tmp_path_factory.mktemp("rush")
    context = new_context(folder / "data", now)
    stage = open_bench_game(context, bench_game(PLAYERS, "tests"))
    pictures = {number: _pictures(context, stage.game, number, folder) for number in range(1, PLAYERS + 1)}
    wanted = RushSettings(PLAYERS, PLAYERS - 2, TIMING, "tests", pictures, desk=DESK)
    with (
        GameServer(folder / "data", job="read_pixels", scan_workers=1) as one,
        GameServer(folder / "data", job="read_pixels", scan_workers=1) as two,
    ):
        assert one.process
        assert two.process
        outcome = rush(context, stage, [one.url, two.url], wanted, [one.process.pid, two.process.pid])
    yield Played(folder / "data", context, stage, outcome)
    context.database.close()


def _pictures(context: AppContext, game: str, envelope: int, folder: Path) -> list[Path]:
    """Write the photos of an envelope, each with the whole hand."""
    files = [folder / f"{envelope}-{part}.png" for part in range(3)]
    for part, file in enumerate(files):
        content = {"cards": dealt(context, game, envelope), "labels": [envelope], "part": part, "game": game}
        file.write_bytes(picture(content))
    return files


@pytest.mark.thorough
def test_a_rush_satisfies_all_invariants(played: Played) -> None:
    """There are no errors and no broken streams; each photo, hand-in, score and decision exists once."""
    assert {one.says: one.broken for one in played.outcome.invariants if one.broken} == {}
    assert played.outcome.held
    asked = {one.says: one.over for one in played.outcome.invariants}
    assert asked["every player has handed in"] == asked["every deck is there once"] == asked[HAND_INS] == PLAYERS
    assert asked[PICTURES] >= PLAYERS + DESK
    assert asked["every decision of the organiser is there once"] >= 1


@pytest.mark.thorough
def test_the_output_has_figures_of_all_requests(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    result = as_json(played.outcome)
    by_what = {row["what"]: row for row in result["calls"]}
    assert by_what["all"]["calls"] == sum(row["calls"] for row in result["calls"]) / 2
    assert by_what["hand in"]["calls"] == result["hand_ins"] == PLAYERS
    for row in result["calls"]:
        assert 0 < row["median"] <= row["p95"] <= row["p99"] <= row["most"]
    assert result["photos"] == result["picture_to_reading"]["calls"] >= PLAYERS + DESK
    assert result["desk"]["pictures"] == DESK
    assert result["streams_told"]["opened"] >= PLAYERS + 1
    assert result["usage"]["server"]["cpu_seconds"] > 0
    show(played.outcome)
    output = capsys.readouterr().out
    for words in ("6 players, 0.05 minutes", "hand in", "to the phone's list", "scan workers", f"held    {PICTURES}"):
        assert words in output


@pytest.mark.thorough
def test_each_invariant_can_be_violated(played: Played, tmp_path: Path) -> None:
    """By lost and unscanned photos, lost scores and decisions, duplicate hand-ins, an open game, or wrong receipts."""
    promise = next(one for one in played.outcome.record.promises if one.checks)
    photo = Photo.id == promise.photos[0]
    hand_in = AuditEntry.action == "hand-in"
    tomorrow = now() + timedelta(days=1)
    for number, (change, broken) in enumerate(
        [
            (delete(Photo).where(photo), [PICTURES]),
            (update(Photo).where(photo).values(state="waiting"), ["every accepted picture was read"]),
            (update(Photo).where(photo).values(state="failed"), ["every accepted picture was read"]),
            (delete(ProvisionalScore), ["every score was kept once"]),
            (delete(ReviewDecision), ["every decision of the organiser is there once"]),
            (update(AuditEntry).where(hand_in).values(subject=f"envelope {promise.envelope}"), [HAND_INS]),
        ]
    ):
        assert played.broken(tmp_path / str(number), change) == broken
    closed = played.broken(tmp_path / "closed", update(Game).values(closed=tomorrow))
    assert "the game was closed at its deadline" in closed
    other = copy.deepcopy(played.outcome.record)
    other.promises[0].receipt["at"] = str(tomorrow)
    assert played.broken_by(other) == [HAND_INS]
    other.promises[0].receipt = {}
    assert played.broken_by(other) == ["every player has handed in", HAND_INS]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 150), st.integers(0, 60), st.floats(1, 600), st.text("ab1", min_size=1, max_size=3))
def test_players_arrive_once_and_mostly_at_the_end(players: int, streams: int, seconds: float, seed: str) -> None:
    """Schedules are reproducible; each part of the time has its exact share of players."""
    plans = schedule(players, streams, seconds, seed)
    assert plans == schedule(players, streams, seconds, seed)
    assert [plan.envelope for plan in plans] == list(range(1, players + 1))
    assert {plan.photos for plan in plans} <= {1, 2}
    assert sum(plan.watches for plan in plans) == min(streams, players)
    end = seconds
    for share, crowd in ARRIVALS:
        start = end - seconds * share
        assert abs(sum(start - 1e-9 <= plan.arrives <= end for plan in plans) - players * crowd) <= 2
        end = start


def test_a_crashed_server_is_reported_and_leaves_no_processes(tmp_path: Path) -> None:
    """The report has its last log line; its serving process is suspended, so that it cannot end."""
    log = tmp_path / "log"
    log.write_text("of another server\n")
    with Servers(tmp_path / "data", 1, log) as servers:
        servers.check()
        (first,) = servers.pids
        family = descendants(first)
        with log.open("a") as lines:
            lines.write("2026-11-21T17:58:00.000Z error haggle: the last of ours\n")
            lines.write("2026-11-21T17:58:00.045Z error _granian: Unexpected exit from worker-1\n")
        for pid in family:
            os.kill(pid, signal.SIGSTOP)
        os.kill(first, signal.SIGKILL)

        def is_reported() -> bool:
            with contextlib.suppress(ServersError):
                servers.check()
                return False
            return True

        until(is_reported)
        with pytest.raises(ServersError, match=r"has ended: .* the last of ours"):
            servers.check()
    assert await_ends(time.monotonic() + LIMIT, family) == []
