"""Owners of organisers' photographs. Only a label or an organiser's decision assigns a photograph to an envelope."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from server.games.photos.scan_queue import PhotoState
from server.games.review.issue_keys import owner_key
from server.games.review.issues import IssueChoice, PhotoPlace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from server.games.photos.readings import Reading
    from server.games.review.issues import Decision, IssueCollector


@dataclass(frozen=True)
class ReviewedPhoto:
    """An organiser's photograph. `state`, `reason` and `scanned` are those of its row; `reading` is None until then."""

    id: str
    digest: str
    created: datetime
    batch: str | None = None
    place: int = 0
    name: str = ""
    state: str = PhotoState.DONE
    reason: str | None = None
    reading: Reading | None = None
    scanned: datetime | None = None

    @cached_property
    def order(self) -> tuple[datetime, str, int, str]:
        """Sort key among all photographs."""
        return (self.created, self.batch or "", self.place, self.id)

    @cached_property
    def key(self) -> str | None:
        """Key of the decision on the photograph's owner; None while it is not scanned.

        It depends on the piles in the photograph: read differently later, it is another question.
        """
        if self.reading is None:
            return None
        return owner_key(self.digest, self.reading.grouping)


class CardSighting(NamedTuple):
    """A card in a photograph, and the envelope that it belongs to there, if any."""

    card: str
    envelope: int | None
    place: PhotoPlace


@dataclass(frozen=True)
class PhotoOwnership:
    """Owners of a photograph: the envelope of each card, all envelopes named, and the owner if there is only one.

    `used` is False for a photograph that an organiser set aside.
    """

    photo: ReviewedPhoto
    sightings: tuple[CardSighting, ...]
    envelopes: tuple[int, ...] = ()
    owner: int | None = None
    used: bool = True
    open: bool = False
    """Whether an organiser still has to assign it."""

    @cached_property
    def assigned(self) -> Sequence[tuple[tuple[str, int], PhotoPlace]]:
        """The cards with an envelope: card and envelope, and the place."""
        return [((seen.card, seen.envelope), seen.place) for seen in self.sightings if seen.envelope is not None]

    @cached_property
    def unassigned(self) -> frozenset[str]:
        """The cards without an envelope."""
        return frozenset(seen.card for seen in self.sightings if seen.envelope is None)

    @cached_property
    def cards(self) -> frozenset[str]:
        """All cards in the photograph."""
        return frozenset(seen.card for seen in self.sightings)

    @cached_property
    def copies(self) -> Mapping[str, Sequence[PhotoPlace]]:
        """The cards that the photograph shows more than once, with their places."""
        places: dict[str, list[PhotoPlace]] = {}
        for seen in self.sightings:
            places.setdefault(seen.card, []).append(seen.place)
        return {card: where for card, where in places.items() if len(where) > 1}


def distinct_photos(photos: Iterable[ReviewedPhoto]) -> list[ReviewedPhoto]:
    """Return the photographs in the order of arrival; of several with the same file only one."""
    found: dict[str, ReviewedPhoto] = {}
    ordered = sorted(photos, key=attrgetter("order"))
    for photo in ordered:
        first = found.setdefault(photo.digest, photo)
        # Prefer one that has been scanned.
        if first.reading is None and photo.reading is not None:
            found[photo.digest] = photo
    return [photo for photo in ordered if found[photo.digest] is photo]


DECISIONS = ("assign", "split", "ignore", "empty")
"""The possible decisions on the owner of a photograph."""


def photo_choices(photo: ReviewedPhoto, envelopes: Collection[int]) -> tuple[IssueChoice, ...]:
    """Return the possible decisions on the owner of a photograph."""
    reading = photo.reading
    if reading is None:
        return ()
    piles, labels = len(reading.piles), [label for label in reading.labels if label in envelopes]
    choices = [
        IssueChoice("assign", "All cards in the picture belong to one envelope.", ("envelope",)),
        IssueChoice("ignore", "The picture is not used: other pictures show what is in it."),
    ]
    if piles > 1:
        text = "Each pile, from the left, belongs to an envelope."
        named = tuple(pile.label if pile.label in envelopes else None for pile in reading.piles)
        choices.insert(1, IssueChoice("split", text, ("envelopes",), piles=piles, labels=named))
    if not reading.seen and not reading.doubts:
        choices[0] = IssueChoice("empty", "The envelope was empty.", ("envelope",), envelopes=tuple(sorted(labels)))
    return tuple(choices)


def photo_ownership(photo: ReviewedPhoto, issues: IssueCollector, envelopes: Collection[int]) -> PhotoOwnership:
    """Return the envelope of each card in a photograph, by a decision or else by the label."""
    reading, key = photo.reading, photo.key
    if reading is None or key is None:
        return PhotoOwnership(photo, ())
    decision = issues.apply_decision(key, photo_choices(photo, envelopes)) if key in issues.records else None
    labels = frozenset(label for label in reading.labels if label in envelopes)
    return _by_label(photo, reading, labels) if decision is None else _by_decision(photo, reading, decision)


def _by_label(photo: ReviewedPhoto, reading: Reading, labels: frozenset[int]) -> PhotoOwnership:
    """Return the ownership by the photograph's label; `labels` are those of envelopes of the game."""
    if len(set(reading.labels)) > 1:
        return PhotoOwnership(photo, _sightings(photo, reading, [None] * len(reading.piles)), open=True)
    label = next(iter(labels), None)
    owners = [label if pile.label == label else None for pile in reading.piles]
    incomplete = None in owners or label is None
    nothing = not reading.seen and not reading.doubts
    return PhotoOwnership(
        photo,
        _sightings(photo, reading, owners),
        () if label is None else (label,),
        None if incomplete else label,
        open=incomplete or nothing,
    )


def _by_decision(photo: ReviewedPhoto, reading: Reading, decision: Decision) -> PhotoOwnership:
    piles = len(reading.piles)
    if decision.do == "ignore":
        return PhotoOwnership(photo, _sightings(photo, reading, [None] * piles), used=False)
    owners = list(decision.envelopes or [decision.envelope] * piles)
    named = sorted({owner for owner in (*owners, decision.envelope) if owner is not None})
    only = named[0] if len(named) == 1 and None not in owners else None
    return PhotoOwnership(photo, _sightings(photo, reading, owners), tuple(named), only)


def _sightings(photo: ReviewedPhoto, reading: Reading, owners: Sequence[int | None]) -> tuple[CardSighting, ...]:
    """Return the cards in a photograph; `owners` are the envelopes of its piles."""
    return tuple(
        CardSighting(reading.seen[at].card, owner, PhotoPlace(photo.id, reading.seen[at].outline))
        for pile, owner in zip(reading.piles, owners, strict=True)
        for at in pile.cards
    )
