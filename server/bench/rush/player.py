"""A player in a hurry: opens the page, photographs, looks, says yes, asks for the score and hands in."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.bench.rush.notes import Promise
from server.bench.rush.phone import GivenUpError, Phone, Stream
from server.bench.rush.plan import between, chance

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence
    from pathlib import Path

    from server.bench.rush.notes import Notes
    from server.bench.rush.phone import Answer
    from server.bench.rush.plan import Haste
    from server.bench.rush.plan import Player as Plan

ME = "/api/v1/me"
DECKS = f"{ME}/decks"
GATHER = 0.15
"""Seconds in which a page gathers news before it looks."""
WITHOUT = 10.0
"""Seconds between two looks of a page whose stream does not stand."""
_FILE = re.compile(rb'(?:src|href)="(/assets/[^"]+)"')
_KEPT, _SELDOM = re.compile(rb'"(/assets/[^"]+)"'), b"const SELDOM"
# In the service worker: what is kept at once stands before what is kept when it was used.
_BROWSER = {"Accept-Encoding": "br, gzip", "Accept-Language": "en"}
_CREATED = 201


@dataclass(frozen=True)
class Seat:
    """What a player holds: the plan, the label's token, the pictures' files, and the servers' addresses."""

    plan: Plan
    token: str
    pictures: Sequence[Path]
    urls: Sequence[str]


class Player:
    """One player's phone, from the start of the run to its end."""

    def __init__(self, seat: Seat, haste: Haste, notes: Notes, begun: float, over: threading.Event, seed: str) -> None:
        self._seat, self._haste, self._notes, self._begun, self._over = seat, haste, notes, begun, over
        self._number = seat.plan.envelope
        self._seed = f"{seed}/{self._number}"
        self._thoughts = itertools.count()
        headers = {"Authorization": f"Bearer {seat.token}", **_BROWSER}
        # Of several servers the stream is at another one than the calls: what one does, the other has to tell.
        here, there = (seat.urls[(self._number + step) % len(seat.urls)] for step in range(2))
        self._phone = Phone(here, headers, notes, begun, over, self._seed)
        self._stream = Stream(there, f"{ME}/events", headers, notes, self._seed)
        self._pulse = 0
        self._looked = 0.0
        self._game = "open"
        self._megabits = haste.megabits and between(*haste.megabits, self._seed, "way")
        self.promise = Promise(self._number)
        self.done = False

    def play(self) -> None:
        """Do all of it; the page stays open until the run is over."""
        try:
            if self._seat.plan.watches:
                self._stream.start()
            self._until(self._seat.plan.arrives)
            self._open_page()
            if not self._seat.plan.watches:
                self._stream.start()
            self._hand_in(self._read())
            self.done = True
            self._until(float("inf"))
        except GivenUpError as late:
            if not self.done:
                self._notes.fault(f"player {self._number}: not done in time, still at: {late}")
        finally:
            self._stream.close()
            self._phone.close()

    def _read(self) -> Answer:
        """Photograph the deck until its list is there; return the deck as the player sees it then."""
        begun = self._phone.insist(
            "begin a deck", "POST", DECKS, body=b"", headers={"Idempotency-Key": self._key("deck")}
        )
        self._expect(begun, "begin a deck", _CREATED)
        self.promise.deck = str(begun.told["id"])
        for number, file in enumerate(self._seat.pictures[: self._seat.plan.pictures]):
            if number:
                self._think()
            self._send(number, file.read_bytes())
        return self._list()

    def _list(self) -> Answer:
        """Wait until all pictures are read, as the stream tells or by looking now and then."""
        uploaded = time.monotonic()
        while True:
            deck = self._look()
            if deck.good and not deck.told["pending"]:
                self.promise.seconds.append(time.monotonic() - uploaded)
                return deck
            self._news()

    def _send(self, number: int, picture: bytes) -> None:
        path, key = f"{DECKS}/{self.promise.deck}/photos", {"Idempotency-Key": self._key(f"picture {number}")}
        sent = self._phone.upload("send a picture", path, picture, key, self._megabits)
        self._expect(sent, "send a picture", _CREATED)
        self.promise.photos.append(str(sent.told.get("id")))
        if self._seat.plan.again:
            # The answer was lost on its way.
            again = self._phone.upload("send a picture again", path, picture, key, self._megabits)
            if again.told.get("id") != sent.told.get("id"):
                self._notes.fault(f"player {self._number}: the same upload is two pictures")

    def _hand_in(self, deck: Answer) -> None:
        """Say yes to the list, ask for the score while there is one, and hand in."""
        at = f"{DECKS}/{self.promise.deck}"
        while True:
            self._think()
            self.promise.confirmed, self.promise.cards = str(deck.told["digest"]), int(deck.told["total"])
            body = json.dumps({"digest": self.promise.confirmed}).encode()
            said = self._phone.insist(
                "confirm", "POST", f"{at}/confirm", body=body, headers={"Content-Type": "application/json"}
            )
            if said.slug not in {"list-changed", "still-reading"}:
                break
            deck = self._list()
        self._expect(said, "confirm")
        self._think()
        if self._game == "open":
            checked = self._phone.insist("check", "POST", f"{at}/check?language=en&mode=known", body=b"")
            if checked.slug != "wrong-state":
                # Else the deadline has passed between the look and the question.
                self._expect(checked, "check")
                self.promise.checks += 1
            self._think()
        receipt = self._phone.insist("hand in", "POST", f"{at}/hand-in", body=b"")
        self._expect(receipt, "hand in")
        self.promise.receipt = receipt.told
        if self._seat.plan.twice:
            again = self._phone.insist("hand in again", "POST", f"{at}/hand-in", body=b"")
            if again.told != receipt.told:
                self._notes.fault(f"player {self._number}: two hand-ins have two receipts")
        me = self._phone.insist("look at me", "GET", ME)
        if me.told.get("receipt") != receipt.told:
            self._notes.fault(f"player {self._number}: the page shows another receipt than the one that was given")

    def _open_page(self) -> None:
        """Fetch what a browser fetches that was never here: the page, its files, and those kept for no network."""
        page = self._phone.insist("open the page", "GET", "/j")
        worker = self._phone.insist("open the page", "GET", "/sw.js")
        files = {*_FILE.findall(page.body), *_KEPT.findall(worker.body.partition(_SELDOM)[0])}
        for file in sorted(files):
            self._expect(self._phone.insist("a file of the page", "GET", file.decode()), "a file of the page")

    def _look(self) -> Answer:
        """Look at the own place, and at the deck where there is one, as the page does after every change."""
        self._looked = time.monotonic()
        me = self._phone.insist("look at me", "GET", ME)
        self._expect(me, "look at me")
        self._game = str(me.told.get("game", {}).get("state", self._game))
        if not self.promise.deck:
            return me
        deck = self._phone.insist("look at the deck", "GET", f"{DECKS}/{self.promise.deck}")
        self._expect(deck, "look at the deck")
        return deck

    def _news(self) -> None:
        """Wait until the stream tells something; where it does not stand, for a while."""
        pulse = self._pulse
        while pulse == self._pulse and not self._over.is_set():
            pulse = self._stream.wait(self._pulse, 1.0)
            if not self._stream.stands.is_set() and time.monotonic() > self._looked + WITHOUT:
                break
        if self._over.wait(GATHER):
            raise GivenUpError("waiting for news")
        self._pulse = self._stream.pulse

    def _until(self, seconds: float) -> None:
        """Wait until so many seconds after the start; a page that is open looks whenever it is told to."""
        while (left := self._begun + seconds - time.monotonic()) > 0:
            if self._over.is_set():
                raise GivenUpError("waiting")
            if self._stream.wait(self._pulse, min(left, 1.0)) != self._pulse:
                self._news()
                self._look()

    def _think(self) -> None:
        if self._over.wait(between(*self._haste.think, self._seed, "thought", next(self._thoughts))):
            raise GivenUpError("thinking")

    def _key(self, what: str) -> str:
        return hashlib.sha256(f"{self._seed}/{what}/{chance(self._seed, what)}".encode()).hexdigest()[:32]

    def _expect(self, answer: Answer, what: str, status: int = 200) -> None:
        if answer.status != status:
            self._notes.fault(f"{what}: {answer.status} {answer.slug}")
            raise GivenUpError(what)
