"""The contents of envelopes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from cardgen.deal import CategoryDeal, DealError, deal
from server.editions import load_edition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgen.cards import CardId, PrintedGame
    from server.scoring.edition import Edition, Supply

MAX_PLAYERS = 600
"""With more players, a colour could have more copies than a code can carry."""


def category_deals(
    edition: Edition, envelopes: int, *, like: int | None = None, printed: Mapping[str, int] | None = None
) -> list[CategoryDeal]:
    """Return the deal of each category for a number of envelopes.

    A later run of a game deals envelopes like those of its first run, which had `like` envelopes, after the cards of
    each kind in `printed`: it uses up the cards left over from whole sets before it opens new sets. DealError if there
    are not enough cards.
    """
    deals = []
    for part in edition.deal:
        kinds = tuple(kind.slug for kind in edition.kinds if kind.category == part.category)
        if part.supply:
            each = part.each_of(kinds, like or envelopes)
            supply = _supply(part.supply, kinds, like or envelopes, each * envelopes, printed or {})
            deals.append(CategoryDeal(kinds, each, supply=supply))
        elif part.each_kind:
            deals += [CategoryDeal((kind,), part.each_kind) for kind in kinds]
        else:
            deals.append(CategoryDeal(kinds, part.each, part.different))
    return deals


def dealt_cards(game: PrintedGame) -> list[CardId]:
    """Return all cards of a game, envelope by envelope."""
    return list(
        chain.from_iterable(deal(category_deals(load_edition(game.edition), game.players), game.players, game.seed))
    )


def _supply(
    supply: Supply, kinds: tuple[str, ...], players: int, needed: int, printed: Mapping[str, int]
) -> dict[str, int]:
    left = {kind: max(0, number - printed.get(kind, 0)) for kind, number in supply.copies(kinds, players).items()}
    repeated = [kind for kind in kinds if kind not in supply.single]
    missing = needed - sum(left.values())
    if missing > 0 and not repeated:
        raise DealError(f"there are {missing} cards too few, and no kind may have a second copy")
    for kind in repeated if missing > 0 else ():
        left[kind] += -(-missing // len(repeated))
    return left
