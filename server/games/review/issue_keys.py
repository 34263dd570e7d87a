"""Keys of issues. Decisions are stored under them, so their forms never change.

The same finding has the same key, independent of the order of photographs. Where other evidence makes it another
question, the key contains a digest of that evidence.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_OWNER, _MANUAL_ENTRY, _LATE = "picture:", "hand:", "late:"

# Earlier versions asked about foreign codes and unreadable photographs. Those decisions never changed anything.
_OBSOLETE = ("code:", "failed:")

_DIGEST_LENGTH = 16
_MAX_DIGITS = 9


def short_digest(text: str) -> str:
    """Return a short digest for keys and revisions."""
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


def failed_key(photo_digest: str) -> str:
    """Return the key for a photograph that could not be read."""
    return f"failed:{photo_digest[:_DIGEST_LENGTH]}"


def incomplete_key(photo_digest: str) -> str:
    """Return the key for a photograph that was not read to the end."""
    return f"incomplete:{photo_digest[:_DIGEST_LENGTH]}"


def unread_region_key(photo_digest: str, x: int, y: int) -> str:
    """Return the key for a region of a photograph in which no card was read."""
    return f"doubt:{photo_digest[:_DIGEST_LENGTH]}:{x},{y}"


def owner_key(photo_digest: str, piles: str) -> str:
    """Return the key for the owner of a photograph with these piles."""
    return f"{_OWNER}{photo_digest[:_DIGEST_LENGTH]}:{short_digest(piles)[:8]}"


def is_owner_key(key: str) -> bool:
    """Return whether a key is for the owner of a photograph."""
    return key.startswith(_OWNER)


def foreign_code_key(status: str, text: str) -> str:
    """Return the key for a code that is not a card of the game."""
    return f"code:{status}:{short_digest(text)}"


def invalid_card_key(card: str) -> str:
    """Return the key for a card that is not valid."""
    return f"dead:{card}"


def copy_key(card: str) -> str:
    """Return the key for a card that a photograph shows several times."""
    return f"copy:{card}"


def two_decks_key(card: str, envelopes: Iterable[int]) -> str:
    """Return the key for a card that was seen in several decks."""
    return f"decks:{card}:{'+'.join(map(str, envelopes))}"


def manual_entry_key(card: str, envelope: int) -> str:
    """Return the key for adding a card to an envelope, or removing it."""
    return f"{_MANUAL_ENTRY}{card}:{envelope}"


def parse_manual_entry_key(key: str) -> tuple[str, int] | None:
    """Return the card and the envelope of a manual entry; None for another key."""
    card, _, number = key.removeprefix(_MANUAL_ENTRY).rpartition(":")
    envelope = _parse_number(number)
    return (card, envelope) if envelope is not None and key == manual_entry_key(card, envelope) else None


def sealed_key(envelope: int) -> str:
    """Return the key for an envelope that was seen, but never opened."""
    return f"sealed:{envelope}"


def missing_key(envelope: int, *, listed: bool) -> str:
    """Return the key for an envelope that nobody has photographed; its player may have `listed` its cards."""
    return f"{'unseen' if listed else 'missing'}:{envelope}"


def late_key(envelope: int) -> str:
    """Return the key for an envelope that may be late."""
    return f"{_LATE}{envelope}"


def parse_late_key(key: str) -> int | None:
    """Return the envelope of a key for lateness; None for another key."""
    envelope = _parse_number(key.removeprefix(_LATE))
    return envelope if envelope is not None and key == late_key(envelope) else None


def count_key(envelope: int, difference: str) -> str:
    """Return the key for an envelope whose cards differ from what was expected."""
    return f"count:{envelope}:{short_digest(difference)[:8]}"


def is_obsolete(key: str) -> bool:
    """Return whether only earlier versions stored decisions under such a key."""
    return key.startswith(_OBSOLETE)


def _parse_number(text: str) -> int | None:
    # Python refuses to convert numbers of thousands of digits.
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else None
