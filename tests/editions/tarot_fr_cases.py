"""Cases of the tarot edition: every effect below, at and above each of its numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from server.editions import load_edition
from tests.editions.cases import Cards, Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring import Rule

EDITION = load_edition("tarot-fr")
# A card or token of each set that rules name, and one that does not belong to it.
PIECE = {
    "pique": "pique-9",
    "coeur": "coeur-valet",
    "carreau": "carreau-1",
    "trefle": "trefle-10",
    "atout": "atout-20",
    "atout-odd": "atout-21",
    "atout-even": "excuse",
    "red": "token-red",
    "white": "token-white",
    "blue": "token-blue",
}
OTHER = {"atout-odd": "atout-2", "atout-even": "atout-1"}


def pieces(**counts: int) -> Cards:
    """Return an envelope by its sets."""
    return {PIECE[name]: count for name, count in counts.items()}


def value(rule: Rule) -> Iterator[Case]:
    """Give the worth to each card of the sets, and to no other."""
    worth = rule.numbers["worth"]
    for name in rule.lists["of"]:
        yield Case(rule.effect, None, 3 * worth, {PIECE[name]: 3})
    strangers = [slug for name, slug in PIECE.items() if name not in rule.lists["of"] and not name.startswith("atout")]
    wrong = OTHER.get(rule.lists["of"][0])
    yield Case(rule.effect, None, None, dict.fromkeys(strangers, 1) | ({wrong: 1} if wrong else {}))


def square(rule: Rule) -> Iterator[Case]:
    """Ask for four cards of the number, its trump among them; neighbours do not help."""
    rank = int(rule.numbers["rank"])
    for count, expected in ((3, None), (4, 20), (5, 20)):
        yield Case(rule.effect, "need", expected, {f"pique-{rank}": 1, f"atout-{rank}": count - 1})
    for number, expected in ((rank - 1, None), (rank, 20), (rank + 1, None)):
        yield Case(rule.effect, "rank", expected, {f"atout-{number}" if number else "excuse": 4})


def three(rule: Rule) -> Iterator[Case]:
    """Ask for three of a figure, of any suits."""
    (figure,) = rule.lists["of"]
    for count, expected in ((2, None), (3, 16), (4, 16)):
        yield Case(rule.effect, "need", expected, {f"pique-{figure}": 1, f"coeur-{figure}": count - 1, "atout-12": 3})


def capped(rule: Rule) -> Iterator[Case]:
    """Give six each instead of one, up to 24; from the 24th card on the plain worth is as much, then more."""
    (kind,) = rule.lists["of"]
    for count, gain in ((3, 15), (4, 20), (5, 19), (23, 1), (24, 0), (30, 0)):
        yield Case(rule.effect, "most", gain, {kind: count})
    yield Case(rule.effect, None, None, {"pique-1": 1})


def multiple(rule: Rule) -> Iterator[Case]:
    """Cover the divisor itself and its multiples, but not zero."""
    (name,), divisor, points = rule.lists["of"], int(rule.numbers["divisor"]), rule.numbers["points"]
    kind = PIECE["blue" if name == "tokens" else name]
    for count, expected in ((divisor - 1, None), (divisor, points), (divisor + 1, None)):
        yield Case(rule.effect, "divisor", expected, {kind: count})
    yield Case(rule.effect, None, points, {kind: 2 * divisor})
    yield Case(rule.effect, None, None, {"pique-1": divisor})
    if name == "tokens":
        yield Case(rule.effect, None, points, {"token-red": 1, "token-white": 1, "token-blue": divisor - 2})


def more(rule: Rule) -> Iterator[Case]:
    """Ask for strictly more than the others together, and at least one of each other."""
    (name,), others, points = rule.lists["more"], rule.lists["than"], rule.numbers["points"]
    mine, size = PIECE[name], len(others)
    for each, expected in ((0, None), (1, points), (2, points)):
        yield Case(rule.effect, "least", expected, {mine: 5} | {PIECE[other]: each for other in others})
    yield Case(rule.effect, None, None, {mine: size} | {PIECE[other]: 1 for other in others})
    yield Case(rule.effect, None, points, {mine: size + 1} | {PIECE[other]: 1 for other in others})
    yield Case(rule.effect, None, None, {mine: 9, PIECE[others[0]]: 0} | {PIECE[other]: 2 for other in others[1:]})


def general_zero(rule: Rule) -> Iterator[Case]:
    """Say a word only to those who hold some of it."""
    (name,) = rule.lists["of"]
    yield Case(rule.effect, None, 0, {PIECE[name]: 1})
    yield Case(rule.effect, None, None, {slug: 1 for other, slug in PIECE.items() if not other.startswith(name)})


def general_over(rule: Rule) -> Iterator[Case]:
    """Cover the limit, and the fine above it, which is taken once for any number of sets."""
    limit, fine = int(rule.numbers["limit"]), rule.numbers["fine"]
    for name in rule.lists["of"]:
        for count, expected in ((limit - 1, None), (limit, None), (limit + 1, -fine)):
            yield Case(rule.effect, "limit", expected, {PIECE[name]: count})
    yield Case(rule.effect, None, -fine, {PIECE[name]: limit + 1 for name in rule.lists["of"]})
    others = [slug for name, slug in PIECE.items() if not name.startswith(rule.lists["of"])]
    yield Case(rule.effect, None, None, dict.fromkeys(others, 20))


SINGLE = [
    Case("general-most-tokens", None, -15, pieces(red=1)),
    Case("general-most-tokens", None, -15, pieces(red=2), (pieces(blue=1, white=1),)),
    Case("general-most-tokens", None, None, pieces(red=2), (pieces(blue=3),)),
    Case("general-most-tokens", None, None, pieces(pique=2)),
    Case("general-most-cards", None, -15, {"excuse": 1}),
    Case("general-most-cards", None, -15, pieces(pique=2), (pieces(coeur=1, atout=1),)),
    Case("general-most-cards", None, None, pieces(pique=2, red=9), (pieces(coeur=3),)),
    Case("general-most-cards", None, None, pieces(red=2)),
    Case("per-token", None, 6, pieces(red=1, white=2, blue=3, pique=4)),
    Case("per-token", None, None, pieces(pique=4)),
    Case("per-card", None, 3, pieces(pique=1, atout=1, red=5) | {"excuse": 1}),
    Case("per-card", None, None, pieces(red=4)),
    Case("per-low", "rank", Fraction(3, 2), {"pique-7": 1, "atout-3": 1, "excuse": 1}),
    Case("per-low", "rank", None, {"pique-8": 1}),
    Case("per-low", "rank", None, {"pique-9": 1}),
    Case("per-high", "rank", None, {"pique-6": 1}),
    Case("per-high", "rank", None, {"pique-7": 1}),
    Case("per-high", "rank", Fraction(3, 2), {"pique-8": 1, "atout-12": 1, "excuse": 1}),
    Case("per-high", None, Fraction(9, 2), {"coeur-roi": 3}),
    Case("bouts", "need", None, {"atout-1": 1, "excuse": 1, "atout-2": 1, "atout-20": 1}),
    Case("bouts", "need", 16, {"atout-1": 1, "atout-21": 1, "excuse": 1}),
    Case("bouts", "need", 16, {"excuse": 4}),
    Case("run", "length", None, {"pique-1": 1, "coeur-2": 1}),
    Case("run", "length", 5, {"pique-1": 1, "coeur-2": 1, "atout-3": 1}),
    Case("run", "length", 5, {"pique-1": 1, "coeur-2": 1, "atout-3": 1, "carreau-4": 1}),
    Case("run", None, 10, {"pique-1": 1, "pique-2": 2, "pique-3": 2, "pique-4": 1}),
    Case("run", None, 5, {"coeur-10": 1, "pique-valet": 1, "trefle-cavalier": 1}),
    Case("run", None, 5, {"coeur-dame": 1, "pique-roi": 1, "atout-15": 1}),
    Case("run", None, 5, {"atout-19": 1, "atout-20": 1, "atout-21": 1}),
    Case("run", None, None, {"pique-1": 1, "excuse": 5, "pique-2": 1}),
    Case("run", None, None, {"coeur-dame": 1, "pique-roi": 1, "coeur-1": 1}),
    Case("trio", None, None, pieces(red=3, white=3)),
    Case("trio", None, 4, pieces(red=3, white=3, blue=1)),
    Case("trio", None, 12, pieces(red=3, white=3, blue=3)),
]

FAMILIES = {
    "value": value,
    "square": square,
    "three": three,
    "capped": capped,
    "multiple": multiple,
    "more": more,
    "general-zero": general_zero,
    "general-over": general_over,
}


def _cases() -> Iterator[Case]:
    yield from SINGLE
    seen: set[str] = set()
    for rule in EDITION.rules:
        if rule.effect not in seen:
            seen.add(rule.effect)
            for family, make in FAMILIES.items():
                if rule.effect.startswith(family):
                    yield from make(rule)


CASES = list(_cases())
