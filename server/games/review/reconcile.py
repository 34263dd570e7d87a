"""Reconciliation of all photographs, hand-ins and decisions of a game into one hand per envelope and a list of issues.

`reconcile` is a pure function. Nothing is merged or dropped silently: each card that was seen is in one hand or named
by an issue. The order of photographs does not matter, and the same file sent twice counts once. A decision that no
longer fits has no effect.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from server.games.photos.scan_queue import UNSCANNED
from server.games.review.card_ownership import (
    PrintedCards,
    add_foreign_code_issues,
    add_trusted_hand_ins,
    apply_manual_entries,
    assign_cards,
    collect_sightings,
    envelope_contents,
)
from server.games.review.envelope_status import compare_with_expected, envelope_statuses
from server.games.review.evidence import load_evidence
from server.games.review.issue_keys import is_owner_key
from server.games.review.issues import IssueCollector, IssueStatus
from server.games.review.photo_issues import add_failed_photo_issues, add_owner_issues
from server.games.review.photo_ownership import distinct_photos, photo_ownership
from server.games.review.unread_regions import add_unread_region_issues, find_unread_regions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.review.card_ownership import Sightings
    from server.games.review.envelope_status import EnvelopeStatus
    from server.games.review.evidence import Evidence
    from server.games.review.issues import PhotoPlace, ReviewIssue
    from server.games.review.photo_ownership import PhotoOwnership, ReviewedPhoto


_CACHE_SIZE = 4
"""Reconciliations that are kept in memory, since pages ask for several views of a game."""


@dataclass(frozen=True)
class EnvelopeHand:
    """The cards of an envelope that count, and whether they are scored."""

    envelope: int
    cards: tuple[str, ...]
    places: Mapping[str, tuple[PhotoPlace, ...]]
    photos: tuple[str, ...]
    exclusion: str = ""
    """Slug of the reason for which the hand does not count, "" if it counts.

    sealed: never opened. not-seen: no organiser has seen the envelope. absent: an organiser decided that it was not
    handed in. late-refused: an organiser refused it as too late.
    """
    late: bool = False
    received: datetime | None = None
    """Time of its first photograph, or of the first card entered by hand."""
    handed_in: datetime | None = None
    """Time of the hand-in by phone, or else when it was received, at the latest when the game closed."""

    @property
    def counts(self) -> bool:
        """True if it is scored."""
        return not self.exclusion


@dataclass(frozen=True)
class Reconciliation:
    """The hands by envelope, all issues, and what else the evidence shows."""

    hands: Mapping[int, EnvelopeHand]
    issues: tuple[ReviewIssue, ...]
    without_effect: tuple[str, ...]
    """Keys of the decisions that have no effect."""
    waiting: tuple[str, ...]
    """Photographs that are still to be scanned."""
    same_as: Mapping[str, str] = field(default_factory=dict)
    """For each photograph whose file was sent before, the photograph that is used."""

    @cached_property
    def open_issues(self) -> tuple[ReviewIssue, ...]:
        """The issues that are neither decided nor settled."""
        return tuple(issue for issue in self.issues if issue.status is IssueStatus.OPEN)

    @cached_property
    def missing(self) -> frozenset[int]:
        """The missing envelopes: given out, not photographed by organisers, and without a decision on that."""
        return frozenset(number for number, hand in self.hands.items() if hand.exclusion == "not-seen")

    @cached_property
    def owners(self) -> Mapping[str, tuple[int, ...]]:
        """The envelopes of each photograph that has any, by its id."""
        owners: dict[str, list[int]] = {}
        for number, hand in sorted(self.hands.items()):
            for photo in hand.photos:
                owners.setdefault(photo, []).append(number)
        return {photo: tuple(numbers) for photo, numbers in owners.items()}

    @cached_property
    def photo_decisions(self) -> Mapping[str, str]:
        """The decision on the owner of each photograph that has one, by its id."""
        return {
            place.photo: issue.record.decision.do
            for issue in self.issues
            if issue.record is not None and is_owner_key(issue.key)
            for place in issue.places
            if place.photo
        }

    @cached_property
    def open_counts(self) -> Mapping[str, int]:
        """The number of open issues about each photograph, by its id."""
        return Counter(
            photo for issue in self.open_issues for photo in {place.photo for place in issue.places} if photo
        )


# The most recently used come first.
_cache: list[tuple[Evidence, Reconciliation]] = []
_cache_lock = threading.Lock()


def reconcile_game(session: Session, game: Game) -> Reconciliation:
    """Return a game's hands and issues in its current state."""
    return reconcile_cached(load_evidence(session, game))


def reconcile_cached(evidence: Evidence) -> Reconciliation:
    """Return the reconciliation of evidence, from memory for evidence that was seen shortly before."""
    # Threads that wait here usually find the result of the one before.
    with _cache_lock:
        for index, (known, found) in enumerate(_cache):
            if known == evidence:
                _cache.insert(0, _cache.pop(index))
                return found
        found = reconcile(evidence)
        _cache.insert(0, (evidence, found))
        del _cache[_CACHE_SIZE:]
        return found


def reconcile(evidence: Evidence) -> Reconciliation:
    """Return the hand of each envelope, and all issues."""
    envelopes = evidence.envelopes
    issues = IssueCollector(evidence.decisions, sorted(envelopes), evidence.dealt)

    # Whose is each photograph?
    photos = distinct_photos(evidence.photos)
    ownerships = [photo_ownership(photo, issues, envelopes) for photo in photos]
    used = [owned for owned in ownerships if owned.used and owned.photo.reading is not None]

    # In which envelopes was each card seen?
    unread = find_unread_regions(used, issues)
    sightings = collect_sightings(used, unread)
    received = _received(used, sightings)
    for number, at in apply_manual_entries(sightings, issues, evidence.dealt, envelopes):
        received[number].append(at)

    # Which envelopes count?
    statuses = envelope_statuses(envelopes, received, issues, is_over=evidence.is_over, closed_at=evidence.closed_at)
    add_trusted_hand_ins(sightings, envelopes, statuses)

    # In which deck does each card count?
    opened = {number for number, status in statuses.items() if status.opened}
    decks = assign_cards(sightings, used, issues, PrintedCards(evidence.dealt, evidence.lost, opened))
    cards = {number: frozenset(deck) for number, deck in decks.items()}

    # What else is there to look at?
    compare_with_expected(envelopes, statuses, cards, envelope_contents(sightings, decks), issues)
    add_unread_region_issues(unread, used, cards, envelopes, issues)
    add_foreign_code_issues(used, issues)
    add_failed_photo_issues(photos, issues)
    add_owner_issues(ownerships, issues, sightings, cards, envelopes)

    photos_of: dict[int, list[str]] = defaultdict(list)
    for owned in used:
        for number in owned.envelopes:
            photos_of[number].append(owned.photo.id)
    return Reconciliation(
        hands={
            number: _hand(number, decks.get(number, {}), status, photos_of[number])
            for number, status in statuses.items()
        },
        issues=issues.issues(),
        without_effect=issues.without_effect(),
        waiting=tuple(photo.id for photo in photos if photo.state in UNSCANNED),
        same_as=_same_as(evidence.photos, photos),
    )


def _received(used: Iterable[PhotoOwnership], sightings: Sightings) -> dict[int, list[datetime]]:
    """Return the envelopes that organisers had in hand, and the times of their photographs."""
    received: dict[int, list[datetime]] = defaultdict(list)
    for owned in used:
        for number in owned.envelopes:
            received[number].append(owned.photo.created)
    for by_envelope in sightings.values():
        for number in by_envelope:
            received.setdefault(number, [])
    return received


def _hand(
    number: int, deck: Mapping[str, Sequence[PhotoPlace]], status: EnvelopeStatus, photos: Sequence[str]
) -> EnvelopeHand:
    return EnvelopeHand(
        envelope=number,
        cards=tuple(sorted(deck)),
        places={card: tuple(places) for card, places in sorted(deck.items())},
        photos=tuple(photos),
        exclusion=status.exclusion,
        late=status.late,
        received=status.received,
        handed_in=status.handed_in,
    )


def _same_as(photos: Iterable[ReviewedPhoto], distinct: Iterable[ReviewedPhoto]) -> dict[str, str]:
    kept = {photo.digest: photo.id for photo in distinct}
    return {photo.id: kept[photo.digest] for photo in photos if kept[photo.digest] != photo.id}
