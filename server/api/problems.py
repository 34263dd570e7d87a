"""Problem details (RFC 9457): errors for programs and for people."""

from __future__ import annotations

from typing import Any

from flask import Response, json, request
from werkzeug.http import HTTP_STATUS_CODES

MEDIA_TYPE = "application/problem+json"
PROGRAM_PATHS = ("/api/", "/healthz")
"""Prefixes of paths that only programs request. Elsewhere errors are usually web pages."""
PROBLEM = "haggle.problem"
"""Key in the WSGI environment of the Problem because of which the request's body was not received."""


class Problem(Exception):  # noqa: N818 - the standard's name for it
    """An error response.

    `slug` becomes the problem's type, such as `/problems/no-codes`; `detail` says what to do; `members` are added to
    the document; `retry_after` is in seconds.
    """

    def __init__(
        self,
        status: int,
        slug: str,
        title: str,
        detail: str,
        *,
        retry_after: int | None = None,
        members: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.slug = slug
        self.title = title
        self.detail = detail
        self.members = members or {}
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)

    def response(self) -> Response:
        """Return the problem as JSON."""
        body = {
            "type": f"/problems/{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            **self.members,
        }
        response = Response(json.dumps(body), status=self.status, mimetype=MEDIA_TYPE)
        response.headers.update(self.headers)
        return response


_TITLES = {413: "Too large"}

_DETAILS = {
    400: ("bad-request", "The request cannot be understood. Send it as the API's description says."),
    404: ("not-found", "There is nothing at this address. Check it for a typing mistake."),
    405: ("method-not-allowed", "This address does not take that method. The Allow header names those it takes."),
    408: ("timeout", "The request came in too slowly. Send it again."),
    413: ("too-large", "The request is larger than this server takes. Send less."),
    415: ("wrong-type", "The request has a content type that this address does not take."),
    500: ("internal", "The server made a mistake. Try again; if it happens again, tell the organiser."),
    503: ("busy", "The server is busy. Wait a few seconds and try again."),
}


def problem_of_status(status: int, headers: dict[str, str] | None = None) -> Problem:
    """Return the problem for an HTTP status."""
    title = _TITLES.get(status) or HTTP_STATUS_CODES.get(status, "Error")
    slug, detail = _DETAILS.get(status, (title.lower().replace(" ", "-"), f"{title}. Check the request."))
    return Problem(status, slug, title, detail, headers=headers)


def raise_early() -> None:
    """Raise the problem because of which the request's body was not received, if there is one."""
    if problem := request.environ.get(PROBLEM):
        raise problem
