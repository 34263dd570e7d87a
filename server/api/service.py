"""What the endpoints work with: the game that is served, its scanner, and the files of a demo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

if TYPE_CHECKING:
    from pathlib import Path

    from cardgen.cards import Game
    from server.editions import Edition
    from server.jobs.scanning import ScanPool

_KEY = "haggle"


@dataclass(frozen=True)
class Sample:
    """A ready photograph of the demo: its file, a title and a few words for people, and its size in pixels."""

    file: Path
    title: str
    note: str
    width: int
    height: int


@dataclass(frozen=True)
class Service:
    """The game that is served. `samples` and `downloads` (title by file) are empty outside the demo.

    `home` is where the name of the game at the page's top leads.
    """

    game: Game
    edition: Edition
    scans: ScanPool
    max_photo_bytes: int
    demo: bool
    home: str
    samples: tuple[Sample, ...]
    downloads: dict[Path, str]

    def join(self) -> None:
        """Put the service into the current application, where `service` finds it."""
        current_app.extensions[_KEY] = self


def service() -> Service:
    """Return the current application's service."""
    return cast("Service", current_app.extensions[_KEY])
