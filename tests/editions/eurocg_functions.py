"""The rules of EuroCG 2026 as functions, with which its formulas are compared."""

from __future__ import annotations

from itertools import pairwise
from math import isqrt

from server.scoring import Numbers, Phase, Rulebook, Seat, earlier_hand_in

book = Rulebook()

COLOUR, RULE, SPECIAL = "colour", "rule", "special"


# == 1. Thresholds ==


@book.rule(19, Phase.ADJUST, touches=[12, 13])
def few_colours(me: Seat, n: Numbers) -> None:
    """Raise the limits of rules 12 and 13 for exactly three colours."""
    if len(me.counts(COLOUR)) == n.colours:
        me.adjust([12, 13], "limit", n.more)


@book.rule(20, Phase.ADJUST, touches=[14])
def red_in_front(me: Seat, n: Numbers) -> None:
    """Raise the limit of rule 14 for red among the most frequent colours."""
    if "red" in me.most(COLOUR):
        me.adjust([14], "limit", n.more, count=me.handed_in("red"))


# == 2. Base values ==


@book.rule(5, Phase.BASE)
def worth_of_red(me: Seat, n: Numbers) -> None:
    """Set red to the number of this workshop minus forty."""
    me.worth("red", n.workshop - n.minus)


@book.rule(6, Phase.BASE)
def worth_of_blue(me: Seat, n: Numbers) -> None:
    """Set blue to the organiser's value, which every breakdown shows."""
    me.worth("blue", n.blue_base)
    if not me.handed_in("blue"):
        me.note("unused")


@book.rule(7, Phase.BASE)
def worth_of_green(me: Seat, n: Numbers) -> None:
    """Set green to the vertices of a face of the triangulation."""
    me.worth("green", n.vertices)


@book.rule(8, Phase.BASE)
def worth_of_orange(me: Seat, n: Numbers) -> None:
    """Set orange to the last digit of a year."""
    me.worth("orange", n.year % n.modulus)


@book.rule(9, Phase.BASE)
def worth_of_yellow(me: Seat, _n: Numbers) -> None:
    """Set yellow to the difference of green and orange."""
    green, orange = me.handed_in("green"), me.handed_in("orange")
    me.worth("yellow", abs(green - orange), green=green, orange=orange)


@book.rule(10, Phase.BASE)
def worth_of_pink(me: Seat, n: Numbers) -> None:
    """Set pink to the difference of red and blue, modulo four."""
    red, blue = me.handed_in("red"), me.handed_in("blue")
    me.worth("pink", abs(red - blue) % n.modulus, red=red, blue=blue)


# == 3. Base values that become zero ==


@book.rule(1, Phase.WORTH)
def big_deck(me: Seat, n: Numbers) -> None:
    """Zero the most frequent colours of more than 19 cards."""
    if me.total > n.limit:
        most = me.most(COLOUR)
        me.zero(most, total=me.total, kinds=most)


@book.rule(12, Phase.WORTH)
def too_much_of_a_colour(me: Seat, n: Numbers) -> None:
    """Zero each colour other than blue of more than six cards."""
    for colour, count in me.counts(COLOUR).items():
        if colour != "blue" and count > n.limit:
            me.zero([colour], kind=colour, count=count)


@book.rule(13, Phase.WORTH)
def too_much_red(me: Seat, n: Numbers) -> None:
    """Zero red of more than four cards."""
    red = me.handed_in("red")
    if red > n.limit:
        me.zero(["red"], count=red)


# == 4. Points ==


@book.rule(2, Phase.OWN)
def lone_rule_card(me: Seat, n: Numbers) -> None:
    """Award a single rule card its number modulo the highest count of a colour."""
    if me.size(RULE) == 1:
        (serial,) = me.serials(RULE)
        divisor = me.highest(COLOUR) or n.modulus
        me.points(serial % divisor, serial=serial, divisor=divisor)


@book.rule(3, Phase.OWN)
def odd_rule_cards(me: Seat, n: Numbers) -> None:
    """Award an odd number of rule cards, more than one, their span modulo nine."""
    cards = me.size(RULE)
    if cards > 1 and cards % 2 == 1:
        low, high = min(me.serials(RULE)), max(me.serials(RULE))
        me.points((high - low) % n.modulus, cards=cards, low=low, high=high)


@book.rule(4, Phase.OWN)
def even_rule_cards(me: Seat, n: Numbers) -> None:
    """Award an even number of rule cards a point for each."""
    cards = me.size(RULE)
    if cards % 2 == 0:
        me.points(cards * n.points, cards=cards)


@book.rule(11, Phase.OWN)
def scarce_blue(me: Seat, n: Numbers) -> None:
    """Award blue as the rarest colour handed in, more if it is the only rarest."""
    blue = me.handed_in("blue")
    others = [count for colour, count in me.counts(COLOUR).items() if colour != "blue"]
    if blue and not others:
        me.points(n.alone, "only")
    elif blue and all(blue < count for count in others):
        me.points(n.alone, "alone", count=blue)
    elif blue and all(blue <= count for count in others):
        me.points(n.tied, "tied", count=blue)


@book.rule(16, Phase.OWN)
def no_two_alike(me: Seat, n: Numbers) -> None:
    """Award a single colour, or several in different numbers."""
    counts = sorted(me.counts(COLOUR).values())
    if len(counts) == 1:
        me.points(n.single, "single")
    elif all(low < high for low, high in pairwise(counts)):
        me.points(n.each * len(counts), colours=len(counts))


@book.rule(17, Phase.OWN)
def one_left_over(me: Seat, n: Numbers) -> None:
    """Award a total that leaves one when divided by five."""
    if me.total % n.modulus == n.remainder:
        me.points(n.points, total=me.total)


@book.rule(18, Phase.OWN)
def full_palette(me: Seat, n: Numbers) -> None:
    """Award all six colours."""
    if len(me.counts(COLOUR)) == n.colours:
        me.points(n.points)


@book.rule(21, Phase.OWN)
def prime_deck(me: Seat, n: Numbers) -> None:
    """Award a prime total."""
    if _is_prime(me.total):
        me.points(n.points, total=me.total)


@book.rule(22, Phase.OWN)
def only_foursome(me: Seat, n: Numbers) -> None:
    """Award exactly one colour with exactly four cards."""
    four = [colour for colour, count in me.counts(COLOUR).items() if count == n.cards]
    if len(four) == 1:
        me.points(n.points, kind=four[0])


@book.rule(23, Phase.OWN)
def as_wide_as_deep(me: Seat, n: Numbers) -> None:
    """Award as many colours as cards of the rarest colour."""
    counts = me.counts(COLOUR).values()
    if counts and min(counts) == len(counts):
        me.points(n.points, colours=len(counts))


@book.rule(14, Phase.SHIELD, touches=[2, 3, 4])
def too_many_rules(me: Seat, n: Numbers) -> None:
    """Void the points of rule cards if there are more than five."""
    cards = me.size(RULE)
    if cards > n.limit:
        me.void([2, 3, 4], cards=cards)


# == Tie-breaks ==


@book.tie("extra-specials")
def more_extra_specials(me: Seat) -> int:
    """Rank more extra specials higher (rule 15)."""
    return me.size(SPECIAL)


book.tie("earlier-hand-in")(earlier_hand_in)


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))
