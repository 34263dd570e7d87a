"""A served game, and a client for it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from server.api.service import service
from server.app import AppConfig, create_app
from tests.pictures import deck_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from apiflask import APIFlask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.conftest import PrintedFolder

FORM = "multipart/form-data; boundary=end"
DECK = {"red": 3, "blue": 2, "rule-7": 1, "special-1": 1}


@pytest.fixture(scope="session")
def app(printed: PrintedFolder) -> Iterator[APIFlask]:
    """Serve the printed game, with one scan worker for all tests."""
    app = create_app(AppConfig(printed.game, printed.folder, scan_workers=1))
    yield app
    with app.app_context():
        service().scans.close()


@pytest.fixture
def client(app: APIFlask) -> FlaskClient:
    """Speak with the served game."""
    return app.test_client()


@pytest.fixture(scope="session")
def photo(printed: PrintedFolder) -> bytes:
    """Photograph the deck DECK."""
    return deck_photo(printed, DECK)


@pytest.fixture
def upload(client: FlaskClient) -> Callable[..., TestResponse]:
    """Send bytes as a photograph."""

    def send(data: bytes, field: str = "photo") -> TestResponse:
        return send_photo(client, data, field)

    return send


def send_photo(client: FlaskClient, data: bytes, field: str = "photo") -> TestResponse:
    """Send bytes as a photograph. The form is written here, since the client would make a file of a large one."""
    head = f'--end\r\nContent-Disposition: form-data; name="{field}"; filename="photo.jpg"\r\n\r\n'
    body = head.encode() + data + b"\r\n--end--\r\n"
    return client.post("/api/v1/scans", data=body, content_type=FORM)


def send_untold(client: FlaskClient, path: str, body: bytes, content_type: str) -> TestResponse:
    """Send a body as one whose length was not told, as requests in chunks come."""
    told = {"wsgi.input": io.BytesIO(body), "wsgi.input_terminated": True}
    return client.post(path, content_type=content_type, environ_overrides=told | {"CONTENT_LENGTH": ""})
