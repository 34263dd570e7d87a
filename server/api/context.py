"""What the endpoints work with, and how a refusal becomes an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

from server.api.problems import Problem

if TYPE_CHECKING:
    from server.games.context import AppContext
    from server.games.errors import DomainError

_KEY = "haggle-house"

STATUS = {
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
"""Status of each refusal by its slug; 422 for all others: what was sent has a mistake in it."""


@dataclass(frozen=True)
class ApiContext:
    """The house that is served, and the limits of an upload in bytes."""

    context: AppContext
    secret: bytes
    max_photo_bytes: int

    def move_in(self) -> None:
        """Put the house into the current application, where `here` finds it."""
        current_app.extensions[_KEY] = self


def current_context() -> ApiContext:
    """Return the current application's house."""
    return cast("ApiContext", current_app.extensions[_KEY])


def problem_for(refusal: DomainError) -> Problem:
    """Return the answer that tells of a refusal."""
    status = STATUS.get(refusal.slug, 422)
    title = refusal.slug.replace("-", " ").capitalize()
    return Problem(status, refusal.slug, title, str(refusal), members=dict(refusal.members), retry_after=refusal.retry)
