"""Full disks: errors without damage, and recovery."""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cardgen.payload import join_token
from server.db.models import Deck, Photo
from server.db.session import DATABASE
from server.games.lifecycle.repository import load_game
from server.storage.photo_store import FOLDER
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import Clock, as_player, new_context, new_game
from tests.scan_jobs import png

if TYPE_CHECKING:
    from pathlib import Path

DECKS = "/api/v1/me/decks"
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")

_FULL = """
import json, resource, secrets, sys
from pathlib import Path
from server.web_app.settings import AppConfig
from server.web_app.factory import create_app
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
client = create_app(AppConfig(Path(sys.argv[1]))).test_client()
client.environ_base["HTTP_AUTHORIZATION"] = "Bearer " + sys.argv[2]
replies = []
while not replies or replies[-1][0] == 201:
    reply = client.post("/api/v1/me/decks", headers={"Idempotency-Key": secrets.token_hex(40)})
    replies.append((reply.status_code, reply.json.get("type"), reply.json.get("id")))
print(json.dumps([replies, client.get("/healthz").status_code]))
"""


@only_linux
def test_a_full_database_refuses_requests(tmp_path: Path) -> None:
    """If the database cannot grow, requests get 507 and have no effect; earlier ones are kept."""
    folder = tmp_path / "data"
    context = new_context(folder, Clock())
    game = new_game(context)
    with context.database.reading() as session:
        token = join_token(game, load_game(session, game).key, 1)
    context.database.close()
    # Leave room for SQLite's write-ahead log, but little more.
    room = (folder / DATABASE).stat().st_size + 200_000
    command = [sys.executable, "-c", _FULL, folder, token, str(room)]
    body, health = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert body[-1][:2] == [507, "/problems/disk-full"]
    assert health == 200
    accepted = {deck for status, _, deck in body if status == 201}
    assert accepted
    with context.database.reading() as session:
        assert {row.id for row in session.query(Deck)} == accepted
    client = as_player(create_app(AppConfig(folder), context), context, game, 1)
    for key in range(20):
        assert client.post(DECKS, headers={"Idempotency-Key": str(key)}).status_code == 201
    context.database.close()
    with sqlite3.connect(folder / DATABASE) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_an_upload_without_disk_space_is_refused(tmp_path: Path) -> None:
    """It gets 507, leaves nothing, and succeeds once there is room."""

    def upload(reserve: int) -> tuple[int, dict[str, Any]]:
        context = open_context(AppConfig(tmp_path / "data", reserve=reserve))
        client = as_player(create_app(AppConfig(tmp_path / "data"), context), context, game, 1)
        data = {"photo": (io.BytesIO(png(1)), "p.png")}
        sent = client.post(f"{DECKS}/d1/photos", data=data, headers={"Idempotency-Key": "once"})
        with context.database.reading() as session:
            rows = [row.id for row in session.query(Photo)]
        assert sorted(photo for _, photo, _ in context.photos.names()) == rows
        context.database.close()
        return sent.status_code, dict(sent.json or {})

    context = new_context(tmp_path / "data", Clock())
    game = new_game(context)
    with context.database.writing() as session:
        session.add(Deck(id="d1", game=game, envelope=1, state="open", created=context.clock()))
    context.database.close()
    status, body = upload(10**18)
    assert (status, body["type"]) == (507, "/problems/disk-full")
    assert "room" in body["detail"]
    status, first = upload(0)
    assert status == 201
    assert upload(0) == (201, first)


_PUT = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
from pathlib import Path
from server.storage.base import DISK_FULL
from server.storage.photo_store import PhotoStore
store = PhotoStore.in_folder(Path(sys.argv[1]), reserve=0)
store.put("GAME", "small", bytes(9_000))
try:
    store.put("GAME", "large", bytes(11_000))
except OSError as error:
    print(error.errno in DISK_FULL)
store.put("GAME", "small", bytes(8_000))
"""


@only_linux
def test_an_incomplete_file_is_deleted(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _PUT, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    found = {file.name: file.stat().st_size for file in (tmp_path / FOLDER / "GAME").iterdir()}
    assert found == {"small.jpg": 8_000}
