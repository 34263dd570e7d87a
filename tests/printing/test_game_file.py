"""The game file: reading, writing and errors."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardgen.cards import Geometry, PrintedGame
from server.printing.game_file import GameFileError, read_game_file, save_game

GAME = PrintedGame(
    "7K3Q", "eurocg-2026", bytes(range(32)), ("red", "blue"), 24, "ß seed", {"blue_base": 2}, Geometry(module=0.88)
)


def test_a_saved_game_reads_back_the_same(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"game\.json: No such file .* haggle print wrote"):
        read_game_file(tmp_path)
    file = save_game(GAME, tmp_path)
    assert read_game_file(file) == read_game_file(tmp_path) == GAME
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    most = replace(GAME, players=32**4 - 1)
    assert read_game_file(save_game(most, tmp_path)) == most, "as many players as labels can number"
    assert "key" not in repr(GAME)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"key": "00"}, "key"),
        ({"key": None}, "key"),
        ({"game": "IIII"}, "game"),
        ({"game": "7K3"}, "game"),
        ({"kinds": []}, "kinds"),
        ({"kinds": ["red", "blue", "red"]}, "kinds: .*listed twice"),
        ({"players": 0}, "players"),
        ({"players": 32**4}, "players"),
        ({"players": "24"}, "players"),
        ({"format": 2}, "format"),
        ({"card": {}}, "card.width"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, change: dict[str, Any], place: str) -> None:
    file = save_game(GAME, tmp_path)
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(GameFileError, match=f"not a game file that haggle print wrote: {place}"):
        read_game_file(file)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"9" * 5000, b" " * 1_000_001])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "game.json").write_bytes(content)
    with pytest.raises(GameFileError, match="not a game file"):
        read_game_file(tmp_path)
