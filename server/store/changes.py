"""Tells watchers of a game that something of it has changed, in one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import event, insert
from sqlalchemy.orm import Session

from server.store.tables import Change, table_of

if TYPE_CHECKING:
    from datetime import datetime

_TOLD = "told changes"
_TELL = insert(table_of(Change))


def note_change(session: Session, game: str, topic: str, envelope: int | None, at: datetime) -> None:
    """Tell that something of a game has changed; topic and envelope as in `Change`. The game's row is there already.

    Once for all that a transaction changes: who watches sees it all at the same moment.
    """
    told: set[tuple[str, str, int | None]] = session.info.setdefault(_TOLD, set())
    if (game, topic, envelope) not in told:
        session.execute(_TELL, {"game": game, "topic": topic, "envelope": envelope, "at": at})
        told.add((game, topic, envelope))


@event.listens_for(Session, "after_commit")
@event.listens_for(Session, "after_rollback")
def _forget(session: Session) -> None:
    session.info.pop(_TOLD, None)
