"""A demo and a real game, served in this process."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from server.app import AppConfig, create_app
from tests.pictures import deck_photo

if TYPE_CHECKING:
    from pathlib import Path

    from apiflask import APIFlask
    from flask.testing import FlaskClient

    from tests.conftest import PrintedFolder


@pytest.fixture(scope="session")
def demo_folder(printed: PrintedFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the printed game and put two photographs beside it; a third is not in the list."""
    folder: Path = tmp_path_factory.mktemp("demo") / "game"
    shutil.copytree(printed.folder, folder)
    photos = folder / "photos"
    photos.mkdir()
    for name, deck in {
        "small.jpg": {"red": 2},
        "large.jpg": {"red": 4, "rule-7": 1},
        "hidden.jpg": {"blue": 1},
    }.items():
        (photos / name).write_bytes(deck_photo(printed, deck))
    listed = [
        {"file": "small.jpg", "title": "Small deck", "note": "Two cards"},
        {"file": "large.jpg", "title": "Large deck", "note": "Five cards"},
    ]
    (photos / "photos.json").write_text(json.dumps(listed), encoding="utf-8")
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
