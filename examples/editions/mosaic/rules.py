"""The rules of Mosaic. Colours and shapes are groups of cards. The wording is in edition.toml."""

from __future__ import annotations

from server.scoring import Numbers, Phase, Rulebook, Seat, best_sets, earlier_hand_in

book = Rulebook()


@book.rule(1, Phase.OWN)
def sets_of_tiles(me: Seat, n: Numbers) -> None:
    """Award sets by colour and by shape, in the best combination."""
    colours, shapes = me.rule.lists["colours"], me.rule.lists["shapes"]
    rows = [([f"{colour}-{shape}" for shape in shapes], n.row) for colour in colours]
    columns = [([f"{colour}-{shape}" for colour in colours], n.column) for shape in shapes]
    times = best_sets(me.counts("tile"), rows + columns)
    by_colour, by_shape = sum(times[: len(rows)]), sum(times[len(rows) :])
    me.points(n.row * by_colour + n.column * by_shape, rows=by_colour, columns=by_shape)


@book.rule(2, Phase.TABLE)
def control_of_a_colour(me: Seat, n: Numbers) -> None:
    """Award most tiles of each colour; those who tie get less."""
    for colour in me.rule.lists["colours"]:
        most = me.table.all_most(colour)
        if me in most:
            points, say = (n.points, "line") if len(most) == 1 else (n.tied, "tied")
            me.points(points, say, colour=colour, count=me.has(colour))
    if me.has("tile"):
        me.unknown()


@book.rule(3, Phase.WORTH)
def too_much_of_a_shape(me: Seat, n: Numbers) -> None:
    """Make a shape worthless above its limit."""
    for shape in me.rule.lists["shapes"]:
        if me.has(shape) > n.limit:
            me.zero(me.kinds(shape), shape=shape, count=me.has(shape))


book.tie("earlier-hand-in")(earlier_hand_in)
