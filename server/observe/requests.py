"""The request that a thread works on, so that what is logged meanwhile can be told together."""

from __future__ import annotations

import contextlib
import secrets
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_current: ContextVar[str] = ContextVar("haggle-request", default="")


def current() -> str:
    """Return the id of the request in hand; "" where none is."""
    return _current.get()


@contextlib.contextmanager
def request() -> Iterator[str]:
    """Give the block a request's id: 16 random characters, ours alone, so that no caller writes into our logs."""
    before = _current.set(secrets.token_hex(8))
    try:
        yield _current.get()
    finally:
        _current.reset(before)
