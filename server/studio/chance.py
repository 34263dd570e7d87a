"""Chance from a seed: the same seed gives the same photograph, whatever ran before."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: str) -> np.random.Generator:
    """Return a generator of random numbers that depends on the text of the seed alone."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")))
