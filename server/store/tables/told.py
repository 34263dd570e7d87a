"""What came of a game, and what is told of it: rulings, results, the audit, changes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CASCADE, LONG, Base


class Ruling(Base):
    """An organiser's decision on an item of the queue, or a card entered by hand."""

    __tablename__ = "rulings"
    __table_args__ = (UniqueConstraint("game", "item"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    item: Mapped[str] = mapped_column(String(300))
    """Key of the item (`server.play.assembly`): the same finding has the same key, however often it is looked for."""
    decision: Mapped[dict[str, Any]]
    reason: Mapped[str] = mapped_column(String(1000))
    who: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime]


class ResultVersion(Base):
    """A count of the whole game. A correction makes a new one; none is ever changed or deleted."""

    __tablename__ = "results"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    inputs: Mapped[dict[str, Any]]
    """What was scored, in the form that `haggle score` reads, with the envelope of each hand beside it."""
    document: Mapped[dict[str, Any]]
    """What came out, in the form that `haggle score --json` prints."""
    reason: Mapped[str] = mapped_column(String(1000))
    who: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime]


class AuditEntry(Base):
    """Who changed what, when and why. Only ever added to."""

    __tablename__ = "audit"
    __table_args__ = (Index(None, "game", "id"),)

    id: Mapped[int] = mapped_column(LONG, primary_key=True)
    game: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(100))
    action: Mapped[str] = mapped_column(String(60))
    subject: Mapped[str] = mapped_column(String(300))
    reason: Mapped[str] = mapped_column(String(1000))
    before: Mapped[dict[str, Any] | None]
    after: Mapped[dict[str, Any] | None]


class Change(Base):
    """That something of a game has changed, for whoever watches it live. Deleted after a while."""

    __tablename__ = "changes"
    # A number is never given twice, also after the newest rows were deleted: who watches goes on from the last one.
    __table_args__ = (Index(None, "game", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(LONG, primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    topic: Mapped[str] = mapped_column(String(40))
    """game, envelopes, photos, queue or results."""
    envelope: Mapped[int | None]
    """Whose player may be told; None: a matter of the organisers, or of all (topic game)."""
    at: Mapped[datetime]
