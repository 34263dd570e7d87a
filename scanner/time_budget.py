"""Time budget of a scan: a multiple of the time of decoding the picture as a JPEG, and a number of seconds.

Both count the thread's CPU time, so that a busy machine does not make the scanner miss codes; the clock only ends scans
that would keep people waiting too long. The search must leave a reserved share for the steps that follow it, and as
long as no code was read a larger one, since then all cards are searched as doubts. Steps state their cost as a number
of pixels: the time of decoding a JPEG of that size, measured on a synthetic one with the first pictures of a process.
The time that opening the photograph took is the unit of its budget and shows how fast the processor is now.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
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

FLOOR_PIXELS, FLOOR_ANY = 1_500_000, 4_000_000
"""Smaller pictures get the budget of one with this number of pixels: with a game, which is some 40 ms, and without one,
of which the search may use 65 ms, since sampling codes on curved surfaces takes long."""

# Shares of the budget that are reserved for the steps after the search: doubts with a game, hints without one.
_RESERVED, _RESERVED_ANY = 0.3, 0.34

# Reserved with a game as long as no code was read: the time of decoding a JPEG with this number of pixels, and at most
# this share of the budget.
_BLIND, _BLIND_SHARE = 32_000_000, 0.72

# Decodings that are no part of the budget: opening the file, and half of one for the last step, which may end late.
_OUTSIDE = 1.5

# Minimum share of the seconds that is left for a picture that took long to open.
_LEAST = 1 / 4

# Maximum slowdown that is attributed to the processor.
_SLOWEST = 3.0

# Height and width of the synthetic JPEG; number of measurements at first, and altogether.
_SAMPLE, _TRIES, _MOST_TRIES = (768, 1024), 3, 12
_PIXELS = _SAMPLE[0] * _SAMPLE[1]

_times: list[float] = []


@dataclass
class TimeBudget:
    """Limits of a search: `deadline` by `time.monotonic()`, `limit` by `time.thread_time()`.

    The search ends earlier by the seconds that are `reserved` for the steps after it, and those that are `withheld`
    until a code is read. `pace` is the current time per work relative to the processor's best.
    """

    deadline: float
    limit: float
    pace: float = 1.0
    reserved: float = 0.0
    withheld: float = 0.0

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
        known: bool = False,
    ) -> TimeBudget:
        """Return the budget of a picture of this size, from now on.

        `opened` are the CPU seconds that opening it took if it is a JPEG, `worked` those of any file, and `elapsed` the
        seconds on the clock. `known` says whether there is a game.
        """
        if len(_times) < _MOST_TRIES:
            _measure()
        best = decode_seconds(pixels)
        opened = best if opened is None else opened
        pace = min(max(opened / best, 1.0), _SLOWEST)
        unit = max(min(opened, pace * best), pace * decode_seconds(FLOOR_PIXELS if known else FLOOR_ANY))
        work = min(max(decodes - _OUTSIDE, 0) * unit, max(seconds - worked, _LEAST * seconds))
        reserved = (_RESERVED if known else _RESERVED_ANY) * work
        blind = min(pace * decode_seconds(_BLIND), _BLIND_SHARE * work) if known else 0.0
        wait = max(PATIENCE * seconds - elapsed, _LEAST * PATIENCE * seconds)
        # Only now, since measuring must not count as work on this picture.
        return cls(time.monotonic() + wait, time.thread_time() + work, pace, reserved, max(blind - reserved, 0.0))

    @property
    def timed_out(self) -> bool:
        """Return whether the time on the clock is up."""
        return time.monotonic() > self.deadline

    @property
    def late(self) -> bool:
        """Return whether any of the limits is reached."""
        return not self.has(0.0)

    def has(self, seconds: float) -> bool:
        """Return whether there is time for a step that takes `seconds`, as measured in this picture."""
        end = self.limit - self.reserved - self.withheld
        return time.monotonic() + seconds < self.deadline and time.thread_time() + seconds < end

    def affords(self, seconds: float) -> bool:
        """Return whether there is time for a step that takes `seconds` at the processor's best pace."""
        return self.has(self.pace * seconds)

    def grant(self, part: float = 1.0) -> None:
        """Give the search the withheld time, or a part of it, since a code was read or is likely to be."""
        self.withheld *= 1 - part

    def released(self) -> TimeBudget:
        """Return the budget including what was reserved, for the steps that follow the search."""
        return replace(self, reserved=0.0, withheld=0.0)


def decode_seconds(pixels: float) -> float:
    """Return the time of decoding a JPEG of this size on one thread of this machine at its best pace.

    It is measured a few times at first and again with the next pictures, since the machine may be busy at first.
    """
    while len(_times) < _TRIES:
        _measure()
    return pixels * min(_times) / _PIXELS


def _measure() -> None:
    """Measure the CPU seconds of decoding the synthetic JPEG."""
    data = _synthetic_jpeg()
    began = time.thread_time()
    cv2.imdecode(data, cv2.IMREAD_COLOR)
    _times.append(max(time.thread_time() - began, 1e-4))


@cache
def _synthetic_jpeg() -> npt.NDArray[np.uint8]:
    """Return a synthetic JPEG with 1/6 byte per pixel, like photographs of cards."""
    chance = np.random.default_rng(1)
    height, width = _SAMPLE
    coarse = chance.integers(40, 216, (height // 12, width // 12), dtype=np.uint8)
    # No larger arrays: freeing these makes the C library keep more memory, which halves the time of decoding.
    grey = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.int16)
    grey += chance.integers(-6, 7, _SAMPLE, dtype=np.int16)
    picture = cv2.cvtColor(np.clip(grey, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], dtype=np.uint8)
