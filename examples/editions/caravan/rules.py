"""The rules of Caravan in Python: one that no formula expresses, and one whose best deck is proven only so."""

from __future__ import annotations

from server.scoring import Numbers, Phase, Rulebook, Seat

book = Rulebook()

PARTS = ("market", "store", "palace")


@book.rule(2, Phase.OWN)
def plenty(me: Seat, n: Numbers) -> None:
    """Award full loads in the store."""
    loads = sum(count // n.set for count in me.part("store").counts("goods").values())
    me.points(n.points * loads, loads=loads)


@book.rule(4, Phase.DEDUCT)
def no_empty_camel(me: Seat, n: Numbers) -> None:
    """Fine each part with too few cards."""
    for part in PARTS:
        count = me.part(part).has("goods")
        if count < n.least:
            me.points(-n.fine, part=part, count=count)
