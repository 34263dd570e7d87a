"""What a scan may cost: seconds on the clock, and work as a multiple of decoding a JPEG of the picture's size.

The clock bounds how long anybody waits. Work is counted in the thread's own processor time, so that a
busy machine does not make the scanner miss codes. Its unit is measured on a made-up JPEG with the first pictures of a
process. How fast the photograph itself was opened tells whether it is decoded faster than that one, and whether the
processor is shared now.
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
"""Seconds on the clock that one scan may take."""

DECODES = 12.0
"""How many times as long as decoding a JPEG of the picture's size opening it, searching it and doubting may take."""

KEPT = 0.3
"""Share of the time and the work that a scan keeps back for what follows the search."""

BLIND, BLIND_SHARES = 32_000_000, (0.33, 0.72)
"""What a scan keeps back as long as nothing was read, since there all cards are to be doubted: what decoding a JPEG of
so many pixels takes, but at least and at most these shares of the work."""

FLOOR_PIXELS = 3_500_000
"""Smaller pictures may be searched for as long as one of this size while cards are told one by one: each pays for more.
"""

FLOOR_KEPT = 1_900_000
"""Smaller pictures count as one of this size for what is kept back: doubting costs nearly the same for all sizes."""

LOOKED = 4_000_000
"""What the search has at least for that, in the same way, unless the picture is smaller than half a megapixel."""

EARNED = 2_000_000
"""What each card pays for: as long as decoding a JPEG of so many pixels. Finding and comparing it takes half."""

FLOOR_ANY = 6_000_000
"""Pictures of fewer pixels may take as long as one of so many where no game is known: nothing tells what is missing."""

_OPENING = 1.0
# What opening the file takes of that, in decodings; the search may take the rest.
_COLOUR, _CACHED = 1.1, 8_000_000
# Decoding a JPEG to colour takes at least so many times as long as opening it, and as long if it has fewer pixels.
_LEAST = 1 / 4
# Share of the seconds that is left for a picture that took longer to open.
_SLOWEST = 3.0
# How much slower than at its best the processor is taken to be at most: a shared core, or one that saves power.
_SAMPLE = (768, 1024)
_PIXELS = _SAMPLE[0] * _SAMPLE[1]
_TRIES, _MOST_TRIES = 3, 12
_times: list[float] = []
# The fastest tries, in seconds, fastest first.
_QUALITY = 80


@dataclass
class Budget:
    """When a search has to end: `deadline` by `time.monotonic()`, `effort` by `time.thread_time()`.

    `kept` are the seconds on the clock and of work that are kept back for what follows it. `most` is up to
    where cards that are told may put off the end of the work, and `earned` the seconds by which they have. `sighted`
    are the seconds of work that go from what is kept back to the search once something was read.
    """

    deadline: float
    effort: float = float("inf")
    kept: tuple[float, float] = (0.0, 0.0)
    most: float = 0.0
    earned: float = 0.0
    sighted: float = 0.0

    @classmethod
    def of(
        cls,
        pixels: int,
        seconds: float = SECONDS,
        decodes: float = DECODES,
        *,
        opened: float | None = None,
        elapsed: float = 0.0,
        kept: float = 0.0,
        floor: int = 0,
        blind: bool = False,
    ) -> Budget:
        """Return the budget for a picture of so many pixels, from now on.

        `opened` tells how many seconds of work opening it took, if it is a JPEG, `elapsed` how many seconds on the
        clock. `kept` is the share of all that is kept back, with `blind` a larger one until something is read. A
        picture of fewer pixels than `floor` counts as one of so many.
        """
        if len(_times) < _MOST_TRIES:
            _tried()
        colour = _COLOUR if pixels > _CACHED else 1.0
        pace = colour * opened / decode_seconds(pixels) if opened is not None else _pace_now(pixels)
        pace = min(pace, _SLOWEST)
        unit, longest, last = (
            max(pace * decode_seconds(pixels), max(pace, 1) * decode_seconds(least))
            for least in (floor, max(floor, FLOOR_PIXELS), FLOOR_KEPT)
        )
        times = max(decodes * (1 - kept) - _OPENING, 0)
        wait = max(seconds * (1 - kept) - elapsed, seconds * _LEAST)
        share = min(max(BLIND / (DECODES * pixels), BLIND_SHARES[0]), BLIND_SHARES[1]) if blind else kept
        sighted = min(decodes * (share - kept) * unit, max(times * unit - decode_seconds(LOOKED), 0.0))
        now = time.thread_time()
        return cls(
            time.monotonic() + wait,
            now + times * unit - sighted,
            kept=(seconds * kept, decodes * kept * last + sighted),
            most=now + times * longest,
            sighted=sighted,
        )

    @property
    def timed_out(self) -> bool:
        """Whether the clock says that it is enough."""
        return time.monotonic() > self.deadline

    @property
    def late(self) -> bool:
        """Whether time or work is used up."""
        return self.timed_out or time.thread_time() > self.effort

    def affords(self, seconds: float) -> bool:
        """Tell whether there is work and time left for a step of so many seconds."""
        return time.monotonic() + seconds < self.deadline and time.thread_time() + seconds < self.effort

    def see(self, part: float = 1.0) -> None:
        """Let the search have its full share, or a part of what it lacks, since something was read or can be."""
        given = part * self.sighted
        self.effort += given
        self.kept = self.kept[0], self.kept[1] - given
        self.sighted -= given

    def earn(self) -> None:
        """Put off the end for a card that was told."""
        more = max(min(decode_seconds(EARNED), self.most - self.sighted - self.effort), 0.0)
        self.effort += more
        self.earned += more

    @property
    def overdrawn(self) -> bool:
        """Whether only what cards have earned is left: that is for finding more cards, not for anything else."""
        return time.thread_time() > self.effort - self.earned

    def give_back(self) -> None:
        """End at the time from before any card was told."""
        self.effort -= self.earned
        self.earned = 0.0

    def part(self, share: float) -> Budget:
        """Return a budget with a share of the work that is left."""
        now = time.thread_time()
        return Budget(self.deadline, now + share * (self.effort - now))

    def released(self) -> Budget:
        """Return the budget with what was kept back: for the steps that follow the search."""
        return Budget(
            self.deadline + self.kept[0], self.effort + self.kept[1], most=self.most + self.kept[1] - self.sighted
        )


def decode_seconds(pixels: int) -> float:
    """Return what decoding a JPEG of so many pixels to colour takes about on this machine, in seconds of one thread."""
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
