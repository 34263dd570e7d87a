"""The contents of envelopes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from cardgen.deal import DealError, Portion, deal
from server.editions import load_edition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgen.cards import CardId, PrintedGame
    from server.scoring.edition import Edition, Supply


def deal_portions(
    edition: Edition, envelopes: int, *, like: int | None = None, printed: Mapping[str, int] | None = None
) -> list[Portion]:
    """Return the portions of each category for a number of envelopes.

    A later run of a game deals envelopes like those of its first run, which had `like` envelopes, after the cards of
    each kind in `printed`: it uses up the cards left over from whole sets before it opens new sets. DealError if there
    are not enough cards.
    """
    shares = []
    for part in edition.deal:
        kinds = tuple(kind.slug for kind in edition.kinds if kind.category == part.category)
        if part.supply:
            each = part.each_of(kinds, like or envelopes)
            stock = _stock(part.supply, kinds, like or envelopes, each * envelopes, printed or {})
            shares.append(Portion(kinds, each, stock=stock))
        elif part.each_kind:
            shares += [Portion((kind,), part.each_kind) for kind in kinds]
        else:
            shares.append(Portion(kinds, part.each, part.different))
    return shares


def dealt_cards(game: PrintedGame) -> list[CardId]:
    """Return all cards of a game, envelope by envelope."""
    return list(
        chain.from_iterable(deal(deal_portions(load_edition(game.edition), game.players), game.players, game.seed))
    )


def _stock(
    supply: Supply, kinds: tuple[str, ...], players: int, needed: int, printed: Mapping[str, int]
) -> dict[str, int]:
    stock = {kind: max(0, number - printed.get(kind, 0)) for kind, number in supply.copies(kinds, players).items()}
    repeated = [kind for kind in kinds if kind not in supply.single]
    missing = needed - sum(stock.values())
    if missing > 0 and not repeated:
        raise DealError(f"there are {missing} cards too few, and of none of them more than one is printed")
    for kind in repeated if missing > 0 else ():
        stock[kind] += -(-missing // len(repeated))
    return stock
