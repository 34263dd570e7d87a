"""Seeded random arrays, and arithmetic on colour channels."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Field = npt.NDArray[np.float32]


def generator(seed: str) -> np.random.Generator:
    """Return a random generator that depends only on the seed."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")))


def cloud(width: int, height: int, cells: tuple[int, int], chance: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return smooth noise of mean 0 and deviation 1, shape (height, width), from a coarse grid of `cells`."""
    coarse = chance.standard_normal((cells[1] + 1, cells[0] + 1), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


T = TypeVar("T", np.uint8, np.float32)


def in_three_channels(field: npt.NDArray[T]) -> npt.NDArray[T]:
    """Return a field of shape (h, w) repeated in three channels, shape (h, w, 3)."""
    return np.asarray(cv2.merge((field, field, field)), dtype=field.dtype)


def tinted(shade: Field, colour: Sequence[float]) -> npt.NDArray[np.uint8]:
    """Return pixels of a colour, BGR, with the brightness of a field of shape (h, w)."""
    channels = [np.clip(shade * np.float32(part), 0, 255).astype(np.uint8) for part in colour]
    return np.asarray(cv2.merge(channels), dtype=np.uint8)
