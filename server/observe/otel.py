"""A tracer that speaks OpenTelemetry. Its packages are no part of Haggle: `pip install haggle[tracing]`.

Where spans go is said by OpenTelemetry's own variables, such as OTEL_EXPORTER_OTLP_ENDPOINT.
"""

from __future__ import annotations

import contextlib
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.observe.tracing import Fact, Tracer


class TracingError(Exception):
    """Tracing was asked for and cannot be had; the message says what to install."""


class _Told:
    """A span of OpenTelemetry's."""

    def __init__(self, span: Any) -> None:  # noqa: ANN401 - of a package that need not be there
        self._span = span

    def note(self, **facts: Fact) -> None:
        """Add facts, under our own prefix."""
        for name, value in facts.items():
            self._span.set_attribute(f"haggle.{name}", value)


def packages() -> tuple[Any, Any, Any, Any]:
    """Return OpenTelemetry's modules; TracingError if they are not installed."""
    names = ("trace", "sdk.trace", "sdk.trace.export", "exporter.otlp.proto.http.trace_exporter")
    try:
        api, sdk, export, otlp = (import_module(f"opentelemetry.{name}") for name in names)
    except ImportError as error:
        raise TracingError(
            f"tracing needs OpenTelemetry, and {error.name} is not installed: add the packages"
            " opentelemetry-sdk and opentelemetry-exporter-otlp-proto-http, or leave --trace away"
        ) from None
    return api, sdk, export, otlp


def otel_tracer() -> Tracer:
    """Return a tracer that sends spans where OpenTelemetry's variables say; TracingError without its packages."""
    api, sdk, export, otlp = packages()
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    return told_to(provider.get_tracer("haggle"), api)


def told_to(tracer: Any, api: Any) -> Tracer:  # noqa: ANN401 - of packages that need not be there
    """Return a tracer that tells a tracer of OpenTelemetry's; `api` is the module `opentelemetry.trace`."""

    @contextlib.contextmanager
    def begin(name: str, facts: dict[str, Fact]) -> Iterator[_Told]:
        # What an error says may quote what somebody typed: its kind alone is told.
        with tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as span:
            told = _Told(span)
            told.note(**facts)
            try:
                yield told
            except BaseException as error:
                told.note(error=type(error).__qualname__)
                span.set_status(api.Status(api.StatusCode.ERROR))
                raise

    return begin
