"""The journal: what rules have written about a hand. It is the score and also its explanation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from server.scoring.crowd import Crowd

if TYPE_CHECKING:
    from server.scoring.edition import Rule
    from server.scoring.numbers import Numbers
    from server.scoring.phases import Verb

Points = int | Fraction
"""Exact points. Whole ones stay `int`, which counts much faster; results turn them into `Fraction`."""


class Verbatim(str):
    """A text that a sentence shows as it is, such as a player's name or a rule's key; plain `str` are slugs."""

    __slots__ = ()


Value = Points | str | tuple[str, ...] | Mapping[str, int] | Crowd
"""What a sentence is filled with: a number, the slug of a kind or group, several slugs, kinds with their counts, or
the hands that made a rule act."""


class Entry(NamedTuple):
    """One thing that a rule wrote about a hand.

    `targets` are slugs of kinds (SET, CAP, ZERO, MULTIPLY, FLOOR), of a category (REMOVE) or keys of rules (CANCEL,
    ADJUST, VOID, SHIELD, IDLE); `number` is the name of the number that ADJUST moves. `amount` is what the verb says:
    points, a worth, a limit or a factor; once the phase has ended, those of MULTIPLY, FLOOR and DOUBLE are points.
    `author` is the player whose hand made the rule act (of several the first by name), "" for the hand itself. `say`
    names the rule's sentence, `values` and `numbers` (the author's) fill it; the text itself is made only when somebody
    reads it.
    """

    rule: Rule
    verb: Verb
    targets: tuple[str, ...]
    number: str
    amount: Points
    say: str
    values: Mapping[str, Value]
    numbers: Numbers
    author: str = ""
