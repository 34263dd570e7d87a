"""EuroCG hands scored by one plain function: what the engine's speed is measured beside.

It knows the printed numbers by heart and explains nothing: the least that counting a hand can take in Python.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_COLOURS = ("red", "blue", "green", "orange", "yellow", "pink")
_BIG, _FEW, _SPAN, _LONE = 19, 3, 9, 7
_LIMIT, _RED_LIMIT, _RULE_LIMIT, _RULE_LIMIT_RED = 6, 4, 5, 7
_FOUR = 4


def plain_score(cards: Mapping[str, int], blue: int = 1) -> int:
    """Return the score of a EuroCG hand, with the base value of blue."""
    counts = [cards.get(colour, 0) for colour in _COLOURS]
    held = sorted(count for count in counts if count)
    total, top = sum(cards.values()), max(counts)
    numbers = [int(kind[5:]) for kind, number in cards.items() if kind.startswith("rule-") for _ in range(number)]
    return (
        _of_cards(counts, total, top, blue, few=len(held) == _FEW)
        + _of_rule_cards(numbers, top, red_first=0 < counts[0] == top)
        + _of_blue(counts[1], held)
        + (5 if len(held) == 1 else 3 * len(held) * (len(set(held)) == len(held)))
        + 5 * (total % 5 == 1)
        + 12 * (len(held) == len(_COLOURS))
        + 13 * (total > 1 and all(total % divisor for divisor in range(2, isqrt(total) + 1)))
        + 8 * (held.count(_FOUR) == 1)
        + 11 * (bool(held) and held[0] == len(held))
    )


def _of_cards(counts: list[int], total: int, top: int, blue: int, *, few: bool) -> int:
    red, blues, green, orange, _, _ = counts
    worths = (2, blue, 3, 3, abs(green - orange), abs(red - blues) % 4)
    limits = (_RED_LIMIT + few, total, *[_LIMIT + few] * 4)
    return sum(
        count * worth
        for count, worth, limit in zip(counts, worths, limits, strict=True)
        if count <= limit and not (total > _BIG and count == top)
    )


def _of_rule_cards(numbers: list[int], top: int, *, red_first: bool) -> int:
    held = len(numbers)
    if held > (_RULE_LIMIT_RED if red_first else _RULE_LIMIT):
        return 0
    if held == 1:
        return numbers[0] % (top or _LONE)
    return (max(numbers) - min(numbers)) % _SPAN if held % 2 else held


def _of_blue(blue: int, held: list[int]) -> int:
    if not blue or blue > held[0]:
        return 0
    return 11 if held.count(blue) == 1 else 2
