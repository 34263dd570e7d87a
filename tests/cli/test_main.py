"""What every command does when something goes wrong that it did not expect."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from server.cli import main as cli

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
SCORE = [sys.executable, "-m", "server", "score", "eurocg-2026"]
HAND = b'{"hands": [{"player": "Ada", "cards": {"red": 1}}]}'


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Make a command that raises an exception."""

    def put(error: Exception) -> None:
        @click.command()
        def command() -> None:
            raise error

        monkeypatch.setattr(cli.LazyGroup, "get_command", lambda *_: command)
        monkeypatch.setattr(cli.os, "dup2", lambda *_: None)

    return put


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("a thing\nbroke"), "haggle: RuntimeError: a thing broke (HAGGLE_DEBUG=1 shows where)\n"),
        (OSError(28, "No space left on device"), "haggle: No space left on device (HAGGLE_DEBUG=1 shows where)\n"),
    ],
)
def test_an_unexpected_error_is_one_line(
    broken: Callable[[Exception], None], capsys: pytest.CaptureFixture[str], error: Exception, words: str
) -> None:
    """And exit code 1; no traceback reaches a user."""
    broken(error)
    with pytest.raises(SystemExit) as stop:
        cli.main(["score"])
    assert stop.value.code == 1
    assert capsys.readouterr().err == words


def test_whoever_looks_for_the_cause_gets_the_traceback(
    broken: Callable[[Exception], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """HAGGLE_DEBUG lets the exception through."""
    broken(RuntimeError("a thing broke"))
    monkeypatch.setenv("HAGGLE_DEBUG", "1")
    with pytest.raises(RuntimeError, match="a thing broke"):
        cli.main(["score"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_said_in_words() -> None:
    """Also when it shows only with the last bytes of the output."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*SCORE, "--json"], input=HAND, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "haggle: No space left on device (HAGGLE_DEBUG=1 shows where)\n"


def test_a_reader_that_has_enough_is_no_error() -> None:
    """`haggle score ... | head -1` ends without a word."""
    hands = b'{"hands": [' + b",".join(b'{"player": "%d", "cards": {"red": 1}}' % n for n in range(900)) + b"]}"
    process = subprocess.Popen(
        [*SCORE, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write(hands)
    process.stdin.close()
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) in {0, 141}


HELP = [(), *((name,) for name in sorted(cli.COMMANDS)), ("bench", "score"), ("bench", "scan"), ("editions", "check")]


@pytest.mark.parametrize("words", HELP, ids=" ".join)
def test_help_needs_no_editions(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of editions that is gone hinders nobody who asks how a command is used."""
    monkeypatch.setenv("HAGGLE_EDITIONS", "gone")
    cli.main([*words, "--help"])


@pytest.mark.parametrize(
    "words",
    [
        ("bench", "score", "--hands", "10"),
        ("bench", "score", "--edition", "eurocg-2026", "--hands", "10"),
        ("bench", "scan", "--photos", "1", "--decks", "1"),
        ("score", "eurocg-2026", "hands.json"),
        ("balance", "eurocg-2026"),
        ("best", "eurocg-2026"),
        ("editions",),
    ],
    ids=" ".join,
)
def test_a_folder_of_editions_that_is_gone_is_one_line(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and what names the folder, wherever an edition is needed."""
    monkeypatch.setenv("HAGGLE_EDITIONS", "gone")
    with pytest.raises(SystemExit) as stop:
        cli.main(list(words))
    assert stop.value.code == 2
    # A bench says before which reader it does without, and where there was a progress bar an empty line is left.
    told = [line for line in capsys.readouterr().err.splitlines() if line and "WITHOUT" not in line]
    assert len(told) == 1
    assert told[0].startswith(
        "haggle: gone: there is no such folder; let --editions, or the variable HAGGLE_EDITIONS, name"
    )


@pytest.mark.parametrize("words", [(), ("bench",)])
def test_a_group_without_a_command_shows_its_help(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """In lines, as with --help, and exit code 2."""
    with pytest.raises(SystemExit) as stop:
        cli.main(list(words))
    assert stop.value.code == 2
    assert "\nCommands:\n" in capsys.readouterr().err
