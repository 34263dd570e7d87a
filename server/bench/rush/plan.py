"""Who comes when: a schedule that a seed decides, and that crowds towards the deadline."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

CROWD = ((0.2, 0.6), (0.4, 0.25), (0.4, 0.15))
"""From the deadline backwards: shares of the time, and the shares of the players who come in each."""
DOUBLE, AGAIN = 0.2, 0.1
"""Shares of players who tap twice, and of those whose phone loses an answer and sends the same once more."""


@dataclass(frozen=True)
class Haste:
    """How fast everything goes. `seconds` is from the start to the deadline; `think` what people take for a look.

    `megabits` is the range of a phone's way up, in Mbit/s; None: as fast as it goes. `grace` is how many seconds after
    the deadline a player may still be busy before the run is given up.
    """

    seconds: float
    think: tuple[float, float] = (1.0, 4.0)
    megabits: tuple[float, float] | None = (4.0, 40.0)
    grace: float = 240.0


@dataclass(frozen=True)
class Player:
    """What a player does. Seconds count from the start; `envelope` is the player's number.

    `pictures` are that many, one after the other; `watches` whether the page is open from the start, with its stream.
    """

    envelope: int
    arrives: float
    pictures: int
    watches: bool
    twice: bool
    again: bool


def chance(*of: object) -> float:
    """Return a number from 0 to 1 that what it is made of decides."""
    text = "/".join(str(one) for one in of)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48


def between(low: float, high: float, *of: object) -> float:
    """Return a number between two that what it is made of decides."""
    return low + (high - low) * chance(*of)


def schedule(players: int, streams: int, haste: Haste, seed: str) -> list[Player]:
    """Return who plays; the same seed gives the same. All places in the crowd are taken, so its shape holds."""
    order = sorted(range(1, players + 1), key=lambda one: chance(seed, one, "order"))
    places = {number: (place + chance(seed, number, "arrives")) / players for place, number in enumerate(order)}
    return [
        Player(
            envelope=number,
            arrives=_arrival(places[number], haste.seconds),
            pictures=1 + (chance(seed, number, "pictures") < 1 / 2),
            watches=number <= streams,
            twice=chance(seed, number, "twice") < DOUBLE,
            again=chance(seed, number, "again") < AGAIN,
        )
        for number in range(1, players + 1)
    ]


def _arrival(share: float, seconds: float) -> float:
    """Return when the crowd comes of which this share comes later."""
    end = 1.0
    for time, crowd in CROWD:
        if share < crowd:
            return seconds * (end - time * share / crowd)
        share, end = share - crowd, end - time
    return 0.0
