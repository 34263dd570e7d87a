"""What lies in each envelope, in the form in which cards are dealt."""

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
    """Return what each of so many envelopes holds, by category.

    A later run of a game deals envelopes `like` those of its first run, whose number that is, after so many cards of
    each kind have been `printed`: of a stock of whole sets it takes what was put aside, and then opens new sets.
    DealError if a stock does not last.
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
    """Return all cards of a game, one envelope after the other."""
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
