"""A demo and a real game, served in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.app import AppConfig, create_app
from tests.pictures import lay_out_demo

if TYPE_CHECKING:
    from pathlib import Path

    from apiflask import APIFlask
    from flask.testing import FlaskClient

    from tests.conftest import PrintedFolder


@pytest.fixture(scope="session")
def demo_folder(printed: PrintedFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the printed game and put two photographs beside it; a third is not in the list."""
    folder: Path = tmp_path_factory.mktemp("demo") / "game"
    lay_out_demo(printed, folder)
    return folder


@pytest.fixture(scope="session")
def app(printed: PrintedFolder) -> APIFlask:
    """Serve the printed game."""
    return create_app(AppConfig(printed.game, printed.folder))


@pytest.fixture
def client(app: APIFlask) -> FlaskClient:
    """Speak with the served game."""
    return app.test_client()


@pytest.fixture(scope="session")
def demo_app(printed: PrintedFolder, demo_folder: Path) -> APIFlask:
    """Serve the demo."""
    return create_app(AppConfig(printed.game, demo_folder, demo=True))


@pytest.fixture
def demo_client(demo_app: APIFlask) -> FlaskClient:
    """Speak with the demo."""
    return demo_app.test_client()
