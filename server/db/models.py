"""The tables of a server: games, their envelopes, cards, decks and photographs, and the rows of the server itself."""

from __future__ import annotations

import secrets
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
from server.db.session import UtcDateTime

CASCADE = "CASCADE"
LONG = BigInteger().with_variant(Integer(), "sqlite")
"""The type of a generated key. SQLite generates keys only for a column of type INTEGER."""


class Base(DeclarativeBase):
    """The base of all tables. Constraints have names, so that a migration can change them on every engine."""

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


def table_of(model: type[Base]) -> Table:
    """Return the table of a class, to write many rows without an object for each."""
    return cast("Table", model.__table__)


class Game(Base):
    """A game: its settings, its secrets and its state (`server.games.lifecycle.states`)."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(4), primary_key=True)
    """The four characters in every code."""
    name: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(20))
    edition: Mapped[str] = mapped_column(String(100))
    edition_files: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True), deferred=True)
    """The game's own copy of an uploaded edition, texts by name of file; None for an installed one."""
    language: Mapped[str] = mapped_column(String(10))
    settings: Mapped[dict[str, Any]]
    active_rules: Mapped[list[Any] | None]
    """Keys of the rules in use; None for all."""
    confirmed: Mapped[list[Any]]
    """Names of the edition's settings whose values the organiser has confirmed."""
    players: Mapped[int]
    deadline: Mapped[datetime | None]
    timezone: Mapped[str] = mapped_column(String(64))
    """IANA name of the zone in which the deadline is shown."""
    mode: Mapped[str] = mapped_column(String(20))
    """The detail of provisional scores: off, inventory, known, total or full."""
    tries: Mapped[int]
    pause: Mapped[int]
    """Seconds that a player waits between two attempts."""
    keep_days: Mapped[int]
    """Days after publication for which photographs of hand-ins are kept."""
    keep_hours: Mapped[int]
    """Hours for which a player's own photographs are kept."""
    expect_dealt: Mapped[bool] = mapped_column(server_default=false())
    """Whether each envelope is expected to hold as many cards as were dealt into it."""
    key: Mapped[bytes]
    """Signs the codes of this game's cards and labels. Secret."""
    seed: Mapped[str] = mapped_column(String(200))
    """The seed of deals, and of random decisions when the game is scored. Secret."""
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
        """The name of the cards' size; empty for a size without a name."""
        return next((name for name, card in SIZES.items() if asdict(card) == self.geometry), "")

    @size.setter
    def size(self, name: str) -> None:
        self.geometry = asdict(SIZES[name])


class PrintRun(Base):
    """Cards and labels printed together, for the envelopes from number `first` on."""

    __tablename__ = "print_runs"
    __table_args__ = (UniqueConstraint("game", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    number: Mapped[int]
    first: Mapped[int]
    envelopes: Mapped[int]
    seed: Mapped[str] = mapped_column(String(200), default="")
    even: Mapped[int | None]
    """The largest difference wanted between the points of starting hands; None for any."""
    tries: Mapped[int] = mapped_column(default=0)
    """1 for a run of envelopes, 0 for replacements of lost cards. Earlier versions counted their deals here."""
    spread: Mapped[str | None] = mapped_column(String(40))
    """The difference in points between its best and worst starting hand, as a decimal; None unless `even` is set."""
    spare: Mapped[int] = mapped_column(default=0)
    """The number of spare envelopes, which are the last ones and stay sealed when the game opens."""
    language: Mapped[str] = mapped_column(String(10))
    join: Mapped[str | None] = mapped_column(String(200))
    """The server's address on the labels."""
    created: Mapped[datetime]


class PrintJob(Base):
    """A file of a print run that a worker makes or has made (`server.workers.lease_queue`)."""

    __tablename__ = "print_jobs"
    __table_args__ = (Index(None, "game"), Index(None, "state"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: secrets.token_hex(8))
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    name: Mapped[str] = mapped_column(String(100))
    media: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of everything that the file depends on: requests with the same digest share a job."""
    request: Mapped[dict[str, Any]]
    """The run, the file and the print options."""
    state: Mapped[str] = mapped_column(String(20), default="waiting")
    """waiting, working, done or failed."""
    done: Mapped[int] = mapped_column(default=0)
    """The number of finished pages or cards."""
    of: Mapped[int] = mapped_column(default=0)
    """The number of all pages or cards; 0 until it is known."""
    bytes: Mapped[int | None] = mapped_column(BigInteger)
    problem: Mapped[str | None] = mapped_column(Text)
    """The reason why it failed, for people."""
    cause: Mapped[dict[str, Any] | None]
    """The reason why it failed, for programs."""
    attempts: Mapped[int] = mapped_column(default=0)
    lease: Mapped[datetime | None]
    """The end of its lease, by the database's clock."""
    token: Mapped[str | None] = mapped_column(String(32))
    created: Mapped[datetime]
    until: Mapped[datetime | None]
    """The time at which the file is deleted."""


class Envelope(Base):
    """An envelope and its player. Its cards are not valid until it is opened."""

    __tablename__ = "envelopes"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    run: Mapped[int] = mapped_column(ForeignKey("print_runs.id", ondelete=CASCADE))
    spare: Mapped[bool]
    opened: Mapped[datetime | None]
    """None while it is sealed: a spare one, or one whose player has not come."""
    name: Mapped[str | None] = mapped_column(String(100))
    hidden: Mapped[bool] = mapped_column(default=False)
    """True if the player does not want to appear in the public ranking."""
    token_version: Mapped[int] = mapped_column(default=0)
    """The version of the join link. Links of lower versions are not valid."""
    joined: Mapped[datetime | None]
    submitted_at: Mapped[datetime | None]
    """The time at which the player handed in by phone."""
    submitted_cards: Mapped[list[Any] | None]
    """The list of cards that the player confirmed when handing in."""
    received: Mapped[datetime | None]
    """The time of its first photograph by an organiser, or an entered time."""
    counted: Mapped[int | None]
    """The number of its cards as counted by an organiser."""
    lateness: Mapped[str | None] = mapped_column(String(20))
    """The organiser's decision on a late hand-in: accepted or refused; None if there is none."""
    facts: Mapped[dict[str, Any]] = mapped_column(default=dict)
    cancels: Mapped[list[Any] | None]
    """Keys of the rules that the player cancels; None if the player was not asked yet."""
    parts: Mapped[dict[str, Any] | None]
    """For decks with labelled parts: the cards of each kind in each part; None if the player was not asked yet."""
    adjustments: Mapped[list[Any] | None]
    """Points of the organisers: objects with an id, the points and the reason; None is the same as no entries."""


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
    """The envelope into which it was dealt."""
    run: Mapped[int]
    """Number of the print run."""
    lost: Mapped[datetime | None]
    """The time at which it was replaced by another copy. Its code is not valid since then."""


_UNSCANNED = text("state IN ('waiting', 'scanning')")


class Deck(Base):
    """A deck of a player: any number of photographs, and the list of cards that the player has confirmed."""

    __tablename__ = "decks"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "envelope"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(4))
    envelope: Mapped[int]
    state: Mapped[str] = mapped_column(String(20))
    """open (for more photographs), confirmed, handed-in or dropped."""
    cards: Mapped[list[Any] | None]
    counted: Mapped[int | None]
    """The number of cards that the player counted when confirming the list."""
    created: Mapped[datetime]
    confirmed: Mapped[datetime | None]


class Photo(Base):
    """An accepted photograph, with the state and the lease of its scan (`server.workers.lease_queue`)."""

    __tablename__ = "photos"
    __table_args__ = (
        ForeignKeyConstraint(["game", "envelope"], ["envelopes.game", "envelopes.number"], ondelete=CASCADE),
        Index(None, "game", "source", "digest"),
        # The state is second: SQLite would use an index that begins with it for claims, and sort all waiting rows.
        Index(None, "image_deleted_at", "state"),
        # These stay small, since they hold only photographs that are not scanned yet.
        Index(
            "ix_photos_claims",
            *("priority", "turn", "created", "place", "id"),
            postgresql_where=_UNSCANNED,
            sqlite_where=_UNSCANNED,
        ),
        Index(
            "ix_photos_unread",
            *("game", "source", "envelope", "state"),
            postgresql_where=_UNSCANNED,
            sqlite_where=_UNSCANNED,
        ),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    source: Mapped[str] = mapped_column(String(20))
    """player or organiser."""
    envelope: Mapped[int | None]
    """The player's envelope. None for photographs of organisers, which show a label."""
    deck: Mapped[str | None] = mapped_column(ForeignKey("decks.id", ondelete=CASCADE))
    batch: Mapped[str | None] = mapped_column(String(64))
    """The upload in which it came."""
    place: Mapped[int]
    """Its position in the batch or in the deck."""
    name: Mapped[str] = mapped_column(String(200))
    """The name of the file, for organisers to find it."""
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the uploaded file, in hexadecimal."""
    size: Mapped[int]
    """The size of the stored file in bytes."""
    state: Mapped[str] = mapped_column(String(20), default="waiting")
    """waiting, scanning, done or failed."""
    priority: Mapped[int] = mapped_column(server_default="1")
    """0 for one that a player sent while the game was open, 1 for any other. Lower ones are scanned first."""
    turn: Mapped[float] = mapped_column(server_default="0")
    """The order among those of equal priority (`server.games.photos.scan_queue.place_in_order`)."""
    lease: Mapped[datetime | None]
    """The end of its lease, by the database's clock; `token` is that of the lease."""
    token: Mapped[str | None] = mapped_column(String(32))
    attempts: Mapped[int] = mapped_column(default=0)
    """The number of scans that were started and not put back."""
    seconds: Mapped[float | None]
    """The duration of the last scan."""
    reason: Mapped[str | None] = mapped_column(String(40))
    """The reason why the scan failed: a slug of `server.games.photos.scan_pool.ScanError`."""
    scan_result: Mapped[dict[str, Any] | None]
    """The result of the scan (`server.games.photos.readings`)."""
    created: Mapped[datetime]
    scanned: Mapped[datetime | None]
    image_deleted_at: Mapped[datetime | None]
    """The time at which the stored file was deleted. The result of the scan is kept."""
    bare: Mapped[bool] = mapped_column(server_default=false())
    """True if the stored file is known to hold no metadata of its camera."""


class ProvisionalScore(Base):
    """A provisional score that a player has received."""

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
    """The digest of the scored list of kinds: the same list gets the same answer and uses no attempt."""
    mode: Mapped[str] = mapped_column(String(20))
    spent: Mapped[bool]
    cards: Mapped[list[Any] | None]
    """The scored cards; None for those of the deck, as in archives and in rows of earlier versions."""
    answer: Mapped[dict[str, Any]]
    at: Mapped[datetime]


class ServerConfig(Base):
    """The secret and the organisers' password of the server, in a single row that the first start adds."""

    __tablename__ = "server_config"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    secret: Mapped[bytes]
    """The random key that signs sessions."""
    password: Mapped[str | None]
    """A scrypt hash; None until an organiser has chosen a password."""
    setup: Mapped[str | None]
    """The hash of the one-time code with which the first organiser chooses the password; None after its use."""
    session_epoch: Mapped[int]
    """A new password increases it, which ends all sessions of earlier epochs."""
    created: Mapped[datetime]
    folder: Mapped[str] = mapped_column(String(32), server_default="")
    """The random name of the folder for its files in shared storage; empty for none."""
    storage_claimed_at: Mapped[datetime | None]
    """The time at which the server first wrote to that folder; None before."""


class EndedSession(Base):
    """An organiser's session that was ended by signing out, kept until its cookie would have expired."""

    __tablename__ = "ended_sessions"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[datetime]


class WorkerHeartbeat(Base):
    """The heartbeat of a process that scans photographs. A process with an old one is gone."""

    __tablename__ = "worker_heartbeats"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    machine: Mapped[str] = mapped_column(String(64))
    slots: Mapped[int] = mapped_column("places")
    """The number of photographs that it can scan at once."""
    started_at: Mapped[datetime]
    seen: Mapped[datetime]


class PeriodicTask(Base):
    """A periodic task, which only the process with its lease runs."""

    __tablename__ = "periodic_tasks"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    token: Mapped[str] = mapped_column(String(32))
    """The token of the lease."""
    lease: Mapped[datetime]
    """The end of the lease, by the database's clock."""


class IdempotentResponse(Base):
    """The response to a request that creates something. A repeated request gets it again and creates nothing."""

    __tablename__ = "idempotent_responses"

    caller: Mapped[str] = mapped_column(String(100), primary_key=True)
    key: Mapped[str] = mapped_column(String(100), primary_key=True)
    """The caller's idempotency key."""
    request: Mapped[str] = mapped_column(String(64))
    """SHA-256 of method, path and body: another request with the same key is an error."""
    status: Mapped[int]
    body: Mapped[dict[str, Any]]
    at: Mapped[datetime]


class Release(Base):
    """The files of one version's pages, which servers of other versions send during an upgrade."""

    __tablename__ = "releases"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    """The hash in the addresses of the files."""
    files: Mapped[bytes]
    """A ZIP archive."""
    created: Mapped[datetime]


class EditionVersion(Base):
    """A version of an edition that organisers have uploaded. Versions are not changed; games have their own copies."""

    __tablename__ = "edition_versions"

    slug: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(100), index=True)
    """The slug and a digest of the files; games name it."""
    title: Mapped[str] = mapped_column(String(200))
    files: Mapped[dict[str, Any]] = mapped_column(deferred=True)
    reason: Mapped[str] = mapped_column(String(1000))
    who: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime]


class ReviewDecision(Base):
    """An organiser's decision on an issue under review, or a card entered by hand."""

    __tablename__ = "review_decisions"
    __table_args__ = (UniqueConstraint("game", "item"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    item: Mapped[str] = mapped_column(String(300))
    """The key of the issue (`server.games.review.issue_keys`)."""
    decision: Mapped[dict[str, Any]]
    reason: Mapped[str] = mapped_column(String(1000))
    who: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime]


class ResultVersion(Base):
    """A version of a game's results. A correction adds a version; none is changed or deleted."""

    __tablename__ = "results"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    inputs: Mapped[dict[str, Any]]
    """The scored hands as `haggle score` reads them, and the envelope of each."""
    document: Mapped[dict[str, Any]]
    """The results as `haggle score --json` prints them."""
    reason: Mapped[str] = mapped_column(String(1000))
    who: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime]


class AuditEntry(Base):
    """An entry of the audit log. Entries are never changed."""

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
    """A change of a game, for clients that follow it live. Deleted after a while."""

    __tablename__ = "game_events"
    # Servers pass on each id only once, so ids are not used again, even if the newest row is deleted.
    __table_args__ = (Index(None, "game", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(LONG, primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete=CASCADE))
    topic: Mapped[str] = mapped_column(String(40))
    """game, envelopes, photos, queue or results."""
    envelope: Mapped[int | None]
    """The player who may see it; None for organisers only, or for all (topic game)."""
    at: Mapped[datetime]
