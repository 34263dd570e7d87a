"""What is written beside every change: the audit, and the sign for whoever watches live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.store.tables import AuditEntry, Change

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor


_LONGEST_SUBJECT, _LONGEST_REASON = 300, 1000


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
            game=game,
            at=at,
            who=actor.name,
            action=action,
            subject=subject[:_LONGEST_SUBJECT],
            reason=reason[:_LONGEST_REASON],
            before=before,
            after=after,
        )
    )


def changed(session: Session, game: str, at: datetime, topic: str, envelope: int | None = None) -> None:
    """Say to whoever watches that something of the game has changed: `topic` as in `server.store.tables.Change`."""
    session.add(Change(game=game, topic=topic, envelope=envelope, at=at))
