"""The sum of a hand's journal: the worth of its cards, multipliers, void entries and points.

The result of each step does not depend on the order of the entries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from server.scoring.rules import AWARDS, PlayerGroup, Verb
from server.scoring.table import combined_entry

if TYPE_CHECKING:
    from server.scoring.edition import Edition
    from server.scoring.rules import Entry, Points
    from server.scoring.table import Seat

_BEFORE_DOUBLING = tuple(verb for verb in AWARDS if verb is not Verb.DOUBLE)


@dataclass(slots=True)
class Count:
    """The state of a hand's count.

    `cards` are the points of the plain cards, `points` those of everything once the count has ended. `worths` has the
    entry that set the worth of a kind, `zeroes` those that made it worthless, `caps` the number of its cards that
    score at most. `voids` has the entries that void another, by its index in the journal. Entries are in the order of
    their rules.
    """

    cards: Points = 0
    points: Points = 0
    worths: dict[str, Entry] = field(default_factory=dict)
    zeroes: dict[str, list[Entry]] = field(default_factory=dict)
    caps: dict[str, int] = field(default_factory=dict)
    voids: dict[int, list[Entry]] = field(default_factory=dict)

    def scoring(self, seat: Seat, kind: str, category: str) -> int:
        """Return the number of cards of a kind that score: those that are left, up to the smallest limit."""
        number = seat.counts(category).get(kind, 0)
        return min(number, self.caps[kind]) if kind in self.caps else number


def value_cards(seat: Seat, edition: Edition) -> Count:
    """Count the worth of the cards, and the points that multipliers and minimum worths add."""
    count = Count()
    extras: list[int] = []
    for index, entry in enumerate(seat.journal):
        verb = entry.verb
        if verb is Verb.SET:
            _set_worth(count.worths, entry)
        elif verb is Verb.ZERO:
            _add_by_target(count.zeroes, entry)
        elif verb is Verb.CAP:
            (kind,) = entry.targets
            count.caps[kind] = min(int(entry.amount), count.caps.get(kind, int(entry.amount)))
        elif verb is Verb.MULTIPLY or verb is Verb.FLOOR:
            extras.append(index)
    worths, zeroes = count.worths, count.zeroes
    points: Points = 0
    for category in edition.valued:
        for kind, number in seat.counts(category).items():
            if kind not in zeroes:
                worth = worths[kind].amount if kind in worths else edition.worths.get(kind, 0)
                points += worth * (min(number, count.caps[kind]) if kind in count.caps else number)
    count.cards = points
    if extras:
        _extra_worth(seat, edition, count, extras)
    return count


def points_so_far(seat: Seat, edition: Edition, count: Count) -> tuple[Points, dict[str, int]]:
    """Return the points until now, and the number of cards that bring points, by kind."""
    scoring = {
        kind: count.scoring(seat, kind, category)
        for category in edition.valued
        for kind in seat.counts(category)
        if kind not in count.zeroes
    }
    return count.cards + _awards(seat, count, AWARDS), scoring


def apply_doubling(seat: Seat, count: Count) -> None:
    """End the phase DOUBLE: each factor adds its share of the points of all earlier phases.

    If factors multiply, a factor also applies to what those of earlier rules have added.
    """
    indices = [index for index, entry in enumerate(seat.journal) if entry.verb is Verb.DOUBLE]
    before = count.cards + _awards(seat, count, _BEFORE_DOUBLING)
    for index in _by_rule(seat, indices):
        entry = seat.journal[index]
        gain = (entry.amount - 1) * before
        seat.journal[index] = entry._replace(
            amount=gain, values={**entry.values, "factor": entry.amount, "before": before}
        )
        before += gain if seat.table.edition.factors_multiply else 0


def apply_voids(seat: Seat, count: Count) -> None:
    """End the phase SHIELD: void whole rules for this hand, then a number of deductions, the largest first."""
    voids: dict[str, list[Entry]] = {}
    shields: list[Entry] = []
    for entry in seat.journal:
        if entry.verb is Verb.VOID:
            _add_by_target(voids, entry)
        elif entry.verb is Verb.SHIELD:
            shields.append(entry)
    if voids:
        for index, entry in enumerate(seat.journal):
            if entry.verb in AWARDS and entry.rule.key in voids:
                count.voids[index] = count.voids.get(index, []) + voids[entry.rule.key]
    shields.sort(key=lambda entry: (entry.rule.position, entry.author))
    for shield in shields:
        open_lines = [
            (_points_each(entry), entry.rule.position, entry.author, index)
            for index, entry in enumerate(seat.journal)
            if entry.verb is Verb.POINTS and entry.amount < 0
            if entry.rule.key in shield.targets and index not in count.voids
        ]
        left = int(shield.amount)
        for _, _, _, index in sorted(open_lines):
            if left > 0:
                left -= _void_some(seat, count, index, left, shield)


def _points_each(entry: Entry) -> Points:
    """Return the points of an entry; if it combines several hands, those of each hand."""
    return (
        cast("Points", entry.values["each"]) if isinstance(entry.values.get("authors"), PlayerGroup) else entry.amount
    )


def _void_some(seat: Seat, count: Count, index: int, most: int, shield: Entry) -> int:
    """Void an entry, or the share of the first `most` hands that it combines; return their number."""
    entry = seat.journal[index]
    group = entry.values.get("authors")
    if not isinstance(group, PlayerGroup) or len(group) <= most:
        count.voids[index] = [shield]
        return len(group) if isinstance(group, PlayerGroup) else 1
    void, live = group.split(most)
    one = entry._replace(amount=_points_each(entry))
    seat.journal[index] = combined_entry(one, live)
    count.voids[len(seat.journal)] = [shield]
    seat.journal.append(combined_entry(one, void))
    return most


def add_up(seat: Seat, count: Count) -> None:
    """Add up the cards, all lines that are not void, and the organisers' adjustments."""
    adjusted = sum(adjustment.points for adjustment in seat.hand.adjustments)
    count.points = count.cards + _awards(seat, count, AWARDS) + adjusted


def _awards(seat: Seat, count: Count, verbs: tuple[Verb, ...]) -> Points:
    points: Points = 0
    for index, entry in enumerate(seat.journal):
        if entry.verb in verbs and index not in count.voids:
            points += entry.amount
    return points


def _extra_worth(seat: Seat, edition: Edition, count: Count, indices: list[int]) -> None:
    """Turn factors and minimum worths of kinds into the points that they add to the plain worth."""
    floors: dict[str, list[int]] = {}
    above: dict[str, Points] = {}
    each: dict[str, list[Points]] = {}
    for index in _by_rule(seat, indices):
        entry = seat.journal[index]
        (kind,) = entry.targets
        if entry.verb is Verb.FLOOR:
            floors.setdefault(kind, []).append(index)
            continue
        worth = count.worths[kind].amount if kind in count.worths else edition.worths.get(kind, 0)
        cards = min(cast("int", entry.values["cards"]), count.scoring(seat, kind, edition.kind_of[kind].category))
        gain = (entry.amount - 1) * worth * cards
        if edition.factors_multiply:
            gain = _multiplied(each.setdefault(kind, [worth] * seat.has(kind)), entry.amount, cards)
        seat.journal[index] = entry._replace(amount=gain, values={**entry.values, "cards": cards, "worth": worth})
        above[kind] = above.get(kind, 0) + gain
        if kind in count.zeroes:
            count.voids[index] = count.zeroes[kind]
    for kind, places in floors.items():
        cards = count.scoring(seat, kind, edition.kind_of[kind].category)
        worth = count.worths[kind].amount if kind in count.worths else edition.worths.get(kind, 0)
        plain = 0 if kind in count.zeroes else cards * worth + above.get(kind, 0)
        places.sort(key=lambda index: (-seat.journal[index].amount, seat.journal[index].rule.position))
        for index in places:
            entry = seat.journal[index]
            gain = max(entry.amount - plain, 0)
            seat.journal[index] = entry._replace(
                amount=gain, values={**entry.values, "floor": entry.amount, "plain": plain}
            )
            plain += gain


def _by_rule(seat: Seat, indices: list[int]) -> list[int]:
    """Return places in the journal in the order of the rules."""
    return sorted(indices, key=lambda index: (seat.journal[index].rule.position, seat.journal[index].author))


def _multiplied(worths: list[Points], factor: Points, cards: int) -> Points:
    """Multiply the worth of the first cards in place; return what that adds."""
    before = sum(worths[:cards])
    worths[:cards] = [worth * factor for worth in worths[:cards]]
    return (factor - 1) * before


def _set_worth(worths: dict[str, Entry], entry: Entry) -> None:
    """Keep the higher of two worths of a kind, or that of the earlier rule if they are equal."""
    (kind,) = entry.targets
    other = worths.get(kind)
    if other is None or (entry.amount, -entry.rule.position) > (other.amount, -other.rule.position):
        worths[kind] = entry


def _add_by_target(entries: dict[str, list[Entry]], entry: Entry) -> None:
    """Add an entry to each of its targets, in the order of the rules."""
    for target in entry.targets:
        filed = entries.setdefault(target, [])
        filed.append(entry)
        filed.sort(key=lambda filed_entry: filed_entry.rule.position)
