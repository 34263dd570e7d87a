"""Hooks for tracing: what takes how long inside a request or a scan. Off unless somebody gives a tracer.

Spans: `request`, `transaction`, `scan`, `photo`. Their facts are of the code (route, method, status, engine, outcome),
never of a person. `haggle serve --trace` gives one that speaks OpenTelemetry, where its packages are installed
(`server.observe.otel`); anything with the form of `Tracer` will do.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

Fact = str | int | float | bool


class Span(Protocol):
    """A piece of work that is going on."""

    def note(self, **facts: Fact) -> None:
        """Add facts that were not known when it began."""


class Tracer(Protocol):
    """What is told of each piece of work. An error that passes through the block is its end too."""

    def __call__(self, name: str, facts: dict[str, Fact]) -> AbstractContextManager[Span]:
        """Return a block that is the piece of work."""


class _Nothing:
    """A span of nobody's interest."""

    def note(self, **facts: Fact) -> None:
        """Forget the facts."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return


_NOTHING = _Nothing()
_tracer: Tracer | None = None


def span(name: str, **facts: Fact) -> AbstractContextManager[Span]:
    """Return a block that is a piece of work, told to whoever traces this process."""
    return _tracer(name, facts) if _tracer else _NOTHING


def trace(tracer: Tracer | None) -> None:
    """Tell all pieces of work of this process to a tracer from now on; None for nobody."""
    global _tracer  # noqa: PLW0603 - one for the process, as the pieces of work are of the process
    _tracer = tracer


@contextlib.contextmanager
def traced(tracer: Tracer) -> Iterator[None]:
    """Tell all pieces of work to a tracer while the block lasts."""
    before = _tracer
    trace(tracer)
    try:
        yield
    finally:
        trace(before)
