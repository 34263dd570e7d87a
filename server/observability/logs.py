"""Logs on standard error, a line per event, as text or JSON (docs/deployment.md).

Logs contain route patterns and generated IDs, never paths. Exceptions are logged by type and traceback; their messages,
which may contain user input, only if HAGGLE_DEBUG is set.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


STYLES = ("text", "json")
ACCESS = "haggle.access"
"""Name of the logger of requests, which is silent by default."""
REQUEST_ID: ContextVar[str] = ContextVar("haggle-request", default="")
"""A random ID of the current request, "" outside of requests. IDs from callers would end up in the logs."""
_FIELDS = "fields"

# Loggers whose level is INFO.
_INFO_LOGGERS = ("server", "haggle")

# Its entries below warnings contain callers' addresses.
_LIMITER_LOGGER = "flask-limiter"


def log_fields(**fields: Any) -> dict[str, dict[str, Any]]:  # noqa: ANN401 - plain JSON values
    """Return the `extra` argument of a log call that adds fields to its message."""
    return {_FIELDS: fields}


def set_up_logs(style: str = "text", *, access: bool = False) -> None:
    """Set up the logs of this process in one of the STYLES, with `access` also of requests."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    root = logging.getLogger()
    for old in [one for one in root.handlers if isinstance(one.formatter, JsonLines | TextLines)]:
        root.removeHandler(old)
    root.addHandler(handler)
    for name in _INFO_LOGGERS:
        logging.getLogger(name).setLevel(logging.INFO)
    logging.getLogger(_LIMITER_LOGGER).setLevel(logging.WARNING)
    logging.getLogger(ACCESS).setLevel(logging.INFO if access else logging.WARNING)
    logging.captureWarnings(capture=True)


class JsonLines(logging.Formatter):
    """Formats a record as a JSON object: time, level, logger, message, request, fields and failure."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line of JSON."""
        event: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if request := REQUEST_ID.get():
            event["request"] = request
        event |= _fields(record)
        if record.exc_info and record.exc_info[1]:
            event["failure"] = list(failure(record.exc_info[1]))
        return json.dumps(event, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """Formats a record as a line of text, followed by the lines of a failure."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one or more lines."""
        request = REQUEST_ID.get()
        fields = {"request": request} if request else {}
        pairs = "".join(f" {name}={value}" for name, value in {**fields, **_fields(record)}.items())
        line = f"{_time(record)} {record.levelname.lower()} {record.name}: {_message(record)}{pairs}"
        if record.exc_info and record.exc_info[1]:
            return "\n  ".join([line, *failure(record.exc_info[1])])
        return line


def failure(error: BaseException) -> Iterator[str]:
    """Yield the traceback and type of an exception, after those of its causes.

    Messages, which may contain names, tokens or values of statements, are included only if HAGGLE_DEBUG is set.
    """
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from failure(before)
    for place in traceback.extract_tb(error.__traceback__):
        yield f"{place.filename}:{place.lineno} in {place.name}"
    yield f"{type(error).__qualname__}: {error}" if os.environ.get("HAGGLE_DEBUG") else type(error).__qualname__


def _message(record: logging.LogRecord) -> str:
    return " ".join(record.getMessage().split())


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _fields(record: logging.LogRecord) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = getattr(record, _FIELDS, {})
    return fields
