"""Owners of cards. A card is a single object: seen in two decks, it counts in none until an organiser decides."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from server.games.review.issue_keys import (
    copy_key,
    foreign_code_key,
    invalid_card_key,
    parse_manual_entry_key,
    two_decks_key,
)
from server.games.review.issues import IssueChoice, IssueKind, PhotoPlace, ReviewIssue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from server.games.review.envelope_status import EnvelopeRecord, EnvelopeStatus
    from server.games.review.issues import IssueCollector
    from server.games.review.photo_ownership import PhotoOwnership
    from server.games.review.unread_regions import UnreadRegion

Sightings = dict[str, dict[int, list[PhotoPlace]]]
"""Where each card was seen, by card and by envelope."""

Decks = dict[int, dict[str, list[PhotoPlace]]]
"""The cards of each envelope, and where each was seen."""

_ADD = IssueChoice("add", "The card is in this envelope, but was not photographed or cannot be read.")
_REMOVE = IssueChoice("remove", "The card is not in this envelope.")
_ACCEPT = IssueChoice("accept", "The card counts anyway.")
_VOID = IssueChoice("void", "The card counts nowhere.")
_COPY_CHOICES = (IssueChoice("once", "One of them is a copy; the card itself is there and counts once."), _VOID)
_UNCOUNTED = "It counts nowhere."
_FOREIGN_CODES = {
    "forged": "A code of this game with a wrong signature. If the card is real, enter it by hand.",
    "other-game": "A code of another game.",
    "foreign": "A code that is not Haggle's.",
}


class PrintedCards(NamedTuple):
    """The printed cards: the envelope that each was dealt into, those reported lost, and the opened envelopes."""

    dealt: Mapping[str, int]
    lost: Collection[str]
    opened: Collection[int]

    def invalid_reason(self, card: str) -> tuple[str, str]:
        """Return why a card is not valid, as a slug and a sentence; both are empty for a valid card."""
        if card not in self.dealt:
            return "not-printed", f"{card} was never printed for this game."
        if card in self.lost:
            return "lost", f"{card} was reported lost, and another card was printed in its place."
        if self.dealt[card] not in self.opened:
            envelope = self.dealt[card]
            return "sealed", f"{card} comes from envelope {envelope}, which was never opened: its cards do not count."
        return "", ""


def collect_sightings(used: Iterable[PhotoOwnership], unread: Iterable[UnreadRegion]) -> Sightings:
    """Return where each card was seen in photographs with an owner."""
    places: dict[tuple[str, int], list[PhotoPlace]] = defaultdict(list)
    for owned in used:
        for card_in_envelope, place in owned.assigned:
            places[card_in_envelope].append(place)
    for region in unread:
        if region.envelope is not None and region.card is not None:
            places[region.card, region.envelope].append(PhotoPlace(region.photo.id, region.quad, "doubt"))
    sightings: Sightings = {}
    for (card, envelope), where in places.items():
        sightings.setdefault(card, {})[envelope] = where
    return sightings


def manual_entry_choices(*, is_present: bool) -> tuple[IssueChoice, ...]:
    """Return the possible manual entries: only a card that lies in the envelope can be removed."""
    return (_ADD, _REMOVE) if is_present else (_ADD,)


def apply_manual_entries(
    sightings: Sightings, issues: IssueCollector, dealt: Mapping[str, int], envelopes: Collection[int]
) -> list[tuple[int, datetime]]:
    """Add and remove the cards that organisers entered by hand; return the envelopes with added cards and the times."""
    additions = []
    for key in sorted(issues.records):
        entry = parse_manual_entry_key(key)
        if entry is None:
            continue
        card, envelope = entry
        if card not in dealt or envelope not in envelopes:
            continue
        places = sightings.get(card, {}).get(envelope)
        choices = manual_entry_choices(is_present=bool(places))
        decision = issues.apply_decision(key, choices)
        if decision is None:
            continue
        if decision.do == "remove":
            del sightings[card][envelope]
            text = f"An organiser removed {card} from envelope {envelope}."
        else:
            sightings.setdefault(card, {}).setdefault(envelope, []).append(PhotoPlace(None, None, "by-hand"))
            additions.append((envelope, issues.records[key].at))
            text = f"An organiser added {card} to envelope {envelope}."
        issues.add(
            ReviewIssue(
                key,
                IssueKind.BY_HAND,
                text,
                choices,
                envelopes=(envelope,),
                cards=(card,),
                places=tuple(places or ()),
            )
        )
    return additions


def add_trusted_hand_ins(
    sightings: Sightings, envelopes: Mapping[int, EnvelopeRecord], statuses: Mapping[int, EnvelopeStatus]
) -> None:
    """Add the cards of the hand-ins that count without a photograph."""
    for number, status in statuses.items():
        if status.trusted:
            for card in envelopes[number].hand_in or ():
                sightings.setdefault(card, {}).setdefault(number, []).append(PhotoPlace(None, None, "claim"))


def assign_cards(
    sightings: Sightings, used: Sequence[PhotoOwnership], issues: IssueCollector, printed: PrintedCards
) -> Decks:
    """Return the cards that count in each envelope, each card in one envelope at most."""
    order = {owned.photo.id: owned.photo.order for owned in used}
    copies: dict[str, list[PhotoPlace]] = defaultdict(list)
    for owned in used:
        for card, where in owned.copies.items():
            copies[card] += where
    decks: Decks = defaultdict(dict)
    for card, everywhere in sorted(_all_places(used, sightings).items()):
        if not _is_valid(card, everywhere, issues, printed, order):
            continue
        if card in copies and not _counts_once(card, copies[card], issues, order):
            continue
        places = sightings.get(card, {})
        envelope = _owner(card, places, issues, order)
        if envelope is not None:
            decks[envelope][card] = places[envelope]
    return dict(decks)


def _all_places(used: Iterable[PhotoOwnership], sightings: Sightings) -> dict[str, list[PhotoPlace]]:
    """Return all places of each card, also in photographs without an owner."""
    places: dict[str, list[PhotoPlace]] = defaultdict(list)
    for owned in used:
        for seen in owned.sightings:
            places[seen.card].append(seen.place)
    for card, by_envelope in sightings.items():
        # Entered, handed in, or read by an organiser: not among the cards that the scanner saw.
        if others := [place for where in by_envelope.values() for place in where if place.how != "seen"]:
            places[card] += others
    return places


def _is_valid(
    card: str,
    places: Sequence[PhotoPlace],
    issues: IssueCollector,
    printed: PrintedCards,
    order: Mapping[str, tuple[object, ...]],
) -> bool:
    """Return whether a card counts at all: it was printed and given out, or an organiser accepted it."""
    case, text = printed.invalid_reason(card)
    if not case:
        return True
    is_printed = card in printed.dealt
    key, choices = invalid_card_key(card), (_ACCEPT, _VOID) if is_printed else ()
    decision = issues.apply_decision(key, choices)
    issues.add(
        ReviewIssue(
            key,
            IssueKind.DEAD,
            text,
            choices,
            envelopes=(printed.dealt[card],) if is_printed else (),
            cards=(card,),
            places=tuple(places),
            settled="" if is_printed else _UNCOUNTED,
            case=case,
            settled_by="" if is_printed else "uncounted",
            order=_first(places, order),
        )
    )
    return decision is not None and decision.do == "accept"


def _counts_once(
    card: str, copies: Sequence[PhotoPlace], issues: IssueCollector, order: Mapping[str, tuple[object, ...]]
) -> bool:
    """Return whether a card that a photograph shows several times counts once, as it does unless it was voided."""
    key = copy_key(card)
    decision = issues.apply_decision(key, _COPY_CHOICES)
    text = f"{card} lies in one picture {len(copies)} times. There is only one such card: the others are copies."
    issues.add(
        ReviewIssue(
            key,
            IssueKind.COPY,
            text,
            _COPY_CHOICES,
            cards=(card,),
            places=tuple(copies),
            order=_first(copies, order),
        )
    )
    return decision is None or decision.do == "once"


def _owner(
    card: str,
    places: Mapping[int, list[PhotoPlace]],
    issues: IssueCollector,
    order: Mapping[str, tuple[object, ...]],
) -> int | None:
    """Return the envelope that a card belongs to; None if it has none, or several and nobody has decided."""
    if len(places) <= 1:
        return next(iter(places), None)
    envelopes = tuple(sorted(places))
    key = two_decks_key(card, envelopes)
    choices = (IssueChoice("belongs", "The card belongs to this envelope.", ("envelope",), envelopes=envelopes), _VOID)
    decision = issues.apply_decision(key, choices)
    where = tuple(place for envelope in envelopes for place in places[envelope])
    issues.add(
        ReviewIssue(
            key,
            IssueKind.TWO_DECKS,
            f"{card} was seen in the decks of envelopes {' and '.join(map(str, envelopes))}.",
            choices,
            envelopes=envelopes,
            cards=(card,),
            places=where,
            order=_first(where, order),
        )
    )
    return decision.envelope if decision else None


def _first(places: Iterable[PhotoPlace], order: Mapping[str, tuple[object, ...]]) -> tuple[object, ...]:
    """Return the sort key of the first photograph among places."""
    return min((order[place.photo] for place in places if place.photo and place.photo in order), default=())


def envelope_contents(sightings: Sightings, decks: Decks) -> dict[int, frozenset[str]]:
    """Return the cards seen in each envelope, whether they count or not, without those of another envelope's deck."""
    owners = {card: number for number, cards in decks.items() for card in cards}
    contents: dict[int, set[str]] = defaultdict(set)
    for card, by_envelope in sightings.items():
        for number in by_envelope:
            if owners.get(card, number) == number:
                contents[number].add(card)
    return {number: frozenset(cards) for number, cards in contents.items()}


def add_foreign_code_issues(used: Iterable[PhotoOwnership], issues: IssueCollector) -> None:
    """Add an issue for each code that is not a card of the game, one for all photographs that show it."""
    places: dict[tuple[str, str], list[PhotoPlace]] = defaultdict(list)
    first: dict[tuple[str, str], PhotoOwnership] = {}
    for owned in used:
        for code in owned.photo.reading.foreign_codes if owned.photo.reading else ():
            places[code.status, code.text].append(PhotoPlace(owned.photo.id, code.quad, "code"))
            first.setdefault((code.status, code.text), owned)
    for (status, text), where in places.items():
        owned = first[status, text]
        issues.add(
            ReviewIssue(
                foreign_code_key(status, text),
                IssueKind(status),
                f"{_FOREIGN_CODES[status]} It says: {text}",
                (),
                envelopes=owned.envelopes,
                places=tuple(where),
                settled=_UNCOUNTED,
                settled_by="uncounted",
                says=text,
                order=owned.photo.order,
            )
        )
