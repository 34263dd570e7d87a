"""Who works at a house while its machines fail: players, organisers who lead games, organisers with many pictures."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import OperationalError

from server.play.house import game_row
from server.play.tokens import join_token
from tests.killable import lead_on, open_a_game, picture
from tests.players import dealt
from tests.soak.client import Client
from tests.soak.jobs import POISONS, UNLUCKY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from server.play.house import House
    from tests.soak.client import Tally

T = TypeVar("T")

DECKS = "/api/v1/me/decks"
LIMIT = 600.0
"""Seconds that anything may take, with all that fails meanwhile."""
PICTURES = 2
ENVELOPES = 2
WAITING = 30
"""Pictures in the queue beyond which the organisers send no more, so that the end is not far."""
POISONED = 15
"""How many of a hundred players have such a picture among theirs; of a hundred of the organisers' half as many."""


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
        """Do it once more each time."""
        raise NotImplementedError

    def client(self, headers: dict[str, str]) -> Client:
        """Return what sends requests with these headers."""
        self.clients.append(Client(self.ports, headers, self.over, self.tally))
        return self.clients[-1]

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


class Player(Actor):
    """Players who photograph their decks, confirm and hand in, one after the other."""

    def __init__(self, seats: Sequence[Seat], *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self.decks: set[str] = set()
        self.handed_in: dict[tuple[str, int], list[str]] = {}
        self._seats = seats

    def chapters(self) -> Iterator[None]:
        """Play another envelope each time."""
        for seat in self._seats:
            self._play(seat)
            yield
        self.tally.count("players ran out")

    def _play(self, seat: Seat) -> None:
        phone = self.client({"Authorization": f"Bearer {seat.token}"})
        status, said = phone.post(DECKS, key=secrets.token_hex(8))
        assert status == 201, said
        deck = f"{DECKS}/{said['id']}"
        self.decks.add(said["id"])
        for part in range(PICTURES):
            self._photograph(phone, seat, deck, seat.hand[part::PICTURES])
        if secrets.randbelow(100) < POISONED:
            self._poison(phone, deck)
        said = self._await_reading(phone, seat, deck)
        assert said["cards"] == seat.hand, (said, seat.hand)
        status, said = phone.post(f"{deck}/confirm", {"digest": said["digest"]})
        # 409: it was confirmed, and nobody could say so.
        assert status in {200, 409}, said
        for act in ("check", "hand-in"):
            status, said = phone.post(f"{deck}/{act}")
            assert status == 200, (act, said)
        self.handed_in[seat.game, seat.envelope] = seat.hand

    def _photograph(self, phone: Client, seat: Seat, deck: str, cards: Sequence[str]) -> None:
        told = {"cards": list(cards), "labels": [seat.envelope], "at": secrets.token_hex(4)}
        status, said = phone.upload(f"{deck}/photos", picture(told), secrets.token_hex(8))
        assert status == 201, said
        self.good[said["id"]] = seat.game

    def _poison(self, phone: Client, deck: str) -> None:
        """Add a picture that nobody can read, see that it says so, and take it away."""
        evil = secrets.choice(sorted(POISONS))
        told = {"cards": [], "labels": [], "do": evil, "at": secrets.token_hex(4)}
        status, said = phone.upload(f"{deck}/photos", picture(told), secrets.token_hex(8))
        assert status == 201, said
        place, deadline = f"{deck}/photos/{said['id']}", time.monotonic() + LIMIT
        while (said := phone.send("GET", place)[1]).get("state") != "failed":
            assert said.get("state") in {"waiting", "scanning"}, said
            assert time.monotonic() < deadline, said
            time.sleep(0.1)
        assert said["reason"] in POISONS[evil] | UNLUCKY, (evil, said)
        self.tally.count(f"failed for a player: {said['reason']}")
        self._remove(phone, place)

    def _await_reading(self, phone: Client, seat: Seat, deck: str) -> dict[str, Any]:
        """Wait until all is read. What failed through no fault of its own is taken anew, as people do."""
        deadline = time.monotonic() + LIMIT
        while True:
            said = phone.send("GET", deck)[1]
            failed = [photo for photo in said["photos"] if photo["state"] == "failed"]
            for photo in failed:
                assert photo["reason"] in UNLUCKY, photo
                self.tally.count(f"taken anew: {photo['reason']}")
                self._remove(phone, f"{deck}/photos/{photo['id']}")
                self.good.pop(photo["id"], None)
            if failed:
                # Of all: what lies in two pictures counts once.
                self._photograph(phone, seat, deck, seat.hand)
            elif not said["pending"]:
                return said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)

    def _remove(self, phone: Client, place: str) -> None:
        status, said = phone.send("DELETE", place)
        # 404: it was taken away, and nobody could say so.
        assert status in {200, 204, 404}, said


class Bulk(Actor):
    """Organisers who drop in pictures of envelopes, many, and some that nobody can read."""

    def __init__(self, house: House, game: str, cookie: str, *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self._game, self._cookie = game, cookie
        self._hands = [dealt(house, game, envelope) for envelope in range(1, 7)]

    def chapters(self) -> Iterator[None]:
        """Send some more pictures each time."""
        desk = self.client({"Cookie": self._cookie})
        place = f"/api/v1/games/{self._game}/photos"
        number = 0
        while True:
            said = desk.send("GET", f"{place}?limit=1")[1]
            if said["states"].get("waiting", 0) + said["states"].get("scanning", 0) > WAITING:
                time.sleep(0.2)
                yield
                continue
            for _ in range(8):
                number += 1
                evil = secrets.choice(sorted(POISONS)) if secrets.randbelow(200) < POISONED else ""
                told = {"cards": self._hands[number % 6], "labels": [number % 6 + 1], "do": evil, "number": number}
                path = f"{place}?batch={number // 100}&place={number % 100}"
                status, said = desk.upload(path, picture(told), secrets.token_hex(8))
                assert status == 201, said
                if evil:
                    self.poisons[said["id"]] = evil
                else:
                    self.good[said["id"]] = self._game
            yield

    def rescue(self) -> None:
        """Have everything read again that failed through no fault of its own, and wait for it."""
        desk = self.client({"Cookie": self._cookie})
        place = f"/api/v1/games/{self._game}/photos"
        deadline = time.monotonic() + LIMIT
        while True:
            states = desk.send("GET", f"{place}?limit=1")[1]["states"]
            if not states.get("waiting") and not states.get("scanning"):
                said = desk.send("GET", f"{place}?state=failed")[1]["photos"]
                failed = [one for one in said if one["id"] in self.good]
                if not failed:
                    return
                for one in failed:
                    assert one["reason"] in UNLUCKY, one
                    self.tally.count(f"read again: {one['reason']}")
                    assert desk.post(f"{place}/{one['id']}/scan")[0] == 200
            assert time.monotonic() < deadline, states
            time.sleep(0.1)


class Organiser(Actor):
    """Organisers who make games and lead them to their results, one after the other."""

    def __init__(self, house: House, cookie: str, *rest: Any) -> None:  # noqa: ANN401 - as an actor takes them
        super().__init__(*rest)
        self.led: dict[str, list[str]] = {}
        self._house, self._cookie = house, cookie

    def chapters(self) -> Iterator[None]:
        """Lead another game from the first print to its publication each time."""
        while True:
            self._lead(self.client({"Cookie": self._cookie}))
            yield

    def _lead(self, desk: Client) -> None:
        game = open_a_game(desk, ENVELOPES)
        place, photos = f"/api/v1/games/{game}", self.led.setdefault(game, [])
        for envelope in range(1, ENVELOPES + 1):
            told = {"cards": insisting(partial(dealt, self._house, game, envelope)), "labels": [envelope], "game": game}
            path = f"{place}/photos?batch=b&place={envelope}"
            status, said = desk.upload(path, picture(told), secrets.token_hex(8))
            assert status == 201, said
            photos.append(said["id"])
            self.good[said["id"]] = game
        lead_on(desk, game, "close")
        self._await_reading(desk, place)
        status, said = desk.post(f"{place}/results", {"override": "the edition asks"}, secrets.token_hex(8))
        assert (status, said) == (201, {"version": 1}), said
        lead_on(desk, game, "publish")

    def _await_reading(self, desk: Client, place: str) -> None:
        """Wait until all is read. What failed through no fault of its own is read again, as people ask for it."""
        deadline = time.monotonic() + LIMIT
        while True:
            shown = desk.send("GET", f"{place}/photos")[1]["photos"]
            if all(photo["state"] == "done" for photo in shown):
                return
            assert time.monotonic() < deadline, shown
            for photo in shown:
                if photo["state"] == "failed":
                    assert photo["reason"] in UNLUCKY, photo
                    self.tally.count(f"read again: {photo['reason']}")
                    assert desk.post(f"{place}/photos/{photo['id']}/scan")[0] == 200
            time.sleep(0.05)


def seats_of(house: House, game: str, players: int) -> list[Seat]:
    """Return all seats of a game."""
    with house.database.reading() as session:
        key = game_row(session, game).key
    return [
        Seat(game, envelope, join_token(game, key, envelope), dealt(house, game, envelope))
        for envelope in range(1, players + 1)
    ]


def insisting(look: Callable[[], T]) -> T:
    """Look into the database until it answers."""
    deadline = time.monotonic() + LIMIT
    while True:
        try:
            return look()
        except OperationalError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
