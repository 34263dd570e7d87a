"""Why something was not done: one form for all of the game's life. The API and the commands turn it into their own."""

from __future__ import annotations

from typing import Any


class DomainError(Exception):
    """Something was not done, and nothing has changed.

    `slug` is for programs, the message says in a sentence what to do, `members` are facts that programs may need.
    `retry` is after how many seconds it may be tried again, None where that changes nothing. `not-found` and
    `not-yours` look alike to the caller, so that nobody learns what exists.
    """

    def __init__(
        self, slug: str, message: str, members: dict[str, Any] | None = None, *, retry: int | None = None
    ) -> None:
        super().__init__(message)
        self.slug = slug
        self.members = members or {}
        self.retry = retry


def not_found(what: str) -> DomainError:
    """Return the refusal for something that does not exist."""
    return DomainError("not-found", f"There is no such {what}. Look at the list, and take one from there.")
