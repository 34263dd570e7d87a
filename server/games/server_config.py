"""The server's configuration row: its secret, the organisers' password, and the one-time code for choosing it."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from typing import TYPE_CHECKING

from sqlalchemy import select
from werkzeug.security import check_password_hash, generate_password_hash

from cardgen.payload import ALPHABET
from server.db.models import AuditEntry, ServerConfig
from server.db.session import advisory_lock
from server.games.audit import audit
from server.games.errors import DomainError
from server.games.names import check_organiser

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.session import Database
    from server.games.audit import Actor
    from server.games.context import AppContext

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 10, 200
"""Minimum and maximum length of a password."""

# An attempt takes 32 MB and about a tenth of a second.
_METHOD = "scrypt:32768:8:1"

# Bounds the memory that simultaneous sign-ins take.
_HASHING = threading.BoundedSemaphore(2)

# 100 bits.
_CODE_LENGTH = 20

_ROW = 1
_LOCK = "server_config"

# Action in the audit log for a new organiser's name. `record_organiser` finds the names by this word, so it must stay.
_FIRST = "first-sign-in"


def load_server_config(database: Database) -> ServerConfig:
    """Return the server's configuration, created with a new secret at the first start."""
    with database.reading() as session:
        row = session.get(ServerConfig, _ROW)
    if row is not None:
        return row
    with database.writing() as session:
        # Of several servers that start at once, one creates it.
        advisory_lock(session, _LOCK)
        row = session.get(ServerConfig, _ROW)
        if row is None:
            secret, at = secrets.token_bytes(32), database.clock()
            row = ServerConfig(id=_ROW, secret=secret, session_epoch=0, created=at, folder=new_folder())
            session.add(row)
    return row


def new_folder() -> str:
    """Return a new name for the folder of a server's files."""
    return secrets.token_hex(8)


def new_setup_code(context: AppContext) -> str | None:
    """Return a new one-time code for choosing the password, None if there is one. Earlier codes become invalid."""
    load_server_config(context.database)
    code = "".join(secrets.choice(ALPHABET) for _ in range(_CODE_LENGTH))
    with context.database.writing() as session:
        row = _locked_row(session)
        if row.password is not None:
            return None
        row.setup = _digest(code)
    return code


def choose_password(context: AppContext, code: str, password: str, actor: Actor) -> int:
    """Set the first password by the one-time code; return the epoch of new sessions. Raises DomainError."""
    _check(password)
    hashed = _hash(password)
    with context.database.writing() as session:
        row = _locked_row(session)
        if row.setup is None or not hmac.compare_digest(row.setup, _digest(_typed(code))):
            raise DomainError(
                "wrong-code", "This code is wrong or too old. Use the one that the server printed when it last started."
            )
        _set(session, row, hashed, actor, context.clock())
        return row.session_epoch


def sign_in(context: AppContext, password: str) -> int:
    """Return the epoch of new sessions. Raises DomainError `wrong-password`."""
    row = load_server_config(context.database)
    if not _is_password(password, row.password):
        raise DomainError("wrong-password", "The password is wrong.")
    return row.session_epoch


def record_organiser(context: AppContext, organiser: Actor) -> None:
    """Record the name of an organiser who has signed in. Raises DomainError `looks-alike`."""
    kept = select(AuditEntry.who).where(AuditEntry.game.is_(None), AuditEntry.action == _FIRST)
    with context.database.writing() as session:
        # Of two who sign in at once, the second sees the name of the first.
        advisory_lock(session, _LOCK)
        names = set(session.scalars(kept))
        if organiser.name not in names:
            check_organiser(organiser.name, names)
            audit(session, organiser, _FIRST, game=None, at=context.clock())


def change_password(context: AppContext, old: str, new: str, actor: Actor) -> int:
    """Replace the password, which ends all sessions; return the epoch of new ones."""
    _check(new)
    sign_in(context, old)
    return reset_password(context, new, actor)


def reset_password(context: AppContext, new: str, actor: Actor) -> int:
    """Set the password without the old one, which ends all sessions; return the epoch of new ones."""
    _check(new)
    load_server_config(context.database)
    hashed = _hash(new)
    with context.database.writing() as session:
        row = _locked_row(session)
        _set(session, row, hashed, actor, context.clock())
        return row.session_epoch


def _locked_row(session: Session) -> ServerConfig:
    """Return the row, locked for a change."""
    advisory_lock(session, _LOCK)
    return session.get_one(ServerConfig, _ROW)


def _set(session: Session, row: ServerConfig, hashed: str, actor: Actor, at: datetime) -> None:
    row.password, row.setup, row.session_epoch = hashed, None, row.session_epoch + 1
    audit(session, actor, "password", game=None, at=at)


def _check(password: str) -> None:
    # A terminal passes on bytes that are not UTF-8 as lone surrogates.
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH or re.search(r"[\ud800-\udfff]", password):
        raise DomainError(
            "weak-password",
            f"Choose a password of {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters, such as three words.",
        )


def _hash(password: str) -> str:
    with _HASHING:
        return generate_password_hash(password, _METHOD)


def _is_password(password: str, stored: str | None) -> bool:
    """Return whether a password is the stored one. Without a stored one it takes just as long."""
    with _HASHING:
        if stored and stored.startswith("scrypt$"):
            # The form of the first versions, whose salt is bytes.
            _, n, r, p, salt, wanted = stored.split("$")
            work = {"n": int(n), "r": int(r), "p": int(p), "maxmem": 2 * 128 * int(n) * int(r)}
            found = hashlib.scrypt(password.encode(), salt=bytes.fromhex(salt), dklen=32, **work)
            return hmac.compare_digest(found.hex(), wanted)
        return check_password_hash(stored or f"{_METHOD}$none$", password)


def _typed(code: str) -> str:
    """Return a code in its normal form: people type it in groups and in lower case."""
    return re.sub(r"[\s\u2010-\u2015-]", "", code).upper()


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
