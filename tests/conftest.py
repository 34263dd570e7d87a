"""What tests of several packages share: a printed game of 24 players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from server.jobs.printing import PrintedGame, print_game

if TYPE_CHECKING:
    from pathlib import Path

    from cardgen.cards import Game
    from cardgen.sheets import PrintedCard


@dataclass(frozen=True)
class PrintedFolder:
    """A printed game and the folder that holds its files."""

    folder: Path
    done: PrintedGame

    @property
    def game(self) -> Game:
        """The game, with its key."""
        return self.done.game

    @property
    def cards(self) -> tuple[PrintedCard, ...]:
        """All printed cards in the order of the sheets."""
        return self.done.printed.cards


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory) -> PrintedFolder:
    """Print a EuroCG game of 24 players once for all tests."""
    folder = tmp_path_factory.mktemp("printed") / "game"
    return PrintedFolder(folder, print_game("eurocg-2026", 24, folder, seed="tests", join="https://haggle.example"))
