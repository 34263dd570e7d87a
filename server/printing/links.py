"""Checks the address of a server that is printed in links."""

from __future__ import annotations

import contextlib
import socket
from urllib.parse import urlsplit

# A longer address makes the code on a label too fine for a phone at arm's length.
_LONGEST = 100


class AddressError(ValueError):
    """No phone could open this address; the message says why in one line."""


def address_of(url: str) -> str:
    """Return a server's address without a slash at its end; AddressError for what no phone could open."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        good = good and not parts.query and not parts.fragment
    except ValueError:
        good = False
    if not good or not url.isascii() or not url.isprintable() or " " in url or len(url) > _LONGEST:
        raise AddressError(f"{url!a} is no address of a server: write it whole, such as https://haggle.example.org")
    return url.rstrip("/")


# An address of the block for documentation: no packet is ever sent to it, it only picks the network in use.
_ANYWHERE = ("192.0.2.1", 9)
_PATIENCE = 0.5


def network_address() -> str | None:
    """Return this machine's address in its network, or None where it has none but its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANYWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") or address == "0.0.0.0" else address  # noqa: S104 - compared, not bound


def phone_address(port: int) -> str | None:
    """Return where phones in the same network find a server of this machine; None where nothing listens for them."""
    host = network_address()
    if host is None:
        return None
    with contextlib.suppress(OSError), socket.create_connection((host, port), _PATIENCE):
        return f"http://{host}:{port}"
    return None
