"""Fixtures for tests of the API: the application, a scan process, and drawing in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from server.games import server_config
from server.games.photos.scan_pool import ScanPool, read_and_convert
from server.games.photos.scan_service import ScanService
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask

    from server.games.context import AppContext


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a fast password hash."""
    monkeypatch.setattr(server_config, "_METHOD", "scrypt:256:8:1")


@pytest.fixture
def app(context: AppContext, tmp_path: Path) -> Flask:
    """Create the application for `context`."""
    return create_app(AppConfig(tmp_path / "data"), context)


@pytest.fixture
def scanning(context: AppContext) -> Iterator[None]:
    """Run a scan service, as a server does."""
    pool = ScanPool(None, workers=1, seconds=25.0, job=read_and_convert)
    service = ScanService(context, pool, poll=0.2)
    service.start()
    yield
    service.close()


@pytest.fixture
def draw_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw and print in this process instead of a worker process, which saves a second each time."""

    def here(work: Callable[..., Any], *arguments: Any, stop: object = None, **named: Any) -> Any:  # noqa: ANN401, ARG001 - as what it stands for
        return work(*arguments, **named)

    for name in (
        "games.printing.previews.run_in_process",
        "games.printing.files.run_in_process",
        "printing.job_runner.run_with_progress",
    ):
        monkeypatch.setattr(f"server.{name}", here)
