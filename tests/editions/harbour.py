"""A small valid edition in two languages, for tests that modify it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TOML = """\
slug = "harbour"
title.en = "Harbour"
title.de = "Hafen"
summary.en = "Fish, salt and rope on the quay."
summary.de = "Fisch, Salz und Tau am Kai."
players = { min = 4, max = 20 }

[[categories]]
slug = "goods"
name.en = "Goods"
name.de = "Waren"
each = 6
worth = 1

[[categories]]
slug = "rule"
name.en = "Rule cards"
name.de = "Regelkarten"
each = 1

[[cards]]
slug = "fish"
category = "goods"
name.en = "Fish"
name.de = "Fisch"
worth = 2
ink = "#2A9159"
symbol = "drop"

[[cards]]
slug = "salt"
category = "goods"
name.en = "Salt"
name.de = "Salz"
ink = "#C2242B"
symbol = "gem"

[[settings]]
name = "tide"
label.en = "Height of the tide"
label.de = "Höhe der Flut"
text.en = "In metres."
text.de = "In Metern."
minimum = 0
maximum = 9
default = 2

[[facts]]
name = "trips"
label.en = "Trips to the pier"
label.de = "Gänge zum Pier"
type = "whole"
minimum = 0
maximum = 5

[[rules]]
key = "1"
name.en = "Salted fish"
name.de = "Gesalzener Fisch"
text.en = "Each fish with a salt of its own brings {points} points."
text.de = "Jeder Fisch mit eigenem Salz bringt {points} Punkte."
numbers = { points = 3 }
says.line.en = "Salted fish: {pairs}."
says.line.de = "Gesalzene Fische: {pairs}."

[[rules]]
key = "2"
name.en = "Stink"
name.de = "Gestank"
text.en = "More than {limit} fish cost {fine} points."
text.de = "Mehr als {limit} Fische kosten {fine} Punkte."
numbers = { limit = 4, fine = 5 }
says.line.en = "Fish: {count}, limit {limit}."
says.line.de = "Fische: {count}, Grenze {limit}."

[[rules]]
key = "3"
name.en = "Breeze"
name.de = "Brise"
text.en = "With {need} salt or more, rule 2 spares you."
text.de = "Mit {need} Salz oder mehr verschont dich Regel 2."
numbers = { need = 3 }
says.line.en = "Salt: {count}."
says.line.de = "Salz: {count}."

[[rules]]
key = "4"
name.en = "High tide"
name.de = "Flut"
text.en = "Each trip to the pier brings as many points as the tide is high."
text.de = "Jeder Gang zum Pier bringt so viele Punkte, wie die Flut hoch ist."
settings = ["tide"]
says.line.en = "Trips: {trips}, tide {tide}."
says.line.de = "Gänge: {trips}, Flut {tide}."

[[rules]]
key = "5"
name.en = "Most salt"
name.de = "Am meisten Salz"
text.en = "Who alone has most salt gains {points} points."
text.de = "Wer allein am meisten Salz hat, gewinnt {points} Punkte."
numbers = { points = 7 }
says.line.en = "Most salt: {count}."
says.line.de = "Am meisten Salz: {count}."
says.unknown.en = "Not known yet."
says.unknown.de = "Noch offen."

[[ties]]
name = "earlier-hand-in"
label.en = "earlier hand-in"
label.de = "frühere Abgabe"
"""

RULES = """\
from server.scoring import Numbers, Phase, Rulebook, Seat, earlier_hand_in

book = Rulebook()


@book.rule(1, Phase.OWN)
def salted(me: Seat, n: Numbers) -> None:
    pairs = min(me.has("fish"), me.has("salt"))
    me.points(n.points * pairs, pairs=pairs)


@book.rule(2, Phase.OWN)
def stink(me: Seat, n: Numbers) -> None:
    if me.has("fish") > n.limit:
        me.points(-n.fine, count=me.has("fish"))


@book.rule(3, Phase.CANCEL, touches=[2])
def breeze(me: Seat, n: Numbers) -> None:
    if me.has("salt") >= n.need:
        me.cancel([2], everyone=False, count=me.has("salt"))


@book.rule(4, Phase.OWN)
def tide(me: Seat, n: Numbers) -> None:
    me.points(n.tide * me.fact("trips"), trips=me.fact("trips"))


@book.rule(5, Phase.TABLE)
def most_salt(me: Seat, n: Numbers) -> None:
    if me.table.sole_most("salt") is me:
        me.points(n.points, count=me.has("salt"))
    me.unknown()


book.tie("earlier-hand-in")(earlier_hand_in)
"""


def written(folder: Path, *changes: tuple[str, str], toml: str = TOML, rules: str = RULES) -> Path:
    """Write the edition into `folder`/harbour, with texts replaced, and return its folder.

    Each change is made in the one file that has its first text.
    """
    for old, new in changes:
        assert (old in toml) != (old in rules), old
        toml, rules = toml.replace(old, new, 1), rules.replace(old, new, 1)
    place = folder / "harbour"
    place.mkdir(parents=True)
    (place / "edition.toml").write_text(toml, encoding="utf-8")
    (place / "rules.py").write_text(rules, encoding="utf-8")
    return place
