"""The rules of Sackson's Haggle as functions, with which its formulas are compared."""

from __future__ import annotations

from server.scoring import Numbers, Phase, Rulebook, Seat, earlier_hand_in

book = Rulebook()

COLOUR = "colour"


# == Elimination and removal ==


@book.rule(9, Phase.ELIMINATE)
def too_many_of_a_colour(me: Seat, n: Numbers) -> None:
    """Eliminate a hand with seven cards of one colour, as handed in."""
    if me.highest(COLOUR) >= n.limit:
        me.eliminate(kinds={kind: count for kind, count in me.counts(COLOUR).items() if count >= n.limit})


@book.rule(15, Phase.REMOVE)
def thirteen_cards(me: Seat, n: Numbers) -> None:
    """Let thirteen cards score; chance removes the others."""
    cards = me.size(COLOUR)
    if cards > n.limit and me.table.provisional:
        me.keep(COLOUR, n.limit, "provisional", cards=cards)
        me.unknown()
    else:
        me.keep(COLOUR, n.limit, cards=cards)


# == Worth of the cards ==


@book.rule(5, Phase.COUNT)
def orange_needs_blue(me: Seat, _n: Numbers) -> None:
    """Let only as many orange cards score as there are blue ones."""
    me.cap("orange", me.has("blue"), blue=me.has("blue"), orange=me.has("orange"))


@book.rule(4, Phase.WORTH)
def too_much_white(me: Seat, n: Numbers) -> None:
    """Zero white of more than three cards."""
    if me.has("white") > n.limit:
        me.zero(["white"], count=me.has("white"))


@book.rule(12, Phase.WORTH)
def most_red(me: Seat, n: Numbers) -> None:
    """Double red for the one hand with most of it."""
    red = me.has("red")
    if me.table.sole_most("red") is me:
        me.multiply("red", n.factor, red, count=red)
    elif me.table.has_most(me, "red"):
        me.note("tied", count=red)
    if red:
        me.unknown()


@book.rule(13, Phase.WORTH)
def yellow_lifts_white(me: Seat, n: Numbers) -> None:
    """Double one white card for each two yellow ones."""
    me.multiply("white", n.factor, me.has("yellow") // n.set, yellow=me.has("yellow"))


@book.rule(14, Phase.WORTH)
def blue_lifts_orange(me: Seat, n: Numbers) -> None:
    """Make one scored orange card worth four times its value for each three blue ones."""
    me.multiply("orange", n.factor, me.has("blue") // n.set, blue=me.has("blue"))


# == Bonuses, doubling, deductions ==


@book.rule(10, Phase.OWN)
def five_colours(me: Seat, n: Numbers) -> None:
    """Award each set of all colours."""
    counts = me.counts(COLOUR)
    if len(counts) == n.colours:
        me.points(n.points * min(counts.values()), sets=min(counts.values()))


@book.rule(8, Phase.TABLE)
def most_yellow(me: Seat, _n: Numbers) -> None:
    """Award most yellow its square; those who tie are passed over."""
    yellow = me.has("yellow")
    winner = me.table.next_sole_most("yellow")
    if winner is me:
        me.points(yellow**2, count=yellow)
    elif me.table.is_level(me, "yellow") and (winner is None or winner.has("yellow") < yellow):
        me.note("tied", count=yellow)
    if yellow:
        me.unknown()


@book.rule(11, Phase.DOUBLE)
def pyramid(me: Seat, n: Numbers) -> None:
    """Double the hand that is a pyramid."""
    if sorted(me.counts(COLOUR).values(), reverse=True) == [n.first, n.second, n.third, n.fourth]:
        me.double(n.factor)


@book.rule(6, Phase.DEDUCT)
def blue_hurts_others(me: Seat, n: Numbers) -> None:
    """Take points from all others for five blue cards."""
    blue = me.has("blue")
    if blue >= n.limit:
        me.points_for_others(-n.fine, number=blue)
    me.unknown()


@book.rule(7, Phase.SHIELD, touches=[6])
def red_protects(me: Seat, n: Numbers) -> None:
    """Void one deduction by blue cards for each three red ones."""
    shields = me.has("red") // n.set
    me.shield([6], shields, count=me.has("red"))
    if shields and any(key in me.numbers for key in me.rule.touches):
        me.unknown(shields=shields)


book.tie("earlier-hand-in")(earlier_hand_in)
