"""What a hand's journal amounts to: at the end of a phase its entries take effect, at the end of all they add up.

Every step here gives the same for any order of the entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.scoring.numbers import Numbers, printed
from server.scoring.phases import Verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.scoring.journal import Entry, Points
    from server.scoring.seat import Seat


def move_numbers(seat: Seat) -> None:
    """End the phase ADJUST: movements of the same number add up and hold from now on."""
    moved: dict[str, dict[str, int]] = {}
    for entry in seat.journal:
        if entry.verb is Verb.ADJUST:
            for rule in entry.targets:
                changes = moved.setdefault(rule, {})
                changes[entry.number] = changes.get(entry.number, 0) + int(entry.amount)
    if moved:
        changed = {rule: Numbers(printed(seat.numbers[rule]), changes) for rule, changes in moved.items()}
        seat.numbers = {**seat.numbers, **changed}


@dataclass(frozen=True, slots=True)
class Count:
    """The end of a count: points, who set and who took the worth of each kind, who voided which rule.

    Where several rules wrote the same, the one of the lowest place in the edition stands first.
    """

    points: Points
    worths: Mapping[str, Entry]
    zeroes: Mapping[str, list[Entry]]
    voids: Mapping[str, list[Entry]]


def count(seat: Seat, valued: Iterable[str]) -> Count:
    """Add up a hand: the worth of its cards in the `valued` categories, then the points that are not void."""
    worths: dict[str, Entry] = {}
    zeroes: dict[str, list[Entry]] = {}
    voids: dict[str, list[Entry]] = {}
    awards: list[Entry] = []
    for entry in seat.journal:
        verb = entry.verb
        if verb is Verb.POINTS:
            awards.append(entry)
        elif verb is Verb.SET:
            _set_worth(worths, entry)
        elif verb is Verb.ZERO:
            _file(zeroes, entry)
        elif verb is Verb.VOID:
            _file(voids, entry)
    points = _cards(seat, valued, worths, zeroes)
    for entry in awards:
        if entry.rule.key not in voids:
            points += entry.amount
    return Count(points, worths, zeroes, voids)


def _set_worth(worths: dict[str, Entry], entry: Entry) -> None:
    """Keep the higher of two worths of a kind; of equal ones that of the earlier rule."""
    (kind,) = entry.targets
    other = worths.get(kind)
    if other is None or (entry.amount, -entry.rule.place) > (other.amount, -other.rule.place):
        worths[kind] = entry


def _file(entries: dict[str, list[Entry]], entry: Entry) -> None:
    """File an entry under each of its targets, in the order of the rules."""
    for target in entry.targets:
        filed = entries.setdefault(target, [])
        filed.append(entry)
        filed.sort(key=lambda filed_entry: filed_entry.rule.place)


def _cards(seat: Seat, valued: Iterable[str], worths: Mapping[str, Entry], zeroes: Mapping[str, list[Entry]]) -> Points:
    """Return what the cards are worth; a kind whose worth no rule set is worth nothing."""
    points: Points = 0
    for category in valued:
        for kind, number in seat.counts(category).items():
            if kind in worths and kind not in zeroes:
                points += number * worths[kind].amount
    return points
