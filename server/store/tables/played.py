"""What players do: decks, photographs, and the answers they got."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CASCADE, Base

_WAITING, _TRIED = text("state = 'waiting'"), text("source = 'player' AND attempts > 0")


class Deck(Base):
    """A deck as a player lays it out: any number of photographs, then one confirmed list."""

    __tablename__ = "decks"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "envelope"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(4))
    envelope: Mapped[int]
    state: Mapped[str] = mapped_column(String(20))
    """open (pictures may be added), confirmed, handed-in or dropped."""
    cards: Mapped[list[Any] | None]
    created: Mapped[datetime]
    confirmed: Mapped[datetime | None]


class Photo(Base):
    """An accepted photograph. The row is the truth of its scan: state, lease and tries (`server.jobs.queue`)."""

    __tablename__ = "photos"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "source", "digest"),
        Index(None, "state", "lease"),
        Index(None, "state", "scanned", "game", "source", "envelope", "attempts"),
        # Of some rows alone (`server.jobs.whose_turn`): they stay small, and cost little where nothing waits.
        Index(
            "ix_photos_turn",
            *("source", "attempts", "created", "place", "id"),
            postgresql_where=_WAITING,
            sqlite_where=_WAITING,
        ),
        # With all that is asked of it: SQLite would rather take the one above, and look at what all others had.
        Index(
            "ix_photos_lately",
            *("game", "envelope", "state", "scanned", "source", "attempts"),
            postgresql_where=_TRIED,
            sqlite_where=_TRIED,
        ),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    source: Mapped[str] = mapped_column(String(20))
    """player or organiser."""
    envelope: Mapped[int | None]
    """Whose picture it is: the player's own envelope. None for organisers' pictures: those say it by their labels."""
    deck: Mapped[str | None] = mapped_column(ForeignKey("decks.id", ondelete=CASCADE))
    batch: Mapped[str | None] = mapped_column(String(64))
    """Pictures that came in together."""
    place: Mapped[int]
    """Place in the order of the batch, or of the deck."""
    name: Mapped[str] = mapped_column(String(200))
    """The file's name, for organisers to find it."""
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the file as it came in, in hexadecimal."""
    size: Mapped[int]
    """Bytes as stored."""
    state: Mapped[str] = mapped_column(String(20))
    """waiting, scanning, done or failed."""
    lease: Mapped[datetime | None]
    """Until when the scanning process may take; then the picture is put back."""
    attempts: Mapped[int]
    """How often it was claimed. The number tells claims apart, so it is not given back where a claimer was killed."""
    begun: Mapped[int | None]
    """How many of these claims came to a scan (`server.jobs.queue`). None: all of them."""
    reason: Mapped[str | None] = mapped_column(String(40))
    """Why the scan failed: a slug of `server.jobs.scanning.ScanError`."""
    reading: Mapped[dict[str, Any] | None]
    """What the scan found (`server.jobs.readings`)."""
    created: Mapped[datetime]
    scanned: Mapped[datetime | None]
    erased: Mapped[datetime | None]
    """When the picture itself was deleted; what was read in it stays."""


class Check(Base):
    """A provisional answer that a player got."""

    __tablename__ = "checks"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "envelope"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(4))
    envelope: Mapped[int]
    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete=CASCADE))
    digest: Mapped[str] = mapped_column(String(64))
    """Of the list of kinds that was scored: the same list gets the same answer and costs no try."""
    mode: Mapped[str] = mapped_column(String(20))
    spent: Mapped[bool]
    """Whether it cost a try."""
    answer: Mapped[dict[str, Any]]
    at: Mapped[datetime]
