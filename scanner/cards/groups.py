"""Separates decks in one picture by the gaps between cards, and assigns labels to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.geometry import centre, fill, project
from scanner.result import CardPile

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.decode.identify import PhotoLayout
    from scanner.result import Doubt, Quad

GAP = 60.0
"""Millimetres between two decks at least: about a card's width. Cards of one deck lie closer."""

FEWEST = 3
"""Cards of a group that make it a deck of its own, unless it has a label."""

# Pixels per millimetre of the mask in which gaps are detected.
_FINE = 0.25

# Maximum side of the mask in pixels: if it is larger, the table plane is wrong.
_MOST = 2000


def find_decks(layout: PhotoLayout, doubts: Sequence[Doubt], geometry: Geometry) -> tuple[CardPile, ...]:
    """Return the decks in a picture from left to right; each card that was seen belongs to one.

    Unread cards count for the gaps. A label belongs to the group it lies in or nearest to. If two labels lie beside one
    group, each card belongs to the nearest label.
    """
    cards = [np.array(card.outline) for card in layout.seen]
    if not cards:
        return ()
    labels = {code.envelope: np.array(code.quad) for code in layout.codes if code.envelope is not None}
    only = CardPile(next(iter(labels)) if len(labels) == 1 else None, tuple(range(len(cards))))
    codes = [np.array(code.quad) for code in layout.codes if code.card is not None]
    flat = layout.table.scaled(codes, geometry.code)
    quads = [*cards, *labels.values(), *(np.array(doubt.quad) for doubt in doubts)]
    groups = _groups([project(flat, quad) for quad in quads])
    if groups is None:
        return (only,)
    places = np.array([centre(project(flat, quad)) for quad in quads])
    at_card, at_label = places[: len(cards)], places[len(cards) : len(cards) + len(labels)]
    own, of_label = groups[: len(cards)], groups[len(cards) : len(cards) + len(labels)]
    real = [group for group in sorted(set(own)) if (own == group).sum() >= FEWEST or group in of_label]
    if len(real) < 2:  # noqa: PLR2004 - one deck, unless labels tell several apart
        if len(labels) < 2:  # noqa: PLR2004 - see above
            return (only,)
        real, own, of_label = [0], np.zeros_like(own), np.zeros_like(of_label)
    # Single cards and labels apart from all groups go to the nearest card of a group.
    rooted = np.isin(own, real)
    own = np.where(rooted, own, own[rooted][_nearest(at_card, at_card[rooted])])
    of_label = np.where(np.isin(of_label, real), of_label, own[_nearest(at_label, at_card)])
    numbers = np.array(list(labels))
    decks: list[tuple[int | None, npt.NDArray[np.bool_]]] = []
    for group in real:
        inside = of_label == group
        if not inside.any():
            decks.append((None, own == group))
            continue
        nearest = numbers[inside][_nearest(at_card, at_label[inside])]
        decks += [(int(number), (own == group) & (nearest == number)) for number in numbers[inside]]
    return _from_left(cards, decks)


def _nearest(points: Quad, others: Quad) -> npt.NDArray[np.intp]:
    """Return for each point, shape (n, 2), the index of the nearest one of others, shape (m, 2)."""
    return np.asarray(np.linalg.norm(points[:, np.newaxis] - others, axis=-1).argmin(axis=1))


def _groups(quads: Sequence[Quad]) -> npt.NDArray[np.intp] | None:
    """Return for each quad, in millimetres, the group that it is in; None where they spread too far to be a table."""
    points = np.vstack(quads)
    low = points.min(axis=0) - GAP
    size = np.ceil((points.max(axis=0) + GAP - low) * _FINE) + 1
    # Also of places that are infinite or no numbers.
    if not (size <= _MOST).all():
        return None
    mask = np.zeros(size.astype(int)[::-1], dtype=np.uint8)
    for quad in quads:
        fill(mask, (quad - low) * _FINE, 1)
    reach = 2 * int(GAP / 2 * _FINE) + 1
    grown = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    _, marks = cv2.connectedComponents(grown)
    x, y = ((np.array([centre(quad) for quad in quads]) - low) * _FINE).astype(int).T
    return np.asarray(marks[y, x], dtype=np.intp)


def _from_left(
    cards: Sequence[Quad], decks: Sequence[tuple[int | None, npt.NDArray[np.bool_]]]
) -> tuple[CardPile, ...]:
    made = [(number, np.flatnonzero(own)) for number, own in decks if own.any()]
    made.sort(key=lambda deck: float(np.mean([centre(cards[int(at)])[0] for at in deck[1]])))
    return tuple(CardPile(number, tuple(int(at) for at in own)) for number, own in made)
