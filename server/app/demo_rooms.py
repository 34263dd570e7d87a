"""What the demo's doors lead to, and which envelope each browser has."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from flask import current_app

from cardgen.symbols import matrix, runs
from server.api.house.here import here
from server.play.run_files import run_file
from server.store.tables import Envelope
from server.studio.demo.decks import PLAYERS
from server.studio.demo.games import NAMED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from sqlalchemy.orm import Session

    from server.app.demo_passes import Passes
    from server.studio.demo.games import Pair
    from server.studio.demo.pictures import Job

_KEY = "haggle-demo"
_QUIET = 4
# Modules around a code.


@dataclass
class Doors:
    """What the doors lead to. `here` and `phone` are the addresses of the demo's page on this machine and on phones."""

    games: Pair
    jobs: Sequence[Job]
    passes: Passes
    here: str
    phone: str | None
    _given: set[int] = field(default_factory=set)
    _files: dict[str, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def move_in(self, app: Flask) -> None:
        """Put the doors into an application, where its endpoints find them."""
        app.extensions[_KEY] = self

    def seat(self, session: Session, before: str) -> int:
        """Return the envelope for a browser that had `before`: the same again, else one that nobody has opened."""
        free = range(NAMED + 1, PLAYERS + 1)
        if before.isascii() and before.isdecimal() and before in map(str, free):
            return int(before)
        with self._lock:
            taken = {n for n in free if n in self._given or envelope_of(session, self.games.playing.game, n).joined}
            if len(taken) == len(free):
                self._given.clear()
            number = next((n for n in free if n not in taken), free[0])
            self._given.add(number)
        return number

    def file(self, name: str) -> bytes:
        """Return a file of the game that is played, to print; it is made once."""
        with self._lock:
            made = self._files.get(name)
        if made is None:
            made = run_file(here().house, self.games.playing.game, 1, name)
            with self._lock:
                self._files[name] = made
        return made


def the_doors() -> Doors:
    """Return the current application's doors."""
    return cast("Doors", current_app.extensions[_KEY])


def envelope_of(session: Session, game: str, number: int) -> Envelope:
    """Return an envelope of one of the demo's games."""
    return session.get_one(Envelope, (game, number))


def drawn_code(text: str) -> str:
    """Return a text as a QR code, with the quiet zone that scanners want: SVG."""
    modules = matrix(text, alphanumeric=False)
    side = len(modules) + 2 * _QUIET
    path = "".join(f"M{column + _QUIET} {row + _QUIET}h{length}v1h-{length}z" for row, column, length in runs(modules))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path d="{path}"/></svg>'
    )
