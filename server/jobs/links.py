"""Checks the address of a server that is printed in links."""

from __future__ import annotations

from urllib.parse import urlsplit

_LONGEST = 100
# A longer address makes the code on a label too fine for a phone at arm's length.


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
