"""Error handlers: every error becomes a problem document for programs or a page for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import HTTPError
from flask import current_app, g, make_response, render_template, request
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError
from werkzeug.exceptions import HTTPException

from server.api.application import current_route
from server.api.problems import PROGRAM_PATHS, Problem, problem_for, problem_of_status
from server.db.errors import DATABASE_FAILURES, is_busy, is_collision, is_full, log_summary
from server.games.errors import DomainError
from server.games.photos.upload import disk_full, storage_problem
from server.observability.logs import log_fields
from server.scoring.errors import EditionError
from server.storage.base import StorageError
from server.web_app.pages import INK, PAGE_POLICY, reader_language, the_assets

if TYPE_CHECKING:
    from flask import Flask, Response


def handle_errors(app: Flask) -> None:
    """Register handlers for all errors, whose responses reveal nothing about the inside of the application."""
    app.register_error_handler(Problem, _respond)
    app.register_error_handler(DomainError, _handle_domain)
    app.register_error_handler(StorageError, lambda error: _handle_domain(storage_problem(error)))
    app.register_error_handler(EditionError, _handle_edition)
    for database_error in (DBAPIError, *DATABASE_FAILURES):
        app.register_error_handler(database_error, _handle_database)
    app.register_error_handler(HTTPError, _handle_input)
    app.register_error_handler(HTTPException, _handle_http)
    app.register_error_handler(Exception, _handle_unexpected)


def _respond(problem: Problem) -> Response:
    """Return a problem document to programs, and a page to people."""
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


def _group(problem: Problem) -> str:
    """Return the key of the German and French texts for a problem; English pages show the problem's own text."""
    if problem.status in {408, 429, 503}:
        return "busy"
    if problem.status == 404:  # noqa: PLR2004 - nothing is there
        return "nothing"
    return "request" if problem.status < 500 else "server"  # noqa: PLR2004 - the server's own fault


def _handle_domain(error: DomainError) -> Response:
    return _respond(problem_for(error))


def _handle_http(error: HTTPException) -> Response:
    if error.response is not None or error.code is None or error.code < 400:  # noqa: PLR2004 - redirects
        return make_response(error.get_response())
    kept = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
    return _respond(problem_of_status(error.code, kept))


def _handle_unexpected(error: Exception) -> Response:
    current_app.logger.error("a request failed", exc_info=error, extra=log_fields(route=current_route()))
    return _respond(problem_of_status(500))


def _handle_input(error: HTTPError) -> Response:
    """Respond with the first validation error."""
    for fields in error.detail.values() if isinstance(error.detail, dict) else ():
        for name, messages in fields.items():
            # Errors of the document as a whole have no field.
            where = "The request" if name == "_schema" else f"The field {name}"
            detail = f"{where}: {str(messages[0]).rstrip('.')}. Send it as the API's description says."
            return _respond(Problem(error.status_code, "invalid-field", "A field is missing or wrong", detail))
    return _respond(problem_of_status(error.status_code))


def _handle_edition(error: EditionError) -> Response:
    # The message contains file and line, so no traceback is needed.
    current_app.logger.error("%s", error)
    return _respond(_edition_problem(error))


def _edition_problem(error: EditionError) -> Problem:
    """Return the problem for a missing or broken edition; only organisers get the reason, which may name rules."""
    title = "The edition is missing or wrong"
    actor = getattr(g, "actor", None)
    if actor is None or actor.role != "organiser":
        detail = "The server cannot read this game's edition, or one of its rules fails. Tell an organiser."
        return Problem(409, "no-edition", title, detail)
    detail = (
        f"{str(error).rstrip('.')}. Put the edition's folder where HAGGLE_EDITIONS says, or correct it (haggle editions"
        " check finds all mistakes). Only a change of HAGGLE_EDITIONS itself needs a restart of the server."
    )
    return Problem(409, "no-edition", title, detail, members={"reason": str(error)})


def _handle_database(error: SQLAlchemyError) -> Response:
    """Respond to a full disk, a collision or a busy database; other database errors are internal errors."""
    current_app.logger.error("database error: %s", log_summary(error), extra=log_fields(route=current_route()))
    if is_full(error):
        return _handle_domain(disk_full())
    if is_collision(error):
        return _handle_domain(DomainError("busy", "Another request was faster. Try again.", retry=1))
    if is_busy(error):
        return _handle_domain(DomainError("busy", "The server is busy. Wait a few seconds and try again.", retry=5))
    if isinstance(error, DataError):
        # One of the two engines refuses numbers and texts that the other accepts.
        detail = "A number or a text in it is too large. Send it as the API's description says."
        return _respond(Problem(422, "invalid-field", "A field is missing or wrong", detail))
    return _respond(problem_of_status(500))
