"""Cases of EuroCG 2026: every rule below, at and above each of its numbers, and around its comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.editions.cases import Case
from tests.scoring.support import deck

if TYPE_CHECKING:
    from fractions import Fraction

    from server.scoring import Hand

PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}
SIX = {"red": 1, "blue": 1, "green": 1, "orange": 1, "yellow": 1, "pink": 1}


def case(rule: int, expected: Fraction | int | None, hand: Hand, number: str | None = None) -> Case:
    """Return a case of a rule: the points of a hand, 0 for a line without points, None for no line."""
    return Case(str(rule), number, expected, hand.cards)


CASES = [
    # Above 19 cards of all kinds the most frequent colours are worthless.
    case(1, None, deck(red=1, rules=[9], specials=16), "limit"),
    case(1, None, deck(red=1, rules=[9], specials=17), "limit"),
    case(1, 0, deck(red=1, rules=[9], specials=18), "limit"),
    case(1, None, deck(specials=20)),
    case(1, 0, deck(green=3, orange=2, red=1, specials=14)),  # three colours do not move this limit
    # The only rule card, modulo the highest count of a colour, without colours modulo 7.
    case(2, 6, deck(rules=[6]), "modulus"),
    case(2, None, deck(rules=[7]), "modulus"),
    case(2, 1, deck(rules=[8]), "modulus"),
    case(2, 3, deck(red=4, blue=1, rules=[7])),
    case(2, 3, deck(red=4, blue=4, rules=[7])),
    case(2, None, deck(red=7, rules=[7])),
    case(2, 7, deck(red=8, rules=[7])),
    case(2, None, deck(red=1, rules=[7])),
    case(2, None, deck(red=4)),
    case(2, None, deck(red=4, rules=[7, 7])),
    # Largest minus smallest of an odd number of rule cards but one, modulo 9.
    *(
        case(3, points, deck(rules=rules), number)
        for rules, points, number in (
            ([1, 2, 9], 8, "modulus"),
            ([1, 2, 10], None, "modulus"),
            ([1, 2, 11], 1, "modulus"),
            ([23], None, None),
            ([2, 23], None, None),
            ([2, 2, 23], 3, None),
            ([7, 7, 7], None, None),
            ([1, 2, 3, 4], None, None),
            ([1, 2, 3, 4, 6], 5, None),
        )
    ),
    # One for each of an even number of rule cards, copies too.
    *(case(4, points, deck(rules=[9] * n)) for n, points in enumerate((None, None, 2, None, 4, None))),
    # The worth of a colour.
    case(5, 2, deck(red=1)),
    case(5, 6, deck(red=3)),
    case(6, 3, deck(blue=3)),
    case(7, 6, deck(green=2)),
    case(8, 6, deck(orange=2)),
    *(
        case(9, 2 * worth, deck(yellow=2, green=green, orange=orange))
        for green, orange, worth in ((0, 0, 0), (3, 0, 3), (0, 3, 3), (5, 1, 4), (1, 5, 4), (3, 3, 0))
    ),
    *(
        case(10, 2 * worth, deck(pink=2, red=red, blue=blue), number)
        for red, blue, worth, number in (
            (3, 0, 3, "modulus"),
            (4, 0, 0, "modulus"),
            (5, 0, 1, "modulus"),
            (0, 0, 0, None),
            (0, 3, 3, None),
            (0, 4, 0, None),
            (1, 7, 2, None),
        )
    ),
    # Blue as the rarest colour handed in, alone or tied.
    case(11, None, deck(red=1)),
    case(11, 11, deck(blue=1)),
    case(11, 11, deck(blue=9)),
    case(11, 11, deck(blue=1, red=2)),
    case(11, 2, deck(blue=2, red=2)),
    case(11, None, deck(blue=3, red=2)),
    case(11, 2, deck(blue=2, red=2, green=3)),
    case(11, 11, deck(blue=2, red=3, green=3)),
    case(11, None, deck(blue=2, red=1, green=2)),
    # Too much of a colour other than blue, of red, and of rule cards; with three colours or most red a little more.
    *(
        case(12, points, deck(**{kind: count}), "limit")
        for kind in ("green", "orange", "yellow", "pink", "red")
        for count, points in ((5, None), (6, None), (7, 0), (8, 0))
    ),
    *(case(12, None, deck(blue=count)) for count in (7, 19)),
    case(12, 0, deck(green=7, blue=1)),
    case(12, None, deck(green=7, blue=1, pink=1)),
    case(12, 0, deck(green=8, blue=1, pink=1)),
    *(case(13, points, deck(red=red), "limit") for red, points in ((3, None), (4, None), (5, 0), (6, 0))),
    case(13, 0, deck(red=5, blue=1)),
    case(13, None, deck(red=5, blue=1, pink=1)),
    case(13, 0, deck(red=6, blue=1, pink=1)),
    *(
        case(14, points, deck(rules=[1, *[5] * more]), "limit")
        for more, points in ((3, None), (4, None), (5, 0), (6, 0))
    ),
    case(14, None, deck(rules=[5] * 7)),  # equal cards bring nothing that could be void
    case(14, 0, deck(blue=1, rules=[1, 2, 3, 4, 5, 6])),
    case(14, None, deck(red=1, blue=1, rules=[1, 2, 3, 4, 5, 6])),
    case(14, None, deck(red=1, rules=[1, 2, 3, 4, 5, 6, 7])),
    case(14, 0, deck(red=1, rules=[1, 2, 3, 4, 5, 6, 7, 8])),
    # One colour, or several of different counts.
    case(16, None, deck()),
    case(16, 5, deck(red=3)),
    case(16, None, deck(red=3, blue=3)),
    case(16, 6, deck(red=3, blue=2)),
    case(16, 9, deck(red=3, blue=2, pink=1)),
    case(16, None, deck(red=3, blue=2, pink=2)),
    case(16, 18, deck(red=1, blue=2, pink=3, green=4, orange=5, yellow=6)),
    # Cards of all kinds: 1 modulo 5, and primes.
    *(
        case(17, 5 if total % 5 == 1 else None, deck(specials=total), number)
        for number, totals in (("modulus", (5, 6, 7)), ("remainder", (10, 11, 12)), (None, (0, 1, 2)))
        for total in totals
    ),
    case(17, 5, deck(red=4, rules=[1, 2, 3], specials=4)),
    *(case(21, 13 if total in PRIMES else None, deck(specials=total)) for total in range(50)),
    case(21, 13, deck(red=4, rules=[1, 2, 3], specials=4)),
    # All six colours; exactly three; red among the most.
    *(case(18, None, deck(**(SIX | {kind: 0})), "colours") for kind in SIX),
    case(18, 12, deck(**SIX), "colours"),
    case(18, 12, deck(**(SIX | {"red": 2})), "colours"),
    case(19, None, deck(red=1, blue=1), "colours"),
    case(19, 0, deck(red=1, blue=1, green=1), "colours"),
    case(19, None, deck(red=1, blue=1, green=1, orange=1), "colours"),
    *(case(20, None, hand) for hand in (deck(), deck(rules=[1]), deck(red=1, blue=2), deck(blue=2))),
    *(case(20, 0, hand) for hand in (deck(red=1), deck(red=2, blue=2), deck(red=2, blue=1))),
    # One colour with four cards; as many colours as cards of the rarest.
    *(case(22, points, deck(red=red), "cards") for red, points in ((3, None), (4, 8), (5, None))),
    case(22, None, deck(red=4, blue=4)),
    case(22, 8, deck(red=4, blue=5)),
    case(22, None, deck(rules=[1, 1, 1, 1])),
    *(
        case(23, None, hand)
        for hand in (deck(), deck(rules=[1]), deck(red=2), deck(red=1, blue=2), deck(red=3, blue=3))
    ),
    *(case(23, 11, hand) for hand in (deck(red=1), deck(red=2, blue=2), deck(red=2, blue=9))),
    case(23, 11, deck(red=3, blue=3, green=4)),
]
