"""An independent reference implementation of EuroCG 2026: one plain function, in the order of the rules.

It shares no code with the engine, so that both would need the same bug to agree on a wrong score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

COLOURS = ["red", "blue", "green", "orange", "yellow", "pink"]


class Counted(NamedTuple):
    """The score, what each colour brought, what each rule brought (live points only), and the colours zeroed."""

    score: int
    colours: dict[str, int]
    rules: dict[int, int]
    zeroed: set[str]


def reference(cards: Mapping[str, int], blue_base: int) -> Counted:  # noqa: C901, PLR0912, PLR0915 - plain on purpose
    """Score a deck by the page of the rules, from top to bottom."""
    n = [cards.get(colour, 0) for colour in COLOURS]
    red, blue, green, orange, _yellow, _pink = n
    total = sum(cards.values())
    rule_numbers: list[int] = []
    for number in range(1, 24):
        rule_numbers.extend([number] * cards.get(f"rule-{number}", 0))
    x = len(rule_numbers)
    present = [count for count in n if count > 0]
    top = max(n)

    # thresholds
    limit_12, limit_13, limit_14 = 6, 4, 5
    if len(present) == 3:
        limit_12, limit_13 = 7, 5
    if red > 0 and red == top:
        limit_14 = 7

    # base values
    base = {"red": 2, "blue": blue_base, "green": 3, "orange": 3}
    base["yellow"] = green - orange if green > orange else orange - green
    base["pink"] = (red - blue if red > blue else blue - red) % 4

    zeroed = set()
    for colour, count in zip(COLOURS, n, strict=True):
        if count == 0:
            continue
        if total > 19 and count == top:
            zeroed.add(colour)
        if colour != "blue" and count > limit_12:
            zeroed.add(colour)
        if colour == "red" and count > limit_13:
            zeroed.add(colour)
    colours = {
        colour: 0 if colour in zeroed else count * base[colour]
        for colour, count in zip(COLOURS, n, strict=True)
        if count
    }

    rules: dict[int, int] = {}
    if x <= limit_14:
        if x == 1:
            rules[2] = rule_numbers[0] % (top if present else 7)
        elif x % 2 == 1:
            rules[3] = (rule_numbers[-1] - rule_numbers[0]) % 9
        else:
            rules[4] = x
    if blue and blue == min(present):
        rules[11] = 11 if present.count(blue) == 1 else 2
    if len(present) == 1:
        rules[16] = 5
    elif len(present) == len(set(present)):
        rules[16] = 3 * len(present)
    if total % 5 == 1:
        rules[17] = 5
    if 0 not in n:
        rules[18] = 12
    if total in _primes_up_to(total):
        rules[21] = 13
    if n.count(4) == 1:
        rules[22] = 8
    if present and min(present) == len(present):
        rules[23] = 11
    rules = {rule: points for rule, points in rules.items() if points}
    return Counted(sum(colours.values()) + sum(rules.values()), colours, rules, zeroed)


def _primes_up_to(last: int) -> list[int]:
    """Return the primes up to a number, by the sieve of Eratosthenes."""
    crossed: set[int] = set()
    primes = []
    for number in range(2, last + 1):
        if number not in crossed:
            primes.append(number)
            crossed.update(range(number * number, last + 1, number))
    return primes
