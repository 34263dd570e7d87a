"""The `haggle` command: finds the subcommand's module when it is called, and says errors in one line."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click
from sqlalchemy.exc import SQLAlchemyError

from server import VERSION
from server.db.errors import is_busy, is_full
from server.db.session import DatabaseError
from server.operating_system import write_any_character
from server.scoring.errors import EditionError
from server.storage.base import StorageError
from server.web_app.settings import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping


COMMANDS = {
    "backup": ("server.cli.admin.backup", "Write all of a server's data into one file."),
    "balance": ("server.cli.balance", "Show how scores spread in random games, and what each rule does."),
    "bench": ("server.cli.bench", "Benchmark Haggle, and compare it with other readers."),
    "best": ("server.cli.best", "Find the deck with the highest score in an edition."),
    "bulk": ("server.cli.admin.bulk", "Import a folder of pictures of envelopes, and wait until they are read."),
    "db": ("server.cli.admin.db", "Show or upgrade the schema of a server's database."),
    "demo": ("server.cli.demo", "Start a demo game on this machine, ready to click."),
    "doctor": ("server.cli.doctor", "Show which programs and hardware of this machine Haggle can use."),
    "editions": ("server.cli.editions", "List, describe, check or start editions."),
    "games": ("server.cli.admin.games", "List the games of a data folder, or manage one."),
    "health": ("server.cli.admin.health", "Check whether a server works."),
    "password": ("server.cli.admin.password", "Set the organisers' password of a server."),
    "print": ("server.cli.print", "Write the sheets, labels and card list of a new game."),
    "restore": ("server.cli.admin.restore", "Restore a backup."),
    "results": ("server.cli.admin.results", "Show the results of a game, or write them to files."),
    "scan": ("server.cli.scan", "Read the cards in pictures."),
    "score": ("server.cli.score", "Score hands and explain every point."),
    "serve": ("server.cli.admin.serve", "Serve games to phones."),
    "worker": ("server.cli.admin.worker", "Run scan workers for a server, on this machine or another."),
}


class LazyGroup(click.Group):
    """A group that imports a subcommand's module only when it is called, so that `haggle score` needs no OpenCV.

    `modules` has each subcommand's module, whose variable `command` is the click command, and its one-line help.
    """

    def __init__(self, modules: Mapping[str, tuple[str, str]], **options: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(**options)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the subcommands in alphabetical order."""
        return sorted(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return a subcommand, or None if there is none of that name."""
        if cmd_name not in self.modules:
            return None
        command: click.Command = import_module(self.modules[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list of subcommands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.modules[name][1]) for name in sorted(self.modules)])


@click.group(
    cls=LazyGroup,
    modules=COMMANDS,
    epilog="In a checkout, ./haggle test runs all checks and tests, and ./haggle lock renews the locks.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name=None, version=VERSION, prog_name="haggle")
def haggle() -> None:
    """Haggle: print the cards, read the decks, explain the scores."""
    # From here on, Ctrl-C raises KeyboardInterrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def fail(message: str) -> NoReturn:
    """Print one line that says what is wrong, and leave with exit code 2."""
    click.echo(f"haggle: {' '.join(message.split())}", err=True)
    _leave(2)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. Mistakes of the caller end with exit code 2 and one line, never a traceback."""
    write_any_character()
    try:
        haggle.main(arguments, prog_name="haggle", standalone_mode=False)
        if sys.stdout:
            # A full disk shows only when the last words are written.
            sys.stdout.flush()
    except click.exceptions.Abort:
        _stop()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "haggle"
        fail(f"{error.format_message()} (see {where} --help)")
    except click.ClickException as error:
        fail(error.format_message())
    except BrokenPipeError:
        _leave(141)
    except Exception as error:  # people get a sentence for any error
        if os.environ.get("HAGGLE_DEBUG"):
            raise

        _report(error)


def _report(error: Exception) -> NoReturn:
    if _is_interrupted(error):
        _stop()
    if sentence := in_words(error):
        fail(sentence)
    what = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
    with contextlib.suppress(OSError):
        click.echo(f"haggle: {' '.join(what.split())} (HAGGLE_DEBUG=1 shows where)", err=True)
    _leave(1)


def _stop() -> NoReturn:
    """End after Ctrl-C."""
    # Another one while the process ends would show tracebacks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    click.echo("", err=True)
    sys.exit(130)


def _is_interrupted(error: BaseException | None) -> bool:
    """Return whether an error happened while Ctrl-C was handled, for example because a session could not be closed."""
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _leave(code: int) -> NoReturn:
    """End with an exit code, and without the rest of the output if it cannot be written or read."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        # Otherwise Python would try to write it again, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)


_REPORTED = (EditionError, StorageError, DatabaseError, SettingError)
_ADVICE = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "run this as its owner, or name another path"),
    errno.ENOSPC: "make room and try again",
}
"""Advice for errors of the system, by number."""


def in_words(error: Exception) -> str | None:
    """Return a sentence for people; None for what is a mistake of ours."""
    if isinstance(error, _REPORTED):
        return str(error)
    if isinstance(error, SQLAlchemyError) and is_full(error):
        return "the disk is full: the database could not write; make room and try again"
    if isinstance(error, SQLAlchemyError) and is_busy(error):
        return "the database does not answer, or others keep it busy: try again in a few seconds"
    if isinstance(error, OSError) and error.errno in _ADVICE:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}; {_ADVICE[error.errno]}"
    return None
