"""A server that is killed at any moment loses nothing that it has accepted, and counts nothing twice."""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.api.house.who import COOKIE, new_session
from server.app.house import HouseConfig, create_house_app
from server.play.house import game_row
from server.play.retention import sweep
from server.play.tokens import join_token
from server.store.database import DATABASE
from server.store.tables import AuditEntry, Check, Deck, Envelope, Game, Photo, ResultVersion
from tests.house import Clock, new_game, new_house
from tests.killable import Killable, Phone, lead_on, open_a_game, picture
from tests.players import dealt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.play.house import House

KILLS = int(os.environ.get("HAGGLE_KILLS", "8"))
"""How often the server is killed; more on demand."""
LONGEST = 0.9
"""Seconds for which a server lives at most."""
PLAYERS, PHONES, PICTURES = 90, 3, 3
ENVELOPES = 3
"""Of each game that the organisers lead to its results."""
LIMIT = 60.0
DECKS = "/api/v1/me/decks"


class Story:
    """Somebody who does the same again and again, until the kills are over."""

    def __init__(self, house: House, port: int, enough: threading.Event) -> None:
        self.broken = 0
        self.failure: BaseException | None = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.house, self.port, self.enough = house, port, enough

    def chapters(self) -> Iterator[None]:
        """Do it once more each time."""
        raise NotImplementedError

    def phone(self, headers: dict[str, str]) -> Phone:
        """Return what sends requests with these headers."""
        return Phone(self.port, headers, self.over)

    def _run(self) -> None:
        try:
            for _ in self.chapters():
                if self.enough.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - told in the test's own thread
            self.failure = error


class Player(Story):
    """Players who lay out their decks and hand in, one after the other; and what they were told."""

    def __init__(self, house: House, game: str, port: int, first: int, enough: threading.Event) -> None:
        super().__init__(house, port, enough)
        self.decks: dict[str, list[str]] = {}
        self.handed_in: dict[int, list[str]] = {}
        self._game, self._first = game, first

    def chapters(self) -> Iterator[None]:
        """Play another envelope each time."""
        for envelope in range(self._first, PLAYERS + 1, PHONES):
            self._play(envelope)
            yield

    def _play(self, envelope: int) -> None:
        with self.house.database.reading() as session:
            row = game_row(session, self._game)
            token = join_token(row.id, row.key, envelope)
        phone = self.phone({"Authorization": f"Bearer {token}"})
        hand = dealt(self.house, self._game, envelope)
        status, said = phone.post(DECKS, key=secrets.token_hex(8))
        assert status == 201, said
        deck = f"{DECKS}/{said['id']}"
        photos = self.decks[said["id"]] = []
        for part in range(PICTURES):
            told = {"cards": hand[part::PICTURES], "labels": [envelope], "envelope": envelope, "part": part}
            status, said = phone.upload(f"{deck}/photos", picture(told), secrets.token_hex(8))
            assert status == 201, said
            photos.append(said["id"])
        deadline = time.monotonic() + LIMIT
        while (said := phone.send("GET", deck)[1])["pending"]:
            assert time.monotonic() < deadline, said
            time.sleep(0.02)
        assert said["cards"] == hand
        status, said = phone.post(f"{deck}/confirm", {"digest": said["digest"]})
        # 409: it was confirmed, and the server was killed before it could say so.
        assert status in {200, 409}, said
        status, said = phone.post(f"{deck}/check")
        assert status == 200, said
        status, said = phone.post(f"{deck}/hand-in")
        assert status == 200, said
        self.handed_in[envelope] = hand
        self.broken += phone.broken


class Organiser(Story):
    """Organisers who make games and lead them to their results, one after the other."""

    def __init__(self, house: House, cookie: str, port: int, enough: threading.Event) -> None:
        super().__init__(house, port, enough)
        self.games: dict[str, list[str]] = {}
        self._cookie = cookie

    def chapters(self) -> Iterator[None]:
        """Lead another game from the first print to its publication each time."""
        while True:
            phone = self.phone({"Cookie": self._cookie, "Origin": f"http://127.0.0.1:{self.port}"})
            self._lead(phone)
            self.broken += phone.broken
            yield

    def _lead(self, phone: Phone) -> None:
        game = open_a_game(phone, ENVELOPES)
        place, photos = f"/api/v1/games/{game}", self.games.setdefault(game, [])
        for envelope in range(1, ENVELOPES + 1):
            told = {"cards": dealt(self.house, game, envelope), "labels": [envelope], "game": game}
            path = f"{place}/photos?batch=b&place={envelope}"
            status, said = phone.upload(path, picture(told), secrets.token_hex(8))
            assert status == 201, said
            photos.append(said["id"])
        lead_on(phone, game, "close")
        deadline = time.monotonic() + LIMIT
        while {photo["state"] for photo in phone.send("GET", f"{place}/photos")[1]["photos"]} != {"done"}:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        status, said = phone.post(f"{place}/results", {"override": "the edition asks"}, secrets.token_hex(8))
        assert (status, said) == (201, {"version": 1})
        lead_on(phone, game, "publish")


def test_nothing_accepted_is_lost_or_counted_twice(tmp_path: Path) -> None:
    """Players play and organisers lead games while the server is killed again and again; at the end all is there.

    The moments come from a seed; HAGGLE_KILL_SEED=another for others, HAGGLE_KILLS=500 kills more often.
    """
    seed = os.environ.get("HAGGLE_KILL_SEED", "kills")
    house = new_house(tmp_path / "data", Clock(datetime.now(UTC)))
    game = new_game(house, players=PLAYERS)
    enough = threading.Event()
    with Killable(tmp_path / "data") as server:
        players = [Player(house, game, server.port, first, enough) for first in range(1, PHONES + 1)]
        organiser = Organiser(house, _cookie(house, tmp_path / "data"), server.port, enough)
        stories = [*players, organiser]
        for story in stories:
            story.thread.start()
        for kill in range(KILLS):
            server.start()
            time.sleep(LONGEST * _chance(f"{seed}/{kill}"))
            server.kill()
        server.start()
        enough.set()
        for story in stories:
            story.thread.join(LIMIT)
            story.over.set()
    for story in stories:
        if story.failure:
            raise story.failure
        assert not story.thread.is_alive()
    assert sum(story.broken for story in stories) >= KILLS / 4, "the kills met nobody"
    _check_decks(house, game, {deck: photos for story in players for deck, photos in story.decks.items()})
    _check_hand_ins(house, game, {number: hand for story in players for number, hand in story.handed_in.items()})
    _check_games(house, {game: PLAYERS} | dict.fromkeys(organiser.games, ENVELOPES), organiser.games)
    _check_files(house)
    house.database.close()
    with sqlite3.connect(tmp_path / "data" / DATABASE) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _check_decks(house: House, game: str, accepted: dict[str, list[str]]) -> None:
    """Every deck and picture that was accepted is there once, and no other."""
    with house.database.reading() as session:
        decks = set(session.scalars(select(Deck.id).where(Deck.game == game)))
        photos = session.scalars(select(Photo).where(Photo.game == game)).all()
    assert decks == set(accepted)
    assert sorted(photo.id for photo in photos) == sorted(photo for deck in accepted.values() for photo in deck)
    assert {photo.state for photo in photos} == {"done"}
    assert len({photo.digest for photo in photos}) == len(photos)


def _check_hand_ins(house: House, game: str, accepted: dict[int, list[str]]) -> None:
    """Every hand-in that was accepted is there once, with the list that was confirmed, and cost one try."""
    with house.database.reading() as session:
        claimed = select(Envelope).where(Envelope.game == game, Envelope.claimed.is_not(None))
        assert {row.number: row.claim for row in session.scalars(claimed)} == accepted
        entries = select(func.count()).where(AuditEntry.game == game, AuditEntry.action == "hand-in")
        assert session.scalar(entries) == len(accepted)
        checks = session.scalars(select(Check.envelope).where(Check.game == game)).all()
        assert sorted(checks) == sorted(accepted)


def _check_games(house: House, accepted: dict[str, int], photos: dict[str, list[str]]) -> None:
    """Every game that was accepted is there once, printed, opened, closed, counted and published once."""
    with house.database.reading() as session:
        assert set(session.scalars(select(Game.id))) == set(accepted)
        for game, envelopes in accepted.items():
            numbers = select(func.count()).where(Envelope.game == game)
            assert session.scalar(numbers) == envelopes
        for game, taken in photos.items():
            assert game_row(session, game).state == "published"
            assert set(session.scalars(select(Photo.id).where(Photo.game == game))) == set(taken)
            assert session.scalars(select(ResultVersion.version).where(ResultVersion.game == game)).all() == [1]
            done = session.scalars(select(AuditEntry.action).where(AuditEntry.game == game)).all()
            assert [done.count(act) for act in ("create", "print", "open", "close", "publish")] == [1] * 5, done
            assert done.count("receive") == len(taken)


def _cookie(house: House, folder: Path) -> str:
    """Return the session of an organiser who signed in."""
    with create_house_app(HouseConfig(folder), house).app_context():
        return f"{COOKIE}={new_session('Olga', 0)}"


def _check_files(house: House) -> None:
    """Every picture's file is there, whole, and what the kills left over is swept away."""
    with house.database.reading() as session:
        rows = session.scalars(select(Photo)).all()
    for row in rows:
        data = house.photos.get(row.game, row.id)
        assert data is not None
        assert len(data) == row.size
        assert hashlib.sha256(data).hexdigest() == row.digest
    house.clock.forward(hours=2)  # type: ignore[attr-defined]  # the test's own clock
    sweep(house)
    assert sorted(photo for _, photo, _ in house.photos.names()) == sorted(row.id for row in rows)


def _chance(text: str) -> float:
    """Return a number from 0 to 1 that a text decides."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32
