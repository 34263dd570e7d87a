"""Time budget of a scan: a number of seconds, and a multiple of the time of decoding a JPEG of the picture's size.

Both count the thread's CPU time, so that a busy machine does not make the scanner miss codes; the clock only ends scans
that would keep people waiting too long. The unit of work is measured on a synthetic JPEG with the first pictures of a
process. The time that opening the photograph took corrects it for this picture, and for a slower processor.
A share of both is reserved for the doubts, which are determined after the search for codes.
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
"""CPU seconds of one scan."""

PATIENCE = 3.0
"""Limit on the clock, as a multiple of the CPU seconds: for threads that share a core."""

DECODES = 12.0
"""Limit for opening, search and doubts, as a multiple of the time of decoding a JPEG of the picture's size."""

RESERVED, RESERVED_ANY, RESERVED_LAST = 0.3, 0.12, 0.05
"""Shares of the budget that are reserved for the steps after the search: with a game for its doubts, without one for
hints, and if nothing follows, for a last step that takes longer than expected."""

BLIND, BLIND_SHARES = 32_000_000, (0.33, 0.72)
"""Reserved as long as no code was read, since then all cards are doubts: the time of decoding a JPEG with this number
of pixels, within these shares of the budget."""

FLOOR_PIXELS = 1_500_000
"""Smaller pictures get the budget of one with this number of pixels, which is some 40 ms."""

FLOOR_ANY = 6_000_000
"""The same without a game, 0.15 s: sampling codes on curved surfaces takes long."""

LOOKED = 4_000_000
"""Minimum for the search as long as no code was read: the time of decoding a JPEG with this number of pixels."""

OVER = 500_000
"""Overrun of a last step: the time of decoding a JPEG with this number of pixels, by which the doubts end earlier. It
matters in small pictures."""

# Cost of opening the file, in decodings; the search may take the rest.
_OPENING = 1.0

# Minimum cost of decoding a JPEG to colour relative to opening it, and the pixels up to which both are the same.
_COLOUR, _CACHED = 1.1, 8_000_000

# Decoding time of a blurred photograph relative to the synthetic JPEG, assumed for pictures that are no JPEG.
_SMOOTH = 0.8

# Minimum share of the seconds that is left for a picture that took long to open.
_LEAST = 1 / 4

# Maximum slowdown that is attributed to the processor.
_SLOWEST = 3.0

# Size of the synthetic JPEG and its quality; number of measurements at first, and of those that are kept.
_SAMPLE = (768, 1024)
_PIXELS = _SAMPLE[0] * _SAMPLE[1]
_QUALITY = 80
_TRIES, _MOST_TRIES = 3, 12

# The fastest measurements in seconds, in ascending order.
_times: list[float] = []


@dataclass
class TimeBudget:
    """Limits of a search: `deadline` by `time.monotonic()`, `effort` and `limit` by `time.thread_time()`.

    `limit` is given by the seconds, `effort` by the picture's size. `reserved` are the seconds of `limit` and of
    `effort` that are reserved for the steps after the search. A part of the latter is `withheld`, and granted to the
    search once a code is read. `pace` is the current time per work relative to the processor's best.
    """

    deadline: float
    effort: float = float("inf")
    reserved: tuple[float, float] = (0.0, 0.0)
    withheld: float = 0.0
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
        reserved: float = 0.0,
        blind: bool = False,
        known: bool = True,
    ) -> TimeBudget:
        """Return the budget of a picture of this size, from now on.

        `opened` are the CPU seconds that opening it took if it is a JPEG, `worked` those of any file, and `elapsed` the
        seconds on the clock. `reserved` is the share to be reserved; with `blind` more is withheld until a code is
        read. `known` is whether a game is given.
        """
        if len(_times) < _MOST_TRIES:
            _measured()
        colour = _COLOUR if pixels > _CACHED else 1.0
        at_best = decode_seconds(pixels)
        pace = min(colour * opened / at_best if opened is not None else _pace_now(pixels), _SLOWEST)
        slower = max(pace, 1.0)
        least = FLOOR_PIXELS if known else FLOOR_ANY
        unit = max((pace if opened is not None else _SMOOTH * pace) * at_best, slower * decode_seconds(least))
        times = max(decodes * (1 - reserved) - _OPENING, 0)
        wait = PATIENCE * seconds
        share = min(max(BLIND / (DECODES * pixels), BLIND_SHARES[0]), BLIND_SHARES[1]) if blind else reserved
        looked = slower * decode_seconds(LOOKED)
        withheld = min(max(decodes * (share - reserved) * unit, 0.0), max(times * unit - looked, 0.0))
        over = min(slower * decode_seconds(OVER), decodes * reserved * unit / 2)
        # Only now, since measuring the unit must not count as work on this picture.
        now = time.thread_time()
        return cls(
            time.monotonic() + max(wait * (1 - reserved) - elapsed, wait * _LEAST),
            now + times * unit - withheld,
            reserved=(seconds * reserved, decodes * reserved * unit - over + withheld),
            withheld=withheld,
            pace=slower,
            limit=now + max(seconds * (1 - reserved) - worked, seconds * _LEAST),
        )

    @property
    def timed_out(self) -> bool:
        """Return whether the seconds are used up, of CPU time or on the clock."""
        return time.monotonic() > self.deadline or time.thread_time() > self.limit

    @property
    def late(self) -> bool:
        """Return whether any of the limits is reached."""
        return self.timed_out or time.thread_time() > self.effort

    def has(self, seconds: float) -> bool:
        """Return whether there is time for a step that takes `seconds`, as measured in this picture."""
        worked = time.thread_time() + seconds
        return time.monotonic() + seconds < self.deadline and worked < min(self.effort, self.limit)

    def affords(self, seconds: float) -> bool:
        """Return whether there is time for a step that takes `seconds` at the processor's best pace."""
        return self.has(self.pace * seconds)

    def grant(self, part: float = 1.0) -> None:
        """Give the search the withheld time, or a part of it, since a code was read or is likely to be."""
        granted = part * self.withheld
        self.withheld -= granted
        self.effort += granted
        self.reserved = self.reserved[0], self.reserved[1] - granted

    def part(self, share: float) -> TimeBudget:
        """Return a budget with a share of the remaining work."""
        now = time.thread_time()
        return TimeBudget(self.deadline, now + share * (self.effort - now), pace=self.pace, limit=self.limit)

    def released(self) -> TimeBudget:
        """Return the budget including the reserve, for the steps that follow the search."""
        seconds, work = self.reserved
        later = self.deadline + PATIENCE * seconds
        return TimeBudget(later, self.effort + work, pace=self.pace, limit=self.limit + seconds)


def decode_seconds(pixels: int) -> float:
    """Return the time of decoding a JPEG of this size on one thread of this machine at its best pace."""
    return pixels * _seconds_per_pixel()


def _pace_now(pixels: int) -> float:
    """Return the current time of decoding the synthetic JPEG relative to the best; 1 for pictures no larger than it."""
    return max(min(_measured(), _measured()) / decode_seconds(_PIXELS), 1) if pixels > _PIXELS else 1


def _seconds_per_pixel() -> float:
    """Return the best time per pixel of decoding the synthetic JPEG so far, in seconds.

    It is measured a few times at first and again with the next pictures, since the machine may be busy at first.
    """
    while len(_times) < _TRIES:
        _measured()
    return _times[0] / _PIXELS


def _measured() -> float:
    """Measure and return the CPU seconds of decoding the synthetic JPEG."""
    data = _synthetic_jpeg()
    began = time.thread_time()
    cv2.imdecode(data, cv2.IMREAD_COLOR)
    taken = time.thread_time() - began
    if taken > 0:
        _times[:] = sorted((*_times, taken))[:_MOST_TRIES]
    return taken


@cache
def _synthetic_jpeg() -> npt.NDArray[np.uint8]:
    """Return a synthetic JPEG with 1/6 byte per pixel, like photographs of cards."""
    chance = np.random.default_rng(1)
    coarse = chance.integers(40, 216, (_SAMPLE[0] // 12, _SAMPLE[1] // 12), dtype=np.uint8)
    grey = cv2.resize(coarse, _SAMPLE[::-1], interpolation=cv2.INTER_CUBIC).astype(np.int16)
    grey += chance.integers(-6, 7, _SAMPLE, dtype=np.int16)
    picture = cv2.cvtColor(np.clip(grey, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    return np.asarray(data, dtype=np.uint8)
