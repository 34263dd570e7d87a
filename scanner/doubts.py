"""Places that look like a code of the game but were not read, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner.quads import corners
from scanner.result import Doubt
from scanner.sort import is_of_seen

if TYPE_CHECKING:
    from cardgen.cards import Game
    from scanner.readers import Found
    from scanner.result import Grey
    from scanner.search import Search
    from scanner.sort import Layout

_SMALL = 2.2
# Pixels a module below which a code that is not read is too small rather than blurred.
_SOFT = 0.85
# Width of an edge in modules from which a code counts as blurred: sharp ones have 0.35 to 0.6.


def doubts_of(search: Search, layout: Layout, game: Game | None) -> tuple[Doubt, ...]:
    """Return the places located but not read, without second codes of cards that were seen."""
    doubts = []
    for one in search.suspects:
        if search.explains(one):
            continue
        if game and is_of_seen(one.quad, layout, game.geometry):
            continue
        doubts.append(Doubt(corners(one.quad), _reason(search.grey, one)))
    return tuple(doubts)


def _reason(grey: Grey, found: Found) -> str:
    if found.module < _SMALL:
        return "small"
    return "blur" if edge_width(grey, found) > _SOFT else "unread"


def edge_width(grey: Grey, found: Found) -> float:
    """Return how wide the sharpest edges of a code are, in modules: its contrast over its steepest slope."""
    left, top = np.maximum(found.quad.min(axis=0), 0).astype(int)
    right, bottom = found.quad.max(axis=0).astype(int) + 1
    cut = grey[top:bottom, left:right].astype(np.float32)
    if min(cut.shape) < 2:  # noqa: PLR2004 - a slope needs two pixels
        return 0.0
    slopes = np.hypot(*np.gradient(cut))
    dark, bright = np.percentile(cut, (5, 95))
    steepest = float(np.percentile(slopes, 98))
    return float(bright - dark) / max(steepest, 1.0) / found.module
