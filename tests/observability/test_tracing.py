"""Spans: attributes, errors and optional packages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from opentelemetry import trace

from server.observability.tracing import TracingError, set_up_tracing

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


def test_an_exported_span_has_the_type_of_an_error_without_its_message(spans: InMemorySpanExporter) -> None:
    tracer = trace.get_tracer("tests")
    with tracer.start_as_current_span("photo", attributes={"act": "get"}):
        pass
    with pytest.raises(ValueError, match="Zebedee"), tracer.start_as_current_span("scan"):
        raise ValueError("Zebedee")
    photo, scan = spans.get_finished_spans()
    assert (photo.name, dict(photo.attributes or {}), photo.status.is_unset) == ("photo", {"act": "get"}, True)
    assert (scan.name, scan.status.is_ok, scan.status.description) == ("scan", False, "ValueError")
    assert "Zebedee" not in scan.to_json()


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(TracingError, match="opentelemetry-exporter-otlp-proto-http"):
        set_up_tracing()
