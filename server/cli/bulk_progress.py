"""How `haggle bulk` shows its progress: a bar where somebody watches, else a line now and then. Both go to stderr."""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from typing import TYPE_CHECKING, Protocol, Self

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bars

from server.play import intake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from server.play.following import Progress

EVERY = 10.0
"""Seconds between two lines where nobody watches."""
_WINDOW = 60.0
# Seconds of which the rate is taken.
_HOUR, _MINUTE = 3600, 60


class Teller(Protocol):
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


def teller(files: int) -> Teller:
    """Return who tells of so many files."""
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    return _Bar(console, files) if console.is_terminal else _Lines(files)


@contextlib.contextmanager
def said_once(say: Callable[[str], None]) -> Iterator[None]:
    """Say what the log tells meanwhile, each thing once; not what `server.play.intake` tells, which outcomes say."""
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
        if record.name != intake.__name__ and line not in self._said:
            self._said.add(line)
            self._say(line)


class Pace:
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


def facts(progress: Progress, pace: Pace, left: int) -> str:
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
        self._pace = Pace()
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
        self._pace = Pace()
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
