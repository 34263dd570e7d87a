"""`haggle bulk`: takes a folder of pictures of envelopes in, and waits until they are read."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections import deque
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bars
from rich.table import Table
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from scanner.image.folder import Folder, pictures_in, printable
from server.cli.admin.data_folder import amount, data_option, json_option, opened, show_json, whoever
from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.games.photos import upload
from server.games.photos.bulk_import import HALTS, take_in
from server.games.photos.heartbeat import scanning_places
from server.games.photos.scan_pool import ScanPool, read_and_develop
from server.games.photos.scan_service import ScanService
from server.games.review.progress import FollowedPhotos, summarise_batch
from server.web_app.factory import AppConfig
from server.workers.process_pool import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from server.games.context import AppContext
    from server.games.photos.bulk_import import FileOutcome
    from server.games.review.progress import BatchSummary, Progress, ScannerActivity


EVERY = 10.0
"""Seconds between two lines where nobody watches."""
_WINDOW = 60.0

# Seconds of which the rate is taken.
_HOUR, _MINUTE = 3600, 60


class ProgressReport(Protocol):
    """Tells people how far it is. `with` shows it and takes it away."""

    def __enter__(self) -> object:
        """Begin to show."""

    def __exit__(self, *_: object) -> None:
        """End it."""

    def say(self, line: str) -> None:
        """Say something that stays."""

    def end(self, taken: int) -> None:
        """Note that no more than so many files are looked at, since something ended it."""

    def tell(self, taken: int, progress: Progress) -> None:
        """Tell how many files were looked at, and how far their pictures are."""


def teller(files: int) -> ProgressReport:
    """Return who tells of so many files."""
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    return _Bar(console, files) if console.is_terminal else _Lines(files)


@contextlib.contextmanager
def said_once(say: Callable[[str], None]) -> Iterator[None]:
    """Say what the log says meanwhile, once each; not what `server.games.photos.upload` logs, which outcomes say."""
    hearer = _Hearer(say)
    logging.getLogger().addHandler(hearer)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(hearer)


class _Hearer(logging.Handler):
    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        if record.exc_info and record.exc_info[1]:
            line = f"{line}: {record.exc_info[1]!r}"
        if record.name != upload.__name__ and line not in self._said:
            self._said.add(line)
            self._say(line)


class ReadingPace:
    """How many pictures are read a minute, of late, and how long the rest will take."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def note(self, read: int) -> None:
        """Note that so many have been read by now."""
        at = time.monotonic()
        self._seen.append((at, read))
        while at - self._seen[0][0] > _WINDOW:
            self._seen.popleft()

    @property
    def a_minute(self) -> float:
        """Pictures a minute; 0 while nothing is known."""
        (first, before), (last, read) = self._seen[0], self._seen[-1]
        return (read - before) / (last - first) * 60 if last > first else 0.0

    def left(self, pictures: int) -> str:
        """Say how long so many more will take; "" while nothing is known."""
        if not self.a_minute:
            return ""
        seconds = round(pictures / self.a_minute * 60)
        if seconds >= _HOUR:
            return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE} min left"
        return f"{-(-seconds // _MINUTE)} min left" if seconds >= _MINUTE else f"{seconds} s left"


def facts(progress: Progress, pace: ReadingPace, left: int) -> str:
    """Say in a few words how it goes."""
    said = [f"{pace.a_minute:.0f} a minute"] if pace.a_minute else []
    for number, what in ((progress.doubts, "in doubt"), (progress.failed, "failed")):
        if number:
            said.append(f"{number} {what}")
    return ", ".join(filter(None, [*said, pace.left(left)]))


class _Bar:
    """Two bars: files taken in, and pictures read."""

    def __init__(self, console: Console, files: int) -> None:
        self._files = files
        self._pace = ReadingPace()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}"),
        )
        self._bars = Bars(*columns, console=console)
        self._taken = self._bars.add_task("taken in", total=files, said="")
        self._read = self._bars.add_task("read", total=files, said="")

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def say(self, line: str) -> None:
        self._bars.console.print(line, soft_wrap=True)

    def end(self, taken: int) -> None:
        self._files = taken
        self._bars.update(self._taken, total=taken)

    def tell(self, taken: int, progress: Progress) -> None:
        self._pace.note(progress.read)
        said = facts(progress, self._pace, self._files - taken + progress.waiting)
        self._bars.update(self._taken, completed=taken)
        # Files that were not taken are no pictures to be read.
        pictures = self._files - taken + progress.waiting + progress.over
        self._bars.update(self._read, total=pictures, completed=progress.over, said=said)


class _Lines:
    """A line now and then."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._pace = ReadingPace()
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def say(self, line: str) -> None:
        click.echo(line, err=True)

    def end(self, taken: int) -> None:
        self._files = taken

    def tell(self, taken: int, progress: Progress) -> None:
        self._pace.note(progress.read)
        over = taken == self._files and not progress.waiting
        if time.monotonic() - self._last < EVERY and not over:
            return
        self._last = time.monotonic()
        said = facts(progress, self._pace, self._files - taken + progress.waiting)
        self.say(f"taken in: {taken} of {self._files}; read: {progress.over}{', ' if said else ''}{said}")


PATIENCE = 7.0
"""Seconds without a sign of life after which nobody else is thought to read: a server looks every two seconds, and
whoever reads renews its leases every five."""


class ReaderProcesses:
    """So many processes, or none as long as others read (`workers` None). `say` is told when they begin."""

    def __init__(
        self, context: AppContext, following: FollowedPhotos, workers: int | None, say: Callable[[str], None]
    ) -> None:
        self._context = context
        self._following = following
        self._workers = workers
        self._say = say
        self._service: ScanService | None = None
        self._sign: ScannerActivity | None = None
        self._since = time.monotonic()
        self._told = False

    def look(self, progress: Progress) -> None:
        """Begin to read if something waits and nobody else does."""
        if self._service is not None or not progress.waiting:
            self._since = time.monotonic()
            return
        sign = self._following.scanner_activity()
        if sign != self._sign:
            # The first look is no sign of life: what it finds may be of a process that is gone.
            self._since = time.monotonic()
            self._sign = sign
        quiet = not self._anybody() or time.monotonic() - self._since >= PATIENCE
        if self._workers or (self._workers is None and quiet):
            self._begin(self._workers or usable_cores())
        elif quiet and not self._told:
            self._told = True
            self._say("Nobody reads pictures just now: start haggle serve, or use --workers.")

    def close(self) -> None:
        """Stop reading; what is in hand is put back."""
        if self._service is not None:
            self._service.close()

    def _anybody(self) -> bool:
        """Tell whether somebody has said of late to be reading; one that was killed since has said so too."""
        with self._context.database.reading() as session:
            return scanning_places(session, self._context.time(session)) > 0

    def _begin(self, workers: int) -> None:
        self._service = ScanService(self._context, ScanPool(None, workers=workers, job=read_and_develop))
        self._service.start()
        self._say(f"Reading here, with {amount(workers, 'process').replace('processs', 'processes')}.")


NOT_READ = {
    "crashed": "the program that reads pictures stopped on it three times",
    "too-slow": "reading it took too long",
    "several-pages": "it is a file of several pages; save each as a picture of its own",
    "truncated": "it is damaged or incomplete",
    "empty": "it is empty",
    "not-a-picture": "it is no picture",
    "too-many-bytes": "it has too many bytes",
    "too-many-pixels": "it has too many pixels",
    "too-many-codes": "it is full of patterns that look like QR codes",
    "missing": "its file is gone",
}
"""Why a picture was not read, by the reason's slug."""
HALTED = {
    "disk-full": "The server's disk is full: make room.",
}
"""What ended it, by the refusal's slug, where that speaks to players."""

# Names in a row; the desk shows them all.
_MOST = 20


def show_findings(found: BatchSummary, names: Mapping[int, str | None]) -> None:
    """Print what was found, envelope by envelope, and what is left to do."""
    if found.envelopes:
        table = Table("envelope", "name", "pictures", "cards", "doubts")
        for one in found.envelopes:
            numbers = (str(one.pictures), str(one.cards), str(one.doubts or ""))
            table.add_row(str(one.envelope), names.get(one.envelope) or "", *numbers)
        Console(markup=False, emoji=False, highlight=False).print(table)
    if found.unassigned:
        more = "" if len(found.unassigned) <= _MOST else f" and {len(found.unassigned) - _MOST} more"
        whose = "1 picture does" if len(found.unassigned) == 1 else f"{len(found.unassigned)} pictures do"
        click.echo(f"{whose} not say whose it is: {', '.join(found.unassigned[:_MOST])}{more}")
    if found.open_issues:
        click.echo(f"{amount(found.open_issues, 'doubt')} open in the game: settle them at the desk.")


LOOK = 0.5
"""Seconds between two looks at how far the pictures are."""
_INTERRUPTED = 130


@click.command(name="bulk")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--game", required=True, help="The game that the envelopes are of.")
@data_option
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    help="Processes that read pictures here; 0 leaves it to others. "
    "Default: as many as cores, unless a server or a worker reads them.",
)
@json_option
def command(folder: Path, game: str, data: Path, workers: int | None, *, as_json: bool) -> None:
    """Take the pictures of envelopes in FOLDER into a game, and wait until all are read.

    Folders in it are looked into. Works while a server runs, and without one. Ctrl-C stops it at any moment: the same
    command again goes on, and skips what was done. The exit code is 1 if a picture was not taken or not read.
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
        run = BulkRun(context, game, found, teller(len(found.pictures)))
        begin = f"{amount(len(found.pictures), 'picture')} in {shown}"
        run.teller.say(f"{begin}, {amount(found.others, 'other file')} left alone" if found.others else begin)
        with said_once(run.teller.say):
            run.go(workers)
        code = run.finish(as_json=as_json)
    sys.exit(code)


@dataclass
class BulkRun:
    """One go through a folder: what became of each file so far, and how far the pictures are."""

    context: AppContext
    game: str
    folder: Folder
    teller: ProgressReport
    outcomes: list[FileOutcome] = field(default_factory=list)
    stopped: bool = False
    broken: str = ""
    """What ended it early, in words."""

    def __post_init__(self) -> None:
        self.following = FollowedPhotos(self.context, self.game)
        self.progress: Progress = self.following.progress()
        self._looked = time.monotonic()
        self._told: set[str] = set()

    def go(self, workers: int | None) -> None:
        """Take everything in and wait until it is read, or until Ctrl-C."""
        readers = ReaderProcesses(self.context, self.following, workers, self.teller.say)
        try:
            with self.teller:
                self._take_in(readers)
                while self.progress.waiting:
                    time.sleep(LOOK)
                    self._look(readers)
        except KeyboardInterrupt:
            self.stopped = True
        finally:
            with contextlib.suppress(KeyboardInterrupt):
                readers.close()

    def _take_in(self, readers: ReaderProcesses) -> None:
        taking = take_in(self.context, self.game, self.folder, whoever(), AppConfig.max_photo_bytes)
        with contextlib.closing(taking):
            try:
                for outcome in taking:
                    self._note(outcome)
                    if time.monotonic() - self._looked >= LOOK:
                        self._look(readers)
            except OperationalError as error:
                self.broken = f"The database does not answer: {error.orig}"
        if self.broken:
            self.teller.end(self._seen)
        self._look(readers)

    def _note(self, outcome: FileOutcome) -> None:
        self.outcomes.append(outcome)
        if outcome.photo is not None:
            self.following.files.setdefault(outcome.photo, outcome.file)
        elif outcome.reason in HALTS:
            self.broken = HALTED.get(outcome.reason, outcome.message)
        else:
            self.teller.say(f"{outcome.file}: not taken. {outcome.message}")

    def _look(self, readers: ReaderProcesses) -> None:
        try:
            self.progress = self.following.progress()
            readers.look(self.progress)
        except OperationalError as error:
            # An engine that is started anew comes back; the rows are the truth of what was done.
            self.teller.say(f"The database does not answer: {error.orig}")
        for photo, reason in self.following.failed.items():
            if photo not in self._told:
                self._told.add(photo)
                self.teller.say(f"{self.following.files[photo]}: not read, {NOT_READ.get(reason, reason)}.")
        self._looked = time.monotonic()
        self.teller.tell(self._seen, self.progress)

    @property
    def _seen(self) -> int:
        """How many files were come to: not the one at which it ended."""
        return sum(outcome.reason not in HALTS for outcome in self.outcomes)

    @property
    def left(self) -> int:
        """How many files were not come to."""
        return len(self.folder.pictures) - self._seen

    def finish(self, *, as_json: bool) -> int:
        """Tell what came of it, and return the exit code."""
        with self.context.database.reading() as session:
            row = load_game(session, self.game)
            read = {photo: file for photo, file in self.following.files.items() if photo not in self.following.failed}
            found = summarise_batch(session, row, read)
            named = select(Envelope.number, Envelope.name).where(Envelope.game == self.game)
            names = {number: name for number, name in session.execute(named)}  # noqa: C416 - rows are no pairs to mypy
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
            click.echo("The same command again goes on from here.", err=True)

    def _summary(self, found: BatchSummary) -> dict[str, Any]:
        """Return what came of it for programs."""
        fresh = sum(outcome.fresh for outcome in self.outcomes)
        refused = [outcome for outcome in self.outcomes if outcome.photo is None and outcome.reason not in HALTS]
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
