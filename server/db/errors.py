"""What a database says that it cannot do just now, and what that means: no room, no turn, not there."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

DATABASE_FAILURES = (OperationalError, InterfaceError, InternalError, PoolTimeoutError)
"""Errors of a database that is full, busy or away. What failed was not done, and may be tried again."""

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

# Two transactions could not both have been first; two waited for each other.
_COLLISIONS = frozenset({"40001", "40P01"})

# How codes begin: no connection; too many of them, or no memory; stopped, or out of time; idle for too long; a lock was
# not to be had; the machine beneath.
_AWAY = ("08", "53", "57", "25P03", "55P03", "58", "XX")


def is_full(error: SQLAlchemyError) -> bool:
    """Tell whether something was not written because there is no room on the disk."""
    return _sqlite_code(error) in _FULL or sqlstate(error) == _POSTGRES_FULL


def is_local_disk_full(error: BaseException | None) -> bool:
    """Tell whether an error, or what led to it, is of a disk of this machine that has no room."""
    if isinstance(error, SQLAlchemyError):
        return _sqlite_code(error) in _FULL
    if isinstance(error, sqlite3.Error):
        return error.sqlite_errorcode in _FULL
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    return error is not None and is_local_disk_full(error.__cause__)


def is_busy(error: SQLAlchemyError) -> bool:
    """Tell whether the same may work in a few seconds: others had their turn for too long, or the database is away."""
    if isinstance(error, PoolTimeoutError) or _sqlite_code(error) in _BUSY:
        return True
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error) or is_full(error):
        return False
    code = sqlstate(error)
    # Without a code the driver itself says that there is no connection (any more).
    lost = not code and isinstance(error, OperationalError | InterfaceError)
    return error.connection_invalidated or lost or code.startswith(_AWAY) or is_collision(error)


def is_collision(error: SQLAlchemyError) -> bool:
    """Tell whether two transactions got in each other's way: nothing of this one was done, and it may begin anew."""
    return sqlstate(error) in _COLLISIONS


def log_summary(error: SQLAlchemyError) -> str:
    """Return what a log may say of an error: its kind and its code, not its words, which may quote a row's values."""
    orig = getattr(error, "orig", None) or error
    code = getattr(orig, "sqlite_errorname", None) or sqlstate(error) or "no code"
    return f"{type(orig).__name__} ({code})"


def sqlstate(error: SQLAlchemyError) -> str:
    """Return PostgreSQL's code of an error; empty where there is none."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) or ""


def _sqlite_code(error: SQLAlchemyError) -> int:
    return int(getattr(getattr(error, "orig", None), "sqlite_errorcode", 0))
