"""What is said to the servers that are started, by variables of their surroundings."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKERS = "HAGGLE_SCANNERS"
"""The variable that says to `haggle serve` how many processes scan."""


@contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """Let a variable have a value as long as the block lasts."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
