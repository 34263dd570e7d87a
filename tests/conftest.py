"""What tests of several packages share: a printed game of 24 players, and an empty house with its clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from server.jobs.printing import PrintedGame, print_game
from tests.house import Clock, new_house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardgen.cards import Game
    from cardgen.layout import PrintedCard
    from server.play.house import House


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


@pytest.fixture
def clock() -> Clock:
    """Return the clock of the test's house."""
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    """Give an empty house in a folder of its own."""
    house = new_house(tmp_path / "data", clock)
    yield house
    house.database.close()
