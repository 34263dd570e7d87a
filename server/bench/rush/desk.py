"""An organiser at work meanwhile: looks at the overview and the queue, sends pictures of envelopes, decides."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.bench.rush.phone import GivenUpError, Phone, Stream
from server.bench.rush.plan import chance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from server.bench.rush.notes import Notes
    from server.bench.rush.plan import Haste

PAUSE = 0.7
"""Seconds between two looks."""
AT_ONCE = 3
"""Pictures that the desk sends side by side."""
_CREATED, _DONE = 201, 200
_CHANGED = 412


@dataclass(frozen=True)
class Work:
    """What an organiser has to do: the game, the password, and each envelope's picture."""

    game: str
    password: str
    pictures: Sequence[tuple[int, Path]]
    url: str


class Desk:
    """One organiser, from the start of the run to its end."""

    def __init__(self, work: Work, haste: Haste, notes: Notes, begun: float, over: threading.Event, seed: str) -> None:
        self._work, self._haste, self._notes, self._begun, self._over = work, haste, notes, begun, over
        self._seed = seed
        self._at = f"/api/v1/games/{work.game}"
        self._headers = {"Origin": work.url, "Accept-Encoding": "br, gzip"}
        self._left = list(enumerate(work.pictures))
        self._lock = threading.Lock()
        self.done = False

    def work(self) -> None:
        """Sign in, and do everything side by side until the run is over."""
        try:
            self._sign_in()
        except GivenUpError:
            self._notes.fault("the organiser could not sign in")
            return
        stream = Stream(self._work.url, f"{self._at}/events", self._headers, self._notes, self._seed)
        stream.start()
        senders = [threading.Thread(target=self._guarded, args=(self._send,), daemon=True) for _ in range(AT_ONCE)]
        for thread in senders:
            thread.start()
        self._guarded(lambda: self._watch(stream, senders))
        stream.close()

    def _sign_in(self) -> None:
        phone = self._phone()
        body = json.dumps({"name": "Bench", "password": self._work.password}).encode()
        told = phone.insist(
            "sign in", "POST", "/api/v1/session", body=body, headers={"Content-Type": "application/json"}
        )
        phone.close()
        if told.status != _CREATED:
            self._notes.fault(f"sign in: {told.status} {told.slug}")
            raise GivenUpError("sign in")
        self._headers["Cookie"] = told.headers["set-cookie"]

    def _watch(self, stream: Stream, senders: Sequence[threading.Thread]) -> None:
        """Look anew after every change, never twice at once; decide what there is to decide."""
        phone, pulse = self._phone(), -1
        while not self._over.is_set():
            if pulse != stream.pulse:
                pulse = stream.pulse
                parts = {"game": "", "queue": "/queue?limit=1", "photos": "/photos?limit=0", "envelopes": "/envelopes"}
                for name, path in parts.items():
                    told = phone.insist(f"desk: {name}", "GET", f"{self._at}{path}")
                    if told.status != _DONE:
                        self._notes.fault(f"desk: {name}: {told.status} {told.slug}")
                    self._count(f"looks at {name}")
                self._decide(phone)
            self.done = not any(thread.is_alive() for thread in senders)
            self._over.wait(PAUSE)
        phone.close()

    def _decide(self, phone: Phone) -> None:
        """Say of one picture that was read and that nobody has decided on whose it is."""
        told = phone.insist("desk: photos", "GET", f"{self._at}/photos?state=done&limit=1000").told
        waiting = [one for one in told.get("photos", ()) if not one["decided"] and len(one["envelopes"]) == 1]
        if not waiting:
            return
        photo = waiting[0]
        seen = phone.insist("desk: a picture", "GET", f"{self._at}/photos/{photo['id']}").told
        body = {"do": "assign", "envelope": photo["envelopes"][0], "reason": "The label says so."}
        revision = {"If-Match": str(seen.get("revision")), "Content-Type": "application/json"}
        path = f"{self._at}/photos/{photo['id']}"
        said = phone.insist("desk: decide", "PATCH", path, body=json.dumps(body).encode(), headers=revision)
        if said.status == _DONE:
            self._notes.rulings.append(str(seen["key"]))
            self._count("decisions")
        elif said.status != _CHANGED:
            self._notes.fault(f"desk: decide: {said.status} {said.slug}")

    def _send(self) -> None:
        """Send pictures of envelopes, spread over the time there is."""
        phone = self._phone()
        while True:
            with self._lock:
                if not self._left:
                    break
                place, (envelope, file) = self._left.pop(0)
            due = self._begun + self._haste.seconds * (place + chance(self._seed, place)) / len(self._work.pictures)
            if self._over.wait(max(0.0, due - time.monotonic())):
                raise GivenUpError("sending pictures")
            path = f"{self._at}/photos?batch=rush&place={place}&name=envelope-{envelope}.jpg"
            key = {"Idempotency-Key": f"desk-{self._seed}-{place}"}
            told = phone.upload("desk: send a picture", path, file.read_bytes(), key)
            if told.status == _CREATED:
                self._notes.received.append(str(told.told["id"]))
                self._count("pictures")
            else:
                self._notes.fault(f"desk: send a picture: {told.status} {told.slug}")
        phone.close()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except GivenUpError as late:
            self._notes.fault(f"the organiser was not done in time, still at: {late}")

    def _phone(self) -> Phone:
        return Phone(self._work.url, self._headers, self._notes, self._begun, self._over, self._seed)

    def _count(self, what: str) -> None:
        with self._notes.lock:
            self._notes.desk[what] += 1
