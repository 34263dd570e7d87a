"""The effects of journal entries at the end of a phase: hands and cards leave, rules are off, numbers change.

Chance decides only here, in `draw_removed_cards`, and anyone can repeat the draw: each card gets the SHA-256 digest of
"seed/rule/player/kind/copy", where copies count from 1, and the cards with the smallest digests are removed. If a rule
keeps cards by their stated worth, chance decides only between cards of the same worth.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from heapq import nsmallest
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from server.scoring.rules import Numbers, Phase, Verb, Verbatim, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from server.scoring.edition import Edition
    from server.scoring.rules import Points
    from server.scoring.table import Seat, Table


def provisional_seed(seed: str) -> str:
    """Return the seed for the provisional scores of a game, from which its own seed cannot be derived."""
    return hashlib.sha256(f"{seed}/provisional".encode()).hexdigest()[:16]


def draw_removed_cards(
    seed: str,
    rule: str,
    player: str,
    cards: Mapping[str, int],
    number: int,
    worths: Mapping[str, Points] = MappingProxyType({}),
) -> dict[str, int]:
    """Draw `number` of the `cards` (copies by kind); return the number of each kind, in the order of `cards`.

    Cards with the smallest of the `worths` come first.
    """
    drawn = Counter(draw.kind for draw in nsmallest(number, draws(seed, rule, player, cards, worths)))
    return {kind: drawn[kind] for kind in cards if drawn[kind]}


class Draw(NamedTuple):
    """A card in a draw; cards are removed in the order of these values."""

    worth: Points
    digest: bytes
    kind: str
    copy: int


def draws(
    seed: str,
    rule: str,
    player: str,
    cards: Mapping[str, int],
    worths: Mapping[str, Points] = MappingProxyType({}),
) -> Iterator[Draw]:
    """Yield a draw for each of the `cards` (copies by kind), in no order."""
    for kind, copies in cards.items():
        for copy in range(1, copies + 1):
            digest = hashlib.sha256(f"{seed}/{rule}/{player}/{kind}/{copy}".encode()).digest()
            yield Draw(worths.get(kind, 0), digest, kind, copy)


def apply_eliminations(table: Table) -> None:
    """Remove eliminated hands from the table."""
    table.seat([seat for seat in table.seats if not _eliminated(seat)])


def _eliminated(seat: Seat) -> bool:
    return any(entry.verb is Verb.ELIMINATE for entry in seat.journal)


def apply_removals(table: Table) -> None:
    """Remove cards above the smallest limit of each category; the rule that set it draws them."""
    for seat in table.seats:
        limits = [(index, entry) for index, entry in enumerate(seat.journal) if entry.verb is Verb.REMOVE]
        for index, entry in sorted(limits, key=lambda item: (item[1].amount, item[1].rule.position)):
            (category,) = entry.targets
            cards = seat.counts(category)
            excess = sum(cards.values()) - int(entry.amount)
            worths = preferences(table.edition, entry.number)
            removed = draw_removed_cards(table.seed, entry.rule.key, seat.hand.player, cards, max(excess, 0), worths)
            seat.lose(category, removed)
            seat.journal[index] = entry._replace(
                values={**entry.values, "removed": removed, "seed": Verbatim(table.seed)}
            )
    table.seat(table.seats)


def preferences(edition: Edition, prefer: str) -> Mapping[str, Points]:
    """Return the stated worths of cards, negative if those of the lowest worth are to stay; none if chance decides."""
    sign = {"highest": 1, "lowest": -1}.get(prefer, 0)
    return {kind: sign * worth for kind, worth in edition.worths.items()} if sign else {}


def apply_cancellations(table: Table) -> None:
    """Switch off the cancelled rules of each hand."""
    for seat in table.seats:
        seat.off = frozenset(key for entry in seat.journal if entry.verb is Verb.CANCEL for key in entry.targets)


def apply_adjustments(table: Table) -> None:
    """Add up the adjustments of each number; the phases that follow use the new values."""
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
"""The function that ends a phase. Entries of other phases take effect later."""
