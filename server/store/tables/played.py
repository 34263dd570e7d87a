"""What players do: decks, photographs, and the answers they got."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, String, false, text
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CASCADE, Base

_UNREAD = text("state IN ('waiting', 'scanning')")


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
    counted: Mapped[int | None]
    """How many cards the player counted by hand when confirming the list."""
    created: Mapped[datetime]
    confirmed: Mapped[datetime | None]


class Photo(Base):
    """An accepted photograph. The row is the truth of its scan: state, lease and tries (`server.jobs.queue`)."""

    __tablename__ = "photos"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "source", "digest"),
        # Not one that begins with the state, which SQLite would take for claims, and sort all that waits.
        Index(None, "erased", "state"),
        # Of rows that are not read yet, so they stay small (`server.jobs.queue`).
        Index(
            "ix_photos_claims",
            *("priority", "turn", "created", "place", "id"),
            postgresql_where=_UNREAD,
            sqlite_where=_UNREAD,
        ),
        Index(
            "ix_photos_unread",
            *("game", "source", "envelope", "state"),
            postgresql_where=_UNREAD,
            sqlite_where=_UNREAD,
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
    priority: Mapped[int] = mapped_column(server_default="1")
    """0: of a player whose game was being played when it came, 1: any other. The lower is scanned first."""
    turn: Mapped[float] = mapped_column(server_default="0")
    """Among those of the same priority the lower is scanned first (`server.jobs.queue.place_in_order`)."""
    lease: Mapped[datetime | None]
    """Until then nobody else claims it, by the database's clock."""
    token: Mapped[str | None] = mapped_column(String(32))
    """Names the claim under which it is being scanned."""
    attempts: Mapped[int]
    """How many scans were begun. One that was put back does not count."""
    begun: Mapped[int | None]
    """Unused. Servers of the version before write it while newer ones start; a later form drops it."""
    seconds: Mapped[float | None]
    """How long the last scan took."""
    reason: Mapped[str | None] = mapped_column(String(40))
    """Why the scan failed: a slug of `server.jobs.scanning.ScanError`."""
    reading: Mapped[dict[str, Any] | None]
    """What the scan found (`server.jobs.readings`)."""
    created: Mapped[datetime]
    scanned: Mapped[datetime | None]
    erased: Mapped[datetime | None]
    """When the picture itself was deleted; what was read in it stays."""
    bare: Mapped[bool] = mapped_column(server_default=false())
    """Whether the stored file is known to hold no metadata of its camera."""


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
