"""A real Chromium before a real server of games, with the games that a test wants."""

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
from tests.web.conftest import PHONE, Watched
from tests.web.pages import player_steps
from tests.web.pages.stage import Stage
from tests.web.steps import PATIENCE

Open = Callable[..., Page]
PASSWORD = "a horse in the hall"  # noqa: S105 - of the tests' own server
DESKTOP = {"width": 1280, "height": 800}
SCENE = replace(SCENES["nominal"], width=1600, height=1200)


@dataclass(frozen=True)
class Hall:
    """A running server of games, and the same games from the inside, to set up what a test needs."""

    server: GameServer
    context: AppContext

    @property
    def url(self) -> str:
        return self.server.url

    def game(self, state: State = State.OPEN, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
        return new_game(self.context, state, **draft)

    def link(self, game: str, envelope: int) -> str:
        with self.context.database.reading() as session:
            row = load_game(session, game)
            seat = session.get_one(Envelope, (game, envelope))
            return f"{self.url}/j#{join_token(row.id, row.key, envelope, seat.token_version)}"

    def screen(self, game: str) -> str:
        """Return the link of a game's big screen."""
        with self.context.database.reading() as session:
            row = load_game(session, game)
            return f"{self.url}/screen#{projector_token(row.id, row.key)}"

    def picture(
        self, game: str, cards: Sequence[str], label: int | None = None, seed: str = "hall", scene: Scene = SCENE
    ) -> bytes:
        """Photograph cards of a game by their names, such as red-001, with an envelope's label or without; a JPEG."""
        with self.context.database.reading() as session:
            printed = printed_game_of(load_game(session, game))
        named = [CardId(kind, int(copy)) for kind, _, copy in (card.rpartition("-") for card in cards)]
        labels = [] if label is None else [printed_label(printed, label)]
        return photograph(printed_faces(printed, named, 200), scene, f"{seed}/{label}", labels).jpeg

    def session(self, name: str = "Olga") -> str:
        row = load_server_config(self.context.database)
        said = {"name": name, "epoch": row.session_epoch, "id": secrets.token_hex(16)}
        return str(URLSafeTimedSerializer(row.secret, salt="haggle.organiser").dumps(said))

    def sign_in(self, context: BrowserContext, name: str = "Olga") -> None:
        text = self.session(name)
        context.add_cookies([{"name": COOKIE, "value": text, "url": self.url, "httpOnly": True, "sameSite": "Strict"}])


@contextlib.contextmanager
def open_hall(folder: Path, *, product: bool = False) -> Iterator[Hall]:
    """Serve games from a fresh folder, with a password and without a game; `product` as `GameServer` takes it."""
    create_database(folder)
    context = open_context(AppConfig(folder))
    code = new_setup_code(context)
    assert code
    choose_password(context, code, PASSWORD, ORGANISER)
    # One process reads their pictures: that several share them is seen elsewhere, and each takes its time to load.
    # No lease ends before a busy machine renews it.
    # Samples and pages are drawn by forks: that new processes can is seen by `tests/api/test_printing.py`.
    forkserver = "from tests.forked import use_forkserver; use_forkserver()"
    with GameServer(folder, scan_workers=1, product=product, before=forkserver, lease=5.0) as server:
        yield Hall(server, context)
    context.database.close()


@pytest.fixture(scope="session")
def everyones(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Serve the games of all files that need no server of their own: one takes three seconds to start."""
    with open_hall(tmp_path_factory.mktemp("everyones") / "data") as hall:
        yield hall


@pytest.fixture(scope="module")
def hall(everyones: Hall) -> Hall:
    """Give a server of games on which other files play too. Files that end it, or weigh what it sends, take another."""
    return everyones


@pytest.fixture(scope="session")
def endable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Serve the games of tests that end their server."""
    with open_hall(tmp_path_factory.mktemp("endable") / "data") as hall:
        yield hall


@pytest.fixture(scope="module")
def own_hall(endable: Hall) -> Hall:
    """Return a running server that a file's tests may end and start."""
    if not endable.server.process:
        endable.server.start()
    return endable


@pytest.fixture(scope="module")
def product_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Give a server with the product's build of the pages."""
    with open_hall(tmp_path_factory.mktemp("product") / "data", product=True) as hall:
        yield hall


@pytest.fixture(scope="module")
def stage(hall: Hall, browser: Browser) -> Iterator[Stage]:
    """Set up games in which something can be seen, in the longest language or the one that pictures are wanted in."""
    context = browser.new_context()
    yield Stage(hall, context.request, os.environ.get("HAGGLE_SCREENSHOTS_LANGUAGE", "de"))
    context.close()


@pytest.fixture
def opened(chosen: Browser, hall: Hall, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Open pages, each in a browser of its own; afterwards nothing may have gone wrong in any of them.

    `opened(path, organiser="Olga", **of a context)`: without an organiser it is a phone of somebody unknown. A service
    worker, which loads every file of the pages, runs only in tests that are marked with `service_worker`.
    """
    workers = "allow" if request.node.get_closest_marker("service_worker") else "block"
    watched: list[Watched] = []
    contexts: list[BrowserContext] = []

    def begin(path: str = "/", *, organiser: str | None = None, **options: Any) -> Page:  # noqa: ANN401 - of a context
        seen = {"viewport": DESKTOP} if organiser else {"viewport": PHONE, "has_touch": True}
        seen = {"reduced_motion": "reduce", "service_workers": workers, **seen, **options}
        context = chosen.new_context(base_url=hall.url, **seen)
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        if organiser:
            hall.sign_in(context, organiser)
        one = Watched(context.new_page(), hall.url)
        watched.append(one)
        one.page.goto(path)
        return one.page

    yield begin
    verdicts = [one.verdict() for one in watched if not one.page.is_closed()]
    for context in contexts:
        context.close()
    assert verdicts == [[] for _ in verdicts]


@pytest.fixture
def phone(hall: Hall, opened: Open) -> Open:
    """Open joined players' phones, as `player_steps.phone` does."""
    return partial(player_steps.phone, hall, opened)


def fresh(name: str) -> str:
    return f"{name} {secrets.token_hex(3)}"
