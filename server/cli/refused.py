"""What keeps a command from its work through no mistake in it, in one line: a setting, or an engine that is away."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError

from server.app.settings import SettingError
from server.scoring.edition import EditionError
from server.store.database import DatabaseError
from server.store.faults import is_busy, is_full
from server.store.files import PlaceError

_SAID = (EditionError, PlaceError, DatabaseError, SettingError)


def in_words(error: Exception) -> str | None:
    """Return a sentence for people; None for what is a mistake of ours."""
    if isinstance(error, _SAID):
        return str(error)
    if isinstance(error, SQLAlchemyError) and is_full(error):
        return "the disk is full: the database could not write; make room and try again"
    if isinstance(error, SQLAlchemyError) and is_busy(error):
        return "the database does not answer, or others keep it busy: try again in a few seconds"
    return None
