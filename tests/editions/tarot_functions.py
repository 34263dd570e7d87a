"""The families of rules of the tarot edition as functions, with which its formulas are compared."""

from __future__ import annotations

from server.scoring import Numbers, Phase, Rulebook, Seat, Verbatim, earlier_hand_in

book = Rulebook()

GENERAL = [*range(1, 11), *range(15, 19)]
CANCEL = ["11", "12", "13", "14", "19", "20"]


# == General cards, and cards that cancel them ==


@book.family("cancel", Phase.CANCEL, touches=GENERAL)
def cancel(me: Seat, _n: Numbers) -> None:
    """Cancel the general rules that the player chose. In a provisional score, no choice is known."""
    me.unknown()
    if not me.table.provisional:
        for key in me.hand.cancels:
            me.cancel([key], everyone=True, chosen=Verbatim(key))


@book.family("general_zero", Phase.WORTH)
def general_zero(me: Seat, _n: Numbers) -> None:
    """Make a set of kinds worth nothing."""
    (what,) = me.rule.lists["of"]
    me.zero(me.kinds(what), kinds={what: me.has(what)})


@book.family("general_most", Phase.TABLE)
def general_most(me: Seat, n: Numbers) -> None:
    """Take points from those with most of something, all that tie."""
    (what,) = me.rule.lists["of"]
    if me.table.provisional:
        if me.has(what):
            me.unknown(kind=what, count=me.has(what))
    elif me.table.has_most(me, what):
        me.points(-n.fine, kind=what, count=me.has(what))


@book.family("general_over", Phase.TABLE)
def general_over(me: Seat, n: Numbers) -> None:
    """Take points once for too many of any of some kinds."""
    over = {name: me.has(name) for name in me.rule.lists["of"] if me.has(name) > n.limit}
    if over:
        me.points(-n.fine, kinds=over)


@book.family("general_zero", Phase.OWN, also=True, always=True)
@book.family("general_most", Phase.OWN, also=True, always=True)
@book.family("general_over", Phase.OWN, also=True, always=True)
def general_owner(me: Seat, n: Numbers) -> None:
    """Give the owner of a general card its points, even if its rule is cancelled."""
    if me.holds_card():
        me.points(n.points, "owner")
        if any(key in me.numbers for key in CANCEL):
            me.unknown("cancellable")


@book.family("cancel", Phase.OWN, also=True)
def cancel_owner(me: Seat, n: Numbers) -> None:
    """Give the owner of a cancel card its points."""
    me.points(n.points, "owner")


# == Worth of cards and tokens ==


@book.family("value", Phase.BASE)
def value(me: Seat, n: Numbers) -> None:
    """Set the worth of some kinds."""
    for what in me.rule.lists["of"]:
        for kind in me.kinds(what):
            me.worth(kind, n.worth)


@book.family("capped", Phase.WORTH)
def capped(me: Seat, n: Numbers) -> None:
    """Give the cards of a kind a minimum worth, up to a limit for all of them."""
    (kind,) = me.rule.lists["of"]
    count = me.has(kind)
    me.at_least(kind, min(n.each * count, n.most), kind=kind, count=count)


# == Bonuses ==


@book.family("per_piece", Phase.OWN)
def per_piece(me: Seat, n: Numbers) -> None:
    """Award each piece of a set of kinds."""
    (what,) = me.rule.lists["of"]
    me.points(n.points * me.has(what), kind=what, count=me.has(what))


@book.family("square", Phase.OWN)
@book.family("three", Phase.OWN)
@book.family("bouts", Phase.OWN)
def enough(me: Seat, n: Numbers) -> None:
    """Award a minimum number of cards of a set of kinds, once."""
    (what,) = me.rule.lists["of"]
    if me.has(what) >= n.need:
        me.points(n.points, kind=what, count=me.has(what))


@book.family("run", Phase.OWN)
def run(me: Seat, n: Numbers) -> None:
    """Award runs, as many as the cards can form.

    Starting each run as low as possible is best: of two runs that need the same card, the lower one leaves more.
    """
    left = [me.has(rank) for rank in me.rule.lists["of"]]
    runs = 0
    for start in range(len(left) - n.length + 1):
        here = min(left[start : start + n.length])
        runs += here
        for index in range(start, start + n.length):
            left[index] -= here
    me.points(n.points * runs, runs=runs)


@book.family("trio", Phase.OWN)
def trio(me: Seat, n: Numbers) -> None:
    """Award groups with a token of each colour."""
    groups = min(me.has(colour) for colour in me.rule.lists["of"])
    me.points(n.points * groups, groups=groups)


@book.family("multiple", Phase.OWN)
def multiple(me: Seat, n: Numbers) -> None:
    """Award a number of tokens that can be divided; zero does not count."""
    (what,) = me.rule.lists["of"]
    count = me.has(what)
    if count and count % n.divisor == 0:
        me.points(n.points, kind=what, count=count)


@book.family("more", Phase.OWN)
def more(me: Seat, n: Numbers) -> None:
    """Award more of one kind than of others together, if there are some of each."""
    (what,) = me.rule.lists["more"]
    than = {name: me.has(name) for name in me.rule.lists["than"]}
    if min(than.values()) >= n.least and me.has(what) > sum(than.values()):
        me.points(n.points, more={what: me.has(what)}, than=than)


book.tie("earlier-hand-in")(earlier_hand_in)
