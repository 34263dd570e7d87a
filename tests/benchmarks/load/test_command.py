"""`haggle bench rush` as its user types it: a tiny rush with real pictures, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from server.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

_TINY = ["bench", "rush", "--players", "2", "--minutes", "0.1", "--megapixels", "2"]


def test_a_rush_with_real_pictures_holds_every_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two players, a server of its own, pictures that are made and kept; JSON for programs."""
    main([*_TINY, "--pictures", str(tmp_path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["held"]
    assert told["hand_ins"] == told["players"] == 2
    assert told["photos"] >= 4
    assert {"starter", "server", "scan workers"} >= set(told["usage"])
    assert len(list(tmp_path.glob("*.jpg"))) == 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--server", "http://127.0.0.1:9"], "--server needs --data and --password-file"),
        (["--players", "0"], "0 is not in the range"),
        (["--megapixels", "3"], "is not one of"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """Before anything is made."""
    with pytest.raises(SystemExit) as stop:
        main(["bench", "rush", *arguments])
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
