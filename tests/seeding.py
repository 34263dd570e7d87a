"""Randomness seeded by each test's name, so that hands, keys and ids of games are the same in every run."""

from __future__ import annotations

import hashlib
from itertools import count

from cardgen import payload
from server.games.lifecycle import commands


class SeededSecrets:
    """A replacement of the module `secrets` for keys, ids and seeds of games."""

    def __init__(self) -> None:
        self.seed("")

    def seed(self, name: str) -> None:
        self._name, self._count = name, count()

    def token_bytes(self, size: int) -> bytes:
        return hashlib.shake_256(f"{self._name} {next(self._count)}".encode()).digest(size)

    def token_hex(self, size: int) -> str:
        return self.token_bytes(size).hex()

    def randbits(self, bits: int) -> int:
        return int.from_bytes(self.token_bytes(bits // 8 + 1)) >> (8 - bits % 8)


SEEDED_SECRETS = SeededSecrets()
for module in (payload, commands):
    module.secrets = SEEDED_SECRETS  # type: ignore[assignment]  # it has what is called there
