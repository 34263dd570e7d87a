"""What a scan may cost: seconds, and work as a multiple of decoding a JPEG of the picture's size.

Work is counted in the thread's own processor time, both as seconds and in decodings, so that a busy machine does not
make the scanner miss codes; the clock only ends what would keep people waiting for ever there. The unit of work is
measured on a made-up JPEG with the first pictures of a process. How fast the photograph itself was opened tells whether
it is decoded faster than that one, and whether the processor is shared now.
A share of both is kept back while codes are searched: it is for the doubts, which come last.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

SECONDS = 4.0
"""Seconds that one scan may work."""

PATIENCE = 3.0
"""How many times as long it may take on the clock: a thread that shares its core with others still reads its cards."""

DECODES = 12.0
"""How many times as long as decoding a JPEG of the picture's size opening it, searching it and doubting may take."""

KEPT, KEPT_ANY, KEPT_LAST = 0.3, 0.12, 0.05
"""Shares of the time and the work that are kept back for what follows the search: with a game for its doubts, without
one for hints, and where nothing follows for a step that takes longer than was expected."""

BLIND, BLIND_SHARES = 32_000_000, (0.33, 0.72)
"""What a scan keeps back as long as nothing was read, since there all cards are to be doubted: what decoding a JPEG of
so many pixels takes, but at least and at most these shares of the work."""

FLOOR_PIXELS = 1_500_000
"""Smaller pictures may take as long as one of so many pixels, which is some 40 ms: nobody notices that."""

FLOOR_ANY = 6_000_000
"""Where no game is known pictures of fewer pixels may take as long as one of so many, 0.15 s: following a code around a
bottle takes long, and nothing tells that all were read."""

LOOKED = 4_000_000
"""What the search has at least for that: as long as decoding a JPEG of so many pixels takes."""

EARNED = 2_000_000
"""What each card that is told takes from the doubts for the search: as long as decoding a JPEG of so many pixels.
Finding and comparing it takes half."""

ENDING, A_CODE = 2_200_000, 60_000
"""What must come at the end, hints and decks, takes as long as decoding a JPEG of so many pixels, and laying out the
cards so many for each code that was read."""

OVER = 500_000
"""What a step that has begun takes beyond the end, as long as decoding a JPEG of so many pixels: the doubts end earlier
by that. It counts in small pictures."""

_OPENING = 1.0

# What opening the file takes of that, in decodings; the search may take the rest.
_COLOUR, _CACHED = 1.1, 8_000_000

# Decoding a JPEG to colour takes at least so many times as long as opening it, and as long if it has fewer pixels.
_SMOOTH = 0.8

# A blurred photograph is decoded in so much of the time of the made-up JPEG: a picture of which no file is known counts
# as such a one.
_LEAST = 1 / 4

# Share of the seconds, of work and on the clock, that is left for a picture that took longer to open.
_SLOWEST = 3.0

# How much slower than at its best the processor is taken to be at most: a shared core, or one that saves power.
_SAMPLE = (768, 1024)
_PIXELS = _SAMPLE[0] * _SAMPLE[1]
_TRIES, _MOST_TRIES = 3, 12
_times: list[float] = []

# The fastest tries, in seconds, fastest first.
_QUALITY = 80


@dataclass
class TimeBudget:
    """When a search has to end: `deadline` by `time.monotonic()`, `effort` and `limit` by `time.thread_time()`.

    `effort` goes by the picture's size and changes with what was found, `limit` by the seconds. `kept` are the seconds
    of `limit` and of `effort` that are kept back for what follows the search; they only ever change hands with it, so
    that the end of all does not move. `sighted` are those of them that go to the search once
    something was read, `earned` those that cards have taken from them, and `least` those that no card takes. `pace`
    tells how many times as long as at its best the processor takes now.
    """

    deadline: float
    effort: float = float("inf")
    kept: tuple[float, float] = (0.0, 0.0)
    sighted: float = 0.0
    earned: float = 0.0
    least: float = 0.0
    pace: float = 1.0
    limit: float = float("inf")

    @classmethod
    def of(
        cls,
        pixels: int,
        seconds: float = SECONDS,
        decodes: float = DECODES,
        *,
        opened: float | None = None,
        elapsed: float = 0.0,
        worked: float = 0.0,
        kept: float = 0.0,
        blind: bool = False,
        known: bool = True,
    ) -> TimeBudget:
        """Return the budget for a picture of so many pixels, from now on.

        `opened` tells how many seconds of work opening it took, if it is a JPEG; `worked` tells that of every file,
        and `elapsed` how many seconds on the clock. `kept` is the share of all that is kept back, with `blind` a larger
        one until something is read. `known` tells whether the game is.
        """
        if len(_times) < _MOST_TRIES:
            _tried()
        colour = _COLOUR if pixels > _CACHED else 1.0
        at_best = decode_seconds(pixels)
        pace = min(colour * opened / at_best if opened is not None else _pace_now(pixels), _SLOWEST)
        slower = max(pace, 1.0)
        least = FLOOR_PIXELS if known else FLOOR_ANY
        unit = max((pace if opened is not None else _SMOOTH * pace) * at_best, slower * decode_seconds(least))
        times = max(decodes * (1 - kept) - _OPENING, 0)
        wait = PATIENCE * seconds
        share = min(max(BLIND / (DECODES * pixels), BLIND_SHARES[0]), BLIND_SHARES[1]) if blind else kept
        looked = slower * decode_seconds(LOOKED)
        sighted = min(max(decodes * (share - kept) * unit, 0.0), max(times * unit - looked, 0.0))
        over = min(slower * decode_seconds(OVER), decodes * kept * unit / 2)
        # Only here: measuring the unit is no work of this picture, and takes long in a process that has just begun.
        now = time.thread_time()
        return cls(
            time.monotonic() + max(wait * (1 - kept) - elapsed, wait * _LEAST),
            now + times * unit - sighted,
            kept=(seconds * kept, decodes * kept * unit - over + sighted),
            sighted=sighted,
            pace=slower,
            limit=now + max(seconds * (1 - kept) - worked, seconds * _LEAST),
        )

    @property
    def timed_out(self) -> bool:
        """Whether the seconds are used up, of work or on the clock."""
        return time.monotonic() > self.deadline or time.thread_time() > self.limit

    @property
    def late(self) -> bool:
        """Whether time or work is used up."""
        return self.timed_out or time.thread_time() > self.effort

    def has(self, seconds: float) -> bool:
        """Tell whether there is work and time left for a step of so many seconds, as measured in this picture."""
        worked = time.thread_time() + seconds
        return time.monotonic() + seconds < self.deadline and worked < min(self.effort, self.limit)

    def affords(self, seconds: float) -> bool:
        """Tell the same of a step that takes so many seconds when the processor is at its best."""
        return self.has(self.pace * seconds)

    def see(self, part: float = 1.0) -> None:
        """Let the search have its full share, or a part of what it lacks, since something was read or can be."""
        given = part * self.sighted
        self.sighted -= given
        self._give(given)

    def earn(self) -> None:
        """Let the search take from the doubts for a card that was told: the more are told, the fewer are doubted."""
        more = max(min(self.pace * decode_seconds(EARNED), self.kept[1] - self.sighted - self.least), 0.0)
        self.earned += more
        self._give(more)

    @property
    def overdrawn(self) -> bool:
        """Whether only what cards have earned is left: that is for finding more cards, not for anything else."""
        return time.thread_time() > self.effort - self.earned

    def give_back(self) -> None:
        """End at the time from before any card was told."""
        self._give(-self.earned)
        self.earned = 0.0

    @property
    def ending(self) -> bool:
        """Whether only what must come at the end still fits, of all that there is."""
        return self.timed_out or time.thread_time() > self.effort + self.kept[1] - self.least

    def keep(self, seconds: float) -> None:
        """Keep back at least so many seconds of work at the processor's best, for what must come at the end."""
        if self.kept[1] <= 0:
            return
        self.least = self.pace * seconds
        taken = max(self.least - (self.kept[1] - self.sighted), 0.0)
        # What cards have earned pays for it first: that is not given back once more.
        self.earned = max(self.earned - taken, 0.0)
        self._give(-taken)

    def _give(self, seconds: float) -> None:
        """Give seconds of work to the search from what is kept back."""
        self.effort += seconds
        self.kept = self.kept[0], self.kept[1] - seconds

    def part(self, share: float) -> TimeBudget:
        """Return a budget with a share of the work that is left."""
        now = time.thread_time()
        return TimeBudget(self.deadline, now + share * (self.effort - now), pace=self.pace, limit=self.limit)

    def released(self) -> TimeBudget:
        """Return the budget with what was kept back: for the steps that follow the search."""
        seconds, work = self.kept
        later = self.deadline + PATIENCE * seconds
        return TimeBudget(later, self.effort + work, pace=self.pace, limit=self.limit + seconds)


def decode_seconds(pixels: int) -> float:
    """Return the seconds that decoding a JPEG of so many pixels takes on one thread of this machine at its best."""
    return pixels * _a_pixel()


def _pace_now(pixels: int) -> float:
    """Return how many times as long as at its best the made-up JPEG takes now; 1 for pictures not larger than it."""
    return max(min(_tried(), _tried()) / decode_seconds(_PIXELS), 1) if pixels > _PIXELS else 1


def _a_pixel() -> float:
    """Return the seconds a pixel that the made-up JPEG takes at its best: by now, since a machine may be busy at first.

    It is tried a few times at first, and once with each of the next pictures.
    """
    while len(_times) < _TRIES:
        _tried()
    return _times[0] / _PIXELS


def _tried() -> float:
    """Return the seconds of work that decoding the made-up JPEG takes now."""
    data = _made_up()
    began = time.thread_time()
    cv2.imdecode(data, cv2.IMREAD_COLOR)
    taken = time.thread_time() - began
    if taken > 0:
        _times[:] = sorted((*_times, taken))[:_MOST_TRIES]
    return taken


@cache
def _made_up() -> npt.NDArray[np.uint8]:
    """Return the bytes of a JPEG with a sixth of a byte a pixel, as photographs of cards have."""
    chance = np.random.default_rng(1)
    coarse = chance.integers(40, 216, (_SAMPLE[0] // 12, _SAMPLE[1] // 12), dtype=np.uint8)
    grey = cv2.resize(coarse, _SAMPLE[::-1], interpolation=cv2.INTER_CUBIC).astype(np.int16)
    grey += chance.integers(-6, 7, _SAMPLE, dtype=np.int16)
    picture = cv2.cvtColor(np.clip(grey, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    return np.asarray(data, dtype=np.uint8)
