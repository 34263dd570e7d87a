"""Cards that show something like a code for which no time was left: beside cards that were read they are cards too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scanner.quads import centre, containing, contains, project, side

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.result import Quad
    from scanner.sort import Layout
    from scanner.table import Table

FEWEST = 4
"""Cards from which on the table is known with its perspective."""

_UNLIKE = 1.35
# So many times longer or shorter than usual no side of a code is on the table.
_SAME_CARD = 0.4
# So near to each other, in sides of a card, are the middles of cards that are one, as its codes tell them.


def glimpsed_cards(codes: Sequence[Quad], layout: Layout, geometry: Geometry) -> list[Quad]:
    """Return the cards on which places lie that look like codes, each once, beside the cards that were seen.

    Only where enough was read to tell the table, and of places that have the size of codes on it.
    """
    if len(layout.seen) < FEWEST or not codes:
        return []
    places, own = np.array(codes), np.array([code.quad for code in layout.codes if code.card is not None])
    outlines = np.array([card.outline for card in layout.seen])
    flat, usual = (_lengths(layout.table, quads) for quads in (places, own))
    alike = (np.abs(np.log(np.maximum(flat, 1e-9) / np.median(usual))) < np.log(_UNLIKE)).all(axis=1)
    alike &= ~containing(outlines, places.mean(axis=1)).any(axis=0)
    places = places[alike]
    if not len(places):
        return []
    taken = list(outlines.mean(axis=1))
    near = _SAME_CARD * float(np.median([side(outline) for outline in outlines]))
    cards: list[Quad] = []
    for code, middle in zip(places, layout.table.middles(geometry, places), strict=True):
        if np.hypot(*(np.array(taken) - middle).T).min() < near or any(contains(card, centre(code)) for card in cards):
            continue
        taken.append(middle)
        cards.append(layout.table.outline(geometry, code))
    return cards


def _lengths(table: Table, quads: Quad) -> npt.NDArray[np.float64]:
    """Return the lengths of the sides of quads, shape (n, 4, 2), on the table: shape (n, 4)."""
    flat = project(table.flat, quads.reshape(-1, 2)).reshape(quads.shape)
    return np.asarray(np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2), dtype=np.float64)
