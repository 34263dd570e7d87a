"""The export of OpenTelemetry spans, which are sent only with `--trace`.

Requests, transactions, photos and scans have spans. Their attributes are routes, methods, statuses and outcomes, never
personal data.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from opentelemetry import trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.sdk.trace import ReadableSpan


class TracingError(Exception):
    """Packages for tracing are missing; the message names them."""


class MessageFilter:
    """An exporter that passes spans on to another one without messages of exceptions, which may contain user input.

    Of an exception, only the type remains.
    """

    def __init__(self, exporter: Any) -> None:  # noqa: ANN401 - a SpanExporter of the SDK, which may be missing
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> object:
        """Export spans."""
        return self._exporter.export([_without_messages(span) for span in spans])

    def shutdown(self) -> None:
        """Shut the other exporter down."""
        self._exporter.shutdown()


def _without_messages(span: ReadableSpan) -> ReadableSpan:
    from opentelemetry.sdk.trace import ReadableSpan  # noqa: PLC0415 - may be missing

    # Events are recorded exceptions, and a description is "Type: message".
    description = (span.status.description or "").partition(":")[0]
    return ReadableSpan(
        span.name,
        span.context,
        span.parent,
        span.resource,
        span.attributes,
        links=span.links,
        kind=span.kind,
        status=trace.Status(span.status.status_code, description or None),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


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
    provider.add_span_processor(export.BatchSpanProcessor(MessageFilter(otlp.OTLPSpanExporter())))
    trace.set_tracer_provider(provider)
