"""What is kept of a scan: the JSON of a photograph's row, in the form of `server.jobs.readings.Reading`.

The worker writes it, which has what was found in hand. So one text goes through the pipe and into the row, and the
process that serves neither takes it apart nor puts it together.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scanner.result import Corners, ScanResult

LONGEST_TEXT = 200
"""Characters of a code's text that are kept. Ours have 20; what strangers print may be long."""

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@dataclass(frozen=True)
class Kept:
    """What is kept of a picture: its reading as JSON, the labels in it, and a JPEG where it comes as something else."""

    reading: str
    labels: tuple[int, ...] = ()
    picture: bytes | None = None


def kept_of(result: ScanResult, picture: bytes | None = None) -> Kept:
    """Return what is kept of a scan."""
    reading = {
        "width": result.width,
        "height": result.height,
        "codes": [
            {
                "text": _plain(code.text),
                "quad": _rounded(code.quad),
                # Every photograph is scanned for its game, so each code was checked; a foreign text says the least.
                "status": "foreign" if code.status == "unchecked" else code.status,
                "card": code.card.name if code.card else None,
            }
            for code in result.codes
        ],
        "seen": [
            {"card": seen.card.name, "outline": _rounded(seen.outline), "codes": seen.codes} for seen in result.seen
        ],
        "labels": result.labels,
        "decks": [{"label": deck.label, "cards": deck.cards} for deck in result.decks],
        "doubts": [{"quad": _rounded(doubt.quad), "reason": doubt.reason} for doubt in result.doubts],
        "hints": [{"slug": advice.slug, "text": advice.text} for advice in result.advice],
        "complete": result.complete,
    }
    return Kept(_encode(reading), result.labels, picture)


def _rounded(corners: Corners) -> list[Any]:
    """Return corners to a tenth of a pixel, which is finer than they are known."""
    return [(round(10 * x) / 10, round(10 * y) / 10) for x, y in corners]


def _plain(text: str) -> str:
    """Return a text of bounded length without what databases and terminals choke on."""
    text = text[:LONGEST_TEXT]
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)
