"""Users of a server whose machines fail: players, organisers who lead games, organisers with many photographs."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy.exc import OperationalError

from cardgen.payload import join_token
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from tests.killable import change_game_state, create_open_game, picture
from tests.players import DECKS, dealt
from tests.soak.client import Client, Tally
from tests.soak.jobs import POISONS, UNLUCKY

T = TypeVar("T")

LIMIT = 600.0
"""Seconds that anything may take, with all that fails meanwhile."""
PICTURES = 2
ENVELOPES = 2
WAITING = 30
"""Pictures in the queue beyond which the organisers send no more, so that the end is not far."""
POISONED = 15
"""How many of a hundred players have such a picture among theirs; of a hundred of the organisers' half as many."""


def insisting(look: Callable[[], T | None]) -> T:
    """Look, as long as the database or what is looked for may take, until there is something."""
    deadline = time.monotonic() + LIMIT
    while True:
        try:
            if (found := look()) is not None:
                return found
        except OperationalError:
            pass
        assert time.monotonic() < deadline
        time.sleep(0.1)


class Actor:
    """Somebody who does the same again and again, in a thread, until there is enough."""

    def __init__(self, ports: Sequence[int], tally: Tally, enough: threading.Event) -> None:
        self.ports, self.tally, self.enough = ports, tally, enough
        self.over = threading.Event()
        self.failure: BaseException | None = None
        self.clients: list[Client] = []
        self.good: dict[str, str] = {}
        """Accepted pictures that can be read, and the game of each. Those that were taken away again are not in it."""
        self.poisons: dict[str, str] = {}
        """Other accepted pictures, and what each does to its reader."""
        self.thread = threading.Thread(target=self._run, daemon=True)

    def chapters(self) -> Iterator[None]:
        """Repeat it."""
        raise NotImplementedError

    def client(self, headers: dict[str, str]) -> Client:
        self.clients.append(Client(self.ports, headers, self.over, self.tally))
        return self.clients[-1]

    def unlucky(self, photo: dict[str, Any]) -> None:
        """Count a good picture that failed, which must have been through no fault of its own."""
        assert photo["reason"] in UNLUCKY, photo
        self.tally.count(f"read again: {photo['reason']}")

    def _run(self) -> None:
        try:
            for _ in self.chapters():
                if self.enough.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - told in the test's own thread
            self.failure = error


@dataclass(frozen=True)
class Seat:
    """An envelope, its token, and the cards that were dealt into it."""

    game: str
    envelope: int
    token: str
    hand: list[str]


def seats_of(context: AppContext, game: str, players: int) -> list[Seat]:
    with context.database.reading() as session:
        key = load_game(session, game).key
    numbers = range(1, players + 1)
    return [Seat(game, number, join_token(game, key, number), dealt(context, game, number)) for number in numbers]


class Player(Actor):
    """Players who photograph their decks, confirm and hand in, one after the other."""

    def __init__(self, seats: Sequence[Seat], *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self.decks: set[str] = set()
        self.handed_in: dict[tuple[str, int], list[str]] = {}
        self._seats = seats

    def chapters(self) -> Iterator[None]:
        for seat in self._seats:
            self._play(seat)
            yield
        self.tally.count("players ran out")

    def _play(self, seat: Seat) -> None:
        phone = self.client({"Authorization": f"Bearer {seat.token}"})
        status, body = phone.post(DECKS, key=secrets.token_hex(8))
        assert status == 201, body
        deck = f"{DECKS}/{body['id']}"
        self.decks.add(body["id"])
        for part in range(PICTURES):
            self._photograph(phone, seat, deck, seat.hand[part::PICTURES])
        if secrets.randbelow(100) < POISONED:
            self._poison(phone, deck)
        body = insisting(lambda: self._reading(phone, seat, deck))
        assert body["cards"] == seat.hand, (body, seat.hand)
        status, body = phone.post(f"{deck}/confirm", {"digest": body["digest"]})
        # 409: it was confirmed, and nobody could say so.
        assert status in {200, 409}, body
        for act in ("check", "hand-in"):
            status, body = phone.post(f"{deck}/{act}")
            assert status == 200, (act, body)
        self.handed_in[seat.game, seat.envelope] = seat.hand

    def _photograph(self, phone: Client, seat: Seat, deck: str, cards: Sequence[str]) -> None:
        content = {"cards": list(cards), "labels": [seat.envelope], "at": secrets.token_hex(4)}
        self.good[phone.upload(f"{deck}/photos", picture(content))["id"]] = seat.game

    def _poison(self, phone: Client, deck: str) -> None:
        """Add a picture that nobody can read, see that it says so, and take it away."""
        evil = secrets.choice(sorted(POISONS))
        content = {"cards": [], "labels": [], "do": evil, "at": secrets.token_hex(4)}
        place = f"{deck}/photos/{phone.upload(f'{deck}/photos', picture(content))['id']}"

        def failed() -> str | None:
            body = phone.send("GET", place)[1]
            assert body.get("state") in {"waiting", "scanning", "failed"}, body
            return body["reason"] if body["state"] == "failed" else None

        reason = insisting(failed)
        assert reason in POISONS[evil] | UNLUCKY, (evil, reason)
        self.tally.count(f"failed for a player: {reason}")
        self._remove(phone, place)

    def _reading(self, phone: Client, seat: Seat, deck: str) -> dict[str, Any] | None:
        """Return the deck once all is read. What failed through no fault of its own is taken again, as people do."""
        body = phone.send("GET", deck)[1]
        failed = [photo for photo in body["photos"] if photo["state"] == "failed"]
        for photo in failed:
            self.unlucky(photo)
            self._remove(phone, f"{deck}/photos/{photo['id']}")
            self.good.pop(photo["id"], None)
        if failed:
            # Of all: what lies in two pictures counts once.
            self._photograph(phone, seat, deck, seat.hand)
        return None if failed or body["pending"] else body

    def _remove(self, phone: Client, place: str) -> None:
        status, body = phone.send("DELETE", place)
        # 404: it was taken away, and nobody could say so.
        assert status in {200, 204, 404}, body


class Bulk(Actor):
    """Organisers who drop in pictures of envelopes, many, and some that nobody can read."""

    def __init__(self, context: AppContext, game: str, cookie: str, *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self._game, self._cookie, self._place = game, cookie, f"/api/v1/games/{game}/photos"
        self._hands = [dealt(context, game, envelope) for envelope in range(1, 7)]

    def chapters(self) -> Iterator[None]:
        desk = self.client({"Cookie": self._cookie})
        number = 0
        while True:
            if self._waiting(desk) > WAITING:
                time.sleep(0.2)
                yield
                continue
            for _ in range(8):
                number += 1
                evil = secrets.choice(sorted(POISONS)) if secrets.randbelow(200) < POISONED else ""
                content = {"cards": self._hands[number % 6], "labels": [number % 6 + 1], "do": evil, "number": number}
                path = f"{self._place}?batch={number // 100}&place={number % 100}"
                photo = desk.upload(path, picture(content))["id"]
                if evil:
                    self.poisons[photo] = evil
                else:
                    self.good[photo] = self._game
            yield

    def rescue(self) -> None:
        """Have everything read again that failed through no fault of its own, and wait for it."""
        desk = self.client({"Cookie": self._cookie})

        def rescued() -> bool | None:
            if self._waiting(desk):
                return None
            body = desk.send("GET", f"{self._place}?state=failed")[1]["photos"]
            failed = [one for one in body if one["id"] in self.good]
            for one in failed:
                self.unlucky(one)
                assert desk.post(f"{self._place}/{one['id']}/scan")[0] == 200
            return None if failed else True

        insisting(rescued)

    def _waiting(self, desk: Client) -> int:
        states = desk.send("GET", f"{self._place}?limit=1")[1]["states"]
        return int(states.get("waiting", 0) + states.get("scanning", 0))


class Organiser(Actor):
    """Organisers who make games and lead them to their results, one after the other."""

    def __init__(self, context: AppContext, cookie: str, *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self.led: dict[str, list[str]] = {}
        self._context, self._cookie = context, cookie

    def chapters(self) -> Iterator[None]:
        while True:
            self._lead(self.client({"Cookie": self._cookie}))
            yield

    def _lead(self, desk: Client) -> None:
        game = create_open_game(desk, ENVELOPES)
        place, photos = f"/api/v1/games/{game}", self.led.setdefault(game, [])
        for envelope in range(1, ENVELOPES + 1):
            content = {
                "cards": insisting(partial(dealt, self._context, game, envelope)),
                "labels": [envelope],
                "game": game,
            }
            photos.append(desk.upload(f"{place}/photos?batch=b&place={envelope}", picture(content))["id"])
            self.good[photos[-1]] = game
        change_game_state(desk, game, "close")

        def read() -> bool | None:
            shown = desk.send("GET", f"{place}/photos")[1]["photos"]
            for photo in shown:
                if photo["state"] == "failed":
                    self.unlucky(photo)
                    assert desk.post(f"{place}/photos/{photo['id']}/scan")[0] == 200
            return True if all(photo["state"] == "done" for photo in shown) else None

        insisting(read)
        status, body = desk.post(f"{place}/results", {"override": "the edition asks"}, secrets.token_hex(8))
        assert (status, body) == (201, {"version": 1}), body
        change_game_state(desk, game, "publish")
