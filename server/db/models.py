"""A game, what is printed for it, and its envelopes."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from cardgen.cards import SIZES
from server.db.types import UtcDateTime

CASCADE = "CASCADE"
LONG = BigInteger().with_variant(Integer(), "sqlite")
"""A number that a row gets by itself. SQLite counts up in a column of this kind alone."""


class Base(DeclarativeBase):
    """What all tables share. Constraints have names, so that a later version can change them on every engine."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012 - SQLAlchemy's own form


def table_of(kept: type[Base]) -> Table:
    """Return what rows of a class lie in, for what is written without an object for each: a quarter of the work."""
    return cast("Table", kept.__table__)


class Game(Base):
    """A game: its settings, its secrets and where it stands in its life (`server.games.lifecycle.states`)."""

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

    It is `waiting` until a process claims it, then `working` under a lease
    (`server.workers.lease_queue`), then done or failed.
    """

    __tablename__ = "print_jobs"
    __table_args__ = (Index(None, "game"), Index(None, "state"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    name: Mapped[str] = mapped_column(String(100))
    """What the file is called."""
    media: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of all that decides how the file looks: who asks for the same gets the same."""
    request: Mapped[dict[str, Any]]
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
    token_version: Mapped[int]
    """Version of the join link: a higher one ends all links before it."""
    joined: Mapped[datetime | None]
    submitted_at: Mapped[datetime | None]
    """When the player handed in with the phone."""
    submitted_cards: Mapped[list[Any] | None]
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
    """An accepted photograph. Its row holds the scan's state, lease and tries (`server.workers.lease_queue`)."""

    __tablename__ = "photos"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "source", "digest"),
        # Not one that begins with the state, which SQLite would take for claims, and sort all that waits.
        Index(None, "image_deleted_at", "state"),
        # Of rows that are not read yet, so they stay small (`server.workers.lease_queue`).
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
    """Among those of the same priority the lower is scanned first (`server.games.photos.scan_queue.place_in_order`)."""
    lease: Mapped[datetime | None]
    """Until then nobody else claims it, by the database's clock."""
    token: Mapped[str | None] = mapped_column(String(32))
    """Names the claim under which it is being scanned."""
    attempts: Mapped[int]
    """How many scans were begun. One that was put back does not count."""
    seconds: Mapped[float | None]
    """How long the last scan took."""
    reason: Mapped[str | None] = mapped_column(String(40))
    """Why the scan failed: a slug of `server.games.photos.scan_pool.ScanError`."""
    scan_result: Mapped[dict[str, Any] | None]
    """What the scan found (`server.games.photos.readings`)."""
    created: Mapped[datetime]
    scanned: Mapped[datetime | None]
    image_deleted_at: Mapped[datetime | None]
    """When the picture itself was deleted; what was read in it stays."""
    bare: Mapped[bool] = mapped_column(server_default=false())
    """Whether the stored file is known to hold no metadata of its camera."""


class ProvisionalScore(Base):
    """A provisional answer that a player got."""

    __tablename__ = "provisional_scores"
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


class ServerConfig(Base):
    """The server itself: its generated secret and the organisers' password. One row, made at the first start."""

    __tablename__ = "server_config"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    secret: Mapped[bytes]
    """Signs sessions. Random, made at the first start."""
    password: Mapped[str | None]
    """Scrypt hash; None until an organiser has chosen one."""
    setup: Mapped[str | None]
    """Hash of the one-time code that lets the first organiser choose the password; None once it is used."""
    session_epoch: Mapped[int]
    """Sessions of an earlier epoch have ended: a new password raises it."""
    created: Mapped[datetime]
    folder: Mapped[str] = mapped_column(String(32), server_default="")
    """The folder of its files in a bucket, or beside a database that machines share. Random; empty: no folder."""
    storage_claimed_at: Mapped[datetime | None]
    """When that folder was first made; None: not yet."""


class EndedSession(Base):
    """An organiser's session that was ended by signing out. Deleted when its cookie would have expired."""

    __tablename__ = "ended_sessions"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[datetime]


class WorkerHeartbeat(Base):
    """The sign of life of a process that scans photographs. Whose sign is old is gone."""

    __tablename__ = "worker_heartbeats"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    machine: Mapped[str] = mapped_column(String(64))
    """The machine's own name, for people."""
    places: Mapped[int]
    """Photographs that it scans side by side."""
    started_at: Mapped[datetime]
    seen: Mapped[datetime]


class PeriodicTask(Base):
    """A periodic task that one process at a time does for all: the one that holds the row."""

    __tablename__ = "periodic_tasks"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    token: Mapped[str] = mapped_column(String(32))
    """Names the process."""
    lease: Mapped[datetime]
    """Until then no other process takes the task over, by the database's clock."""


class IdempotentResponse(Base):
    """The answer to a request that creates something, kept so that sending it twice creates one thing."""

    __tablename__ = "idempotent_responses"

    caller: Mapped[str] = mapped_column(String(100), primary_key=True)
    key: Mapped[str] = mapped_column(String(100), primary_key=True)
    """The caller's idempotency key."""
    request: Mapped[str] = mapped_column(String(64))
    """SHA-256 of method, path and body: another request under the same key is a mistake."""
    status: Mapped[int]
    body: Mapped[dict[str, Any]]
    at: Mapped[datetime]


class Release(Base):
    """The files of one version's pages, so that servers of other versions can send them during an upgrade."""

    __tablename__ = "releases"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    """The hash in the files' addresses."""
    files: Mapped[bytes]
    """A ZIP archive."""
    created: Mapped[datetime]


class ReviewDecision(Base):
    """An organiser's decision on an item of the queue, or a card entered by hand."""

    __tablename__ = "review_decisions"
    __table_args__ = (UniqueConstraint("game", "item"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    item: Mapped[str] = mapped_column(String(300))
    """Key of the item (`server.games.review.reconcile`): the same finding always has the same key."""
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


class GameEvent(Base):
    """That something of a game has changed, for whoever watches it live. Deleted after a while."""

    __tablename__ = "game_events"
    # A number is never given twice, also after the newest rows were deleted: who watches goes on from the last one.
    __table_args__ = (Index(None, "game", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(LONG, primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    topic: Mapped[str] = mapped_column(String(40))
    """game, envelopes, photos, queue or results."""
    envelope: Mapped[int | None]
    """Whose player may be told; None: a matter of the organisers, or of all (topic game)."""
    at: Mapped[datetime]


__all__ = [
    "AuditEntry",
    "Base",
    "Card",
    "Deck",
    "EndedSession",
    "Envelope",
    "Game",
    "GameEvent",
    "IdempotentResponse",
    "PeriodicTask",
    "Photo",
    "PrintJob",
    "PrintRun",
    "ProvisionalScore",
    "Release",
    "ResultVersion",
    "ReviewDecision",
    "ServerConfig",
    "WorkerHeartbeat",
    "table_of",
]
