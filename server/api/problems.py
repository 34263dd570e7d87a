"""Problem details (RFC 9457): errors for programs and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, json
from werkzeug.http import HTTP_STATUS_CODES

if TYPE_CHECKING:
    from server.games.errors import DomainError

MEDIA_TYPE = "application/problem+json"
PROGRAM_PATHS = ("/api/", "/healthz")
"""Prefixes of paths that only programs request. Elsewhere errors are usually web pages."""


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
    400: ("bad-request", "The request cannot be understood. Check it against the API's description."),
    404: ("not-found", "There is nothing at this address. Check it for typing mistakes."),
    405: ("method-not-allowed", "This address does not allow that method. Use one from the Allow header."),
    408: ("timeout", "The request came in too slowly. Send it again."),
    413: ("too-large", "The request is larger than this server accepts. Send less."),
    415: ("wrong-type", "This address does not accept the request's content type. See the API's description."),
    500: ("internal", "The server made a mistake. Try again; if it happens again, tell the organiser."),
    503: ("busy", "The server is busy. Wait a few seconds and try again."),
}


def problem_of_status(status: int, headers: dict[str, str] | None = None) -> Problem:
    """Return the problem for an HTTP status."""
    title = _TITLES.get(status) or HTTP_STATUS_CODES.get(status, "Error")
    slug, detail = _DETAILS.get(status, (title.lower().replace(" ", "-"), f"{title}. Check the request."))
    return Problem(status, slug, title, detail, headers=headers)


STATUS_BY_SLUG = {
    "not-found": 404,
    "wrong-join-code": 404,
    "bad-token": 401,
    "not-signed-in": 401,
    "wrong-password": 401,
    "forbidden": 403,
    "other-origin": 403,
    "wrong-state": 409,
    "sealed": 409,
    "off": 409,
    "handed-in": 409,
    "cards-seen": 409,
    "deadline-passed": 409,
    "still-reading": 409,
    "list-changed": 409,
    "list-confirmed": 409,
    "not-confirmed": 409,
    "name-taken": 409,
    "looks-alike": 409,
    "conflict": 409,
    "other-version": 409,
    "not-published": 409,
    "not-settled": 409,
    "not-done": 409,
    "game-exists": 409,
    "changed": 412,
    "no-revision": 428,
    "other-request": 422,
    "too-soon": 429,
    "no-tries": 429,
    "too-many-bytes": 413,
    "too-many-pixels": 413,
    "busy": 503,
    "disk-full": 507,
}
"""Status of each domain error by its slug; 422 for all others, which are mistakes in the input."""


def problem_for(error: DomainError) -> Problem:
    """Return the HTTP problem for a domain error."""
    title = error.slug.replace("-", " ").capitalize()
    return Problem(
        STATUS_BY_SLUG.get(error.slug, 422),
        error.slug,
        title,
        str(error),
        members=dict(error.members),
        retry_after=error.retry,
    )
