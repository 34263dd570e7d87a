"""Cases of Sackson's game: every rule below, at and above each of its numbers."""

from __future__ import annotations

from tests.editions.cases import Cards, Case


def hand(yellow: int = 0, blue: int = 0, red: int = 0, orange: int = 0, white: int = 0) -> Cards:
    """Return a hand by its colours."""
    return {"yellow": yellow, "blue": blue, "red": red, "orange": orange, "white": white}


ATTACK = hand(blue=5)
# White is worthless; red 9 and doubled 18, blue 4, yellow 1 and most of it 1.
PYRAMID = hand(white=4, red=3, blue=2, yellow=1)

CASES = [
    Case("4", "limit", None, hand(white=2)),
    Case("4", "limit", None, hand(white=3)),
    Case("4", "limit", 0, hand(white=4)),
    Case("5", None, 0, hand(orange=3, blue=2)),
    Case("5", None, None, hand(orange=2, blue=2)),
    Case("5", None, None, hand(orange=2, blue=3)),
    Case("6", "limit", None, hand(), (hand(blue=4),)),
    Case("6", "limit", -10, hand(), (hand(blue=5),)),
    Case("6", "limit", -10, hand(), (hand(blue=6),)),
    Case("6", None, -20, hand(), (ATTACK, ATTACK, hand(blue=4))),
    Case("6", None, None, ATTACK),
    Case("7", "set", None, hand(red=2), (ATTACK,)),
    Case("7", "set", 0, hand(red=3), (ATTACK,)),
    Case("7", "set", 0, hand(red=4), (ATTACK,)),
    Case("7", None, None, hand(red=3), (hand(blue=4),)),
    Case("8", None, 1, hand(yellow=1)),
    Case("8", None, 9, hand(yellow=3), (hand(yellow=2),)),
    Case("8", None, 0, hand(yellow=3), (hand(yellow=3),)),
    Case("8", None, 0, hand(yellow=3), (hand(yellow=3), hand(yellow=2))),
    Case("8", None, None, hand(yellow=2), (hand(yellow=2), hand(yellow=3))),
    Case("8", None, 4, hand(yellow=2), (hand(yellow=3), hand(yellow=3), hand(yellow=1))),
    Case("8", None, 1, hand(yellow=1), (hand(yellow=3), hand(yellow=3), hand(yellow=2), hand(yellow=2))),
    Case("8", None, None, hand()),
    Case("9", "limit", None, hand(blue=6)),
    Case("9", "limit", 0, hand(blue=7)),
    Case("9", "limit", 0, hand(white=8)),
    Case("10", "colours", None, hand(2, 2, 2, 2)),
    Case("10", "colours", 10, hand(1, 2, 2, 2, 2)),
    Case("10", "colours", 20, hand(2, 2, 2, 2, 2)),
    Case("11", "first", None, hand(white=3, red=3, blue=2, yellow=1)),
    Case("11", "first", 24, PYRAMID),
    Case("11", "first", None, hand(white=5, red=3, blue=2, yellow=1)),
    Case("11", "second", None, hand(white=4, red=2, blue=2, yellow=1)),
    Case("11", "second", 24, PYRAMID),
    Case("11", "second", None, hand(white=4, red=4, blue=2, yellow=1)),
    Case("11", "third", None, hand(white=4, red=3, blue=1, yellow=1)),
    Case("11", "third", 24, PYRAMID),
    Case("11", "third", None, hand(white=4, red=3, blue=3, yellow=1)),
    Case("11", "fourth", None, hand(white=4, red=3, blue=2)),
    Case("11", "fourth", 24, PYRAMID),
    Case("11", "fourth", None, hand(white=4, red=3, blue=2, yellow=2)),
    Case("11", None, None, hand(white=4, red=3, blue=2, yellow=1, orange=1)),
    Case("12", None, 3, hand(red=1)),
    Case("12", None, 9, hand(red=3), (hand(red=2),)),
    Case("12", None, 0, hand(red=3), (hand(red=3),)),
    Case("12", None, None, hand(red=2), (hand(red=3), hand(red=3))),
    Case("12", None, None, hand()),
    Case("13", "set", None, hand(yellow=1, white=2)),
    Case("13", "set", 5, hand(yellow=2, white=2)),
    Case("13", "set", 5, hand(yellow=3, white=2)),
    Case("13", None, 10, hand(yellow=6, white=2)),
    Case("14", "set", None, hand(blue=2, orange=2)),
    Case("14", "set", 12, hand(blue=3, orange=2)),
    Case("14", "set", 12, hand(blue=4, orange=2)),
    Case("14", None, 24, hand(blue=6, orange=3)),
    Case("14", None, 12, hand(blue=6, orange=1)),
    Case("15", "limit", None, hand(3, 3, 3, 3)),
    Case("15", "limit", None, hand(3, 3, 3, 3, 1)),
    Case("15", "limit", 0, hand(3, 3, 3, 3, 2)),
]
