"""A demo's data folder: an ordinary server's, with a file more that tells it from any other."""

from __future__ import annotations

import json
import secrets
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.play.house import SERVER
from server.play.installation import reset_password
from server.studio.demo.games import make_games, printed_pair

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House
    from server.studio.demo.games import Pair

MARK = "demo.json"
"""The file that makes a data folder a demo's. No other folder is ever opened as one."""
_FORMAT = 1


class DemoError(Exception):
    """The demo cannot be made, or its folder cannot be used; the message says why in one line."""


@dataclass
class DemoFolder:
    """A demo's data folder, and the folder that keeps its games' keys and photographs."""

    data: Path
    studio: Path
    _writing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def games(self) -> Pair:
        """The demo's games."""
        return printed_pair(self.studio)

    def told(self) -> list[str]:
        """Return the names of the pictures that were brought in."""
        return [str(name) for name in _read(self.data)["told"]]

    def note(self, name: str) -> None:
        """Keep that a picture was brought in."""
        with self._writing:
            _write(self.data, [*self.told(), name])


def check_folder(data: Path) -> None:
    """Raise DemoError for a folder that holds other things than a demo."""
    try:
        others = data.is_file() or (data.is_dir() and not (data / MARK).exists() and any(data.iterdir()))
    except OSError as error:
        raise DemoError(f"{data}: {error.strerror}") from None
    if others:
        raise DemoError(f"{data} holds other files than a demo: name a new or empty folder for it")
    if (data / MARK).exists():
        _read(data)


def make_demo(house: House, folder: DemoFolder, language: str, join: str) -> None:
    """Make the games of a demo in a house that has none yet, unless they are there. Nobody knows its password."""
    if (folder.data / MARK).exists():
        return
    reset_password(house, secrets.token_urlsafe(32), SERVER)
    make_games(house, folder.studio, language, join)
    _write(folder.data, [])


def _read(data: Path) -> dict[str, list[str]]:
    try:
        found = json.loads((data / MARK).read_text(encoding="utf-8"))
        good = found["format"] == _FORMAT and isinstance(found["told"], list)
    except (OSError, ValueError, KeyError, TypeError):
        good = False
    if not good:
        raise DemoError(f"{data / MARK} is damaged or of another version: name a new or empty folder")
    return dict(found)


def _write(data: Path, told: list[str]) -> None:
    half = data / f"{MARK}.half"
    half.write_text(json.dumps({"format": _FORMAT, "told": told}) + "\n", encoding="utf-8")
    half.replace(data / MARK)
