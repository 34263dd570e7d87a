"""Places in pictures where a card seems to lie that was not read, and what settles them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from server.games.review.issues import IssueChoice, IssueKind, PhotoPlace, ReviewIssue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.games.photos.readings import Quad, Reading
    from server.games.review.envelope_status import EnvelopeRecord
    from server.games.review.issues import IssueCollector
    from server.games.review.photo_ownership import PhotoOwnership, ReviewedPhoto


Points = npt.NDArray[np.float64]
Outlines = npt.NDArray[np.float64]
"""Of shape (n, 4, 2)."""

FEWEST = 2
"""Cards that both pictures show at least: one alone does not tell whether others were moved."""
NEAR = 0.35
"""How far, in widths of a card, the middle of a card may lie from the unread place."""
FIT = 0.15
"""How far, in widths of a card, corners of the common cards may lie from where they should."""


_KEPT = 20_000

# Answers that are kept.
_told: OrderedDict[tuple[int, int, Quad], tuple[Reading, Reading, str | None]] = OrderedDict()

# Readings never change, and the same pairs are asked about again and again. The readings are kept with each answer, so
# that no other object takes the place of one in memory.
_turn = threading.Lock()


def shown_at(reading: Reading, place: Quad, other: Reading) -> str | None:
    """Return what `lies_at` tells, from memory where it was asked before."""
    key = (id(reading), id(other), place)
    with _turn:
        known = _told.get(key)
    if known is not None:
        return known[2]
    card = lies_at(reading, place, other)
    with _turn:
        _told[key] = (reading, other, card)
        while len(_told) > _KEPT:
            _told.popitem(last=False)
    return card


def lies_at(reading: Reading, place: Quad, other: Reading) -> str | None:
    """Return the card of another picture that lies where this one has an unread place; None if none surely does.

    The pictures must share cards, and lie so that all of them fit: then nobody has moved the cards in between.
    """
    here = {seen.card: seen.outline for seen in reading.seen}
    there = {seen.card: seen.outline for seen in other.seen}
    if len(there) < len(other.seen) or len(here) < len(reading.seen):
        return None
    common = sorted(here.keys() & there.keys())
    fresh = sorted(there.keys() - here.keys())
    if len(common) < FEWEST or not fresh:
        return None
    target = np.array([here[card] for card in common])
    way = _way(np.array([there[card] for card in common]), target)
    if way is None:
        return None
    mapped = _project(way, np.array([there[card] for card in fresh]).reshape(-1, 2))
    if mapped is None:
        return None
    apart = np.linalg.norm(mapped.reshape(-1, 4, 2).mean(axis=1) - np.array(place).mean(axis=0), axis=1)
    inside = np.flatnonzero(apart < NEAR * _widths(target).mean())
    return fresh[int(inside[0])] if len(inside) == 1 else None


def _way(source: Outlines, target: Outlines) -> Points | None:
    """Return the projection that takes all outlines to their places; None where there is none.

    An outline may begin at either of two opposite corners.
    """
    other = np.roll(target, 2, axis=1)
    for start in (target[0], other[0]):
        first = _fit(source[0], start)
        mapped = None if first is None else _project(first, source.reshape(-1, 2))
        if mapped is None:
            continue
        laid = mapped.reshape(-1, 4, 2)
        as_is = np.abs(target - laid).sum(axis=(1, 2)) <= np.abs(other - laid).sum(axis=(1, 2))
        turned = np.where(as_is[:, None, None], target, other)
        way = _fit(source.reshape(-1, 2), turned.reshape(-1, 2))
        mapped = None if way is None else _project(way, source.reshape(-1, 2))
        if mapped is not None:
            worst = np.linalg.norm(mapped.reshape(-1, 4, 2) - turned, axis=2).max(axis=1)
            if (worst < FIT * _widths(target)).all():
                return way
    return None


def _fit(source: Points, target: Points) -> Points | None:
    """Return the projection that takes points best to points, by least squares on both normalised."""
    into, out = _normal(source), _normal(target)
    if into is None or out is None:
        return None
    a, b = _project(into, source), _project(out, target)
    if a is None or b is None:
        return None
    (x, y), (u, v) = a.T, b.T
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows = np.vstack(
        [
            np.column_stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u]),
            np.column_stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v]),
        ]
    )
    way = np.linalg.eigh(rows.T @ rows)[1][:, 0].reshape(3, 3)
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


def _widths(outlines: Outlines) -> Points:
    """Return the shorter side of each outline."""
    sides = np.linalg.norm(outlines[:, :2] - outlines[:, 1:3], axis=2)
    return np.asarray(sides.min(axis=1))


_GRID = 8

# Pixels to which a place is rounded in its key.
_WHOLE = (IssueChoice("complete", "All cards in the picture were read."),)
_SETTLED = {
    "": "",
    "list": "The hand is the player's own list, card by card.",
    "retaken": "Another picture shows the same cards and more, without a doubt.",
}


@dataclass
class UnreadPlace:
    """A place of which nothing was read; `card` and `envelope` once somebody has said what lies there."""

    key: str
    picture: ReviewedPhoto
    quad: Quad
    reason: str
    choices: tuple[IssueChoice, ...]
    decided: bool = False
    settled: str = ""
    settled_by: str = ""
    card: str | None = None
    envelope: int | None = None


def read_places(used: Sequence[PhotoOwnership], docket: IssueCollector) -> list[UnreadPlace]:
    """Return all unread places, with what a picture of the same layout or an organiser says of them."""
    # Only what was not read asks for it.
    sharing = _sharing(used) if any(whole.picture.reading and whole.picture.reading.doubts for whole in used) else {}
    found = []
    for whole in used:
        reading = whole.picture.reading
        for doubt in reading.doubts if reading else ():
            x, y = (round(sum(corner[axis] for corner in doubt.quad) / (4 * _GRID)) for axis in (0, 1))
            owner = whole.owner
            choices = (
                IssueChoice(
                    "card",
                    "This card lies there.",
                    ("card",) if owner is not None else ("card", "envelope"),
                    ("envelope",) if owner is not None else (),
                    envelopes=() if owner is None else (owner,),
                ),
                IssueChoice("nothing", "No card lies there."),
            )
            place = UnreadPlace(
                f"doubt:{whole.picture.digest[:16]}:{x},{y}", whole.picture, doubt.quad, doubt.reason, choices
            )
            found.append(place)
            if card := _shown(whole, doubt.quad, sharing):
                place.settled_by, place.settled = "shown", f"Another picture of the same cards shows {card} there."
                continue
            decision = docket.ruled(place.key, choices)
            if decision is not None:
                place.decided = True
                place.card, place.envelope = decision.card, decision.envelope or owner
    return found


def settle_places(
    unread: Iterable[UnreadPlace],
    used: Sequence[PhotoOwnership],
    lists: Mapping[int, frozenset[str]],
    seats: Mapping[int, EnvelopeRecord],
    docket: IssueCollector,
) -> None:
    """Add the items of unread places, and of pictures that were not read to the end."""
    by_id = {whole.picture.id: whole for whole in used}
    for place in unread:
        whole = by_id[place.picture.id]
        if not place.settled and not place.decided:
            place.settled_by = _settled(whole, used, lists, seats)
            place.settled = _SETTLED[place.settled_by]
        docket.add(
            ReviewIssue(
                place.key,
                IssueKind.DOUBT,
                f"Something that looks like a card was not read ({place.reason}).",
                place.choices,
                envelopes=whole.envelopes,
                cards=(place.card,) if place.card else (),
                places=(PhotoPlace(place.picture.id, place.quad, "doubt"),),
                settled=place.settled,
                case=place.reason,
                settled_by=place.settled_by,
                order=place.picture.order,
            )
        )
    for whole in used:
        reading = whole.picture.reading
        if reading is not None and not reading.complete:
            key = f"incomplete:{whole.picture.digest[:16]}"
            docket.ruled(key, _WHOLE)
            settled = _settled(whole, used, lists, seats)
            docket.add(
                ReviewIssue(
                    key,
                    IssueKind.INCOMPLETE,
                    "Time ran out before the picture was read to the end: a card without an outline may lie in it.",
                    _WHOLE,
                    envelopes=whole.envelopes,
                    places=(PhotoPlace(whole.picture.id, None),),
                    settled=_SETTLED[settled],
                    settled_by=settled,
                    order=whole.picture.order,
                )
            )


def _settled(
    whole: PhotoOwnership,
    used: Sequence[PhotoOwnership],
    lists: Mapping[int, frozenset[str]],
    seats: Mapping[int, EnvelopeRecord],
) -> str:
    """Say by its slug what settles all unread places of a picture; "" if nothing does."""
    reading, owner = whole.picture.reading, whole.owner
    if reading is None or owner is None:
        return ""
    doubts, deck, claim = len(reading.doubts), lists.get(owner, frozenset()), seats[owner].claim
    # As many cards as there are places must have been seen elsewhere.
    if claim is not None and deck == frozenset(claim) and len(deck - whole.cards) >= doubts:
        return "list"
    for other in used:
        better = other.picture.reading
        if (
            better is not None
            and other is not whole
            and other.owner == owner
            and better.complete
            and not better.doubts
            and whole.cards
            and other.cards >= whole.cards
            and len(other.cards) >= len(whole.cards) + doubts
        ):
            return "retaken"
    return ""


def _sharing(used: Iterable[PhotoOwnership]) -> dict[str, list[PhotoOwnership]]:
    """Return the pictures that show each card."""
    found: dict[str, list[PhotoOwnership]] = {}
    for whole in used:
        for card in whole.cards:
            found.setdefault(card, []).append(whole)
    return found


def _shown(whole: PhotoOwnership, place: Quad, sharing: Mapping[str, Sequence[PhotoOwnership]]) -> str | None:
    """Return the card that other pictures of the same layout show at a place; None if none does or they disagree."""
    reading = whole.picture.reading
    others = {id(other): other for card in whole.cards for other in sharing[card] if other is not whole}
    cards = set()
    for other in others.values():
        if reading is not None and other.picture.reading is not None:
            cards.add(shown_at(reading, place, other.picture.reading))
    cards.discard(None)
    return cards.pop() if len(cards) == 1 else None
