"""Passwords as scrypt hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading

SHORTEST, LONGEST = 10, 200
"""Characters of a password."""

_N, _R, _P = 2**15, 8, 1
# 32 MB and about a tenth of a second a try.
_SALT, _LENGTH = 16, 32
_AT_ONCE = threading.BoundedSemaphore(2)
# So that many sign-ins at once cannot take the machine's memory.


def password_hash(password: str) -> str:
    """Return a fresh salted hash, with its parameters in front: `scrypt$n$r$p$salt$hash`."""
    salt = secrets.token_bytes(_SALT)
    return f"scrypt${_N}${_R}${_P}${salt.hex()}${_scrypt(password, salt, _N, _R, _P).hex()}"


def is_password(password: str, stored: str | None) -> bool:
    """Tell whether a password is the stored one. It takes as long without a stored one as with."""
    if stored is None:
        _scrypt(password, bytes(_SALT), _N, _R, _P)
        return False
    _, n, r, p, salt, wanted = stored.split("$")
    found = _scrypt(password, bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(found, bytes.fromhex(wanted))


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    with _AT_ONCE:
        return hashlib.scrypt(
            password.encode("utf-8", "surrogatepass"),
            salt=salt,
            n=n,
            r=r,
            p=p,
            maxmem=2 * 128 * n * r,
            dklen=_LENGTH,
        )
