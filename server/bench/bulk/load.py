"""Who sends the pictures, and who looks at the game meanwhile; each in a process of its own, beside the server's."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.bench.rush.notes import Notes
from server.bench.rush.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

AT_ONCE = 3
"""Pictures that are sent side by side, as the desk does."""
PAUSE = 0.7
"""Seconds between two looks at everything, as the desk's pages make."""
LOOKS = {
    "game": "",
    "photos, 0": "/photos?limit=0",
    "photos, all": "/photos?limit=1000",
    "queue": "/queue?limit=1",
    "envelopes": "/envelopes",
}
"""What the desk asks of a game while pictures come in."""
_CREATED = 201


class LoadError(Exception):
    """The server did not do what it was asked to; the message says what it said."""


@dataclass(frozen=True)
class Door:
    """How to come in: the server's address, the game, the organisers' session, and a player's token."""

    url: str
    game: str
    cookie: str
    token: str

    def desk(self, notes: Notes) -> Phone:
        """Return an organiser's way to the server."""
        headers = {"Origin": self.url, "Cookie": self.cookie, "Accept-Encoding": "br, gzip"}
        return Phone(self.url, headers, notes, time.monotonic(), threading.Event())

    def player(self, notes: Notes) -> Phone:
        """Return a player's way to the server."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept-Encoding": "br, gzip"}
        return Phone(self.url, headers, notes, time.monotonic(), threading.Event())


def sign_in(url: str, password: str) -> str:
    """Return the cookie of an organiser who signs in; LoadError."""
    phone = Phone(url, {"Origin": url}, Notes(), time.monotonic(), threading.Event())
    body = json.dumps({"name": "Bench", "password": password}).encode()
    told = phone.insist("sign in", "POST", "/api/v1/session", body=body, headers={"Content-Type": "application/json"})
    phone.close()
    if told.status != _CREATED:
        raise LoadError(f"the organiser could not sign in: {told.status} {told.slug}")
    return told.headers["set-cookie"]


def send(door: Door, files: Sequence[Path]) -> tuple[float, list[float], float]:
    """Send all pictures; return the seconds that it took in all, those of each, and the time at the end. LoadError."""
    left, notes, failed = deque(enumerate(files, 1)), Notes(), list[str]()

    def some() -> None:
        phone = door.desk(notes)
        while left and not failed:
            try:
                place, file = left.popleft()
            except IndexError:
                break
            path = f"/api/v1/games/{door.game}/photos?batch=bench&place={place}&name={file.name}"
            told = phone.upload("send", path, file.read_bytes(), {"Idempotency-Key": f"bench-{place}"})
            if told.status != _CREATED:
                failed.append(f"{file.name} was not taken: {told.status} {told.slug}")
        phone.close()

    begun = time.perf_counter()
    threads = [threading.Thread(target=some) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise LoadError(failed[0])
    return time.perf_counter() - begun, [call.seconds for call in notes.calls], time.time()


def look(door: Door, number: int, longest: float) -> dict[str, list[float]]:
    """Look at everything again and again until so many pictures are read; return the seconds by what was asked."""
    notes, until = Notes(), time.monotonic() + longest
    desk, player = door.desk(notes), door.player(notes)
    while True:
        for name, path in LOOKS.items():
            told = desk.once(name, "GET", f"/api/v1/games/{door.game}{path}")
            if not told.good:
                raise LoadError(f"{name} was answered {told.status} {told.slug}")
            if name == "photos, 0":
                states = told.told["states"]
        for name, path in (("a player", "/api/v1/me"), ("a player's decks", "/api/v1/me/decks")):
            if not (told := player.once(name, "GET", path)).good:
                raise LoadError(f"{name} was answered {told.status} {told.slug}")
        if states["done"] + states["failed"] >= number:
            break
        if time.monotonic() > until:
            raise LoadError(f"after {longest:.0f} s only {states['done']} of {number} pictures are read")
        time.sleep(PAUSE)
    desk.close()
    player.close()
    found: dict[str, list[float]] = {}
    for call in notes.calls:
        found.setdefault(call.what, []).append(call.seconds)
    return found
