"""What takes effect when a phase ends: hands and cards leave, rules are off, numbers move."""

from __future__ import annotations

import hashlib
from collections import Counter
from heapq import nsmallest
from typing import TYPE_CHECKING

from server.scoring.rules import Numbers, Phase, Verb, Verbatim, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from server.scoring.rules import Points
    from server.scoring.table import Seat, Table


def provisional_seed(seed: str) -> str:
    """Return the seed by which provisional counts of a game draw; it does not tell the game's own."""
    return hashlib.sha256(f"{seed}/provisional".encode()).hexdigest()[:16]


def draw_removed_cards(seed: str, rule: str, player: str, cards: Mapping[str, int], number: int) -> dict[str, int]:
    """Draw `number` of the `cards` (copies by kind); return how many of each kind, in the order of `cards`."""
    digests = (
        (hashlib.sha256(f"{seed}/{rule}/{player}/{kind}/{copy}".encode()).digest(), kind)
        for kind, copies in cards.items()
        for copy in range(1, copies + 1)
    )
    taken = Counter(kind for _, kind in nsmallest(number, digests))
    return {kind: taken[kind] for kind in cards if taken[kind]}


def apply_eliminations(table: Table) -> None:
    """End the phase ELIMINATE: hands that were eliminated leave the table."""
    table.seat([seat for seat in table.seats if not _eliminated(seat)])


def _eliminated(seat: Seat) -> bool:
    return any(entry.verb is Verb.ELIMINATE for entry in seat.journal)


def apply_removals(table: Table) -> None:
    """End the phase REMOVE: of each category the smallest limit counts, and its rule draws the cards that leave."""
    for seat in table.seats:
        asked = [(index, entry) for index, entry in enumerate(seat.journal) if entry.verb is Verb.REMOVE]
        for index, entry in sorted(asked, key=lambda item: (item[1].amount, item[1].rule.place)):
            (category,) = entry.targets
            cards = seat.counts(category)
            excess = sum(cards.values()) - int(entry.amount)
            removed = draw_removed_cards(table.seed, entry.rule.key, seat.hand.player, cards, max(excess, 0))
            seat.lose(category, removed)
            seat.journal[index] = entry._replace(
                values={**entry.values, "removed": removed, "seed": Verbatim(table.seed)}
            )
    table.seat(table.seats)


def apply_cancellations(table: Table) -> None:
    """End the phase CANCEL: for each hand the rules that somebody switched off are off."""
    for seat in table.seats:
        seat.off = frozenset(key for entry in seat.journal if entry.verb is Verb.CANCEL for key in entry.targets)


def apply_adjustments(table: Table) -> None:
    """End the phase ADJUST: movements of the same number add up and hold from now on."""
    for seat in table.seats:
        moved: dict[str, dict[str, Points]] = {}
        for entry in seat.journal:
            if entry.verb is Verb.ADJUST:
                for rule in entry.targets:
                    changes = moved.setdefault(rule, {})
                    changes[entry.number] = changes.get(entry.number, 0) + entry.amount
        if moved:
            changed = {rule: Numbers(printed(seat.numbers[rule]), changes) for rule, changes in moved.items()}
            seat.numbers = {**seat.numbers, **changed}


PHASE_EFFECTS: Mapping[Phase, Callable[[Table], None]] = {
    Phase.ELIMINATE: apply_eliminations,
    Phase.REMOVE: apply_removals,
    Phase.CANCEL: apply_cancellations,
    Phase.ADJUST: apply_adjustments,
}
"""What happens at the end of a phase; in the phases that are not here entries count later."""
