"""What a run writes down: every call, every stream, and what the server has promised."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

REFUSALS = frozenset({429, 503})
"""Statuses of answers that ask to come back later."""


class Call(NamedTuple):
    """An answer: what was asked, its status (0: none came), and how many seconds it took. `at` is since the start."""

    what: str
    status: int
    seconds: float
    at: float


@dataclass
class Promise:
    """What the server has told a player that it has: the deck, its pictures by id, the list, and the receipt."""

    envelope: int
    deck: str = ""
    photos: list[str] = field(default_factory=list)
    confirmed: str = ""
    cards: int = 0
    checks: int = 0
    receipt: dict[str, object] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    """From each picture's arrival until its player saw what was read."""


@dataclass
class Notes:
    """All that one process of the crowd has to tell. Several threads write."""

    calls: list[Call] = field(default_factory=list)
    streams: Counter[str] = field(default_factory=Counter)
    """How many were opened, refused, ended by the server at their age, broke; and events."""
    retried: Counter[str] = field(default_factory=Counter)
    """Refusals by whether the try after the named time went well: `worked`, `refused`, and `unnamed` without a time."""
    wrong: list[str] = field(default_factory=list)
    """What no answer should have been, in words."""
    promises: list[Promise] = field(default_factory=list)
    desk: Counter[str] = field(default_factory=Counter)
    """What the organiser has done."""
    rulings: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    """The organiser's pictures, and decisions, that the server has accepted."""
    processor: float = 0.0
    """Seconds of the processor that the load itself took."""
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __getstate__(self) -> dict[str, object]:
        """Leave the lock at home."""
        return {name: value for name, value in self.__dict__.items() if name != "lock"}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take a lock of one's own."""
        self.__dict__.update(state, lock=threading.Lock())

    def add(self, call: Call) -> None:
        """Note an answer."""
        with self.lock:
            self.calls.append(call)

    def stream(self, what: str) -> None:
        """Note what has become of a stream."""
        with self.lock:
            self.streams[what] += 1

    def retry(self, what: str) -> None:
        """Note what has become of a refusal."""
        with self.lock:
            self.retried[what] += 1

    def fault(self, words: str) -> None:
        """Note what should not have been."""
        with self.lock:
            self.wrong.append(words)

    def join(self, other: Notes) -> None:
        """Take in what another process has noted."""
        self.calls += other.calls
        self.streams += other.streams
        self.retried += other.retried
        self.wrong += other.wrong
        self.promises += other.promises
        self.desk += other.desk
        self.rulings += other.rulings
        self.received += other.received
        self.processor += other.processor
