"""Compares the doubts of a scan with the cards that lie in a made-up photograph and were not read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from scanner import ScanResult
    from server.studio import Photograph

LEAST = 1 / 3
"""Share of a card that must be in sight before it is to be named."""


@dataclass(frozen=True)
class Judged:
    """`unread` cards are in sight and were not read; `named` of them have a doubt; `false` doubts lie on none."""

    unread: int
    named: int
    false: int

    def __add__(self, other: Judged) -> Judged:
        return Judged(self.unread + other.unread, self.named + other.named, self.false + other.false)


def judged(result: ScanResult, photo: Photograph) -> Judged:
    """Count unread cards, those named, and false doubts. A doubt names one card: whose outline its middle lies in."""
    seen = {card.card.name for card in result.seen}
    missing = [card for card in photo.truth if card.name not in seen]
    named: set[str] = set()
    false = 0
    for doubt in result.doubts:
        x, y = np.mean(doubt.quad, axis=0)
        under = [
            card.name
            for card in missing
            if cv2.pointPolygonTest(np.array(card.outline, np.float32), (float(x), float(y)), measureDist=False) >= 0
        ]
        false += not under
        named.update([name for name in under if name not in named][:1])
    wanted = {card.name for card in missing if card.visible >= LEAST}
    return Judged(len(wanted), len(wanted & named), false)
