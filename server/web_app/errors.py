"""Turns whatever goes wrong into an answer that says what to do: JSON for programs, a page for people."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from apiflask import HTTPError
from flask import current_app, g, make_response, render_template, request
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError
from werkzeug.exceptions import HTTPException

from server.api.context import problem_for
from server.api.problems import Problem, of_status
from server.db.errors import DATABASE_FAILURES, is_busy, is_collision, is_full, log_summary
from server.db.session import TRIES
from server.games.errors import DomainError
from server.games.photos.upload import disk_full
from server.observability.logs import fact
from server.scoring.errors import EditionError
from server.web_app.headers import PAGE_POLICY
from server.web_app.instrumentation import route_in_hand
from server.web_app.pages import INK, reader_language, the_assets

if TYPE_CHECKING:
    from flask import Flask, Response
    from flask.typing import ResponseReturnValue


PROGRAMS = ("/api/", "/healthz")
"""Paths that only programs fetch."""


def handle_errors(app: Flask) -> None:
    """Answer every error of an application in words, with nothing of its inside."""

    def answer(problem: Problem) -> Response:
        if request.path.startswith(PROGRAMS):
            return problem.response()
        page = make_response(
            render_template(
                "pages/error.html",
                problem=problem,
                group=_group(problem),
                language=reader_language(),
                assets=the_assets(),
                ink=INK,
            ),
            problem.status,
        )
        page.headers.update(problem.headers)
        page.headers["Content-Security-Policy"] = PAGE_POLICY
        page.vary.add("Accept-Language")
        return page

    def http(error: HTTPException) -> Response:
        if error.response is not None or error.code is None or error.code < 400:  # noqa: PLR2004 - redirects
            return make_response(error.get_response())
        kept = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
        return answer(of_status(error.code, kept))

    def unexpected(error: Exception) -> Response:
        # The log is for whoever runs the server; the answer says nothing of it.
        app.logger.error("a request failed", exc_info=error, extra=fact(route=route_in_hand()))
        return answer(of_status(500))

    def edition(error: EditionError) -> Response:
        # The message has file and line, which say all that a traceback would.
        app.logger.error("%s", error)
        return answer(_of_edition(error))

    def input_(error: HTTPError) -> Response:
        """Tell of the first field that has not the form that its endpoint describes."""
        for fields in error.detail.values() if isinstance(error.detail, dict) else ():
            for name, messages in fields.items():
                # What is no object has no fields.
                where = "What was sent" if name == "_schema" else f"The field {name}"
                said = f"{where}: {str(messages[0]).rstrip('.')}. Send it as the API's description says."
                return answer(Problem(error.status_code, "invalid-field", "A field is missing or wrong", said))
        return answer(of_status(error.status_code))

    app.register_error_handler(Problem, answer)
    app.register_error_handler(EditionError, edition)
    app.register_error_handler(HTTPError, input_)
    app.register_error_handler(HTTPException, http)
    app.register_error_handler(Exception, unexpected)


def _of_edition(error: EditionError) -> Problem:
    """Return the problem of an edition that is missing or wrong: only organisers may read why, as it may name rules."""
    title = "The edition is missing or wrong"
    actor = getattr(g, "actor", None)
    if actor is None or actor.role != "organiser":
        detail = "The server cannot read this game's edition, or one of its rules fails. Tell an organiser."
        return Problem(409, "no-edition", title, detail)
    detail = (
        f"{str(error).rstrip('.')}. Put the edition's folder where HAGGLE_EDITIONS says, or correct it (haggle editions"
        " check finds all mistakes). Only a change of HAGGLE_EDITIONS itself needs a new start of the server."
    )
    return Problem(409, "no-edition", title, detail, members={"reason": str(error)})


def _group(problem: Problem) -> str:
    """Return which of its German or French texts the page of a problem shows; in English it has the problem's own."""
    if problem.status in {408, 429, 503}:
        return "busy"
    if problem.status == 404:  # noqa: PLR2004 - nothing is there
        return "nothing"
    return "request" if problem.status < 500 else "server"  # noqa: PLR2004 - the server's own fault


# Bodies of these kinds are kept while they are read; those of others come once.
_REPEATABLE = frozenset({"", "application/json"})


def answer_troubles(app: Flask) -> None:
    """Let an application answer the database's troubles from now on."""
    for error in (DBAPIError, *DATABASE_FAILURES):
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
    current_app.logger.error("the database refused: %s", log_summary(error), extra=fact(route=route_in_hand()))
    if is_full(error):
        return problem_for(disk_full()).response()
    if is_collision(error):
        return problem_for(DomainError("busy", "Others were faster by a moment. Try again.", retry=1)).response()
    if is_busy(error):
        return problem_for(
            DomainError("busy", "The server is busy. Wait a few seconds and try again.", retry=5)
        ).response()
    if isinstance(error, DataError):
        # A number or a text that one engine takes and the other does not.
        said = "A number or a text in it is larger than can be kept. Send it as the API's description says."
        return Problem(422, "invalid-field", "A field is missing or wrong", said).response()
    return of_status(500).response()
