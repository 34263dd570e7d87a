"""Addresses of servers in printed links."""

from __future__ import annotations

import contextlib
import socket
from urllib.parse import urlsplit

_MAX_LENGTH = 100
"""Characters of an address; the code of a longer one would be too fine for a phone at arm's length."""
_ANYWHERE = ("192.0.2.1", 9)
"""An address for documentation. It only selects a network; no packet is sent to it."""
_PATIENCE = 0.5
"""Seconds to wait for a connection."""


class AddressError(ValueError):
    """No phone could open this address; the message is one line."""


def address_of(url: str) -> str:
    """Return a server's address without a trailing slash; AddressError if no phone could open it."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        good = good and not parts.query and not parts.fragment
    except ValueError:
        good = False
    if not good or not url.isascii() or not url.isprintable() or " " in url or len(url) > _MAX_LENGTH:
        raise AddressError(f"{url!a} is not a server's address: write it whole, such as https://haggle.example.org")
    return url.rstrip("/")


def network_address() -> str | None:
    """Return this machine's address in its network, or None if it is offline."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANYWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") or address == "0.0.0.0" else address  # noqa: S104 - compared, not bound


def phone_address(port: int) -> str | None:
    """Return the address of a server on this machine for phones in its network; None if none is reachable."""
    host = network_address()
    if host is None:
        return None
    with contextlib.suppress(OSError), socket.create_connection((host, port), _PATIENCE):
        return f"http://{host}:{port}"
    return None
