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
    offers sheets, labels and the ready photographs; without it none of the folder can be fetched. `home` is where the
    name of the game at the page's top leads.
    `max_photo_bytes` is the largest upload, `scan_workers` the number of scanning processes (None: one a core),
    `scan_places` how many photographs may be in hand or wait at once, `scan_memory` how many bytes those in hand
    may take, `scan_patience` how many seconds one waits, and `scan_seconds` how long one scan may take.
    """

    game: Game
    folder: Path
    demo: bool = False
    home: str = "/"
    max_photo_bytes: int = 40_000_000
    scan_workers: int | None = None
    scan_places: int = 160
    scan_memory: int = 800_000_000
    scan_patience: float = 20.0
    scan_seconds: float = 25.0
