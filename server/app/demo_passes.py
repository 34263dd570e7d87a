"""Lets whoever sits at this machine in as the demo's organiser, without a password: by links that work once.

Only the demo's application knows of them, and it serves a demo's own data folder alone.
"""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import threading
from collections import OrderedDict

from flask import request

MOST = 50
"""Links that wait to be used. Of more, the oldest is of no use any more."""
_HERE = {"localhost", "127.0.0.1", "[::1]"}
# A name that leads to this machine and is another's, as in an attack by DNS, is not among them.
_HANDED_ON = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


class Passes:
    """Codes of which each opens the desk once. They are kept in memory alone, and there only as digests."""

    def __init__(self, first: str) -> None:
        """Take the code that was given out before this began."""
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, None] = OrderedDict({_digest(first): None})

    def issue(self) -> str:
        """Return a fresh code."""
        code = new_code()
        with self._lock:
            self._waiting[_digest(code)] = None
            while len(self._waiting) > MOST:
                self._waiting.popitem(last=False)
        return code

    def spend(self, code: str) -> bool:
        """Tell whether a code is good; from now on it is not."""
        with self._lock:
            return self._waiting.pop(_digest(code), False) is None


def new_code() -> str:
    """Return a code that nobody guesses."""
    return secrets.token_urlsafe(24)


def from_this_machine() -> bool:
    """Tell whether the current request comes from this very machine, to a name of its own, and through no proxy."""
    if request.host.rpartition(":")[0] not in _HERE and request.host not in _HERE:
        return False
    if any(name in request.headers for name in _HANDED_ON):
        return False
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_loopback


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
