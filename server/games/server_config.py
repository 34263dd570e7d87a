"""The server's own row: its secret, the organisers' password, and the code with which the first one chooses it."""

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

SHORTEST, LONGEST = 10, 200
"""Characters of a password."""

# 32 MB and about a tenth of a second a try.
_METHOD = "scrypt:32768:8:1"

# So that many sign-ins at once cannot take the machine's memory.
_AT_ONCE = threading.BoundedSemaphore(2)

# 100 bits: nobody guesses it.
_CODE_LENGTH = 20

_ROW = 1
_TURN = "installation"

# What the audit says of an organiser's name that is new.
_FIRST = "first-sign-in"


def installation(context: AppContext) -> ServerConfig:
    """Return the installation, made with a fresh secret at the first start."""
    return installation_of(context.database, context.clock())


def installation_of(database: Database, at: datetime) -> ServerConfig:
    """Return a database's installation, as `installation`."""
    with database.reading() as session:
        row = session.get(ServerConfig, _ROW)
    if row is not None:
        return row
    with database.writing() as session:
        # Of servers that start at once, one makes it.
        advisory_lock(session, _TURN)
        row = session.get(ServerConfig, _ROW)
        if row is None:
            secret, folder = secrets.token_bytes(32), new_folder()
            row = ServerConfig(
                id=_ROW, secret=secret, password=None, setup=None, session_epoch=0, created=at, folder=folder
            )
            session.add(row)
    return row


def new_folder() -> str:
    """Return a name for the folder of an installation's files."""
    return secrets.token_hex(8)


def new_setup_code(context: AppContext) -> str | None:
    """Return a fresh one-time code for choosing the password; None once there is a password.

    A code that was given out before is of no use then: the newest start of the server counts.
    """
    installation(context)
    code = "".join(secrets.choice(ALPHABET) for _ in range(_CODE_LENGTH))
    with context.database.writing() as session:
        row = _mine(session)
        if row.password is not None:
            return None
        row.setup = _digest(code)
    return code


def choose_password(context: AppContext, code: str, password: str, actor: Actor) -> int:
    """Set the first password with the one-time code; return the epoch of sessions that begin now.

    Refusal `wrong-code`; of two at the same time, one wins.
    """
    _check(password)
    hashed = _hash(password)
    with context.database.writing() as session:
        row = _mine(session)
        if row.setup is None or not hmac.compare_digest(row.setup, _digest(_typed(code))):
            raise DomainError(
                "wrong-code", "This code is not (or no longer) valid. The server prints a fresh one at start."
            )
        _set(session, row, hashed, actor, context.clock())
        return row.session_epoch


def sign_in(context: AppContext, password: str) -> int:
    """Return the epoch of sessions that begin now; Refusal `wrong-password`."""
    row = installation(context)
    if not _is_password(password, row.password):
        raise DomainError("wrong-password", "The password is wrong.")
    return row.session_epoch


def take_name(context: AppContext, organiser: Actor) -> None:
    """Keep the name of an organiser who has signed in; Refusal `looks-alike` for one that looks like another's."""
    kept = select(AuditEntry.who).where(AuditEntry.game.is_(None), AuditEntry.action == _FIRST)
    with context.database.writing() as session:
        # Of two who sign in at once the second sees the first.
        advisory_lock(session, _TURN)
        names = set(session.scalars(kept))
        if organiser.name not in names:
            check_organiser(organiser.name, names)
            audit(session, None, organiser, context.clock(), _FIRST)


def change_password(context: AppContext, old: str, new: str, actor: Actor) -> int:
    """Replace the password, which ends all sessions; return the epoch of those that begin now."""
    _check(new)
    sign_in(context, old)
    return reset_password(context, new, actor)


def reset_password(context: AppContext, new: str, actor: Actor) -> int:
    """Set the password as whoever has the machine may do, which ends all sessions; return the new epoch."""
    _check(new)
    installation(context)
    hashed = _hash(new)
    with context.database.writing() as session:
        row = _mine(session)
        _set(session, row, hashed, actor, context.clock())
        return row.session_epoch


def _mine(session: Session) -> ServerConfig:
    """Return the row for a change: whoever else would change it waits."""
    advisory_lock(session, _TURN)
    return session.get_one(ServerConfig, _ROW)


def _set(session: Session, row: ServerConfig, hashed: str, actor: Actor, at: datetime) -> None:
    row.password, row.setup, row.session_epoch = hashed, None, row.session_epoch + 1
    audit(session, None, actor, at, "password")


def _check(password: str) -> None:
    # A terminal passes bytes on that are no UTF-8 as lone surrogates.
    if not SHORTEST <= len(password) <= LONGEST or re.search(r"[\ud800-\udfff]", password):
        raise DomainError(
            "weak-password", f"Choose a password of {SHORTEST} to {LONGEST} characters, such as three words."
        )


def _hash(password: str) -> str:
    with _AT_ONCE:
        return generate_password_hash(password, _METHOD)


def _is_password(password: str, stored: str | None) -> bool:
    """Tell whether a password is the stored one. It takes as long without a stored one as with."""
    with _AT_ONCE:
        if stored and stored.startswith("scrypt$"):
            # Haggle's own form of the first versions, with a salt of bytes.
            _, n, r, p, salt, wanted = stored.split("$")
            work = {"n": int(n), "r": int(r), "p": int(p), "maxmem": 2 * 128 * int(n) * int(r)}
            found = hashlib.scrypt(password.encode(), salt=bytes.fromhex(salt), dklen=32, **work)
            return hmac.compare_digest(found.hex(), wanted)
        return check_password_hash(stored or f"{_METHOD}$none$", password)


def _typed(code: str) -> str:
    """Return a code as it was given out: people copy it in groups and in small letters."""
    return re.sub(r"[\s\u2010-\u2015-]", "", code).upper()


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
