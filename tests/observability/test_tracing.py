"""Spans: attributes, errors and optional packages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from server.observability.tracing import TracingError, set_up_tracing, span

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


def test_a_span_has_attributes_and_the_type_of_an_error(spans: InMemorySpanExporter) -> None:
    """Attributes have our prefix; error messages are omitted, and exceptions are propagated."""
    with span("photo", act="get") as work:
        work.set_attributes(bytes=3)
    with pytest.raises(ValueError, match="Zebedee"), span("scan"):
        raise ValueError("Zebedee")
    photo, scan = spans.get_finished_spans()
    assert (photo.name, dict(photo.attributes or {})) == ("photo", {"haggle.act": "get", "haggle.bytes": 3})
    assert (scan.name, dict(scan.attributes or {})) == ("scan", {"haggle.error": "ValueError"})
    assert photo.status.is_unset
    assert not scan.status.is_ok
    assert "Zebedee" not in scan.to_json()


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(TracingError, match="opentelemetry-exporter-otlp-proto-http"):
        set_up_tracing()
