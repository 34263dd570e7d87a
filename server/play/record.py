"""What is written beside every change: the audit, and the sign for whoever watches live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

from server.store.tables import AuditEntry, Change, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor


_LONGEST_SUBJECT, _LONGEST_REASON = 300, 1000
_ENTRY = insert(table_of(AuditEntry))


def record(
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


def changed(session: Session, game: str, at: datetime, topic: str, envelope: int | None = None) -> None:
    """Say to whoever watches that something of the game has changed: `topic` as in `server.store.tables.Change`."""
    session.add(Change(game=game, topic=topic, envelope=envelope, at=at))
