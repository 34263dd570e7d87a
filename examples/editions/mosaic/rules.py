"""The rule of Mosaic that formulas cannot express. The others are in edition.toml."""

from __future__ import annotations

from server.scoring import Numbers, Phase, Rulebook, Seat, best_sets

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
