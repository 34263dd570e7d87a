"""Which rule a score comes from: its lines, and the worth of the cards whose worth it sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.phases import AWARDS

if TYPE_CHECKING:
    from server.scoring import HandResult
    from server.scoring.journal import Points


def shares_of(hand: HandResult) -> dict[str | None, Points]:
    """Return the points of a hand by the key of the rule that gave them; together they are its score.

    Cards count for the rule that sets their worth, or for None where the edition itself says what they are worth.
    Void lines are left out; an eliminated hand has nothing.
    """
    found: dict[str | None, Points] = {}
    if hand.eliminated:
        return found
    edition, seat, count = hand.edition, hand.seat, hand.count
    for category in edition.valued:
        for kind in seat.counts(category):
            if kind not in count.zeroes:
                set_by = count.worths.get(kind)
                key, worth = (set_by.rule.key, set_by.amount) if set_by else (None, edition.worths.get(kind, 0))
                found[key] = found.get(key, 0) + worth * count.scoring(seat, kind, category)
    for index, entry in enumerate(seat.journal):
        if entry.verb in AWARDS and index not in count.voids:
            found[entry.rule.key] = found.get(entry.rule.key, 0) + entry.amount
    return found
