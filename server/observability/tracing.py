"""Spans of requests, transactions, photographs and scans, by OpenTelemetry. They go nowhere unless `--trace` is given.

Attributes are words of the code (route, method, status, engine, outcome), never of a person.
"""

from __future__ import annotations

import contextlib
from importlib import import_module
from typing import TYPE_CHECKING

from opentelemetry import trace

if TYPE_CHECKING:
    from collections.abc import Iterator

_tracer = trace.get_tracer("haggle")


class TracingError(Exception):
    """Tracing was asked for and its packages are missing; the message says what to install."""


class Span:
    """A piece of work that is going on."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def note(self, **attributes: str | float | bool) -> None:
        """Add attributes that were not known when it began."""
        self._span.set_attributes({f"haggle.{name}": value for name, value in attributes.items()})


@contextlib.contextmanager
def span(name: str, **attributes: str | float | bool) -> Iterator[Span]:
    """Trace the block. Of an error that passes only the kind is kept: its message may quote what somebody typed."""
    with _tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as current:
        work = Span(current)
        work.note(**attributes)
        try:
            yield work
        except BaseException as error:
            work.note(error=type(error).__qualname__)
            current.set_status(trace.StatusCode.ERROR)
            raise


def check_tracing() -> None:
    """Raise TracingError unless the packages that send spans are installed (the extra `tracing`)."""
    try:
        for name in ("sdk.trace.export", "exporter.otlp.proto.http.trace_exporter"):
            import_module(f"opentelemetry.{name}")
    except ImportError as error:
        raise TracingError(
            f"tracing needs OpenTelemetry, and {error.name} is not installed: add the packages"
            " opentelemetry-sdk and opentelemetry-exporter-otlp-proto-http, or leave --trace away"
        ) from None


def set_up_tracing() -> None:
    """Send the spans of this process where OpenTelemetry's own variables say, such as OTEL_EXPORTER_OTLP_ENDPOINT."""
    check_tracing()
    sdk = import_module("opentelemetry.sdk.trace")
    export = import_module("opentelemetry.sdk.trace.export")
    otlp = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
