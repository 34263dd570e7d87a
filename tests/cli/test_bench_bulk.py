"""`haggle bench bulk`: what a real server does with many pictures at once, beside what does a part of it alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from server.bench.bulk import run
from server.bench.bulk.intake import Intake
from server.bench.bulk.load import LoadError
from server.bench.bulk.run import Go
from server.bench.rush.figures import Row
from server.bench.rush.servers import Servers, ServersError
from server.cli import bench_bulk
from server.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

PICTURES = 6


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Measure a few small pictures once; return the file of what was printed."""
    place = tmp_path_factory.mktemp("bulk")
    options = ["--photos", str(PICTURES), "--workers", "1,2", "--hands", "2", "--megapixels", "2", "--json"]
    with pytest.MonkeyPatch.context() as patch, (place / "told").open("w", encoding="utf-8") as out:
        patch.setattr("sys.stdout", out)
        main(["bench", "bulk", *options, "--pictures", str(place / "kept"), "--in", str(place)])
    return place / "told"


def test_every_picture_is_read_in_each_go(measured: Path) -> None:
    """A JSON object a go; all figures that are compared are there, and nothing failed."""
    goes = [json.loads(line) for line in measured.read_text(encoding="utf-8").splitlines()]
    assert [go["workers"] for go in goes] == [1, 2]
    for go in goes:
        assert (go["photos"], go["failed"], go["bare_of"]) == (PICTURES, 0, PICTURES)
        assert go["codes"] > 0
        for name in ("size", "accepted", "rate", "bare_rate"):
            assert go[name] > 0, name
        assert set(go["intake"]) == {"copied", "commanded", "sent", "plain"}
        assert all(seconds > 0 for seconds in go["intake"].values())
        assert {row["what"] for row in go["looks"]} >= {"game", "queue", "a player", "all"}
        assert go["uploads"]["calls"] == PICTURES


def test_nothing_of_it_is_left(measured: Path) -> None:
    """The houses and the files go again; the photographs are kept for the next time."""
    assert sorted(entry.name for entry in measured.parent.iterdir()) == ["kept", "told"]


@pytest.mark.parametrize("wanted", ["none", "0", "1,65"])
def test_a_wrong_number_of_workers_is_said(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is made."""
    with pytest.raises(SystemExit) as stop:
        main(["bench", "bulk", "--workers", wanted])
    assert stop.value.code == 2
    assert f"--workers {wanted}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("photos", "there", "failed", "code", "warned"),
    [(100, 100, 0, 0, False), (99, 99, 0, 0, True), (100, 99, 0, 1, False), (100, 100, 1, 1, False)],
)
def test_what_was_lost_or_not_read_is_the_exit_code(
    photos: int,
    there: int,
    failed: int,
    code: int,
    *,
    warned: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The figures are shown all the same. Where there are few pictures, it is said that ratios mean little."""
    row = Row("send", 3, 0, 0.1, 0.1, 0.1, 0.1)
    came = Go(1, photos, 9, Intake(1, 1, 1, 1), 1, row, 1, 50, 5.25, 1, there, failed, 9, (row,), 1, 1, 1, 9, 9)
    monkeypatch.setattr(bench_bulk, "take_pictures", lambda *_: {})
    monkeypatch.setattr(bench_bulk, "lay_out", lambda *_: [])
    monkeypatch.setattr(bench_bulk, "go", lambda *_: came)
    if code:
        with pytest.raises(SystemExit) as stop:
            main(["bench", "bulk", "--photos", str(photos), "--workers", "1"])
        assert stop.value.code == code
    else:
        main(["bench", "bulk", "--photos", str(photos), "--workers", "1"])
    said = capsys.readouterr()
    assert "read, pictures a minute" in said.out
    assert "315.0" in said.out, "those read while nothing came in any more"
    assert ("Ratios mean little" in said.err) == warned


def test_a_server_that_ends_is_the_reason_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a line, and no figures are printed, whatever else went wrong."""

    def end(*_: object) -> None:
        raise ServersError("a server ended by itself: no memory")

    def load(*_: object) -> None:
        raise LoadError("game was answered 0")

    monkeypatch.setattr(Servers, "check", end)
    monkeypatch.setattr(run, "_load", load)
    options = ["--photos", "4", "--workers", "1", "--hands", "1", "--megapixels", "2"]
    with pytest.raises(SystemExit) as stop:
        main(["bench", "bulk", *options, "--pictures", str(tmp_path / "kept"), "--in", str(tmp_path)])
    said = capsys.readouterr()
    assert stop.value.code
    assert said.err.splitlines()[-1] == "haggle: a server ended by itself: no memory"
    assert said.out == ""
