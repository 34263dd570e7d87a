"""Application contexts with a fake clock, games in any state, and HTTP clients that are signed in."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from cardgen.payload import join_token
from server.api.auth import COOKIE, new_session, projector_token
from server.db.migrate import open_in_folder
from server.db.models import Envelope
from server.db.session import DATABASE
from server.games.audit import Actor
from server.games.context import AppContext
from server.games.lifecycle.commands import GameDraft, change_state, create_game
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.photos.retention import OrphanCleanup
from server.games.printing.runs import add_run
from server.storage.photo_store import PhotoStore
from tests.shared_cache import SHARED_CACHE

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from tests.engines.cluster import Cluster

ORGANISER = Actor("organiser", "Olga")
START = datetime(2026, 3, 25, 9, 0, tzinfo=UTC)
ORIGIN = "http://localhost"
_WAY = [Act.OPEN, Act.CLOSE, Act.FREEZE, Act.PUBLISH]


@dataclass
class Clock:
    """A fake clock that only moves when a test moves it."""

    time: datetime = field(default=START)

    def __call__(self) -> datetime:
        """Return the current time."""
        return self.time

    def forward(self, **amount: float) -> None:
        """Move the clock forward; takes the arguments of `timedelta`."""
        self.time += timedelta(**amount)


def new_context(folder: Path, clock: Clock) -> AppContext:
    """Return an application context in a folder; without a database there, an empty one is created."""
    create_database(folder)
    return AppContext(open_in_folder(folder), PhotoStore.in_folder(folder), clock)


def create_database(folder: Path) -> None:
    """Copy an empty database with the current tables into a folder without one, which is faster than migrating."""
    file = folder / DATABASE
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.touch(mode=0o600)
        file.write_bytes(_empty_tables())


@cache
def _empty_tables() -> bytes:
    """Return the contents of an empty database file with the current tables."""
    return SHARED_CACHE.once("empty tables", _made_tables)


def _made_tables() -> bytes:
    with TemporaryDirectory() as folder:
        open_in_folder(Path(folder)).close()
        return (Path(folder) / DATABASE).read_bytes()


def cluster_app_context(engines: Cluster, clock: Clock) -> AppContext:
    """Return an empty application context on PostgreSQL and S3. It replaces the previous one of this test process."""
    return AppContext(engines.empty_database(), engines.empty_photos(), clock)


def delete_orphan_files(context: AppContext) -> int:
    """Delete files without a row, as the periodic task does in two runs; return their number."""
    cleanup = OrphanCleanup()
    cleanup(context)
    return cleanup(context)


def new_game(context: AppContext, state: State = State.OPEN, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Create a game in a state; return its id. Its envelopes have been opened if it has been open."""
    wanted = {"name": "A game", "edition": "eurocg-2026", "players": 6, **draft}
    with context.database.writing() as session:
        game = create_game(session, GameDraft(**wanted), ORGANISER, context.clock())
        if state is not State.DRAFT:
            add_run(session, game, game.players, ORGANISER, context.clock(), server_url="https://haggle.example.org")
        for act in _WAY[: max(0, list(State).index(state) - 1)]:
            change_state(session, game, act, ORGANISER, context.clock())
            if act is Act.OPEN:
                for number in range(1, game.players + 1):
                    session.get_one(Envelope, (game.id, number)).opened = context.clock()
        return game.id


def as_organiser(app: Flask, name: str = "Olga") -> FlaskClient:
    """Return a client that is signed in as an organiser."""
    client = app.test_client()
    with app.app_context():
        client.set_cookie(COOKIE, new_session(name, 0))
    client.environ_base["HTTP_ORIGIN"] = ORIGIN
    return client


def as_player(app: Flask, context: AppContext, game: str, envelope: int) -> FlaskClient:
    """Return a client that sends a player's token."""
    with context.database.reading() as session:
        row = load_game(session, game)
        seat = session.get_one(Envelope, (game, envelope))
        token = join_token(row.id, row.key, envelope, seat.token_version)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


def as_projector(app: Flask, context: AppContext, game: str) -> FlaskClient:
    """Return a client that sends a game's projector token."""
    with context.database.reading() as session:
        row = load_game(session, game)
        token = projector_token(row.id, row.key)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client
