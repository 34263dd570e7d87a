"""Simulated users: players, organisers who run games, organisers with many photos."""

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
from tests.fake_scan_pool import change_game_state, create_open_game, picture
from tests.players import DECKS, dealt
from tests.soak.client import Client, Tally
from tests.soak.jobs import POISONS, UNLUCKY

T = TypeVar("T")

LIMIT = 600.0
"""Seconds that an operation may take while faults occur."""
PICTURES = 2
ENVELOPES = 2
WAITING = 30
"""Photos in the queue above which organisers pause, to limit the final wait."""
POISONED = 15
"""Percentage of players with a poisoned photo; for organisers it is half as many."""


def retry(look: Callable[[], T | None]) -> T:
    """Repeat a function, as long as the database fails or there is no result."""
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
    """A user in a thread who repeats the same actions until the end."""

    def __init__(self, ports: Sequence[int], tally: Tally, enough: threading.Event) -> None:
        self.ports, self.tally, self.enough = ports, tally, enough
        self.over = threading.Event()
        self.failure: BaseException | None = None
        self.clients: list[Client] = []
        self.good: dict[str, str] = {}
        """Accepted valid photos with their games, without deleted ones."""
        self.poisons: dict[str, str] = {}
        """Other accepted photos, and what each does to its scan process."""
        self.thread = threading.Thread(target=self._run, daemon=True)

    def repetitions(self) -> Iterator[None]:
        """Run once for each repetition, which begins with a `yield`."""
        raise NotImplementedError

    def client(self, headers: dict[str, str]) -> Client:
        self.clients.append(Client(self.ports, headers, self.over, self.tally))
        return self.clients[-1]

    def count_failure(self, photo: dict[str, Any]) -> None:
        """Count a valid photo that failed, and check that only faults can be the reason."""
        assert photo["reason"] in UNLUCKY, photo
        self.tally.count(f"read again: {photo['reason']}")

    def _run(self) -> None:
        try:
            for _ in self.repetitions():
                if self.enough.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - raised in the main thread
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
    """Players who photograph their decks, confirm and hand in."""

    def __init__(self, seats: Sequence[Seat], *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self.decks: set[str] = set()
        self.handed_in: dict[tuple[str, int], list[str]] = {}
        self._seats = seats

    def repetitions(self) -> Iterator[None]:
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
        body = retry(lambda: self._reading(phone, seat, deck))
        assert body["cards"] == seat.hand, (body, seat.hand)
        status, body = phone.post(f"{deck}/confirm", {"digest": body["digest"]})
        # 409: an earlier request succeeded without a response.
        assert status in {200, 409}, body
        for act in ("check", "hand-in"):
            status, body = phone.post(f"{deck}/{act}")
            assert status == 200, (act, body)
        self.handed_in[seat.game, seat.envelope] = seat.hand

    def _photograph(self, phone: Client, seat: Seat, deck: str, cards: Sequence[str]) -> None:
        content = {"cards": list(cards), "labels": [seat.envelope], "at": secrets.token_hex(4)}
        self.good[phone.upload(f"{deck}/photos", picture(content))["id"]] = seat.game

    def _poison(self, phone: Client, deck: str) -> None:
        """Add a poisoned photo, check that it fails, and delete it."""
        evil = secrets.choice(sorted(POISONS))
        content = {"cards": [], "labels": [], "do": evil, "at": secrets.token_hex(4)}
        place = f"{deck}/photos/{phone.upload(f'{deck}/photos', picture(content))['id']}"

        def failed() -> str | None:
            body = phone.send("GET", place)[1]
            assert body.get("state") in {"waiting", "scanning", "failed"}, body
            return body["reason"] if body["state"] == "failed" else None

        reason = retry(failed)
        assert reason in POISONS[evil] | UNLUCKY, (evil, reason)
        self.tally.count(f"failed for a player: {reason}")
        self._remove(phone, place)

    def _reading(self, phone: Client, seat: Seat, deck: str) -> dict[str, Any] | None:
        """Return the deck once all photos are scanned. Valid photos that failed are replaced."""
        body = phone.send("GET", deck)[1]
        failed = [photo for photo in body["photos"] if photo["state"] == "failed"]
        for photo in failed:
            self.count_failure(photo)
            self._remove(phone, f"{deck}/photos/{photo['id']}")
            self.good.pop(photo["id"], None)
        if failed:
            # A card in two photos counts once.
            self._photograph(phone, seat, deck, seat.hand)
        return None if failed or body["pending"] else body

    def _remove(self, phone: Client, place: str) -> None:
        status, body = phone.send("DELETE", place)
        # 404: an earlier request succeeded without a response.
        assert status in {200, 204, 404}, body


class Bulk(Actor):
    """Organisers who upload many photos of envelopes, some of them poisoned."""

    def __init__(self, context: AppContext, game: str, cookie: str, *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self._game, self._cookie, self._place = game, cookie, f"/api/v1/games/{game}/photos"
        self._hands = [dealt(context, game, envelope) for envelope in range(1, 7)]

    def repetitions(self) -> Iterator[None]:
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
        """Rescan valid photos that failed, and wait for them."""
        desk = self.client({"Cookie": self._cookie})

        def rescued() -> bool | None:
            if self._waiting(desk):
                return None
            body = desk.send("GET", f"{self._place}?state=failed")[1]["photos"]
            failed = [one for one in body if one["id"] in self.good]
            for one in failed:
                self.count_failure(one)
                assert desk.post(f"{self._place}/{one['id']}/scan")[0] == 200
            return None if failed else True

        retry(rescued)

    def _waiting(self, desk: Client) -> int:
        states = desk.send("GET", f"{self._place}?limit=1")[1]["states"]
        return int(states.get("waiting", 0) + states.get("scanning", 0))


class Organiser(Actor):
    """Organisers who create games and run them until the results."""

    def __init__(self, context: AppContext, cookie: str, *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self.led: dict[str, list[str]] = {}
        self._context, self._cookie = context, cookie

    def repetitions(self) -> Iterator[None]:
        while True:
            self._lead(self.client({"Cookie": self._cookie}))
            yield

    def _lead(self, desk: Client) -> None:
        game = create_open_game(desk, ENVELOPES)
        place, photos = f"/api/v1/games/{game}", self.led.setdefault(game, [])
        for envelope in range(1, ENVELOPES + 1):
            content = {
                "cards": retry(partial(dealt, self._context, game, envelope)),
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
                    self.count_failure(photo)
                    assert desk.post(f"{place}/photos/{photo['id']}/scan")[0] == 200
            return True if all(photo["state"] == "done" for photo in shown) else None

        retry(read)
        status, body = desk.post(f"{place}/results", {"override": "the edition asks"}, secrets.token_hex(8))
        assert (status, body) == (201, {"version": 1}), body
        change_game_state(desk, game, "publish")
