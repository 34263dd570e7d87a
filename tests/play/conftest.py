"""A house for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.house import Clock, new_house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.play.house import House


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
