"""An independent reference implementation of the tarot edition, from the rules and their table.

The table `tarot_rules.csv` has the effect of every rule card. Nothing here is shared with the engine.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SUITS = ("pique", "coeur", "carreau", "trefle")
FIGURES = {"valet": 11, "cavalier": 12, "dame": 13, "roi": 14}
TABLE = {
    int(row["number"]): row
    for row in csv.DictReader((Path(__file__).parent / "tarot_rules.csv").read_text(encoding="utf-8").splitlines())
}
ZEROED = {
    "general-zero-white": "white",
    "general-zero-atout": "atout",
    "general-zero-carreau": "carreau",
    "general-zero-pique": "pique",
    "general-zero-trefle": "trefle",
    "general-zero-coeur": "coeur",
    "general-zero-red": "red",
    "general-zero-blue": "blue",
}
OVER = {
    "general-over-9-a": (9, 10, ("white", "trefle", "coeur", "atout")),
    "general-over-9-b": (9, 10, ("red", "pique", "carreau", "blue")),
    "general-over-6-a": (6, 6, ("red", "pique", "trefle", "atout")),
    "general-over-6-b": (6, 6, ("blue", "white", "coeur", "carreau")),
}


class Piece(NamedTuple):
    """A card or token: its suit, colour or "atout"; its number (0 for none); the slug of its kind."""

    family: str
    number: int
    slug: str


def piece(slug: str) -> Piece:
    """Return the piece of a kind by its slug."""
    if slug == "excuse":
        return Piece("atout", 0, slug)
    family, rank = slug.split("-")
    if family == "token":
        return Piece(rank, -1, slug)
    return Piece(family, FIGURES[rank] if rank in FIGURES else int(rank), slug)


class Envelope:
    """The cards that a player handed in."""

    def __init__(self, cards: Mapping[str, int]) -> None:
        self.pieces = [piece(slug) for slug, n in cards.items() if not slug.startswith("rule-") for _ in range(n)]
        self.rules = sorted(int(slug[5:]) for slug, n in cards.items() if slug.startswith("rule-") and n)
        self.effects = {TABLE[number]["key"]: Fraction(TABLE[number]["points"]) for number in self.rules}

    def many(self, *families: str) -> int:
        """Return how many pieces are of these families."""
        return sum(p.family in families for p in self.pieces)

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return self.many("red", "white", "blue")

    @property
    def cards(self) -> int:
        """The number of tarot cards."""
        return len(self.pieces) - self.tokens


def reference(envelopes: Mapping[str, Mapping[str, int]], cancelled: Iterable[int]) -> dict[str, Fraction]:
    """Return the points of each player; `cancelled` are the numbers of the general cards that players cancel."""
    table = {player: Envelope(cards) for player, cards in envelopes.items()}
    in_play = {number for envelope in table.values() for number in envelope.rules if TABLE[number]["kind"] == "general"}
    effective = {TABLE[number]["key"] for number in in_play - set(cancelled)}
    worthless = {ZEROED[key] for key in effective if key in ZEROED}
    most_tokens = max((envelope.tokens for envelope in table.values()), default=0)
    most_cards = max((envelope.cards for envelope in table.values()), default=0)
    result = {}
    for player, envelope in table.items():
        points = worth_of_pieces(envelope, worthless)
        for key, award in envelope.effects.items():
            points += award * times(envelope, key)
        if "general-most-tokens" in effective and envelope.tokens == most_tokens > 0:
            points -= 15
        if "general-most-cards" in effective and envelope.cards == most_cards > 0:
            points -= 15
        for key, (limit, fine, families) in OVER.items():
            if key in effective and any(envelope.many(family) > limit for family in families):
                points -= fine
        result[player] = points
    return result


def worth_of_pieces(envelope: Envelope, worthless: set[str]) -> Fraction:
    """Return the worth of cards and tokens, including capped kinds."""
    by_kind: dict[str, Fraction] = {}
    for p in envelope.pieces:
        values = [Fraction(1), *(award for key, award in envelope.effects.items() if sets_value(key, p))]
        value = Fraction(0) if p.family in worthless else max(values)
        by_kind[p.slug] = by_kind.get(p.slug, Fraction(0)) + value
    for key in envelope.effects:
        if key.startswith("capped-"):
            words = key.split("-")[1:]
            slug = "excuse" if words == ["excuse"] else f"{words[1]}-{words[0]}"
            copies = sum(p.slug == slug for p in envelope.pieces)
            if copies:
                by_kind[slug] = max(by_kind[slug], Fraction(min(6 * copies, 24)))
    return sum(by_kind.values(), Fraction(0))


def sets_value(key: str, p: Piece) -> bool:
    """Return whether a value rule names this piece."""
    what, *words = key.split("-")
    if what != "value":
        return False
    if words[0] == "atout" and words[1] in ("odd", "even"):
        return p.family == "atout" and p.number % 2 == (words[1] == "odd")
    return p.family in words


def times(envelope: Envelope, key: str) -> int:  # noqa: PLR0911 - one line a kind of rule
    """Return how many times the award of an effect is due."""
    what, *words = key.split("-")
    suited = [p.number for p in envelope.pieces if p.family in SUITS]
    numbered = [p.number for p in envelope.pieces if p.number > 0]
    if what in ("general", "cancel"):
        return 1
    if what == "per":
        return {
            "token": envelope.tokens,
            "card": envelope.cards,
            "low": sum(number < 8 for number in suited),
            "high": sum(number > 7 for number in suited),
        }[words[0]]
    if what == "square":
        return int(numbered.count(int(words[0])) >= 4)
    if what == "three":
        return int(suited.count(FIGURES[words[0]]) >= 3)
    if what == "bouts":
        return int(sum(p.slug in ("atout-1", "atout-21", "excuse") for p in envelope.pieces) >= 3)
    if what == "run":
        return most_runs(tuple(numbered.count(number) for number in range(1, 22)))
    if what == "trio":
        return min(envelope.many(colour) for colour in ("red", "white", "blue"))
    if what == "multiple":
        count = envelope.tokens if words[0] == "token" else envelope.many(words[0])
        return int(count > 0 and count % int(words[1]) == 0)
    if what == "more":
        first, *others = words
        enough = all(envelope.many(other) for other in others)
        return int(enough and envelope.many(first) > sum(envelope.many(other) for other in others))
    return 0


@cache
def most_runs(counts: tuple[int, ...]) -> int:
    """Return the most runs of three that cards with these counts by number can form, by trying everything."""
    if len(counts) < 3:
        return 0
    first, second, third, *rest = counts
    return max(
        starts + most_runs((second - starts, third - starts, *rest)) for starts in range(min(first, second, third) + 1)
    )
