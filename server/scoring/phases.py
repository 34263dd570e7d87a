"""The phases of a count. A phase is a promise: what its rules may write, and so what they cannot disturb.

Rules read the hand as it stood when their phase began; what they write takes effect when the phase ends. Inside a
phase all writings add up in ways that do not depend on their order, so neither the order of rules nor that of the
players can matter.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class Verb(Enum):
    """What a rule can write."""

    ADJUST = "move a number of another rule"
    SET = "set what a kind of card is worth"
    ZERO = "make kinds of cards worth nothing"
    POINTS = "give or take points"
    VOID = "void what other rules gave"
    NOTE = "explain something, for no points"


class Phase(IntEnum):
    """The phases in their order. After WORTH the engine counts what the cards are worth."""

    ADJUST = 1
    BASE = 2
    WORTH = 3
    OWN = 4
    SHIELD = 5


WRITES = {
    Phase.ADJUST: Verb.ADJUST,
    Phase.BASE: Verb.SET,
    Phase.WORTH: Verb.ZERO,
    Phase.OWN: Verb.POINTS,
    Phase.SHIELD: Verb.VOID,
}
"""What the rules of a phase may write, besides notes."""
