"""Fixtures for tests of pages: running servers with games, and pages that are open in a browser."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeTimedSerializer
from playwright.sync_api import Browser, BrowserContext, Page

from cardgen.cards import CardId
from cardgen.payload import join_token
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES, Scene
from server.api.auth import COOKIE, projector_token
from server.db.models import Envelope
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.lifecycle.states import State
from server.games.server_config import choose_password, load_server_config, new_setup_code
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import ORGANISER, create_database, new_game
from tests.game_server import GameServer
from tests.web.conftest import PHONE, CheckedPage
from tests.web.pages import player_steps
from tests.web.pages.example_games import ExampleGames
from tests.web.steps import TIMEOUT

OpenPage = Callable[..., Page]
PASSWORD = "a horse in the rain"  # noqa: S105 - of the tests' own server
DESKTOP = {"width": 1280, "height": 800}
SCENE = replace(SCENES["nominal"], width=1600, height=1200)


@dataclass(frozen=True)
class LiveServer:
    """A running server, and the application context on the same data, with which tests set up games."""

    server: GameServer
    context: AppContext

    @property
    def url(self) -> str:
        return self.server.url

    def new_game(self, state: State = State.OPEN, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
        return new_game(self.context, state, **draft)

    def link(self, game: str, envelope: int) -> str:
        with self.context.database.reading() as session:
            row = load_game(session, game)
            envelope_row = session.get_one(Envelope, (game, envelope))
            return f"{self.url}/j#{join_token(row.id, row.key, envelope, envelope_row.token_version)}"

    def screen_link(self, game: str) -> str:
        """Return the link of a game's big screen."""
        with self.context.database.reading() as session:
            row = load_game(session, game)
            return f"{self.url}/screen#{projector_token(row.id, row.key)}"

    def picture(
        self, game: str, cards: Sequence[str], label: int | None = None, seed: str = "cards", scene: Scene = SCENE
    ) -> bytes:
        """Photograph cards of a game by their names, such as red-001, with an envelope's label or without; a JPEG."""
        with self.context.database.reading() as session:
            printed = printed_game_of(load_game(session, game))
        named = [CardId(kind, int(copy)) for kind, _, copy in (card.rpartition("-") for card in cards)]
        labels = [] if label is None else [printed_label(printed, label)]
        return photograph(printed_faces(printed, named, 200), scene, f"{seed}/{label}", labels).jpeg

    def session_cookie(self, name: str = "Olga") -> str:
        """Return the value of the session cookie of an organiser."""
        row = load_server_config(self.context.database)
        content = {"name": name, "epoch": row.session_epoch, "id": secrets.token_hex(16)}
        return str(URLSafeTimedSerializer(row.secret, salt="haggle.organiser").dumps(content))

    def sign_in(self, context: BrowserContext, name: str = "Olga") -> None:
        text = self.session_cookie(name)
        context.add_cookies([{"name": COOKIE, "value": text, "url": self.url, "httpOnly": True, "sameSite": "Strict"}])


@contextlib.contextmanager
def serve_games(folder: Path, *, product: bool = False) -> Iterator[LiveServer]:
    """Start a server on a new data folder, with a password and without games; `product` is that of `GameServer`."""
    create_database(folder)
    context = open_context(AppConfig(folder))
    code = new_setup_code(context)
    assert code
    choose_password(context, code, PASSWORD, ORGANISER)
    # One scan process is enough, since each takes long to start. Leases are long enough for a busy machine to renew
    # them. Samples are drawn in forks, which start faster; `tests/api/test_printing.py` tests new processes.
    forkserver = "from tests.forked import use_forkserver; use_forkserver()"
    with GameServer(folder, scan_workers=1, product=product, before=forkserver, lease=5.0) as server:
        yield LiveServer(server, context)
    context.database.close()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Start the server that all test files share, since starting one takes three seconds."""
    with serve_games(tmp_path_factory.mktemp("shared") / "data") as live_server:
        yield live_server


@pytest.fixture(scope="module")
def live_server(shared_server: LiveServer) -> LiveServer:
    """Return the shared server. Files that stop the server, or measure what it sends, override this fixture."""
    return shared_server


@pytest.fixture(scope="session")
def shared_stoppable_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Start the server of tests that stop their server."""
    with serve_games(tmp_path_factory.mktemp("stoppable") / "data") as live_server:
        yield live_server


@pytest.fixture(scope="module")
def stoppable_server(shared_stoppable_server: LiveServer) -> LiveServer:
    """Return a running server that the tests of a file may stop and start."""
    if not shared_stoppable_server.server.process:
        shared_stoppable_server.server.start()
    return shared_stoppable_server


@pytest.fixture(scope="module")
def production_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Start a server with the production build of the pages."""
    with serve_games(tmp_path_factory.mktemp("production") / "data", product=True) as live_server:
        yield live_server


@pytest.fixture(scope="module")
def example_games(live_server: LiveServer, browser: Browser) -> Iterator[ExampleGames]:
    """Return example games, in German, which has the longest texts, or the language of screenshots."""
    context = browser.new_context()
    yield ExampleGames(live_server, context.request, os.environ.get("HAGGLE_SCREENSHOTS_LANGUAGE", "de"))
    context.close()


@pytest.fixture
def open_page(
    selected_browser: Browser, live_server: LiveServer, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Open pages, each in a browser context of its own, and check them for errors after the test.

    `open_page(path, organiser="Olga", **options of a context)` signs the organiser in; without one it is a new phone.
    The service worker, which loads all files, runs only in tests that are marked `service_worker`.
    """
    workers = "allow" if request.node.get_closest_marker("service_worker") else "block"
    checked: list[CheckedPage] = []
    contexts: list[BrowserContext] = []

    def new_page(path: str = "/", *, organiser: str | None = None, **options: Any) -> Page:  # noqa: ANN401 - of a context
        settings = {"viewport": DESKTOP} if organiser else {"viewport": PHONE, "has_touch": True}
        settings = {"reduced_motion": "reduce", "service_workers": workers, **settings, **options}
        context = selected_browser.new_context(base_url=live_server.url, **settings)
        context.set_default_timeout(1000 * TIMEOUT)
        contexts.append(context)
        if organiser:
            live_server.sign_in(context, organiser)
        page = CheckedPage(context.new_page(), live_server.url)
        checked.append(page)
        page.page.goto(path)
        return page.page

    yield new_page
    errors = [one.errors() for one in checked if not one.page.is_closed()]
    for context in contexts:
        context.close()
    assert errors == [[] for _ in errors]


@pytest.fixture
def open_phone(live_server: LiveServer, open_page: OpenPage) -> OpenPage:
    """Open the pages of players who have joined, as `player_steps.open_phone` does."""
    return partial(player_steps.open_phone, live_server, open_page)


def unique_name(name: str) -> str:
    return f"{name} {secrets.token_hex(3)}"
