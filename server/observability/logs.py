"""Logs: a line an event, as text or as JSON, on standard error. Docs: docs/deployment.md.

What is logged is ours: routes as they are written in the code, never a path; ids that a machine made. A failure is
told by its kind and by the places in the code where it passed: its own words may quote what somebody typed. With the
variable HAGGLE_DEBUG they are told too.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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


STYLES = ("text", "json")
ACCESS = "haggle.access"
"""Name of the logger that tells of each request; silent unless it is asked for."""
_FACTS = "facts"

# Our own loggers also log what is no warning.
_LOUD = ("server", "haggle")

# This one would log the addresses of those who call too often.
_OTHERS = "flask-limiter"


def fact(**facts: Any) -> dict[str, dict[str, Any]]:  # noqa: ANN401 - plain JSON values
    """Return the argument `extra` of a log call that tells these facts beside its message."""
    return {_FACTS: facts}


def set_up_logs(style: str = "text", *, access: bool = False) -> None:
    """Let this process log in a style of STYLES, and with `access` each request. Called again, the last call counts."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    root = logging.getLogger()
    for old in [one for one in root.handlers if isinstance(one.formatter, JsonLines | TextLines)]:
        root.removeHandler(old)
    root.addHandler(handler)
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.INFO)
    logging.getLogger(_OTHERS).setLevel(logging.ERROR)
    logging.getLogger(ACCESS).setLevel(logging.INFO if access else logging.WARNING)
    logging.captureWarnings(capture=True)


class JsonLines(logging.Formatter):
    """An event as an object: time, level, logger, message, request, then its facts, and how a failure came about."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event's line."""
        event: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if request := current():
            event["request"] = request
        event |= _facts(record)
        if record.exc_info and record.exc_info[1]:
            event["failure"] = list(failure(record.exc_info[1]))
        return json.dumps(event, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """An event as a line for people; a failure's places follow on lines of their own."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event's line, or lines."""
        facts = {"request": current()} if current() else {}
        told = "".join(f" {name}={value}" for name, value in {**facts, **_facts(record)}.items())
        line = f"{_time(record)} {record.levelname.lower()} {record.name}: {_message(record)}{told}"
        if record.exc_info and record.exc_info[1]:
            return "\n  ".join([line, *failure(record.exc_info[1])])
        return line


def failure(error: BaseException) -> Iterator[str]:
    """Yield the kinds of an error and of those that led to it, the first one first, each with its places in the code.

    Without their words, unless HAGGLE_DEBUG is set: those may quote a name, a token or a statement's values.
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


def _facts(record: logging.LogRecord) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = getattr(record, _FACTS, {})
    return facts
