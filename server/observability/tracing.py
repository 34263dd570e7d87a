"""OpenTelemetry spans of requests, transactions, photos and scans, which are sent only with `--trace`.

Attributes are routes, methods, statuses, engines and outcomes, never personal data.
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
    """Packages for tracing are missing; the message names them."""


class Span:
    """A span in progress."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def set_attributes(self, **attributes: str | float | bool) -> None:
        """Set attributes."""
        self._span.set_attributes({f"haggle.{name}": value for name, value in attributes.items()})


@contextlib.contextmanager
def span(name: str, **attributes: str | float | bool) -> Iterator[Span]:
    """Trace the block. Only the type of an exception is recorded, since messages may contain user input."""
    with _tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as current:
        work = Span(current)
        work.set_attributes(**attributes)
        try:
            yield work
        except BaseException as error:
            work.set_attributes(error=type(error).__qualname__)
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
            " opentelemetry-sdk and opentelemetry-exporter-otlp-proto-http, or leave out --trace"
        ) from None


def set_up_tracing() -> None:
    """Send spans as configured by OpenTelemetry's variables, such as OTEL_EXPORTER_OTLP_ENDPOINT."""
    check_tracing()
    sdk = import_module("opentelemetry.sdk.trace")
    export = import_module("opentelemetry.sdk.trace.export")
    otlp = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
