"""What is written beside every change: the audit, and the sign for whoever watches live."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import insert

from server.db.models import AuditEntry, GameEvent, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session


_LONGEST_SUBJECT, _LONGEST_REASON = 300, 1000
_ENTRY = insert(table_of(AuditEntry))


def audit(
    session: Session,
    game: str | None,
    actor: Actor,
    at: datetime,
    action: str,
    subject: str = "",
    *,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Add an entry to the audit. `subject` says of what, such as `envelope 7`. Never a key, a token or a password."""
    session.add(
        AuditEntry(
            **_entry(game, actor, at, action, subject), reason=reason[:_LONGEST_REASON], before=before, after=after
        )
    )


def record_all(
    session: Session, game: str, actor: Actor, at: datetime, action: str, subjects: Mapping[str, dict[str, Any]]
) -> None:
    """Add an entry for each of these subjects, with what it is after the action.

    They are written now, beside a game whose row is there: for that a quarter of the processor's time is enough.
    """
    entries = [
        {**_entry(game, actor, at, action, subject), "reason": "", "before": None, "after": after}
        for subject, after in subjects.items()
    ]
    session.execute(_ENTRY, entries)


def _entry(game: str | None, actor: Actor, at: datetime, action: str, subject: str) -> dict[str, Any]:
    return {"game": game, "at": at, "who": actor.name, "action": action, "subject": subject[:_LONGEST_SUBJECT]}


def publish_event(session: Session, game: str, at: datetime, topic: str, envelope: int | None = None) -> None:
    """Say to whoever watches that something of the game has changed: `topic` as in `server.db.models.Change`."""
    session.add(GameEvent(game=game, topic=topic, envelope=envelope, at=at))


@dataclass(frozen=True)
class Actor:
    """Who does something: `role` is organiser, player or server, `name` is for people and the audit."""

    role: str
    name: str


SERVER = Actor("server", "the server")
AT_MACHINE = " on the server's machine"
"""How the names end of those who type commands; no organiser signs in by such a name."""
_PLAYER = re.compile(r"envelope \d+", re.ASCII)


def role_of(name: str) -> Literal["organiser", "player", "server"]:
    """Return whose name stands in the audit: organiser, player or server. No organiser signs in by another's name."""
    if name == SERVER.name:
        return "server"
    return "player" if _PLAYER.fullmatch(name) else "organiser"
