"""Regions of photographs where a card seems to lie that was not read, and the evidence that settles them.

A card that nobody has moved lies in the same place of every photograph of its deck. So where two photographs share
enough cards, a card that one of them did not read can be found in the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt

from server.games.review.issue_keys import incomplete_key, unread_region_key
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

MIN_COMMON = 2
"""Cards that two photographs must share: one alone does not show whether others were moved."""
MAX_DISTANCE = 0.35
"""Greatest distance between a card's middle and the unread region, in widths of a card."""
MAX_MISFIT = 0.15
"""Greatest distance between a shared card's corners and their expected places, in widths of a card."""

# Pixels to which a region is rounded in its key.
_GRID = 8
_COMPLETE_CHOICES = (IssueChoice("complete", "All cards in the picture were read."),)
_SETTLED = {
    "": "",
    "list": "The deck is the player's own list, card by card.",
    "retaken": "Another picture shows the same cards and more, without a doubt.",
}


@dataclass
class UnreadRegion:
    """A region in which no card was read; `card` and `envelope` once an organiser has named a card there."""

    key: str
    photo: ReviewedPhoto
    quad: Quad
    reason: str
    choices: tuple[IssueChoice, ...]
    decided: bool = False
    settled: str = ""
    settled_by: str = ""
    card: str | None = None
    envelope: int | None = None


def find_unread_regions(used: Sequence[PhotoOwnership], issues: IssueCollector) -> list[UnreadRegion]:
    """Return all unread regions, with the card that another photograph shows there or an organiser has named."""
    if not any(owned.photo.reading and owned.photo.reading.doubts for owned in used):
        return []
    photos_of_card = _photos_by_card(used)
    regions = []
    for owned in used:
        reading, owner = owned.photo.reading, owned.owner
        for doubt in reading.doubts if reading else ():
            x, y = (round(sum(corner[axis] for corner in doubt.quad) / (4 * _GRID)) for axis in (0, 1))
            key = unread_region_key(owned.photo.digest, x, y)
            region = UnreadRegion(key, owned.photo, doubt.quad, doubt.reason, _choices(owner))
            regions.append(region)
            if card := _shown_elsewhere(owned, doubt.quad, photos_of_card):
                region.settled_by, region.settled = "shown", f"Another picture of the same cards shows {card} there."
                continue
            decision = issues.apply_decision(key, region.choices)
            if decision is not None:
                region.decided = True
                region.card, region.envelope = decision.card, decision.envelope or owner
    return regions


def _choices(owner: int | None) -> tuple[IssueChoice, ...]:
    """Return the possible decisions on an unread region; in a photograph without an owner a card needs an envelope."""
    text = "This card is there."
    card = (
        IssueChoice("card", text, ("card", "envelope"))
        if owner is None
        else IssueChoice("card", text, ("card",), ("envelope",), envelopes=(owner,))
    )
    return card, IssueChoice("nothing", "There is no card.")


def add_unread_region_issues(
    regions: Iterable[UnreadRegion],
    used: Sequence[PhotoOwnership],
    cards: Mapping[int, frozenset[str]],
    envelopes: Mapping[int, EnvelopeRecord],
    issues: IssueCollector,
) -> None:
    """Add an issue for each unread region, and for each photograph not read to the end. `cards` are those of a deck."""
    by_id = {owned.photo.id: owned for owned in used}
    for region in regions:
        owned = by_id[region.photo.id]
        if not region.settled and not region.decided:
            region.settled_by = _settled_by(owned, used, cards, envelopes)
            region.settled = _SETTLED[region.settled_by]
        issues.add(
            ReviewIssue(
                region.key,
                IssueKind.DOUBT,
                f"Something that looks like a card was not read ({region.reason}).",
                region.choices,
                envelopes=owned.envelopes,
                cards=(region.card,) if region.card else (),
                places=(PhotoPlace(region.photo.id, region.quad, "doubt"),),
                settled=region.settled,
                case=region.reason,
                settled_by=region.settled_by,
                order=region.photo.order,
            )
        )
    for owned in used:
        photo = owned.photo
        if photo.reading is None or photo.reading.complete:
            continue
        key = incomplete_key(photo.digest)
        issues.apply_decision(key, _COMPLETE_CHOICES)
        settled_by = _settled_by(owned, used, cards, envelopes)
        issues.add(
            ReviewIssue(
                key,
                IssueKind.INCOMPLETE,
                "Time ran out before the whole picture was read: it may show a card without an outline.",
                _COMPLETE_CHOICES,
                envelopes=owned.envelopes,
                places=(PhotoPlace(photo.id, None),),
                settled=_SETTLED[settled_by],
                settled_by=settled_by,
                order=photo.order,
            )
        )


def _settled_by(
    owned: PhotoOwnership,
    used: Sequence[PhotoOwnership],
    cards: Mapping[int, frozenset[str]],
    envelopes: Mapping[int, EnvelopeRecord],
) -> str:
    """Return the slug of what settles all unread regions of a photograph; "" if nothing does."""
    reading, owner = owned.photo.reading, owned.owner
    if reading is None or owner is None:
        return ""
    doubts, deck, hand_in = len(reading.doubts), cards.get(owner, frozenset()), envelopes[owner].hand_in
    # At least as many cards as there are regions must have been seen elsewhere.
    if hand_in is not None and deck == frozenset(hand_in) and len(deck - owned.cards) >= doubts:
        return "list"
    for other in used:
        better = other.photo.reading
        if (
            better is not None
            and other is not owned
            and other.owner == owner
            and better.complete
            and not better.doubts
            and owned.cards
            and other.cards >= owned.cards
            and len(other.cards) >= len(owned.cards) + doubts
        ):
            return "retaken"
    return ""


def _photos_by_card(used: Iterable[PhotoOwnership]) -> dict[str, list[PhotoOwnership]]:
    photos: dict[str, list[PhotoOwnership]] = {}
    for owned in used:
        for card in owned.cards:
            photos.setdefault(card, []).append(owned)
    return photos


def _shown_elsewhere(
    owned: PhotoOwnership, region: Quad, photos_of_card: Mapping[str, Sequence[PhotoOwnership]]
) -> str | None:
    """Return the card that other photographs of the same layout show in a region; None if none does or they differ."""
    reading = owned.photo.reading
    others = {id(other): other for card in owned.cards for other in photos_of_card[card] if other is not owned}
    cards = set()
    for other in others.values():
        if reading is not None and other.photo.reading is not None:
            cards.add(card_at(reading, region, other.photo.reading))
    cards.discard(None)
    return cards.pop() if len(cards) == 1 else None


def card_at(reading: Reading, region: Quad, other: Reading) -> str | None:
    """Return the card of another reading that lies where this one has an unread region; None if none certainly does.

    All cards that the readings share must be in the same places: then nobody has moved the cards in between.
    """
    here = {seen.card: seen.outline for seen in reading.seen}
    there = {seen.card: seen.outline for seen in other.seen}
    if len(there) < len(other.seen) or len(here) < len(reading.seen):
        return None
    common = sorted(here.keys() & there.keys())
    fresh = sorted(there.keys() - here.keys())
    if len(common) < MIN_COMMON or not fresh:
        return None
    target = np.array([here[card] for card in common])
    homography = _match_outlines(np.array([there[card] for card in common]), target)
    if homography is None:
        return None
    mapped = _project(homography, np.array([there[card] for card in fresh]).reshape(-1, 2))
    if mapped is None:
        return None
    apart = np.linalg.norm(mapped.reshape(-1, 4, 2).mean(axis=1) - np.array(region).mean(axis=0), axis=1)
    inside = np.flatnonzero(apart < MAX_DISTANCE * _widths(target).mean())
    return fresh[int(inside[0])] if len(inside) == 1 else None


def _match_outlines(source: Outlines, target: Outlines) -> Points | None:
    """Return the homography that maps all outlines to their targets; None if there is none.

    An outline may begin at either of two opposite corners.
    """
    turned = np.roll(target, 2, axis=1)
    for start in (target[0], turned[0]):
        first = _fit(source[0], start)
        mapped = None if first is None else _project(first, source.reshape(-1, 2))
        if mapped is None:
            continue
        outlines = mapped.reshape(-1, 4, 2)
        as_is = np.abs(target - outlines).sum(axis=(1, 2)) <= np.abs(turned - outlines).sum(axis=(1, 2))
        nearest = np.where(as_is[:, None, None], target, turned)
        homography = _fit(source.reshape(-1, 2), nearest.reshape(-1, 2))
        mapped = None if homography is None else _project(homography, source.reshape(-1, 2))
        if mapped is not None:
            worst = np.linalg.norm(mapped.reshape(-1, 4, 2) - nearest, axis=2).max(axis=1)
            if (worst < MAX_MISFIT * _widths(target)).all():
                return homography
    return None


def _fit(source: Points, target: Points) -> Points | None:
    """Return the homography that best maps points to points; None if there is none."""
    # OpenCV's types do not say that it may find none.
    found: Any = cv2.findHomography(source, target)[0]
    return None if found is None or not np.isfinite(found).all() else np.asarray(found, np.float64)


def _project(homography: Points, points: Points) -> Points | None:
    """Map points by a homography; None if some lie beyond the horizon."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    depth = mapped[:, 2]
    if not (np.all(depth > 1e-9) or np.all(depth < -1e-9)):  # noqa: PLR2004 - nothing may lie on the horizon
        return None
    return np.asarray(mapped[:, :2] / depth[:, None])


def _widths(outlines: Outlines) -> Points:
    """Return the length of each outline's shorter side."""
    sides = np.linalg.norm(outlines[:, :2] - outlines[:, 1:3], axis=2)
    return np.asarray(sides.min(axis=1))
