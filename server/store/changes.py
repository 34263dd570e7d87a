"""Tells watchers of a game that something of it has changed, in one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert

from server.store.tables import Change, table_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

CHANGED = "changed"
"""In a session's `info`, where its transaction tells of a change, so that who watches is to be rung once it is
committed: what was told of by `note_change`."""
_TELL = insert(table_of(Change))


def note_change(session: Session, game: str, topic: str, envelope: int | None, at: datetime) -> None:
    """Tell that something of a game has changed; topic and envelope as in `Change`. The game's row is there already.

    Once for all that a transaction changes: who watches sees it all at the same moment.
    """
    told: set[tuple[str, str, int | None]] = session.info.setdefault(CHANGED, set())
    if (game, topic, envelope) not in told:
        session.execute(_TELL, {"game": game, "topic": topic, "envelope": envelope, "at": at})
        told.add((game, topic, envelope))
