"""`haggle bulk`: imports a folder of photos of envelopes, and waits until they are read."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bars
from rich.table import Table
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from scanner.image.load import Folder, pictures_in, printable
from server.cli.admin.data_folder import amount, data_option, json_option, machine_user, opened, show_json
from server.cli.options import plain_console
from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.games.photos import upload
from server.games.photos.bulk_import import FATAL, import_folder
from server.games.photos.scan_pool import ScanPool, read_and_convert
from server.games.photos.scan_service import HEARTBEAT_TIMEOUT, ScanService, count_scan_slots
from server.games.review.progress import FollowedPhotos, summarise_batch
from server.web_app.settings import AppConfig
from server.workers.process_pool import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console

    from server.games.context import AppContext
    from server.games.photos.bulk_import import FileOutcome
    from server.games.review.progress import BatchSummary, Progress


LINE_SECONDS = 10.0
"""Seconds between two lines of progress if standard error is not a terminal."""


class BulkProgress:
    """The progress of a number of files: on a terminal bars for imported and for read ones, else lines."""

    def __init__(self, files: int, console: Console | None = None) -> None:
        self._files = files
        self._console = console or plain_console(stderr=True)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[text]}")
        lines = not self._console.is_terminal
        self._bars = Bars(*columns, console=self._console, speed_estimate_period=60.0, disable=lines)
        self._taken = self._bars.add_task("taken in", total=files, text="")
        self._read = self._bars.add_task("read", total=files, text="")
        # Not shown: photos that were read before would falsify the speed of reading.
        self._pace = self._bars.add_task("", total=None, visible=False, text="")
        self._printed = time.monotonic()

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def say(self, line: str) -> None:
        """Print a line that stays."""
        self._console.print(line, soft_wrap=True)

    def end(self, taken: int) -> None:
        """Set the number of files after an early end."""
        self._files = taken
        self._bars.update(self._taken, total=taken)

    def update(self, taken: int, progress: Progress) -> None:
        """Show the number of processed files, and the progress of their photos."""
        # Files that were not imported are not going to be read.
        left = self._files - taken + progress.waiting
        text = self._text(progress, left)
        self._bars.update(self._taken, completed=taken)
        self._bars.update(self._read, total=progress.over + left, completed=progress.over, text=text)
        if not self._console.is_terminal and (not left or time.monotonic() - self._printed >= LINE_SECONDS):
            self._printed = time.monotonic()
            self.say(f"taken in: {taken} of {self._files}; read: {progress.over}{', ' if text else ''}{text}")

    def _text(self, progress: Progress, left: int) -> str:
        """Return the rate, the numbers of doubts and failures, and the time left."""
        self._bars.update(self._pace, completed=progress.read)
        speed = self._bars.tasks[self._pace].speed
        facts = [f"{60 * speed:.0f} a minute"] if speed else []
        facts += [f"{progress.doubts} in doubt"] if progress.doubts else []
        facts += [f"{progress.failed} failed"] if progress.failed else []
        facts += [f"{timedelta(seconds=round(left / speed))} left"] if speed and left else []
        return ", ".join(facts)


@contextlib.contextmanager
def said_once(say: Callable[[str], None]) -> Iterator[None]:
    """Print each warning of the log once, except those of `server.games.photos.upload`, which outcomes contain."""
    handler = _OnceHandler(say)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


class _OnceHandler(logging.Handler):
    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._logged: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        if record.exc_info and record.exc_info[1]:
            line = f"{line}: {record.exc_info[1]!r}"
        if record.name != upload.__name__ and line not in self._logged:
            self._logged.add(line)
            self._say(line)


class ReaderProcesses:
    """Processes that read photos: `workers`, or for None one per core unless other processes read."""

    def __init__(self, context: AppContext, workers: int | None, say: Callable[[str], None]) -> None:
        self._context = context
        self._workers = workers
        self._say = say
        self._service: ScanService | None = None
        self._reported = False

    def refresh(self, progress: Progress) -> None:
        """Start reading if photos wait and no other process reads."""
        if self._service is not None or not progress.waiting:
            return
        others = self._others_read()
        if self._workers or (self._workers is None and not others):
            workers = self._workers or usable_cores()
            self._service = ScanService(self._context, ScanPool(None, workers=workers, job=read_and_convert))
            self._service.start()
            self._say(f"Reading here, with {workers} {'process' if workers == 1 else 'processes'}.")
        elif not self._reported:
            self._reported = True
            if not others:
                self._say("Nothing is reading pictures at the moment: start haggle serve, or use --workers.")
            elif self._workers is None:
                seconds = round(HEARTBEAT_TIMEOUT.total_seconds())
                self._say(f"A server or a worker reads them. If it was killed, reading begins here within {seconds} s.")

    def close(self) -> None:
        """Stop reading. Photos being read go back to the queue."""
        if self._service is not None:
            self._service.close()

    def _others_read(self) -> bool:
        """Return whether a process has a recent heartbeat."""
        with self._context.database.reading() as session:
            return count_scan_slots(session, self._context.time(session)) > 0


NOT_READ = {
    "crashed": "the program that reads pictures stopped on it three times",
    "too-slow": "reading it took too long",
    "several-pages": "it is a file of several pages; save each as a picture of its own",
    "truncated": "it is damaged or incomplete",
    "empty": "it is empty",
    "not-a-picture": "it is not a picture",
    "too-many-bytes": "it has too many bytes",
    "too-many-pixels": "it has too many pixels",
    "too-many-codes": "it is full of patterns that look like QR codes",
    "missing": "its file is gone",
}
"""Reasons why a photo was not read, by slug."""
HALTED = {
    "disk-full": "The server's disk is full: make room.",
    "busy": "The storage of pictures does not work: run the command again once it does.",
}
"""Texts by the error's slug, instead of messages for players."""

_MAX_NAMES = 20
"""Names of files in a line; the desk shows all of them."""


def show_findings(found: BatchSummary, names: Mapping[int, str | None]) -> None:
    """Print the findings by envelope, and what is left to do."""
    if found.envelopes:
        table = Table("envelope", "name", "pictures", "cards", "doubts")
        for one in found.envelopes:
            numbers = (str(one.pictures), str(one.cards), str(one.doubts or ""))
            table.add_row(str(one.envelope), names.get(one.envelope) or "", *numbers)
        plain_console().print(table)
    if found.unassigned:
        more = "" if len(found.unassigned) <= _MAX_NAMES else f" and {len(found.unassigned) - _MAX_NAMES} more"
        listed = ", ".join(found.unassigned[:_MAX_NAMES])
        click.echo(f"{amount(len(found.unassigned), 'picture')} without an owner: {listed}{more}")
    if found.open_issues:
        click.echo(f"{amount(found.open_issues, 'doubt')} open in the game: settle them at the desk.")


REFRESH_INTERVAL = 0.5
"""Seconds between two queries of the progress."""
_INTERRUPTED = 130


@click.command(name="bulk")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--game", required=True, help="The game to which the envelopes belong.")
@data_option
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    help="Processes that read pictures here; 0 leaves that to others. "
    "Default: one per core, unless a server or a worker reads them.",
)
@json_option
def command(folder: Path, game: str, data: Path, workers: int | None, *, as_json: bool) -> None:
    """Import a folder of pictures of envelopes into a game, and wait until all are read.

    Includes the folders in FOLDER. Works while a server runs, and without one. Ctrl-C stops it at any moment: run the
    same command again to continue. The exit code is 1 if a picture was not imported or not read.
    """
    shown = printable(str(folder))
    with opened(data) as context:
        with context.database.reading() as session:
            game = load_game(session, game).id
        found = pictures_in(folder)
        for place, why in found.shut:
            click.echo(f"haggle: {shown}/{printable(place)}: {why}", err=True)
        if not found.pictures:
            raise click.ClickException(f"{shown}: no pictures in this folder")
        bulk = BulkRun(context, game, found, BulkProgress(len(found.pictures)))
        begin = f"{amount(len(found.pictures), 'picture')} in {shown}"
        bulk.report.say(f"{begin}, {amount(found.others, 'other file')} ignored" if found.others else begin)
        with said_once(bulk.report.say):
            bulk.run(workers)
        code = bulk.finish(as_json=as_json)
    sys.exit(code)


@dataclass
class BulkRun:
    """An import of a folder: the outcome of each file, and the progress of the photos."""

    context: AppContext
    game: str
    folder: Folder
    report: BulkProgress
    outcomes: list[FileOutcome] = field(default_factory=list)
    stopped: bool = False
    broken: str = ""
    """The reason for an early end."""

    def __post_init__(self) -> None:
        self.following = FollowedPhotos(self.context, self.game)
        self.progress: Progress = self.following.progress()
        self._refreshed = time.monotonic()
        self._reported: set[str] = set()

    def run(self, workers: int | None) -> None:
        """Import all files and wait until they are read, or until Ctrl-C."""
        readers = ReaderProcesses(self.context, workers, self.report.say)
        try:
            with self.report:
                self._import_files(readers)
                while self.progress.waiting:
                    time.sleep(REFRESH_INTERVAL)
                    self._refresh(readers)
        except KeyboardInterrupt:
            self.stopped = True
        finally:
            with contextlib.suppress(KeyboardInterrupt):
                readers.close()

    def _import_files(self, readers: ReaderProcesses) -> None:
        taking = import_folder(self.context, self.game, self.folder, machine_user(), AppConfig.max_photo_bytes)
        with contextlib.closing(taking):
            try:
                for outcome in taking:
                    self._add_outcome(outcome)
                    if time.monotonic() - self._refreshed >= REFRESH_INTERVAL:
                        self._refresh(readers)
            except OperationalError as error:
                self.broken = f"The database does not answer: {error.orig}"
        if self.broken:
            self.report.end(self._seen)
        self._refresh(readers)

    def _add_outcome(self, outcome: FileOutcome) -> None:
        self.outcomes.append(outcome)
        if outcome.photo is not None:
            self.following.files.setdefault(outcome.photo, outcome.file)
        elif outcome.reason in FATAL:
            self.broken = HALTED.get(outcome.reason, outcome.message)
        else:
            self.report.say(f"{outcome.file}: not taken. {outcome.message}")

    def _refresh(self, readers: ReaderProcesses) -> None:
        try:
            self.progress = self.following.progress()
            readers.refresh(self.progress)
        except OperationalError as error:
            # The database may come back after a restart.
            self.report.say(f"The database does not answer: {error.orig}")
        for photo, reason in self.following.failed.items():
            if photo not in self._reported:
                self._reported.add(photo)
                self.report.say(f"{self.following.files[photo]}: not read, {NOT_READ.get(reason, reason)}.")
        self._refreshed = time.monotonic()
        self.report.update(self._seen, self.progress)

    @property
    def _seen(self) -> int:
        """The number of processed files, without the one that ended the import."""
        return sum(outcome.reason not in FATAL for outcome in self.outcomes)

    @property
    def left(self) -> int:
        """The number of files that were not processed."""
        return len(self.folder.pictures) - self._seen

    def finish(self, *, as_json: bool) -> int:
        """Print the outcome, and return the exit code."""
        with self.context.database.reading() as session:
            row = load_game(session, self.game)
            read = {photo: file for photo, file in self.following.files.items() if photo not in self.following.failed}
            found = summarise_batch(session, row, read)
            named = select(Envelope.number, Envelope.name).where(Envelope.game == self.game)
            names = {number: name for number, name in session.execute(named)}  # noqa: C416 - rows are not pairs to mypy
        if as_json:
            show_json(self._summary(found))
        else:
            show_findings(found, names)
        self._say_end()
        refused = any(outcome.photo is None for outcome in self.outcomes)
        if self.stopped:
            return _INTERRUPTED
        return int(bool(refused or self.broken or self.following.failed or self.folder.shut))

    def _say_end(self) -> None:
        files = amount(len(self.folder.pictures), "picture")
        taken = sum(outcome.photo is not None for outcome in self.outcomes)
        if self.broken:
            click.echo(f"haggle: {self.broken} Not taken: {self.left} of {files}.", err=True)
        if self.stopped:
            click.echo(f"Stopped. {taken} of {files} are taken in, and {self.progress.waiting} of them wait.", err=True)
        if self.stopped or self.broken:
            click.echo("Run the same command again to continue.", err=True)

    def _summary(self, found: BatchSummary) -> dict[str, Any]:
        """Return the outcome for programs."""
        fresh = sum(outcome.fresh for outcome in self.outcomes)
        refused = [outcome for outcome in self.outcomes if outcome.photo is None and outcome.reason not in FATAL]
        return {
            "game": self.game,
            "folder": printable(str(self.folder.place)),
            "files": len(self.folder.pictures),
            "others": self.folder.others,
            "taken": fresh,
            "known": sum(outcome.photo is not None for outcome in self.outcomes) - fresh,
            "left": self.left,
            "refused": [{"file": one.file, "reason": one.reason, "message": one.message} for one in refused],
            "read": self.progress.done,
            "waiting": self.progress.waiting,
            "failed": [
                {"file": self.following.files[photo], "photo": photo, "reason": reason}
                for photo, reason in self.following.failed.items()
            ],
            "doubtful_places": self.progress.doubts,
            "envelopes": [asdict(one) for one in found.envelopes],
            "nobody": list(found.unassigned),
            "open": found.open_issues,
            "stopped": self.stopped,
            "broken": self.broken,
        }
