"""The API's state in the current application, and the HTTP problems for domain errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

from server.api.problems import Problem

if TYPE_CHECKING:
    from flask import Flask

    from server.games.context import AppContext
    from server.games.errors import DomainError

_EXTENSION = "haggle-api"


@dataclass(frozen=True)
class ApiContext:
    """The context of the games, the secret that signs cookies, and the largest photo in bytes."""

    context: AppContext
    secret: bytes
    max_photo_bytes: int

    def init_app(self, app: Flask) -> None:
        """Register with an application."""
        app.extensions[_EXTENSION] = self


def current_api() -> ApiContext:
    """Return the current application's API context."""
    return cast("ApiContext", current_app.extensions[_EXTENSION])


def current_context() -> AppContext:
    """Return the context of the games that the current application serves."""
    return current_api().context


STATUS_BY_SLUG = {
    "not-found": 404,
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
