"""Compares what a reader found in a made-up photograph with what lies in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scanner.result import Quad
    from server.studio.truth import PlacedCard


@dataclass(frozen=True)
class Tally:
    """What was there and what was read. Only whole codes count, and cards with at least one whole code.

    `false` counts texts that no card in the photograph bears.
    """

    codes: int = 0
    codes_read: int = 0
    cards: int = 0
    cards_read: int = 0
    false: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.codes + other.codes,
            self.codes_read + other.codes_read,
            self.cards + other.cards,
            self.cards_read + other.cards_read,
            self.false + other.false,
        )

    @property
    def code_recall(self) -> float:
        """Share of the whole codes that were read, each at its own place; 1 where there was none."""
        return self.codes_read / self.codes if self.codes else 1.0

    @property
    def card_recall(self) -> float:
        """Share of the cards with a whole code that were read; 1 where there was none."""
        return self.cards_read / self.cards if self.cards else 1.0


def compare(
    truth: Sequence[PlacedCard], texts: Mapping[str, str], reads: Sequence[tuple[str, Quad]], least: float = 0.0
) -> Tally:
    """Count what was read of a photograph. `texts` says for each card's name what its codes say.

    Codes with fewer than `least` pixels a module are left out, and cards that have no other whole code.
    """
    read = {text for text, _ in reads}
    readable = [card for card in truth if card.readable_from(least)]
    codes = [(texts[card.name], code) for card in truth for code in card.codes if code.whole and code.module >= least]
    whole = [(text, np.array(code.quad)) for text, code in codes]
    return Tally(
        codes=len(whole),
        codes_read=sum(any(text == said and lies_in(quad, place) for said, quad in reads) for text, place in whole),
        cards=len(readable),
        cards_read=sum(texts[card.name] in read for card in readable),
        false=len(read - {texts[card.name] for card in truth}),
    )


def lies_in(quad: Quad, place: Quad) -> bool:
    """Tell whether the middle of a quad lies in the place of a code."""
    x, y = quad.mean(axis=0)
    return cv2.pointPolygonTest(place.astype(np.float32), (float(x), float(y)), measureDist=False) >= 0
