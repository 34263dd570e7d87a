"""The haggle command: errors, help and output problems."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from benchmarks.__main__ import COMMANDS as BENCHMARKS
from server import VERSION
from server.cli import main as cli

if TYPE_CHECKING:
    from tests.cli.conftest import Haggle, Refused

ROOT = Path(__file__).parents[2]
SCORE = [sys.executable, "-m", "server", "score", "eurocg-2026", "--json"]


def test_the_version_is_that_of_the_project(haggle: Haggle) -> None:
    assert haggle("--version") == (0, f"haggle, version {VERSION}\n", "")


def test_an_unexpected_error_is_one_line_without_the_debug_option(
    haggle: Haggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command()
    def command() -> None:
        raise RuntimeError("a thing\nbroke")

    monkeypatch.setattr(cli.LazyGroup, "get_command", lambda *_: command)
    assert haggle("score") == (1, "", "haggle: RuntimeError: a thing broke (HAGGLE_DEBUG=1 shows where)\n")
    monkeypatch.setenv("HAGGLE_DEBUG", "1")
    with pytest.raises(RuntimeError, match="a thing"):
        haggle("score")


def test_a_path_without_permission_is_named(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def command() -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/root/games")

    monkeypatch.setattr(cli.LazyGroup, "get_command", lambda *_: command)
    assert refused("serve") == ("haggle: /root/games: Permission denied; run this as its owner, or name another path\n")


INTERRUPTED_IMPORT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
target = sys.argv.pop()
class Finder:
    def find_spec(name, *_):
        if name == target:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder)
from server.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["server.cli.main", "sqlalchemy", "server.cli.score"])
def test_ctrl_c_while_modules_are_loaded_ends_without_a_word(module: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, "score", "--help", module]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_an_error_because_of_ctrl_c_is_not_reported(haggle: Haggle, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def command() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("Cannot operate on a closed database.")

    monkeypatch.setattr(cli.LazyGroup, "get_command", lambda *_: command)
    before = signal.getsignal(signal.SIGINT)
    try:
        assert haggle("score") == (130, "", "\n")
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_reported_even_at_the_last_flush() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(SCORE, input=b'{"hands": []}', stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == "haggle: No space left on device; make room and try again\n"


def test_a_closed_pipe_is_not_an_error() -> None:
    """`haggle score ... | head -1` prints no error."""
    hands = b'{"hands": [' + b",".join(b'{"player": "%d", "cards": {"red": 1}}' % n for n in range(900)) + b"]}"
    pipe = subprocess.PIPE
    with subprocess.Popen(SCORE, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(hands)
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in {0, 141}


def test_help_works_without_editions(haggle: Haggle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAGGLE_EDITIONS", "gone")
    commands = [(), *((name,) for name in cli.COMMANDS), *(("bench", name) for name in BENCHMARKS)]
    for words in (*commands, ("editions", "check")):
        output = haggle(*words, "--help")
        assert (output.code, "--help" in output.out) == (0, True), words
    assert all(f"  {name} " in haggle("bench", "--help").out for name in BENCHMARKS)


def test_a_missing_folder_of_editions_is_one_line(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAGGLE_EDITIONS", "gone")
    for words in ("bench score --hands 10", "score eurocg-2026 x", "balance eurocg-2026", "best x", "editions"):
        assert refused(*words.split()) == (
            "haggle: gone: there is no such folder; let --editions, or the variable HAGGLE_EDITIONS, name one that "
            "holds a folder for each edition\n"
        ), words


@pytest.mark.parametrize("words", [(), ("bench",)])
def test_a_group_without_a_command_shows_its_help(words: tuple[str, ...], haggle: Haggle) -> None:
    output = haggle(*words)
    assert (output.code, "\nCommands:\n" in output.err) == (2, True)


def test_benchmarks_are_reported_as_missing_in_an_installation(tmp_path: Path) -> None:
    for package in ("cardgen", "scanner", "server"):
        (tmp_path / package).symlink_to(ROOT / package)
    command = [sys.executable, "-m", "server", "bench", "rush", "--players", "3"]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "haggle: the benchmarks are not installed here: run ./haggle bench in a checkout of Haggle\n",
    )
