"""Turns whatever goes wrong into an answer that says what to do: JSON for programs, a page for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import HTTPError
from flask import g, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from server.api.problems import Problem, of_status
from server.app.front import INK, reader_language, the_assets
from server.app.headers import PAGE_POLICY
from server.app.observed import route_in_hand
from server.editions import EditionError
from server.observe.logs import fact

if TYPE_CHECKING:
    from flask import Flask, Response

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
