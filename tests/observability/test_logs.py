"""Log entries: format, and details of exceptions."""

from __future__ import annotations

import json
import logging
import sys
from typing import TYPE_CHECKING

import pytest

from server.observability.logs import ACCESS, REQUEST_ID, JsonLines, TextLines, log_fields, set_up_logs

if TYPE_CHECKING:
    from collections.abc import Iterator


def record(message: str, *args: object, failed: bool = False, **facts: object) -> logging.LogRecord:
    """Return a log record, with the current exception if it `failed`."""
    event = logging.LogRecord(
        "server.test", logging.ERROR, __file__, 1, message, args, sys.exc_info() if failed else None
    )
    event.created = 1_795_277_669.5
    vars(event).update(log_fields(**facts))
    return event


def test_a_log_entry_is_one_line() -> None:
    """It has time, level, logger, message, fields and request id, as text or as JSON."""
    token = REQUEST_ID.set("a1b2")
    body = json.loads(JsonLines().format(record("a %s\nof two lines", "thing", status=200, bytes=None)))
    REQUEST_ID.reset(token)
    assert body == {
        "time": "2026-11-21T16:14:29.500Z",
        "level": "error",
        "logger": "server.test",
        "message": "a thing of two lines",
        "request": "a1b2",
        "status": 200,
        "bytes": None,
    }
    assert "request" not in json.loads(JsonLines().format(record("outside")))
    assert TextLines().format(record("a\nthing", status=200)) == (
        "2026-11-21T16:14:29.500Z error server.test: a thing status=200"
    )


@pytest.mark.parametrize("debug", ["", "1"])
def test_exceptions_are_logged_by_type_and_location(monkeypatch: pytest.MonkeyPatch, debug: str) -> None:
    monkeypatch.setenv("HAGGLE_DEBUG", debug)

    def fail() -> None:
        try:
            {}["Zebedee"]
        except KeyError as error:
            raise ValueError("of Quux") from error

    try:
        fail()
    except ValueError:
        line = TextLines().format(record("broken", failed=True))
        places = json.loads(JsonLines().format(record("broken", failed=True)))["failure"]
    assert ("Zebedee" in line, "Quux" in line) == (bool(debug), bool(debug))
    assert [place.partition(":")[0] for place in places if "Error" in place] == ["KeyError", "ValueError"]
    assert sum("test_logs.py" in place for place in places) == 3


@pytest.fixture
def _root_as_before() -> Iterator[None]:
    """Restore the root logger after a test."""
    root = logging.getLogger()
    names = [ACCESS, "server", "haggle", "flask-limiter"]
    before, levels = list(root.handlers), {name: logging.getLogger(name).level for name in names}
    yield
    root.handlers[:] = before
    logging.captureWarnings(capture=False)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.usefixtures("_root_as_before")
@pytest.mark.parametrize("access", [True, False])
def test_requests_are_logged_on_request(capsys: pytest.CaptureFixture[str], *, access: bool) -> None:
    """The log goes to standard error, without duplicates after a second set-up."""
    set_up_logs("json")
    set_up_logs("text", access=access)
    logging.getLogger(ACCESS).info("request")
    logging.getLogger("server.games").info("something of ours")
    logging.getLogger("alembic").info("something of others")
    logging.getLogger("flask-limiter").info("10/minute (address 192.0.2.1) exceeded")
    logging.getLogger("flask-limiter").warning("storage unreachable")
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" ")[2] for line in lines] == [
        *(["info haggle.access: request"] if access else []),
        "info server.games: something of ours",
        "warning flask-limiter: storage unreachable",
    ]
