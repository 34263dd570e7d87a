"""The links on labels: where a server is, and the signed token that opens one envelope there.

They are signed with the game's own key, so a link that was printed without a server works once the game is there. The
token stands behind a `#`, which browsers keep to themselves: it comes into no log and no referrer.
"""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from itsdangerous import Signer

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


def signer(key: bytes, purpose: str) -> Signer:
    """Return what signs links for one purpose."""
    return Signer(key, salt=f"haggle.{purpose}", digest_method=hashlib.sha256)


def join_token(game: str, key: bytes, envelope: int, version: int = 0) -> str:
    """Return the token in an envelope's join link. A later `version` ends all before it."""
    return signer(key, "join").sign(f"{game}.{envelope}.{version}").decode()


def join_link(address: str, game: str, key: bytes, envelope: int, version: int = 0) -> str:
    """Return the link on an envelope's label; `address` is a server's, without a slash at its end."""
    return f"{address}/j#{join_token(game, key, envelope, version)}"
