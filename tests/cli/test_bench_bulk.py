"""`haggle bench bulk`: what a real server does with many pictures at once, beside a plain copy and the bare library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

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
        for name in ("size", "copied", "commanded", "accepted", "rate", "bare_rate"):
            assert go[name] > 0, name
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
