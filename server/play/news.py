"""Rings when a change was committed that watchers of a game are to be told of, so that they hear of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import event
from sqlalchemy.orm import Session

from server.store.changes import CHANGED
from server.store.tables import Change

if TYPE_CHECKING:
    from server.jobs.bell import Bell
    from server.store.database import Database

_BELL = "news"


def ring_for_changes(database: Database, bell: Bell) -> None:
    """Ring from now on after each transaction of a database that tells of a change."""
    database.info[_BELL] = bell


@event.listens_for(Session, "after_flush")
def _note(session: Session, *_: Any) -> None:  # noqa: ANN401 - SQLAlchemy's own
    if any(isinstance(one, Change) for one in session.new):
        session.info.setdefault(CHANGED, set())


@event.listens_for(Session, "after_commit")
def _ring(session: Session) -> None:
    bell: Bell | None = session.info.get(_BELL)
    if session.info.pop(CHANGED, None) is not None and bell:
        bell.ring()


@event.listens_for(Session, "after_rollback")
def _forget(session: Session) -> None:
    session.info.pop(CHANGED, None)
