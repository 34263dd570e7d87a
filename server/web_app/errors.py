"""Error handlers: every error becomes a problem document for programs or a page for people."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from apiflask import HTTPError
from flask import current_app, g, make_response, render_template, request
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError
from werkzeug.exceptions import HTTPException

from server.api.context import problem_for
from server.api.problems import PROGRAM_PATHS, Problem, problem_of_status
from server.db.errors import DATABASE_FAILURES, is_busy, is_collision, is_full, log_summary
from server.db.session import TRIES
from server.games.errors import DomainError
from server.games.photos.upload import disk_full
from server.observability.logs import fact
from server.scoring.errors import EditionError
from server.web_app.headers import PAGE_POLICY
from server.web_app.instrumentation import current_route
from server.web_app.pages import INK, reader_language, the_assets

if TYPE_CHECKING:
    from flask import Flask, Response
    from flask.typing import ResponseReturnValue


def handle_errors(app: Flask) -> None:
    """Register handlers for all errors, whose responses reveal nothing about the inside of the application."""

    def respond(problem: Problem) -> Response:
        if request.path.startswith(PROGRAM_PATHS):
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

    def handle_http(error: HTTPException) -> Response:
        if error.response is not None or error.code is None or error.code < 400:  # noqa: PLR2004 - redirects
            return make_response(error.get_response())
        kept = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
        return respond(problem_of_status(error.code, kept))

    def handle_unexpected(error: Exception) -> Response:
        app.logger.error("a request failed", exc_info=error, extra=fact(route=current_route()))
        return respond(problem_of_status(500))

    def handle_edition(error: EditionError) -> Response:
        # The message contains file and line, so no traceback is needed.
        app.logger.error("%s", error)
        return respond(_edition_problem(error))

    def handle_input(error: HTTPError) -> Response:
        """Respond with the first validation error."""
        for fields in error.detail.values() if isinstance(error.detail, dict) else ():
            for name, messages in fields.items():
                # Errors of the document as a whole have no field.
                where = "What was sent" if name == "_schema" else f"The field {name}"
                detail = f"{where}: {str(messages[0]).rstrip('.')}. Send it as the API's description says."
                return respond(Problem(error.status_code, "invalid-field", "A field is missing or wrong", detail))
        return respond(problem_of_status(error.status_code))

    app.register_error_handler(Problem, respond)
    app.register_error_handler(EditionError, handle_edition)
    app.register_error_handler(HTTPError, handle_input)
    app.register_error_handler(HTTPException, handle_http)
    app.register_error_handler(Exception, handle_unexpected)


def _edition_problem(error: EditionError) -> Problem:
    """Return the problem for a missing or broken edition; only organisers get the reason, which may name rules."""
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
    """Return the key of the German and French texts for a problem; English pages show the problem's own text."""
    if problem.status in {408, 429, 503}:
        return "busy"
    if problem.status == 404:  # noqa: PLR2004 - nothing is there
        return "nothing"
    return "request" if problem.status < 500 else "server"  # noqa: PLR2004 - the server's own fault


# Bodies of these types can be read again when a request is retried.
_REPEATABLE = frozenset({"", "application/json"})


def handle_database_errors(app: Flask) -> None:
    """Register handlers for database errors, and retry requests that collided with others."""
    for error in (DBAPIError, *DATABASE_FAILURES):
        app.register_error_handler(error, _handle_database)
    app.before_request(_refuse_null_characters)
    dispatch = app.dispatch_request

    def dispatch_with_retries() -> ResponseReturnValue:
        for retries_left in reversed(range(TRIES)):
            try:
                return dispatch()
            except DBAPIError as error:
                if not retries_left or not is_collision(error) or request.mimetype not in _REPEATABLE:
                    raise
            time.sleep(0.05)
        raise AssertionError("unreachable")

    app.dispatch_request = dispatch_with_retries  # type: ignore[method-assign]  # Flask has no other hook around a whole view


def null_character_problem() -> Problem:
    """Return the problem for text with a null character, which PostgreSQL cannot store."""
    detail = "A text in it has a character that no text may have (U+0000). Take it out and send it again."
    return Problem(422, "invalid-field", "A field is missing or wrong", detail)


def _refuse_null_characters() -> None:
    if "\0" in request.path:
        raise problem_of_status(404)
    if b"\0" in unquote_to_bytes(request.query_string):
        raise null_character_problem()


def _handle_database(error: SQLAlchemyError) -> Response:
    """Respond to a full disk, a collision or a busy database; other database errors are internal errors."""
    current_app.logger.error("database error: %s", log_summary(error), extra=fact(route=current_route()))
    if is_full(error):
        return problem_for(disk_full()).response()
    if is_collision(error):
        return problem_for(DomainError("busy", "Others were faster by a moment. Try again.", retry=1)).response()
    if is_busy(error):
        return problem_for(
            DomainError("busy", "The server is busy. Wait a few seconds and try again.", retry=5)
        ).response()
    if isinstance(error, DataError):
        # One of the two engines refuses numbers and texts that the other accepts.
        detail = "A number or a text in it is larger than can be kept. Send it as the API's description says."
        return Problem(422, "invalid-field", "A field is missing or wrong", detail).response()
    return problem_of_status(500).response()
