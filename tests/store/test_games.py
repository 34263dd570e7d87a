"""The game file: read back exactly, or refused with a line that helps."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardgen.cards import Game, Geometry
from server.store.games import GameFileError, load_game, save_game

if TYPE_CHECKING:
    from pathlib import Path

GAME = Game(
    "7K3Q", "eurocg-2026", bytes(range(32)), ("red", "blue"), 24, "ß seed", {"blue_base": 2}, Geometry(module=0.88)
)


def test_a_saved_game_reads_back_the_same(tmp_path: Path) -> None:
    """From the file and from its folder, and no partial file is left."""
    file = save_game(GAME, tmp_path)
    assert load_game(file) == load_game(tmp_path) == GAME
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_the_key_is_not_in_the_games_printed_form() -> None:
    """So that no log and no error shows it."""
    assert "key" not in repr(GAME)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    """With its name, and what to name instead."""
    with pytest.raises(GameFileError, match=r"game\.json: No such file .* haggle print wrote"):
        load_game(tmp_path)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"key": "00"}, "key"),
        ({"key": None}, "key"),
        ({"game": "IIII"}, "game"),
        ({"game": "7K3"}, "game"),
        ({"kinds": []}, "kinds"),
        ({"kinds": ["red", "blue", "red"]}, "kinds: .*stands twice"),
        ({"players": 0}, "players"),
        ({"players": 32**4}, "players"),
        ({"players": "24"}, "players"),
        ({"format": 2}, "format"),
        ({"card": {}}, "card.width"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_file_with_a_wrong_field_is_refused_by_name(tmp_path: Path, change: dict[str, Any], place: str) -> None:
    """The line names the file and the field."""
    file = save_game(GAME, tmp_path)
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(GameFileError, match=f"no game file that haggle print wrote: {place}"):
        load_game(file)


def test_as_many_players_as_labels_can_number_are_taken(tmp_path: Path) -> None:
    """The highest number of an envelope is the largest number of players."""
    assert load_game(save_game(replace(GAME, players=32**4 - 1), tmp_path)).players == 32**4 - 1


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"9" * 5000])
def test_a_file_that_is_no_game_at_all_is_refused(tmp_path: Path, content: bytes) -> None:
    """Whatever lies there, it is one clear error."""
    (tmp_path / "game.json").write_bytes(content)
    with pytest.raises(GameFileError, match="no game file"):
        load_game(tmp_path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    """A game file is small; a million bytes and more are something else."""
    (tmp_path / "game.json").write_bytes(b" " * 1_000_001)
    with pytest.raises(GameFileError, match="no game file"):
        load_game(tmp_path)
