"""Answers in words where the database is full, busy or away; and does again what others got in the way of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from flask import current_app, request
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError

from server.api.house.here import problem_of
from server.api.problems import Problem, of_status
from server.app.observed import route_in_hand
from server.observe.logs import fact
from server.play.intake import disk_full
from server.play.refusals import Refusal
from server.store.database import TRIES
from server.store.faults import TROUBLE, is_busy, is_collision, is_full, told

if TYPE_CHECKING:
    from flask import Flask, Response
    from flask.typing import ResponseReturnValue

_REPEATABLE = frozenset({"", "application/json"})
# Bodies of these kinds are kept while they are read; those of others come once.


def answer_troubles(app: Flask) -> None:
    """Let an application answer the database's troubles from now on."""
    for error in (DBAPIError, *TROUBLE):
        app.register_error_handler(error, _database)
    app.before_request(_refuse_zeros)
    dispatch = app.dispatch_request

    def patiently() -> ResponseReturnValue:
        for left in reversed(range(TRIES)):
            try:
                return dispatch()
            except DBAPIError as error:
                if not left or not is_collision(error) or request.mimetype not in _REPEATABLE:
                    raise
            time.sleep(0.05)
        raise AssertionError("unreachable")

    app.dispatch_request = patiently  # type: ignore[method-assign]  # nothing of the request is kept in it


def zero_in_it() -> Problem:
    """Return the refusal of a text that holds the character with the number zero: PostgreSQL keeps no such text."""
    said = "A text in it has a character that no text may have (U+0000). Take it out and send it again."
    return Problem(422, "invalid-field", "A field is missing or wrong", said)


def _refuse_zeros() -> None:
    if "\0" in request.path:
        raise of_status(404)
    if b"\0" in unquote_to_bytes(request.query_string):
        raise zero_in_it()


def _database(error: SQLAlchemyError) -> Response:
    """Say in words that the disk is full, or that the same may work a little later; else it is a mistake of ours."""
    current_app.logger.error("the database refused: %s", told(error), extra=fact(route=route_in_hand()))
    if is_full(error):
        return problem_of(disk_full()).response()
    if is_collision(error):
        return problem_of(Refusal("busy", "Others were faster by a moment. Try again.", retry=1)).response()
    if is_busy(error):
        return problem_of(Refusal("busy", "The server is busy. Wait a few seconds and try again.", retry=5)).response()
    if isinstance(error, DataError):
        # A number or a text that one engine takes and the other does not.
        said = "A number or a text in it is larger than can be kept. Send it as the API's description says."
        return Problem(422, "invalid-field", "A field is missing or wrong", said).response()
    return of_status(500).response()
