"""A server that is killed at random moments loses no accepted data and duplicates none."""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from cardgen.payload import join_token
from server.api.auth import COOKIE, new_session
from server.cli.main import main
from server.db.models import AuditEntry, Deck, Envelope, Game, Photo, ProvisionalScore, ResultVersion
from server.db.session import DATABASE
from server.games.lifecycle.repository import load_game
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.context import Clock, delete_orphan_files, new_context, new_game
from tests.killable_server import KillableServer, Phone, change_game_state, create_open_game, picture
from tests.players import dealt
from tests.waiting import LIMIT, until

if TYPE_CHECKING:
    from pathlib import Path

    from server.games.context import AppContext

KILLS = int(os.environ.get("HAGGLE_KILLS", "8"))
"""How often the server is killed."""
LONGEST = 0.9
"""The longest lifetime of a server in seconds."""
PLAYERS, PHONES, PICTURES = 90, 3, 3
ENVELOPES = 3
"""Envelopes of each game that organisers run until the results."""
DECKS = "/api/v1/me/decks"


def _player(context: AppContext, game: str, envelope: int) -> dict[str, str]:
    """Return the headers of a player with the token of the label."""
    with context.database.reading() as session:
        row = load_game(session, game)
        return {"Authorization": f"Bearer {join_token(row.id, row.key, envelope)}"}


@dataclass
class Accepted:
    """Everything that the server has accepted, by client."""

    context: AppContext
    game: str
    port: int
    decks: dict[str, list[str]] = field(default_factory=dict)
    handed_in: dict[int, list[str]] = field(default_factory=dict)
    games: dict[str, list[str]] = field(default_factory=dict)
    phones: list[Phone] = field(default_factory=list)
    enough: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def phone(self, headers: dict[str, str]) -> Phone:
        """Return a client with these headers."""
        self.phones.append(Phone(self.port, headers, self.over))
        return self.phones[-1]

    def play(self, first: int) -> None:
        """Play one envelope after the other until the end."""
        for envelope in range(first, PLAYERS + 1, PHONES):
            self._play(envelope)
            if self.enough.is_set():
                return

    def _play(self, envelope: int) -> None:
        phone = self.phone(_player(self.context, self.game, envelope))
        hand = dealt(self.context, self.game, envelope)
        status, body = phone.post(DECKS, key=secrets.token_hex(8))
        assert status == 201, body
        deck = f"{DECKS}/{body['id']}"
        photos = self.decks[body["id"]] = []
        for part in range(PICTURES):
            content = {"cards": hand[part::PICTURES], "labels": [envelope], "envelope": envelope, "part": part}
            status, body = phone.upload(f"{deck}/photos", picture(content), secrets.token_hex(8))
            assert status == 201, body
            photos.append(body["id"])
        until(lambda: not phone.send("GET", deck)[1]["pending"])
        body = phone.send("GET", deck)[1]
        assert body["cards"] == hand
        status, body = phone.post(f"{deck}/confirm", {"digest": body["digest"]})
        # 409: an earlier request succeeded, but the server was killed before it answered.
        assert status in {200, 409}, body
        for step in ("check", "hand-in"):
            status, body = phone.post(f"{deck}/{step}")
            assert status == 200, body
        self.handed_in[envelope] = hand

    def organise(self, cookie: str) -> None:
        """Run one game after the other, from printing to publication, until the end."""
        while not self.enough.is_set():
            self._lead(self.phone({"Cookie": cookie, "Origin": f"http://127.0.0.1:{self.port}"}))

    def _lead(self, phone: Phone) -> None:
        game = create_open_game(phone, ENVELOPES)
        place, photos = f"/api/v1/games/{game}", self.games.setdefault(game, [])
        for envelope in range(1, ENVELOPES + 1):
            content = {"cards": dealt(self.context, game, envelope), "labels": [envelope], "game": game}
            path = f"{place}/photos?batch=b&place={envelope}"
            status, body = phone.upload(path, picture(content), secrets.token_hex(8))
            assert status == 201, body
            photos.append(body["id"])
        change_game_state(phone, game, "close")
        until(lambda: {photo["state"] for photo in phone.send("GET", f"{place}/photos")[1]["photos"]} == {"done"})
        status, body = phone.post(f"{place}/results", {"override": "the edition asks"}, secrets.token_hex(8))
        assert (status, body) == (201, {"version": 1})
        change_game_state(phone, game, "publish")


def test_nothing_accepted_is_lost_or_counted_twice(tmp_path: Path) -> None:
    """Players and organisers use the server while it is killed repeatedly.

    A seed determines the moments: HAGGLE_KILL_SEED=another changes it, HAGGLE_KILLS=500 kills more often.
    """
    seed = os.environ.get("HAGGLE_KILL_SEED", "kills")
    context = new_context(tmp_path / "data", Clock(datetime.now(UTC)))
    with create_app(AppConfig(tmp_path / "data"), context).app_context():
        cookie = f"{COOKIE}={new_session('Olga', 0)}"
    with KillableServer(tmp_path / "data") as server, ThreadPoolExecutor(PHONES + 1) as threads:
        accepted = Accepted(context, new_game(context, players=PLAYERS), server.port)
        try:
            stories = [threads.submit(accepted.play, first) for first in range(1, PHONES + 1)]
            stories.append(threads.submit(accepted.organise, cookie))
            for kill in range(KILLS):
                server.start()
                time.sleep(LONGEST * _chance(f"{seed}/{kill}"))
                server.kill()
            server.start()
            accepted.enough.set()
            for story in stories:
                story.result(LIMIT)
        finally:
            accepted.enough.set()
            accepted.over.set()
    assert sum(phone.broken for phone in accepted.phones) >= KILLS / 4, "the kills met nobody"
    _check_play(context, accepted)
    _check_games(context, accepted)
    _check_files(context)
    context.database.close()
    with sqlite3.connect(tmp_path / "data" / DATABASE) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _check_play(context: AppContext, accepted: Accepted) -> None:
    """Check that decks, photos and hand-ins exist once, with their lists, and that hand-ins cost one attempt."""
    game = accepted.game
    with context.database.reading() as session:
        photos = session.scalars(select(Photo).where(Photo.game == game)).all()
        assert set(session.scalars(select(Deck.id).where(Deck.game == game))) == set(accepted.decks)
        claimed = select(Envelope).where(Envelope.game == game, Envelope.submitted_at.is_not(None))
        assert {row.number: row.submitted_cards for row in session.scalars(claimed)} == accepted.handed_in
        entries = select(func.count()).where(AuditEntry.game == game, AuditEntry.action == "hand-in")
        assert session.scalar(entries) == len(accepted.handed_in)
        checks = session.scalars(select(ProvisionalScore.envelope).where(ProvisionalScore.game == game)).all()
        assert sorted(checks) == sorted(accepted.handed_in)
    assert sorted(photo.id for photo in photos) == sorted(one for deck in accepted.decks.values() for one in deck)
    assert {photo.state for photo in photos} == {"done"}
    assert len({photo.digest for photo in photos}) == len(photos)


def _check_games(context: AppContext, accepted: Accepted) -> None:
    """Check that accepted games exist once and were printed, opened, closed, scored and published once."""
    with context.database.reading() as session:
        assert set(session.scalars(select(Game.id))) == {accepted.game, *accepted.games}
        for game, taken in accepted.games.items():
            assert session.scalar(select(func.count()).where(Envelope.game == game)) == ENVELOPES
            assert load_game(session, game).state == "published"
            assert set(session.scalars(select(Photo.id).where(Photo.game == game))) == set(taken)
            assert session.scalars(select(ResultVersion.version).where(ResultVersion.game == game)).all() == [1]
            done = session.scalars(select(AuditEntry.action).where(AuditEntry.game == game)).all()
            assert [done.count(act) for act in ("create", "print", "open", "close", "publish")] == [1] * 5, done
            assert done.count("receive") == len(taken)


def _check_files(context: AppContext) -> None:
    """Check that all files are complete and orphaned ones can be deleted."""
    with context.database.reading() as session:
        rows = session.scalars(select(Photo)).all()
    for row in rows:
        data = context.photos.get(row.game, row.id)
        assert data is not None
        assert (len(data), hashlib.sha256(data).hexdigest()) == (row.size, row.digest)
    context.clock.forward(hours=2)  # type: ignore[attr-defined]  # the fake clock
    delete_orphan_files(context)
    assert sorted(photo for _, photo, _ in context.photos.names()) == sorted(row.id for row in rows)


def _chance(text: str) -> float:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


@pytest.mark.thorough
def test_a_game_continues_on_another_machine(tmp_path: Path) -> None:
    """After a restore, repeated requests get their first response, and later data is sent again."""
    context = new_context(tmp_path / "single", Clock())
    game = new_game(context)
    hand = dealt(context, game, 1)
    pictures = [picture({"cards": hand[part::2], "labels": [1]}) for part in range(2)]
    keys = [secrets.token_hex(8) for _ in pictures]
    begin = secrets.token_hex(8)
    with KillableServer(tmp_path / "single") as single:
        single.start()
        ada = Phone(single.port, _player(context, game, 1), threading.Event())
        deck = ada.post(DECKS, key=begin)[1]["id"]
        first = ada.upload(f"{DECKS}/{deck}/photos", pictures[0], keys[0])[1]["id"]
        main(["backup", "--data", str(tmp_path / "single"), str(tmp_path / "stick.zip")])
        # Data after the backup is lost with the machine; the client still has it.
        status, _ = ada.upload(f"{DECKS}/{deck}/photos", pictures[1], keys[1])
        assert status == 201
        single.kill()
    context.database.close()
    main(["restore", "--data", str(tmp_path / "spare"), str(tmp_path / "stick.zip")])
    other = new_context(tmp_path / "spare", Clock())
    with KillableServer(tmp_path / "spare") as spare:
        spare.start()
        ada = Phone(spare.port, _player(other, game, 1), threading.Event())
        assert ada.post(DECKS, key=begin)[1]["id"] == deck
        assert ada.upload(f"{DECKS}/{deck}/photos", pictures[0], keys[0])[1]["id"] == first
        assert ada.upload(f"{DECKS}/{deck}/photos", pictures[1], keys[1])[0] == 201
        until(lambda: not ada.send("GET", f"{DECKS}/{deck}")[1]["pending"])
        seen = ada.send("GET", f"{DECKS}/{deck}")[1]
        assert seen["cards"] == hand
        assert ada.post(f"{DECKS}/{deck}/confirm", {"digest": seen["digest"]})[0] == 200
        assert ada.post(f"{DECKS}/{deck}/hand-in")[0] == 200
        with other.database.reading() as session:
            assert session.scalar(select(func.count()).select_from(Photo)) == 2
            assert session.scalars(select(Deck.state)).all() == ["handed-in"]
    other.database.close()
