"""The error of all game services, which the API and the commands show in their own form."""

from __future__ import annotations

from typing import Any


class DomainError(Exception):
    """A refused request, which changed nothing.

    `slug` names the reason for programs, the message says what to do, and `members` has further facts. `retry`
    is the number of seconds after which a second attempt may succeed, or None.
    """

    def __init__(
        self, slug: str, message: str, members: dict[str, Any] | None = None, *, retry: int | None = None
    ) -> None:
        super().__init__(message)
        self.slug = slug
        self.members = members or {}
        self.retry = retry


def not_found(what: str) -> DomainError:
    """Return the error for something that does not exist."""
    return DomainError("not-found", f"There is no such {what}.")
