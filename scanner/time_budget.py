"""Time budget of a scan, in pixels: a pixel is the time for decoding a pixel of a JPEG on this machine, measured now.

So the budget and the costs of steps hold on any machine. CPU time of the thread is counted, so that a busy machine does
not make the scanner miss codes; the clock only ends scans that would keep people waiting too long.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

DECODES = 12.0
"""Limit for a scan, as a multiple of the time of decoding a JPEG of the picture's size."""

FLOOR_PIXELS, FLOOR_ANY = 10_000_000, 5_000_000
"""Smaller pictures get the budget of one with this number of pixels, with a game and without one: 0.3 s, and 140 ms.

On a busy machine 238 of 266 cards in hard photographs of 2 megapixels are read with 4 million, 263 with 6, and all with
10, and of 12 cards under hands and pens 6 are named with 5 million, and all with 10.
"""

SECONDS = 4.0
"""Limit for the steps after opening the picture, in CPU seconds."""

PATIENCE = 3.0
"""The same limit on the clock, as a multiple of these: for threads that share a core."""

# Height and width of the JPEG with which a pixel's time is measured, and number of tries, of which the fastest counts:
# together 0.3 ms.
_SAMPLE, _TRIES = (192, 256), 2


@dataclass(frozen=True)
class TimeBudget:
    """The `seconds` for a scan, until `end` by `time.thread_time()`, or `deadline` by `time.monotonic()`.

    Pictures that are full of codes may go on until `latest` by `time.thread_time()`. `pixel` is the time of a pixel in
    seconds.
    """

    pixel: float
    seconds: float
    end: float
    latest: float
    deadline: float

    @classmethod
    def of(cls, pixels: int, seconds: float = SECONDS, decodes: float = DECODES, *, known: bool = False) -> TimeBudget:
        """Return the budget of a picture of this size that was just opened, which counts as one decoding.

        `known` says whether there is a game.
        """
        pixel = decode_seconds(1)
        work = min(max(decodes - 1, 0) * pixel * max(pixels, FLOOR_PIXELS if known else FLOOR_ANY), seconds)
        now = time.thread_time()
        return cls(pixel, work, now + work, now + seconds, time.monotonic() + PATIENCE * seconds)

    def allows(self, pixels: float = 0.0, kept: float = 0.0) -> bool:
        """Return whether there is time for a step that costs so many pixels.

        `kept` is the share of the whole budget that must be left for later steps.
        """
        cost = pixels * self.pixel
        return time.thread_time() + cost < self.end - kept * self.seconds and time.monotonic() + cost < self.deadline

    @property
    def timed_out(self) -> bool:
        """Return whether the time is up also for pictures that are full of codes."""
        return time.thread_time() > self.latest or time.monotonic() > self.deadline


def decode_seconds(pixels: float) -> float:
    """Return the time of decoding a JPEG of this size on one thread of this machine, as fast as it is now."""
    return pixels * _pixel_seconds(int(time.monotonic()))


@lru_cache(maxsize=1)
def _pixel_seconds(_second: int) -> float:
    """Return the time of a pixel, measured once a second: small pictures take hardly longer than the measurement."""
    data, seconds = _sample(), []
    for _ in range(_TRIES):
        # The clock is finer than CPU time, and the fastest try was not interrupted.
        began = time.perf_counter()
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        seconds.append(time.perf_counter() - began)
    return min(seconds) / (_SAMPLE[0] * _SAMPLE[1])


@cache
def _sample() -> npt.NDArray[np.uint8]:
    """Return a JPEG with 1/6 byte per pixel, like photographs of cards."""
    chance = np.random.default_rng(1)
    height, width = _SAMPLE
    coarse = chance.integers(40, 216, (height // 12, width // 12), dtype=np.uint8)
    grey = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.int16)
    grey += chance.integers(-6, 7, _SAMPLE, dtype=np.int16)
    picture = cv2.cvtColor(np.clip(grey, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], dtype=np.uint8)
