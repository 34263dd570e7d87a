"""The meaning of database errors: full disk, collision, busy or unavailable."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

DATABASE_FAILURES = (OperationalError, InterfaceError, InternalError, PoolTimeoutError)
"""Errors of a database that is full, busy or unavailable. The transaction was rolled back and may be repeated."""

_FULL = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_POSTGRES_FULL = "53100"

# Serialization failure and deadlock.
_COLLISIONS = frozenset({"40001", "40P01"})

# Prefixes of codes: connection errors, lack of resources, shutdown or timeout, idle for too long, lock not available,
# system and internal errors.
_UNAVAILABLE = ("08", "53", "57", "25P03", "55P03", "58", "XX")


def is_full(error: SQLAlchemyError) -> bool:
    """Return whether the database's disk is full."""
    return _sqlite_code(error) in _FULL or sqlstate(error) == _POSTGRES_FULL


def is_local_disk_full(error: BaseException | None) -> bool:
    """Return whether the cause of an error is a full disk of this machine."""
    if isinstance(error, SQLAlchemyError):
        return _sqlite_code(error) in _FULL
    if isinstance(error, sqlite3.Error):
        return error.sqlite_errorcode in _FULL
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    return error is not None and is_local_disk_full(error.__cause__)


def is_busy(error: SQLAlchemyError) -> bool:
    """Return whether a repetition may succeed in a few seconds: the database is busy or unavailable."""
    if isinstance(error, PoolTimeoutError) or _sqlite_code(error) in _BUSY:
        return True
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error) or is_full(error):
        return False
    code = sqlstate(error)
    # The driver's own errors, which have no code, are lost connections.
    lost = not code and isinstance(error, OperationalError | InterfaceError)
    return error.connection_invalidated or lost or code.startswith(_UNAVAILABLE) or is_collision(error)


def is_collision(error: SQLAlchemyError) -> bool:
    """Return whether a transaction was rolled back because of a concurrent one, and may be repeated."""
    return sqlstate(error) in _COLLISIONS


def log_summary(error: SQLAlchemyError) -> str:
    """Return the type and the code of an error for the log, without its message, which may quote values."""
    orig = getattr(error, "orig", None) or error
    code = getattr(orig, "sqlite_errorname", None) or sqlstate(error) or "no code"
    return f"{type(orig).__name__} ({code})"


def sqlstate(error: SQLAlchemyError) -> str:
    """Return PostgreSQL's code of an error, or an empty string."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) or ""


def _sqlite_code(error: SQLAlchemyError) -> int:
    return int(getattr(getattr(error, "orig", None), "sqlite_errorcode", 0))
