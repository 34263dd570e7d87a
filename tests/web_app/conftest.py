"""Fixtures: an application without games, and its client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apiflask import APIFlask
    from flask.testing import FlaskClient


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[APIFlask]:
    """Return the application of an empty data folder."""
    config = AppConfig(tmp_path_factory.mktemp("app") / "data")
    context = open_context(config)
    yield create_app(config, context)
    context.close()


@pytest.fixture
def client(app: APIFlask) -> FlaskClient:
    """Return a client of the application."""
    return app.test_client()
