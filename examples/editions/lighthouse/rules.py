"""The rules of Lighthouse, which have names instead of numbers. The wording is in edition.toml."""

from __future__ import annotations

from server.scoring import Numbers, Phase, Rulebook, Seat, earlier_hand_in

book = Rulebook()


@book.rule("safe-light", Phase.CANCEL, touches=["storm"])
def safe_light(me: Seat, n: Numbers) -> None:
    """Cancel the storm for a hand with enough lamps."""
    if me.has("lamp") >= n.need:
        me.cancel(["storm"], everyone=False, count=me.has("lamp"))


@book.rule("storm", Phase.OWN)
def storm(me: Seat, n: Numbers) -> None:
    """Fine all ships of a hand with too many."""
    ships = me.has("ship")
    if ships > n.limit:
        me.points(-n.fine * ships, count=ships)


@book.rule("good-company", Phase.OWN)
def good_company(me: Seat, n: Numbers) -> None:
    """Award trading partners, as the organiser counted them."""
    partners = me.fact("partners")
    me.points(n.points * min(partners, n.most), partners=partners)


@book.rule("courtesy", Phase.OWN)
def courtesy(me: Seat, n: Numbers) -> None:
    """Fine a player who did not greet the keeper."""
    greeted = me.fact("greeted")
    if not greeted:
        me.points(-n.fine, greeted=greeted)


book.tie("earlier-hand-in")(earlier_hand_in)
