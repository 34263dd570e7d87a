"""The journal: what rules have written about a hand. It is the score and also its explanation."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring.edition import Rule
    from server.scoring.numbers import Numbers
    from server.scoring.phases import Verb

Points = int | Fraction
"""Exact points. Whole ones stay `int`, which counts much faster; results turn them into `Fraction`."""

Value = int | str | tuple[str, ...]
"""What a sentence is filled with: a number, the slug of a kind, or several slugs."""


class Entry(NamedTuple):
    """One thing that a rule wrote about a hand.

    `targets` are slugs of kinds (SET, ZERO) or keys of rules (ADJUST, VOID); `number` is the name of the number
    that ADJUST moves by `amount`; for SET `amount` is the worth, for POINTS the points. `say` names the rule's
    sentence, `values` and `numbers` fill it; the text itself is made only when somebody reads it.
    """

    rule: Rule
    verb: Verb
    targets: tuple[str, ...]
    number: str
    amount: Points
    say: str
    values: Mapping[str, Value]
    numbers: Numbers
