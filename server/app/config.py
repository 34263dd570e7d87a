"""What an application is made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cardgen.cards import Game


@dataclass(frozen=True)
class AppConfig:
    """A game and how it is served.

    `folder` is the printed game's: game.json, sheets.pdf, labels.pdf and, for a demo, `photos/`. With `demo` the page
    offers sheets, labels and the ready photographs; without it none of the folder can be fetched.
    `max_photo_bytes` is the largest upload, `scan_workers` the number of scanning processes (None: one a core),
    `scan_places` how many photographs may be in hand at once and `scan_waiting` how many more may wait for that,
    `scan_patience` how many seconds one waits, and `scan_seconds` how long one scan may take.
    """

    game: Game
    folder: Path
    demo: bool = False
    max_photo_bytes: int = 40_000_000
    scan_workers: int | None = None
    scan_places: int = 24
    scan_waiting: int = 48
    scan_patience: float = 20.0
    scan_seconds: float = 25.0
