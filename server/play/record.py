"""What is written beside every change: the audit, and the sign for whoever watches live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

from server.store.changes import note_change
from server.store.tables import AuditEntry, Change, table_of

if TYPE_CHECKING:
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
    at_once: bool = False,
) -> None:
    """Add an entry to the audit. `subject` says of what, such as `envelope 7`. Never a key, a token or a password.

    `at_once`: it is written now, beside a game whose row is there. That takes a quarter of the processor's time.
    """
    entry = {
        "game": game,
        "at": at,
        "who": actor.name,
        "action": action,
        "subject": subject[:_LONGEST_SUBJECT],
        "reason": reason[:_LONGEST_REASON],
        "before": before,
        "after": after,
    }
    if at_once:
        session.execute(_ENTRY, entry)
    else:
        session.add(AuditEntry(**entry))


def changed(
    session: Session, game: str, at: datetime, topic: str, envelope: int | None = None, *, at_once: bool = False
) -> None:
    """Say to whoever watches that something of the game has changed: `topic` as in `server.store.tables.Change`.

    `at_once` as for `record`.
    """
    if at_once:
        note_change(session, game, topic, envelope, at)
    else:
        session.add(Change(game=game, topic=topic, envelope=envelope, at=at))
