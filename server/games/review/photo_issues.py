"""Issues about whole photographs: unreadable, or without a clear owner, with suggestions of envelopes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from server.games.photos.scan_queue import PhotoState
from server.games.review.issue_keys import failed_key
from server.games.review.issues import IssueKind, PhotoPlace, ReviewIssue, Suggestion
from server.games.review.photo_ownership import photo_choices

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from server.games.review.card_ownership import Sightings
    from server.games.review.envelope_status import EnvelopeRecord
    from server.games.review.issues import IssueCollector, SuggestionReason
    from server.games.review.photo_ownership import PhotoOwnership, ReviewedPhoto

_MAX_SUGGESTIONS = 4


def add_failed_photo_issues(photos: Iterable[ReviewedPhoto], issues: IssueCollector) -> None:
    """Add an issue for each photograph that could not be scanned."""
    for photo in photos:
        if photo.state != PhotoState.FAILED:
            continue
        reason = photo.reason or "unknown"
        issues.add(
            ReviewIssue(
                failed_key(photo.digest),
                IssueKind.FAILED,
                f"The picture could not be read ({reason}). Take it again, or enter its cards by hand.",
                (),
                places=(PhotoPlace(photo.id, None),),
                settled="It is not used.",
                settled_by="unused",
                case=photo.reason or "",
                order=photo.order,
            )
        )


def add_owner_issues(
    ownerships: Sequence[PhotoOwnership],
    issues: IssueCollector,
    sightings: Sightings,
    cards: Mapping[int, frozenset[str]],
    envelopes: Mapping[int, EnvelopeRecord],
) -> None:
    """Add an issue for each photograph whose owner is unclear or was decided. `cards` are those of each deck.

    Other photographs settle it if they show the owners of all its cards, or the cards of its envelope.
    """
    suggestions = suggest_envelopes(ownerships, cards, envelopes)
    for owned in ownerships:
        unassigned = owned.unassigned if owned.open else frozenset()
        settled = ("", "")
        if unassigned and all(sightings.get(card) for card in unassigned):
            settled = ("elsewhere", "Other pictures show to whom all these cards belong.")
        elif owned.open and not owned.sightings and owned.envelopes and all(cards.get(n) for n in owned.envelopes):
            settled = ("envelope", "Other pictures show the cards of this envelope.")
        issue = _owner_issue(owned, issues, envelopes, settled, suggestions.get(owned.photo.id, ()))
        if issue is not None:
            issues.add(issue)


def _owner_issue(
    owned: PhotoOwnership,
    issues: IssueCollector,
    envelopes: Collection[int],
    settled: tuple[str, str],
    suggestions: Sequence[Suggestion],
) -> ReviewIssue | None:
    """Return the issue about a photograph's owner, or None if its only label names it and nobody decided otherwise.

    `settled` is the slug and the sentence of what settled it, both empty if nothing did.
    """
    photo, reading, key = owned.photo, owned.photo.reading, owned.photo.key
    if reading is None or key is None:
        return None
    if owned.owner is not None and not owned.open and key not in issues.records:
        return None
    choices = photo_choices(photo, envelopes)
    labels = sorted(set(reading.labels))
    unknown = [label for label in labels if label not in envelopes]
    case = says = ""
    if not reading.seen and not reading.doubts:
        kind, case, text = IssueKind.NOTHING, "no-label", "No card is in the picture."
        if labels:
            named = " and ".join(map(str, labels))
            case, text = "label", f"The picture shows the label of envelope {named} and no card."
    elif len(labels) > 1:
        kind, text = IssueKind.TWO_LABELS, f"The picture shows the labels {', '.join(map(str, labels))}."
    elif unknown:
        kind, case, says = IssueKind.NO_LABEL, "strange", str(unknown[0])
        text = f"Its label names envelope {unknown[0]}, which this game does not have."
    elif not labels:
        kind, case, text = IssueKind.NO_LABEL, "none", "The picture shows no label."
    elif None in {pile.label for pile in reading.piles}:
        kind, case, text = IssueKind.NO_LABEL, "apart", "Some cards lie apart from the label."
    elif issues.apply_decision(key, choices) is not None:
        kind, text = IssueKind.ASSIGNED, "An organiser said whose this picture is."
    else:
        return None
    unassigned = tuple(seen.place for seen in owned.sightings if seen.envelope is None)
    return ReviewIssue(
        key=key,
        kind=kind,
        text=text,
        choices=choices,
        envelopes=tuple(label for label in labels if label in envelopes),
        cards=tuple(sorted(owned.unassigned)),
        places=unassigned or (PhotoPlace(photo.id, None),),
        settled=settled[1],
        case=case,
        says=says,
        settled_by=settled[0],
        suggestions=tuple(suggestions),
        order=photo.order,
    )


def suggest_envelopes(
    ownerships: Sequence[PhotoOwnership], cards: Mapping[int, frozenset[str]], envelopes: Mapping[int, EnvelopeRecord]
) -> dict[str, tuple[Suggestion, ...]]:
    """Return the envelopes that each unassigned photograph may belong to, by its id, the most likely first."""
    unassigned = [owned for owned in ownerships if owned.open and owned.sightings]
    if not unassigned:
        return {}
    batches = _batches(ownerships)
    photos = Counter(number for owned in ownerships for number in owned.envelopes)
    unseen = envelopes.keys() - photos.keys()
    between, near = _in_between(batches, unseen), _neighbours(batches)
    result = {}
    for owned in unassigned:
        photo = owned.photo
        found = [*_in_common(owned, cards, envelopes), *between.get(photo.id, ()), *near.get(photo.id, ())]
        best = {suggestion.envelope: suggestion for suggestion in reversed(found)}
        labels = set(photo.reading.labels) if photo.reading else set()
        # Of several labels one must be right.
        result[photo.id] = tuple(
            replace(suggestion, photographed=photos[suggestion.envelope] > (suggestion.envelope in owned.envelopes))
            for suggestion in reversed(best.values())
            if len(labels) <= 1 or suggestion.envelope in labels
        )[:_MAX_SUGGESTIONS]
    return result


def _in_common(
    owned: PhotoOwnership, cards: Mapping[int, frozenset[str]], envelopes: Mapping[int, EnvelopeRecord]
) -> Iterator[Suggestion]:
    """Yield the envelopes whose hand-in or deck shares cards with the photograph, most cards first.

    Without a hand-in, a deck that the player confirmed has to be the same card by card.
    """
    counts = []
    for number, envelope in envelopes.items():
        own_list = owned.cards if owned.cards in envelope.confirmed else frozenset(envelope.hand_in or ())
        listed = len(owned.cards & own_list)
        seen = len(owned.cards & cards.get(number, frozenset()))
        if listed or seen:
            counts.append((max(listed, seen), listed, number))
    for _, listed, number in sorted(counts, key=lambda count: (-count[0], count[2])):
        if listed:
            why = f"{listed} of the {len(owned.cards)} cards are on its player's own list."
            yield Suggestion(number, why, "list", listed)
        else:
            yield Suggestion(number, "Other pictures of its deck show some of these cards.", "deck")


def _batches(ownerships: Sequence[PhotoOwnership]) -> list[list[PhotoOwnership]]:
    """Return the photographs of each batch in the order in which they were taken."""
    batches: dict[str, list[PhotoOwnership]] = {}
    for owned in ownerships:
        if owned.photo.batch is not None:
            batches.setdefault(owned.photo.batch, []).append(owned)
    for batch in batches.values():
        batch.sort(key=lambda owned: (owned.photo.place, owned.photo.id))
    return list(batches.values())


def _in_between(batches: Sequence[Sequence[PhotoOwnership]], unseen: AbstractSet[int]) -> dict[str, list[Suggestion]]:
    """Suggest envelope 10 for photographs between those of 9 and 11, as long as no photograph shows it."""
    between: dict[str, list[Suggestion]] = {}
    for batch in batches:
        for before, owned, after in zip(batch, batch[1:], batch[2:], strict=False):
            for first in before.envelopes:
                for last in after.envelopes:
                    number = (first + last) // 2
                    if abs(last - first) == 2 and number in unseen:  # noqa: PLR2004 - one number lies between
                        why = f"The pictures around it in the batch belong to envelopes {first} and {last}."
                        between.setdefault(owned.photo.id, []).append(Suggestion(number, why, "between"))
    return between


def _neighbours(batches: Sequence[Sequence[PhotoOwnership]]) -> dict[str, list[Suggestion]]:
    """Suggest the envelopes of the photographs just before and after in the same batch."""
    near: dict[str, list[Suggestion]] = {}
    for batch in batches:
        for before, after in pairwise(batch):
            sides: tuple[tuple[PhotoOwnership, PhotoOwnership, SuggestionReason], ...]
            sides = (after, before, "before"), (before, after, "after")
            for owned, other, where in sides:
                near.setdefault(owned.photo.id, []).extend(
                    Suggestion(number, f"The picture {where} it in the batch belongs to envelope {number}.", where)
                    for number in other.envelopes
                )
    return near
