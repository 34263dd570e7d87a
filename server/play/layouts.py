"""Two pictures of cards that nobody has moved in between: a card that one did not read lies in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from server.jobs.readings import Quad, Reading

Points = npt.NDArray[np.float64]

FEWEST = 2
"""Cards that both pictures show at least: one alone does not tell whether others were moved."""
NEAR = 0.35
"""How far, in widths of a card, corners may lie from where they should."""


def shown_at(reading: Reading, place: Quad, other: Reading) -> str | None:
    """Return the card of another picture that lies where this one has an unread place; None if none surely does.

    The pictures must share cards, and lie so that all of them fit: then nobody has moved the cards in between.
    """
    here = {seen.card: np.array(seen.outline) for seen in reading.seen}
    there = {seen.card: np.array(seen.outline) for seen in other.seen}
    if len(there) < len(other.seen) or len(here) < len(reading.seen):
        return None
    common = sorted(here.keys() & there.keys())
    fresh = sorted(there.keys() - here.keys())
    if len(common) < FEWEST or not fresh:
        return None
    way = _way([there[card] for card in common], [here[card] for card in common])
    if way is None:
        return None
    target, width = np.array(place).mean(axis=0), float(np.mean([_width(here[card]) for card in common]))
    inside = []
    for card in fresh:
        mapped = _project(way, there[card])
        if mapped is not None and np.linalg.norm(mapped.mean(axis=0) - target) < NEAR * width:
            inside.append(card)
    return inside[0] if len(inside) == 1 else None


def _way(source: list[Points], target: list[Points]) -> Points | None:
    """Return the projection that takes all outlines to their places; None where there is none.

    An outline may begin at either of two opposite corners.
    """
    for start in (target[0], np.roll(target[0], 2, axis=0)):
        first = _fit(source[0], start)
        if first is None:
            continue
        turned = [start]
        for outline, place in zip(source[1:], target[1:], strict=True):
            mapped = _project(first, outline)
            if mapped is None:
                break
            other = np.roll(place, 2, axis=0)
            turned.append(place if np.abs(place - mapped).sum() <= np.abs(other - mapped).sum() else other)
        if len(turned) < len(target):
            continue
        way = _fit(np.vstack(source), np.vstack(turned))
        if way is not None and all(_fits(way, outline, place) for outline, place in zip(source, turned, strict=True)):
            return way
    return None


def _fits(way: Points, outline: Points, place: Points) -> bool:
    mapped = _project(way, outline)
    return mapped is not None and float(np.linalg.norm(mapped - place, axis=1).max()) < NEAR * _width(place)


def _fit(source: Points, target: Points) -> Points | None:
    """Return the projection that takes points best to points, by least squares on both normalised."""
    into, out = _normal(source), _normal(target)
    if into is None or out is None:
        return None
    a, b = _project(into, source), _project(out, target)
    if a is None or b is None:
        return None
    rows = []
    for (x, y), (u, v) in zip(a, b, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    way = np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3)
    return np.asarray(np.linalg.inv(out) @ way @ into)


def _normal(points: Points) -> Points | None:
    middle, spread = points.mean(axis=0), float(points.std())
    if not np.isfinite(spread) or spread < 1:
        return None
    return np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])


def _project(way: Points, points: Points) -> Points | None:
    """Take points along a projection; None for what it takes beyond the horizon."""
    whole = np.column_stack([points, np.ones(len(points))]) @ way.T
    depth = whole[:, 2]
    if not (np.all(depth > 1e-9) or np.all(depth < -1e-9)):  # noqa: PLR2004 - nothing may lie on the horizon
        return None
    return np.asarray(whole[:, :2] / depth[:, None])


def _width(quad: Points) -> float:
    """Return the shorter side of an outline."""
    return float(min(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[1] - quad[2])))
