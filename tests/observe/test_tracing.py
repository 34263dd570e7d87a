"""Tracing is off unless somebody asks for it, and tells OpenTelemetry kinds and places, never words."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from server.observe import otel, tracing

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_nobody_is_told_by_default() -> None:
    """Without a tracer a span is nothing, and lets errors through."""
    with tracing.span("request", method="GET") as work:
        work.note(status=200)
    with pytest.raises(KeyError), tracing.span("request"):
        raise KeyError


class Library:
    """Stands for OpenTelemetry: it keeps what it is told."""

    class StatusCode:
        """The library's words for how a span ended."""

        ERROR = "error"

    def __init__(self) -> None:
        self.spans: list[tuple[str, dict[str, Any]]] = []
        self.Status = str

    @contextlib.contextmanager
    def start_as_current_span(self, name: str, **options: bool) -> Iterator[Library]:
        """Begin a span; what errors say must not be recorded."""
        assert options == {"record_exception": False, "set_status_on_exception": False}
        self.spans.append((name, {}))
        yield self

    def set_attribute(self, name: str, value: object) -> None:
        """Keep a fact of the newest span."""
        self.spans[-1][1][name] = value

    def set_status(self, status: str) -> None:
        """Keep how the newest span ended."""
        self.spans[-1][1]["status"] = status


def test_spans_go_to_opentelemetry() -> None:
    """Name and facts get there under our own prefix; of an error its kind."""
    library = Library()
    with tracing.traced(otel.told_to(library, library)):
        with tracing.span("photo", act="get") as work:
            work.note(bytes=3)
        with pytest.raises(ValueError, match="Zebedee"), tracing.span("scan"):
            raise ValueError("Zebedee")
    assert library.spans == [
        ("photo", {"haggle.act": "get", "haggle.bytes": 3}),
        ("scan", {"haggle.error": "ValueError", "status": "error"}),
    ]
    assert tracing.span("photo") is tracing.span("scan")


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenTelemetry's packages the error says which to add."""

    def nothing(name: str) -> None:
        raise ImportError(name=name)

    monkeypatch.setattr(otel, "import_module", nothing)
    with pytest.raises(otel.TracingError, match="opentelemetry-sdk"):
        otel.otel_tracer()
