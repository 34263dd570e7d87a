"""The audit log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from server.db.models import AuditEntry

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

Role = Literal["organiser", "player", "server"]

_MAX_SUBJECT, _MAX_REASON = 300, 1000
_PLAYER = re.compile(r"envelope \d+", re.ASCII)


@dataclass(frozen=True)
class Actor:
    """The person or program that does something. `name` is for the audit log."""

    role: Role
    name: str


SERVER = Actor("server", "the server")
LOCAL_SUFFIX = " on the server's machine"
"""Suffix of the names of people who use the command line. No organiser can sign in with such a name."""


def role_of(name: str) -> Role:
    """Return the role of a name in the audit log. Organisers cannot sign in with names of the other roles."""
    if name == SERVER.name:
        return "server"
    return "player" if _PLAYER.fullmatch(name) else "organiser"


def audit(
    session: Session,
    actor: Actor,
    action: str,
    *,
    game: str | None,
    at: datetime,
    subject: str = "",
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Add an entry to the audit log. `subject` is for example `envelope 7`. Never pass a key, token or password."""
    session.add(
        AuditEntry(
            game=game,
            at=at,
            who=actor.name,
            action=action,
            subject=subject[:_MAX_SUBJECT],
            reason=reason[:_MAX_REASON],
            before=before,
            after=after,
        )
    )
