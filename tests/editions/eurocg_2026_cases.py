"""Cases of EuroCG 2026: every rule below, at and above each of its numbers; `test_eurocg_rules_*.py` say more."""

from __future__ import annotations

from tests.editions.cases import Cards, Case


def deck(*rules: int, special: int = 0, **colours: int) -> Cards:
    """Return a deck by its colours, the numbers of its rule cards, and how many extra specials."""
    cards = dict(colours) | ({"special-1": special} if special else {})
    for number in rules:
        cards[f"rule-{number}"] = cards.get(f"rule-{number}", 0) + 1
    return cards


CASES = [
    Case("1", "limit", None, deck(red=1, special=17)),
    Case("1", "limit", None, deck(red=1, special=18)),
    Case("1", "limit", 0, deck(red=1, special=19)),
    Case("2", "modulus", 6, deck(6)),
    Case("2", "modulus", None, deck(7)),
    Case("2", "modulus", 1, deck(8)),
    Case("2", None, 3, deck(7, red=4)),
    Case("3", "modulus", 8, deck(1, 2, 9)),
    Case("3", "modulus", None, deck(1, 2, 10)),
    Case("3", "modulus", 1, deck(1, 2, 11)),
    Case("4", None, 2, deck(1, 1)),
    Case("4", None, None, deck(1)),
    Case("5", None, 6, deck(red=3)),
    Case("6", None, 2, deck(blue=2)),
    Case("7", None, 6, deck(green=2)),
    Case("8", None, 3, deck(orange=1)),
    Case("9", None, 8, deck(yellow=2, green=1, orange=5)),
    Case("10", "modulus", 3, deck(pink=1, red=3)),
    Case("10", "modulus", 0, deck(pink=1, red=4)),
    Case("10", "modulus", 1, deck(pink=1, red=5)),
    Case("11", None, 2, deck(blue=1, red=1)),
    Case("11", None, 11, deck(blue=1, red=2)),
    Case("11", None, None, deck(blue=2, red=1)),
    Case("12", "limit", None, deck(green=5)),
    Case("12", "limit", None, deck(green=6)),
    Case("12", "limit", 0, deck(green=7)),
    Case("13", "limit", None, deck(red=3)),
    Case("13", "limit", None, deck(red=4)),
    Case("13", "limit", 0, deck(red=5)),
    Case("14", "limit", None, deck(1, 1, 1, 1)),
    Case("14", "limit", None, deck(1, 1, 1, 1, 2)),
    Case("14", "limit", 0, deck(1, 1, 1, 1, 2, 2)),
    Case("16", None, 5, deck(red=1)),
    Case("16", None, 6, deck(red=1, pink=2)),
    Case("16", None, None, deck(red=1, pink=1)),
    Case("17", "modulus", None, deck(special=5)),
    Case("17", "modulus", 5, deck(special=6)),
    Case("17", "modulus", None, deck(special=7)),
    Case("17", "remainder", None, deck(special=10)),
    Case("17", "remainder", 5, deck(special=11)),
    Case("17", "remainder", None, deck(special=12)),
    Case("18", "colours", None, deck(red=1, blue=1, green=1, orange=1, yellow=1)),
    Case("18", "colours", 12, deck(red=1, blue=1, green=1, orange=1, yellow=1, pink=1)),
    Case("18", "colours", 12, deck(red=2, blue=1, green=1, orange=1, yellow=1, pink=1)),
    Case("19", "colours", None, deck(red=1, blue=1)),
    Case("19", "colours", 0, deck(red=1, blue=1, green=1)),
    Case("19", "colours", None, deck(red=1, blue=1, green=1, orange=1)),
    Case("20", None, 0, deck(red=1, blue=1)),
    Case("20", None, None, deck(red=1, blue=2)),
    Case("21", None, 13, deck(special=13)),
    Case("21", None, None, deck(special=14)),
    Case("22", "cards", None, deck(green=3)),
    Case("22", "cards", 8, deck(green=4)),
    Case("22", "cards", None, deck(green=5)),
    Case("23", None, 11, deck(green=2, blue=2)),
    Case("23", None, None, deck(green=2, blue=1)),
]
