"""A game, what is printed for it, and its envelopes."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from cardgen.cards import SIZES
from server.store.tables.base import CASCADE, Base


class Game(Base):
    """A game: its settings, its secrets and where it stands in its life (`server.play.states`)."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(4), primary_key=True)
    """The four characters in every code."""
    name: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(20))
    edition: Mapped[str] = mapped_column(String(100))
    language: Mapped[str] = mapped_column(String(10))
    settings: Mapped[dict[str, Any]]
    active_rules: Mapped[list[Any] | None]
    """Keys of the rules that count; None: all."""
    confirmed: Mapped[list[Any]]
    """Names of the edition's settings whose values the organiser has confirmed."""
    players: Mapped[int]
    deadline: Mapped[datetime | None]
    timezone: Mapped[str] = mapped_column(String(64))
    """IANA name of the zone in which the deadline is shown."""
    mode: Mapped[str] = mapped_column(String(20))
    """What a provisional score tells: off, inventory, known, total or full."""
    tries: Mapped[int]
    pause: Mapped[int]
    """Seconds between two tries of a player."""
    keep_days: Mapped[int]
    """Days after publication for which photographs of hand-ins are kept."""
    keep_hours: Mapped[int]
    """Hours for which a player's own photographs are kept."""
    expect_dealt: Mapped[bool] = mapped_column(server_default=false())
    """Whether each envelope is expected to hold as many cards as were dealt into it."""
    key: Mapped[bytes]
    """Signs the codes of this game's cards and labels. Secret."""
    seed: Mapped[str] = mapped_column(String(200))
    """Decides deals and, at the final count, chance. Secret."""
    kinds: Mapped[list[Any]]
    geometry: Mapped[dict[str, Any]]
    created: Mapped[datetime]
    opened: Mapped[datetime | None]
    closed: Mapped[datetime | None]
    frozen: Mapped[datetime | None]
    published: Mapped[datetime | None]
    published_version: Mapped[int | None]

    @property
    def size(self) -> str:
        """The name of the cards' size; empty where nobody has named it."""
        return next((name for name, card in SIZES.items() if asdict(card) == self.geometry), "")

    @size.setter
    def size(self, name: str) -> None:
        self.geometry = asdict(SIZES[name])


class PrintRun(Base):
    """Cards and labels printed together: the envelopes from `first` on."""

    __tablename__ = "print_runs"
    __table_args__ = (UniqueConstraint("game", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    number: Mapped[int]
    first: Mapped[int]
    envelopes: Mapped[int]
    seed: Mapped[str] = mapped_column(String(200))
    even: Mapped[int | None]
    """Points by which starting hands were allowed to differ; None: dealt once."""
    tries: Mapped[int]
    """How often it was dealt until the starting hands were as even as wanted, or no more tries were left."""
    spread: Mapped[str | None] = mapped_column(String(40))
    """Points between its best and its worst starting hand, an exact decimal; None where nobody asked for even hands."""
    spare: Mapped[int]
    """How many of its envelopes, the last ones, are spare: they stay sealed when the game opens."""
    language: Mapped[str] = mapped_column(String(10))
    join: Mapped[str | None] = mapped_column(String(200))
    """Address of the server on the labels."""
    created: Mapped[datetime]


class PrintJob(Base):
    """A file of a print run that is being made beside the servers, or was. It is kept for a while.

    It is `waiting` until a process claims it, then `working` under a lease (`server.jobs.queue`), then done or failed.
    """

    __tablename__ = "print_jobs"
    __table_args__ = (Index(None, "game"), Index(None, "state"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    name: Mapped[str] = mapped_column(String(100))
    """What the file is called."""
    media: Mapped[str] = mapped_column(String(100))
    what: Mapped[str] = mapped_column(String(64))
    """SHA-256 of all that decides how the file looks: who asks for the same gets the same."""
    asked: Mapped[dict[str, Any]]
    """What was asked for: any process can make it from this."""
    state: Mapped[str] = mapped_column(String(20))
    """waiting, working, done or failed."""
    done: Mapped[int]
    """Pages or cards that are done."""
    of: Mapped[int]
    """All of them; 0 while nobody knows."""
    bytes: Mapped[int | None] = mapped_column(BigInteger)
    problem: Mapped[str | None] = mapped_column(Text)
    """Why it failed, in words."""
    cause: Mapped[dict[str, Any] | None]
    """The same for programs."""
    attempts: Mapped[int]
    lease: Mapped[datetime | None]
    """Until then nobody else claims it, by the database's clock."""
    token: Mapped[str | None] = mapped_column(String(32))
    """Names the claim under which it is being made."""
    created: Mapped[datetime]
    until: Mapped[datetime | None]
    """It is kept until then."""


class Envelope(Base):
    """An envelope, and the player whose it is. Its cards are dead until it is opened."""

    __tablename__ = "envelopes"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    run: Mapped[int] = mapped_column(ForeignKey("print_runs.id", ondelete=CASCADE))
    spare: Mapped[bool]
    opened: Mapped[datetime | None]
    """When its cards came to life; None: sealed (a spare one, or a player who never came)."""
    name: Mapped[str | None] = mapped_column(String(100))
    hidden: Mapped[bool]
    """Whether the player wants no place in the public ranking."""
    token: Mapped[int]
    """Version of the join link: a higher one ends all links before it."""
    joined: Mapped[datetime | None]
    claimed: Mapped[datetime | None]
    """When the player handed in with the phone."""
    claim: Mapped[list[Any] | None]
    """The player's own list of cards, as confirmed when handing in."""
    received: Mapped[datetime | None]
    """When the organisers had the envelope in hand: its first photograph, or entered by hand."""
    counted: Mapped[int | None]
    """How many cards an organiser counted in it by hand."""
    lateness: Mapped[str | None] = mapped_column(String(20))
    """The organiser's decision on a late hand-in: accepted or refused; None: not decided, or not late."""
    facts: Mapped[dict[str, Any]]
    cancels: Mapped[list[Any] | None]
    """Keys of the rules that the player cancels; None: not asked yet."""
    parts: Mapped[dict[str, Any] | None]
    """Where decks have labelled parts: how many cards of each kind lie in each; None: not asked yet."""


class Card(Base):
    """A printed card."""

    __tablename__ = "cards"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "envelope"),
    )

    game: Mapped[str] = mapped_column(String(4), primary_key=True)
    kind: Mapped[str] = mapped_column(String(100), primary_key=True)
    copy: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    envelope: Mapped[int]
    """The envelope that it was dealt into."""
    run: Mapped[int]
    """Number of the print run."""
    lost: Mapped[datetime | None]
    """When it was reported lost and another copy was printed for it: its code is dead since then."""
