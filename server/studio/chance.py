"""Chance from a seed: the same seed gives the same photograph, whatever ran before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


def generator(seed: str) -> np.random.Generator:
    """Return a generator of random numbers that depends on the text of the seed alone."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")))


def cloud(width: int, height: int, cells: tuple[int, int], chance: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return smooth noise of mean 0 and spread 1, shape (height, width), with so many cells across and down."""
    coarse = chance.standard_normal((cells[1] + 1, cells[0] + 1), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)
