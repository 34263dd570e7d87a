"""A house and its application for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.app.house import HouseConfig, create_house_app
from server.play import passwords
from tests.house import Clock, new_house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from server.play.house import House


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords of tests with little work: nobody attacks them."""
    monkeypatch.setattr(passwords, "_N", 16)


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


@pytest.fixture
def app(house: House, tmp_path: Path) -> Flask:
    """Return the application of the test's house."""
    return create_house_app(HouseConfig(tmp_path / "data"), house)
