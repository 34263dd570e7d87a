"""`haggle bulk`: takes a folder of pictures of envelopes in, and waits until they are read."""

from __future__ import annotations

import contextlib
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from server.app.house import HouseConfig
from server.cli.bulk_progress import said_once, teller
from server.cli.bulk_reading import Readers
from server.cli.bulk_text import HALTED, NOT_READ, show_findings
from server.cli.data_folder import amount, data_option, json_option, opened, show_json, whoever
from server.play.bulk import HALTS, take_in
from server.play.following import Following, findings
from server.play.house import game_row
from server.store.folders import Folder, pictures_in, printable
from server.store.tables import Envelope

if TYPE_CHECKING:
    from server.cli.bulk_progress import Teller
    from server.play.bulk import Outcome
    from server.play.following import Findings, Progress
    from server.play.house import House

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
    with opened(data) as house:
        with house.database.reading() as session:
            game = game_row(session, game).id
        found = pictures_in(folder)
        for place, why in found.shut:
            click.echo(f"haggle: {shown}/{printable(place)}: {why}", err=True)
        if not found.pictures:
            raise click.ClickException(f"{shown}: no pictures in this folder")
        run = Run(house, game, found, teller(len(found.pictures)))
        begin = f"{amount(len(found.pictures), 'picture')} in {shown}"
        run.teller.say(f"{begin}, {amount(found.others, 'other file')} left alone" if found.others else begin)
        with said_once(run.teller.say):
            run.go(workers)
        code = run.finish(as_json=as_json)
    sys.exit(code)


@dataclass
class Run:
    """One go through a folder: what became of each file so far, and how far the pictures are."""

    house: House
    game: str
    folder: Folder
    teller: Teller
    outcomes: list[Outcome] = field(default_factory=list)
    stopped: bool = False
    broken: str = ""
    """What ended it early, in words."""

    def __post_init__(self) -> None:
        self.following = Following(self.house, self.game)
        self.progress: Progress = self.following.look()
        self._looked = time.monotonic()
        self._told: set[str] = set()

    def go(self, workers: int | None) -> None:
        """Take everything in and wait until it is read, or until Ctrl-C."""
        readers = Readers(self.house, self.following, workers, self.teller.say)
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

    def _take_in(self, readers: Readers) -> None:
        taking = take_in(self.house, self.game, self.folder, whoever(), HouseConfig.max_photo_bytes)
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

    def _note(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if outcome.photo is not None:
            self.following.files.setdefault(outcome.photo, outcome.file)
        elif outcome.reason in HALTS:
            self.broken = HALTED.get(outcome.reason, outcome.message)
        else:
            self.teller.say(f"{outcome.file}: not taken. {outcome.message}")

    def _look(self, readers: Readers) -> None:
        try:
            self.progress = self.following.look()
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
        with self.house.database.reading() as session:
            row = game_row(session, self.game)
            read = {photo: file for photo, file in self.following.files.items() if photo not in self.following.failed}
            found = findings(session, row, read)
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

    def _summary(self, found: Findings) -> dict[str, Any]:
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
            "nobody": list(found.nobody),
            "open": found.doubts,
            "stopped": self.stopped,
            "broken": self.broken,
        }
