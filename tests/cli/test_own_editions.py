"""Editions of the user's: found in a folder, begun, checked, scored and printed by the command."""

from __future__ import annotations

import json
import os
import shlex
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
        (("editions", "check", "nowhere"), "nowhere: there is no such folder"),
        (("editions", "check", "empty"), "empty: there is no edition.toml in it"),
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
    (tmp_path / "empty").mkdir()
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


def test_a_wrong_number_or_category_is_one_line_in_score(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line of the verb, not of the end of a phase, and the same for what `check` would refuse."""
    rules = mine / "mine" / "rules.py"
    good = rules.read_text(encoding="utf-8")
    cases = {
        '("colour")\n    me.multiply("colour", 2, 1)\n': "there is no card 'colour' for me.multiply: it is a category",
        '("colour")\n    me.worth("colour", 2)\n': "there is no card 'colour' for me.worth: it is a category",
    }
    for code, message in cases.items():
        phase = "BASE" if "worth" in code else "WORTH"
        text = good.replace('counts = me.counts("colour")\n', f"counts = me.counts{code}")
        rules.write_text(text.replace("@book.rule(1, Phase.OWN)", f"@book.rule(1, Phase.{phase})"), encoding="utf-8")
        line = good.splitlines().index('    counts = me.counts("colour")') + 2
        assert run("score", "mine", str(mine.parent / "hands.json"), "--editions", str(mine)) == 2
        assert capsys.readouterr().err == f"haggle: {rules}:{line}: rule 1: {message}\n"
        assert run("editions", "check", str(mine / "mine")) == 1
        assert f"{rules}:{line}: " in capsys.readouterr().out


def test_no_edition_bears_the_name_of_a_subcommand() -> None:
    """`haggle editions NAME` describes an edition, so these names are taken."""
    assert set(command.commands) == RESERVED


@pytest.mark.parametrize(
    ("base", "players"), [(None, "10"), ("sackson-1969", "10"), ("eurocg-2026", "23"), ("tarot-fr", "35")]
)
def test_what_to_try_next_works(
    base: str | None,
    players: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each command that is named runs as it stands, also from a folder with a space, for players that fit."""
    monkeypatch.chdir(tmp_path)
    assert run("editions", "new", "mine", "--out", "my own", *(("--from", base) if base else ())) == 0
    commands = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  haggle ")]
    assert len(commands) == 3
    assert f"--players {players} " in commands[-1]
    for words in commands:
        assert run(*shlex.split(words)[1:]) == 0, words


def test_a_named_folder_is_checked_whatever_the_variable_says(
    mine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of editions that is gone hinders neither a check nor a new edition elsewhere."""
    monkeypatch.setenv(VARIABLE, "gone")
    assert run("editions", "check", str(mine / "mine")) == 0
    assert run("editions", "new", "more", "--out", str(mine)) == 0
    assert run("editions", "new", "most", "--out", str(mine / "to be made"), "--from", "eurocg-2026") == 0
    capsys.readouterr()
    assert run("editions") == 2
    told = "let --editions, or the variable HAGGLE_EDITIONS, name one that holds a folder for each edition"
    assert capsys.readouterr().err == f"haggle: gone: there is no such folder; {told}\n"


def test_hints_are_counted_apart(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are no mistakes: the exit code stays 0."""
    rules = mine / "mine" / "rules.py"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace("    blue =", "    print(1)\n    blue ="), encoding="utf-8"
    )
    assert run("editions", "check", str(mine / "mine")) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == f"{mine / 'mine'}: no mistakes, 1 hint"
    assert ": hint: prints, each time" in out
    assert err == ""


def test_what_rules_print_is_not_in_the_result(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It goes to standard error, when the file is read and when it counts."""
    rules = mine / "mine" / "rules.py"
    good = rules.read_text(encoding="utf-8")
    rules.write_text(
        good.replace("    blue =", "    print('counting')\n    blue =") + "\nprint('read')\n", encoding="utf-8"
    )
    assert run("score", "mine", str(mine.parent / "hands.json"), "--json", "--editions", str(mine)) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["hands"][0]["score"] == "18"
    assert err.splitlines()[0] == "read"
    assert "counting" in err


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("exit(3)", "rule 3: calls exit(); a rule only reads the hand and writes to it. Take it out"),
        ("import sys; sys.exit(3)", "rule 3: imports sys; a count must not depend on the machine: "),
        ("import os; os._exit(3)", "rule 3: imports os; a count must not depend on the machine: "),
        ("raise SystemExit(3)", "rule 3 ends the program (SystemExit), which no rule may; take that out"),
    ],
)
def test_a_rule_that_would_end_the_program_is_one_line(
    mine: Path, capsys: pytest.CaptureFixture[str], code: str, message: str
) -> None:
    """The edition's file and line are named, and nothing of a result is printed."""
    rules = mine / "mine" / "rules.py"
    good = rules.read_text(encoding="utf-8")
    rules.write_text(good.replace("    blue =", f"    {code}\n    blue ="), encoding="utf-8")
    line = good.splitlines().index('    blue = me.has("blue")') + 1
    assert run("score", "mine", str(mine.parent / "hands.json"), "--json", "--editions", str(mine)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"haggle: {rules}:{line}: {message}")
    assert err.count("\n") == 1
