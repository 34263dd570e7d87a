"""Knows a JPEG, and counts its scans before it is decoded: a small file may have thousands, each over all pixels."""

from __future__ import annotations

import re

JPEG = b"\xff\xd8"
"""How a JPEG begins."""

MOST_SCANS = 100
"""Scans of a progressive JPEG that are decoded; encoders write about ten. At 64 megapixels each takes 20 ms or more."""

_START_OF_SCAN, _END = 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
# Markers without a length: restarts, the picture's start, and one that is never written.
_MARKER = re.compile(rb"\xff+[^\x00\xff]")
# Within a scan a byte of 255 is followed by 0, unless it begins a marker.


def has_many_scans(data: bytes) -> bool:
    """Tell whether a JPEG has more than `MOST_SCANS`. What follows its end, or is no JPEG, does not count."""
    scans, place = 0, 2
    while scans <= MOST_SCANS:
        marker = _MARKER.search(data, place)
        if marker is None:
            return False
        kind, place = data[marker.end() - 1], marker.end()
        if kind == _END:
            return False
        scans += kind == _START_OF_SCAN
        if kind not in _ALONE:
            place += max(int.from_bytes(data[place : place + 2], "big"), 2)
    return True
