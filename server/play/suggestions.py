"""Whose a picture without a clear label may be. Only a help for the organiser: nothing follows from it by itself."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from server.play.items import Suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from server.play.closing import Seat
    from server.play.pictures import Owned

_MOST = 4
_SEVERAL = 2


def suggestions(
    found: Sequence[Owned], lists: Mapping[int, frozenset[str]], seats: Mapping[int, Seat]
) -> dict[str, tuple[Suggestion, ...]]:
    """Return for each picture that is still nobody's the envelopes that it may belong to, the likeliest first."""
    asked = {whole.picture.id for whole in found if whole.open and whole.sights}
    if not asked:
        return {}
    batches = _batches(found)
    near = _neighbours(batches, asked)
    seen = {number for whole in found for number in whole.envelopes}
    between = _in_between(batches, seats.keys() - seen)
    result = {}
    for whole in found:
        if whole.picture.id in asked:
            ideas = {
                idea.envelope: idea
                for idea in reversed(
                    [
                        *_in_common(whole, lists, seats),
                        *between.get(whole.picture.id, ()),
                        *near.get(whole.picture.id, ()),
                    ]
                )
            }
            labels = set(whole.picture.reading.labels) if whole.picture.reading else set()
            result[whole.picture.id] = tuple(
                # Two labels leave open which of them it is, and nobody else.
                idea
                for idea in reversed(ideas.values())
                if len(labels) < _SEVERAL or idea.envelope in labels
            )[:_MOST]
    return result


def _in_common(whole: Owned, lists: Mapping[int, frozenset[str]], seats: Mapping[int, Seat]) -> Iterator[Suggestion]:
    """Yield the envelopes whose list or deck has cards of the picture, most in common first."""
    counts = []
    for number, seat in seats.items():
        claimed = len(whole.cards & frozenset(seat.claim or ()))
        laid = len(whole.cards & lists.get(number, frozenset()))
        if claimed or laid:
            counts.append((max(claimed, laid), claimed, number))
    for _, claimed, number in sorted(counts, key=lambda count: (-count[0], count[2])):
        if claimed:
            why = f"{claimed} of the {len(whole.cards)} cards are on its player's own list."
            yield Suggestion(number, why, "list", claimed)
        else:
            yield Suggestion(number, "Other pictures of its deck show some of these cards.", "deck")


def _batches(found: Sequence[Owned]) -> list[list[Owned]]:
    """Return the pictures of each batch in the order in which they were taken."""
    batches: dict[str, list[Owned]] = {}
    for whole in found:
        if whole.picture.batch is not None:
            batches.setdefault(whole.picture.batch, []).append(whole)
    for batch in batches.values():
        batch.sort(key=lambda whole: (whole.picture.place, whole.picture.id))
    return list(batches.values())


def _in_between(batches: Sequence[Sequence[Owned]], unseen: AbstractSet[int]) -> dict[str, list[Suggestion]]:
    """Return for pictures between those of 9 and 11 the envelope 10, as long as no picture is known to show it."""
    between: dict[str, list[Suggestion]] = {}
    for batch in batches:
        for before, whole, after in zip(batch, batch[1:], batch[2:], strict=False):
            for first in before.envelopes:
                for last in after.envelopes:
                    number = (first + last) // 2
                    if abs(last - first) == _SEVERAL and number in unseen:
                        why = f"The pictures around it in the batch belong to envelopes {first} and {last}."
                        between.setdefault(whole.picture.id, []).append(Suggestion(number, why, "between"))
    return between


def _neighbours(batches: Sequence[Sequence[Owned]], asked: Collection[str]) -> dict[str, list[Suggestion]]:
    """Return the owners of the pictures before and after each that is asked for, where they came in one batch."""
    near: dict[str, list[Suggestion]] = {}
    for batch in batches:
        for before, after in pairwise(batch):
            for whole, other, where in ((after, before, "before"), (before, after, "after")):
                if whole.picture.id in asked:
                    near.setdefault(whole.picture.id, []).extend(
                        Suggestion(number, f"The picture {where} it in the batch belongs to envelope {number}.", where)
                        for number in other.envelopes
                    )
    return near
