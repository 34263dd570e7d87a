"""The plan of a deadline rush, and the record of its results, shared by the load process and the benchmark.

Players arrive by a seeded schedule, most of them shortly before the deadline.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

ARRIVALS = ((0.2, 0.6), (0.4, 0.25), (0.4, 0.15))
"""From the deadline backwards: shares of the time, and of the players who arrive in it."""
DOUBLE, AGAIN = 0.2, 0.1
"""Shares of players who tap twice, and of those who repeat an upload after a lost response."""
REFUSALS = frozenset({429, 503})
"""Statuses of temporary refusals."""


@dataclass(frozen=True)
class Timing:
    """The timing of a rush. `seconds` is from the start to the deadline; `think` how long people look.

    `megabits` is the range of a phone's upload rate in Mbit/s; `grace` is how many seconds after the deadline a player
    may still be busy before the run is given up.
    """

    seconds: float
    think: tuple[float, float] = (1.0, 4.0)
    megabits: tuple[float, float] = (4.0, 40.0)
    grace: float = 240.0


@dataclass(frozen=True)
class PlayerPlan:
    """A player's behaviour. Seconds count from the start; `envelope` is the player's number.

    `photos` are sent one after the other; `watches` means that the page is open from the start, with its stream;
    `twice` that the player taps the hand-in twice, `again` that an upload is repeated with the same key.
    """

    envelope: int
    arrives: float
    photos: int
    watches: bool
    twice: bool
    again: bool


class Call(NamedTuple):
    """An answer: the name of the request, its status (0: none came), its seconds. `at` is since the start."""

    what: str
    status: int
    seconds: float
    at: float


@dataclass
class Promise:
    """The server's promises to a player: the deck, its photographs by id, the confirmed list, and the receipt."""

    envelope: int
    deck: str = ""
    photos: list[str] = field(default_factory=list)
    confirmed: str = ""
    cards: int = 0
    checks: int = 0
    receipt: dict[str, Any] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    """From each photograph's arrival until its player saw the reading."""


@dataclass
class Record:
    """Everything that the load process reports."""

    calls: list[Call] = field(default_factory=list)
    streams: Counter[str] = field(default_factory=Counter)
    """How many were opened, refused, ended by the server at their age, cut, broke; and events."""
    retried: Counter[str] = field(default_factory=Counter)
    """Refusals by whether the try after the named time succeeded: `worked`, `refused`, and `unnamed` without a time."""
    wrong: list[str] = field(default_factory=list)
    """Answers that should not have been, in words."""
    promises: list[Promise] = field(default_factory=list)
    desk: Counter[str] = field(default_factory=Counter)
    """How often the organiser did each thing."""
    rulings: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    """The organiser's decisions and photographs that the server has accepted."""
    processor: float = 0.0
    """Processor seconds of the load process itself."""

    def to_json(self) -> str:
        """Return the record as text."""
        return json.dumps(vars(self), default=asdict)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a record from text."""
        data = json.loads(text)
        data["calls"] = [Call(*call) for call in data["calls"]]
        data["promises"] = [Promise(**promise) for promise in data["promises"]]
        data |= {name: Counter(data[name]) for name in ("streams", "retried", "desk")}
        return cls(**data)


def chance(*of: object) -> float:
    """Return a number from 0 to 1 that its arguments decide."""
    text = "/".join(str(one) for one in of)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48


def between(low: float, high: float, *of: object) -> float:
    """Return a number between two that its other arguments decide."""
    return low + (high - low) * chance(*of)


def schedule(players: int, streams: int, seconds: float, seed: str) -> list[PlayerPlan]:
    """Return all visits; the same seed gives the same. All places in the crowd are taken, so its shape holds."""
    order = sorted(range(1, players + 1), key=lambda one: chance(seed, one, "order"))
    places = {number: (index + chance(seed, number, "arrives")) / players for index, number in enumerate(order)}
    return [
        PlayerPlan(
            envelope=number,
            arrives=_arrival(places[number], seconds),
            photos=1 + (chance(seed, number, "pictures") < 1 / 2),
            watches=number <= streams,
            twice=chance(seed, number, "twice") < DOUBLE,
            again=chance(seed, number, "again") < AGAIN,
        )
        for number in range(1, players + 1)
    ]


def _arrival(share: float, seconds: float) -> float:
    """Return the time of arrival before which this share has not yet arrived, counted from the last."""
    end = 1.0
    for time, crowd in ARRIVALS:
        if share < crowd:
            return seconds * (end - time * share / crowd)
        share, end = share - crowd, end - time
    return 0.0
