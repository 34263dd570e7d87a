"""The application of the test's house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from server.app.house import HouseConfig, create_house_app
from server.jobs.scan_worker import read_and_develop
from server.jobs.scanning import ScanPool
from server.play import installation
from server.play.service import ScanService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask

    from server.play.house import House


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords of tests with little work: nobody attacks them."""
    monkeypatch.setattr(installation, "_METHOD", "scrypt:256:8:1")


@pytest.fixture
def app(house: House, tmp_path: Path) -> Flask:
    """Give the application of the test's house."""
    return create_house_app(HouseConfig(tmp_path / "data"), house)


@pytest.fixture
def scanning(house: House) -> Iterator[None]:
    """Let pictures be read by a process, as in a server."""
    pool = ScanPool(None, workers=1, seconds=25.0, job=read_and_develop)
    service = ScanService(house, pool, poll=0.2)
    service.start()
    yield
    service.close()


@pytest.fixture
def drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw and print in this process, which saves a second each."""

    def here(work: Callable[..., Any], *arguments: Any, stop: object = None, **named: Any) -> Any:  # noqa: ANN401, ARG001 - as what it stands for
        return work(*arguments, **named)

    for name in ("play.previews.run_apart", "play.run_files.run_apart", "jobs.press.run_telling"):
        monkeypatch.setattr(f"server.{name}", here)
