"""Editions of the user's: found in a folder, begun, checked, scored and printed by the command."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from server.cli.editions import command
from server.cli.main import main
from server.editions import edition_names
from server.editions.registry import VARIABLE
from server.editions.starter import RESERVED

if TYPE_CHECKING:
    from pathlib import Path

HANDS = json.dumps({"hands": [{"player": "Ada", "cards": {"red": 2, "blue": 1}}]})


def run(*arguments: str) -> int:
    """Run the command and return its exit code."""
    try:
        main(list(arguments))
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Begin an edition in a folder of editions, and return that folder."""
    assert run("editions", "new", "mine", "--out", str(tmp_path / "own")) == 0
    (tmp_path / "hands.json").write_text(HANDS, encoding="utf-8")
    return tmp_path / "own"


def test_a_new_edition_is_checked_described_scored_and_printed(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From nothing to a printed game without opening a file; the folder holds for one command only."""
    hands = str(mine.parent / "hands.json")
    assert run("editions", "check", str(mine / "mine")) == 0
    assert "no mistakes" in capsys.readouterr().out
    assert run("editions", "mine", "--editions", str(mine)) == 0
    assert "Rainbow" in capsys.readouterr().out
    assert run("score", "mine", hands, "--json", "--editions", str(mine)) == 0
    assert json.loads(capsys.readouterr().out)["hands"][0]["score"] == "18"
    assert run("print", "mine", "--players", "4", "--out", str(mine / "game"), "--editions", str(mine)) == 0
    assert (mine / "game" / "sheets.pdf").exists()
    assert VARIABLE not in os.environ
    assert "mine" not in edition_names()


def test_the_environment_names_the_folder_too(
    mine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for `haggle serve` and its processes; new editions then go there."""
    monkeypatch.setenv(VARIABLE, str(mine))
    assert run("editions") == 0
    assert "mine: Mine." in capsys.readouterr().out
    assert run("editions", "new", "other", "--from", "mine") == 0
    assert (mine / "other" / "edition.toml").exists()
    assert run("editions", "check", str(mine)) == 0


def test_a_broken_edition_hides_no_other(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named with its mistake, and only it cannot be used."""
    (mine / "broken").mkdir()
    (mine / "broken" / "edition.toml").write_text("slug = ", encoding="utf-8")
    assert run("editions", "--editions", str(mine)) == 0
    out, err = capsys.readouterr()
    assert "mine: Mine." in out
    assert "eurocg-2026: " in out
    assert err.startswith("haggle: broken cannot be used: ")
    assert err.count("\n") == 1
    assert run("editions", "check", str(mine)) == 1
    assert f"{mine / 'broken' / 'edition.toml'}:1: " in capsys.readouterr().out


def test_slugs_must_not_collide(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither with the package's nor with each other; the rest stays usable."""
    assert run("editions", "new", "eurocg-2026", "--out", str(mine)) == 2
    assert "is there already" in capsys.readouterr().err
    (mine / "mine").rename(mine / "eurocg_2026")
    assert run("editions", "eurocg-2026", "--editions", str(mine)) == 2
    assert "stands twice, in " in capsys.readouterr().err
    assert run("editions", "check", str(mine)) == 1
    assert "is taken by the edition in" in capsys.readouterr().out
    assert run("editions", "sackson-1969", "--editions", str(mine)) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("editions", "--editions", "nowhere"), "there is no such folder"),
        (("editions", "new", "Bad Name"), "'Bad Name' is no name of an edition; take small letters"),
        (("editions", "new", "check"), "'check' is the name of a command"),
        (("editions", "new", "x", "--from", "nope"), "unknown edition 'nope'"),
        (("editions", "check", "nowhere"), "there is no edition.toml in it"),
        (("editions", "new"), "Missing argument 'NAME'. (see haggle editions new --help)"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Exit code 2 and what to do."""
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_rule_that_fails_while_it_scores_is_one_line(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File and line of the author's function, no traceback; a sentence that cannot be made names its place."""
    hands = str(mine.parent / "hands.json")
    rules = mine / "mine" / "rules.py"
    good = rules.read_text(encoding="utf-8")
    rules.write_text(good.replace('blue = me.has("blue")', "blue = 1 // 0"), encoding="utf-8")
    line = next(n for n, text in enumerate(rules.read_text(encoding="utf-8").splitlines(), 1) if "1 // 0" in text)
    assert run("score", "mine", hands, "--editions", str(mine)) == 2
    err = capsys.readouterr().err
    assert err == f"haggle: {rules}:{line}: rule 3 fails: ZeroDivisionError: integer division or modulo by zero\n"


def test_no_edition_bears_the_name_of_a_subcommand() -> None:
    """`haggle editions NAME` describes an edition, so these names are taken."""
    assert set(command.commands) == RESERVED
