"""Crashes before and after each single commit and file operation lose and duplicate nothing."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.db.models import AuditEntry, Deck, Envelope, Photo, ProvisionalScore
from tests.context import Clock, new_context, new_game
from tests.players import dealt

if TYPE_CHECKING:
    from pathlib import Path

ENVELOPES = 60
"""More than there are crash points."""
FEWEST = 20
"""The minimum number of crash points: of a deck, two photos with scans, the list, a check and the hand-in."""

_RUN = """
import io, os, signal, sys
from pathlib import Path
from sqlalchemy import event, update
from sqlalchemy.orm import Session
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from server.web_app.factory import create_app
from server.games.photos.scan_service import ScanService
from server.storage.photo_store import PhotoStore
from server.db.models import Photo
from tests.context import as_player
from tests.fake_scan_pool import FakeScanPool, picture
from tests.players import dealt

folder, game, envelopes, step = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def play(envelope, deadly):
    points = [0]
    def point(*_):
        points[0] += 1
        if points[0] == deadly:
            os.kill(os.getpid(), signal.SIGKILL)
    context = open_context(AppConfig(folder, reserve=0))
    client = as_player(create_app(AppConfig(folder), context), context, game, envelope)
    hand = dealt(context, game, envelope)
    put = PhotoStore.put
    def put_at_points(*arguments):
        point()
        put(*arguments)
        point()
    PhotoStore.put = put_at_points
    event.listen(Session, "before_commit", point)
    event.listen(Session, "after_commit", point)
    def post(path, key="", **more):
        reply = client.post(f"/api/v1/me/decks{path}", headers={"Idempotency-Key": f"{key}{envelope}"}, **more)
        assert reply.status_code in {200, 201, 409}, reply.text
        return reply.json
    deck = "/" + post("", "begin")["id"]
    for part in range(2):
        content = {"cards": hand[part::2], "labels": [envelope]}
        post(f"{deck}/photos", f"photo {part} ", data={"photo": (io.BytesIO(picture(content)), "p.png")})
    # As if the leases of a process that was killed were over.
    with context.database.writing() as session:
        session.execute(update(Photo).values(lease=None))
    service = ScanService(context, FakeScanPool(None))
    while service.scan_next():
        pass
    shown = client.get(f"/api/v1/me/decks{deck}").json
    post(f"{deck}/confirm", json={"digest": shown["digest"]})
    post(f"{deck}/check")
    post(f"{deck}/hand-in")

def forked(envelope, deadly):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            play(envelope, deadly)
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

for envelope in range(1, envelopes + 1):
    code = forked(envelope, 1 + (envelope - 1) * step)
    if code == 0:
        print(envelope)
        break
    assert code == -signal.SIGKILL, code
    assert forked(envelope, 0) == 0
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_crashes_at_every_point_lose_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The process is killed at each point in turn; then the client repeats all requests with the same keys.

    Without `--all` only each twentieth point is tested.
    """
    step = 1 if request.config.getoption("all") else 20
    context = new_context(tmp_path / "data", Clock())
    game = new_game(context, players=ENVELOPES)
    context.database.close()
    command = [sys.executable, "-c", _RUN, tmp_path / "data", game, str(ENVELOPES), str(step)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    played = int(done.stdout)
    assert FEWEST // step < played < ENVELOPES
    for envelope in range(1, played + 1):
        with context.database.reading() as session:
            mine = {"game": game, "envelope": envelope}
            assert session.query(Deck).filter_by(**mine).count() == 1
            photos = session.query(Photo).filter_by(**mine).all()
            assert [photo.state for photo in photos] == ["done"] * 2
            assert session.query(ProvisionalScore).filter_by(**mine).count() == 1
            claim = session.get_one(Envelope, (game, envelope)).submitted_cards
            entries = select(AuditEntry).where(AuditEntry.game == game, AuditEntry.action == "hand-in")
            result = [entry for entry in session.scalars(entries) if entry.subject == f"envelope {envelope}"]
        assert claim == dealt(context, game, envelope)
        assert len(result) == 1
        for photo in photos:
            data = context.photos.get(game, photo.id)
            assert data is not None
            assert len(data) == photo.size
    context.database.close()
