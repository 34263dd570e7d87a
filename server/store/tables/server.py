"""The server itself: its secret, who scans, answers that it gave, and the files of its pages."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import Base


class Installation(Base):
    """The server itself: its generated secret and the organisers' password. One row, made at the first start."""

    __tablename__ = "installation"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    secret: Mapped[bytes]
    """Signs sessions. Random, made at the first start."""
    password: Mapped[str | None]
    """Scrypt hash; None until an organiser has chosen one."""
    setup: Mapped[str | None]
    """Hash of the one-time code that lets the first organiser choose the password; None once it is used."""
    epoch: Mapped[int]
    """Sessions of an earlier epoch have ended: a new password raises it."""
    created: Mapped[datetime]
    folder: Mapped[str] = mapped_column(String(32), server_default="")
    """The folder of its files in a bucket, or beside a database that machines share. Random; empty: no folder."""
    placed: Mapped[datetime | None]
    """When that folder was first made; None: not yet."""


class EndedSession(Base):
    """An organiser's session that was ended by signing out. Deleted when its cookie would have expired."""

    __tablename__ = "ended_sessions"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[datetime]


class Scanner(Base):
    """The sign of life of a process that scans photographs. Whose sign is old is gone."""

    __tablename__ = "scanners"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    machine: Mapped[str] = mapped_column(String(64))
    """The machine's own name, for people."""
    places: Mapped[int]
    """Photographs that it scans side by side."""
    begun: Mapped[datetime]
    seen: Mapped[datetime]


class Chore(Base):
    """A periodic task that one process at a time does for all: the one that holds the row."""

    __tablename__ = "chores"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    token: Mapped[str] = mapped_column(String(32))
    """Names the process."""
    lease: Mapped[datetime]
    """Until then no other process takes the task over, by the database's clock."""


class Answer(Base):
    """The answer to a request that creates something, kept so that sending it twice creates one thing."""

    __tablename__ = "answers"

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
