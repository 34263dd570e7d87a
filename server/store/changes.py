"""Tells watchers of a game that something of it has changed, in one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert

from server.store.tables import Change, table_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

CHANGED = "changed"
"""In a session's `info`: whether it tells of a change, so that who watches is to be rung once it is committed."""
_TELL = insert(table_of(Change))


def note_change(session: Session, game: str, topic: str, envelope: int | None, at: datetime) -> None:
    """Tell that something of a game has changed; topic and envelope as in `Change`. The game's row is there already."""
    session.execute(_TELL, {"game": game, "topic": topic, "envelope": envelope, "at": at})
    session.info[CHANGED] = True
