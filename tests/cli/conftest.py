"""Commands run in the tests' own process: what they change in it is put back."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """Put the log's handlers back: one that was set up by a command writes to the end of its test, and then nowhere."""
    root = logging.getLogger()
    before = list(root.handlers)
    yield
    root.handlers[:] = before
