"""The phases of a count. A phase is a promise: what its rules may write, and so what they cannot disturb.

Rules read the table as it stood when their phase began; what they write takes effect when the phase ends. Inside a
phase all writings add up in ways that do not depend on their order, so neither the order of rules nor that of the
players can matter.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class Verb(Enum):
    """What a rule can write."""

    ELIMINATE = "take a hand out of the game"
    REMOVE = "remove excess cards"
    CANCEL = "switch other rules off"
    ADJUST = "move a number of another rule"
    SET = "set what a kind of card is worth"
    CAP = "limit how many cards of a kind score"
    ZERO = "make kinds of cards worth nothing"
    MULTIPLY = "multiply what cards of a kind are worth"
    FLOOR = "say what a kind of card brings at least"
    POINTS = "give or take points"
    DOUBLE = "multiply all that came before"
    VOID = "void what other rules gave"
    SHIELD = "void a number of lines"
    NOTE = "explain something, for no points"
    UNKNOWN = "tell what other hands may change"
    IDLE = "lie idle beside an equal rule"
    OPEN = "wait for others to bring it into play"


class Phase(IntEnum):
    """The phases in their usual order. After WORTH the engine counts what the cards are worth.

    An edition may state another order of the phases from OWN on, which are about points.
    """

    ELIMINATE = 1
    REMOVE = 2
    CANCEL = 3
    ADJUST = 4
    BASE = 5
    COUNT = 6
    WORTH = 7
    OWN = 8
    TABLE = 9
    DOUBLE = 10
    DEDUCT = 11
    SHIELD = 12


WRITES: dict[Phase, tuple[Verb, ...]] = {
    Phase.ELIMINATE: (Verb.ELIMINATE,),
    Phase.REMOVE: (Verb.REMOVE,),
    Phase.CANCEL: (Verb.CANCEL,),
    Phase.ADJUST: (Verb.ADJUST,),
    Phase.BASE: (Verb.SET,),
    Phase.COUNT: (Verb.CAP,),
    Phase.WORTH: (Verb.ZERO, Verb.MULTIPLY, Verb.FLOOR),
    Phase.OWN: (Verb.POINTS,),
    Phase.TABLE: (Verb.POINTS,),
    Phase.DOUBLE: (Verb.DOUBLE,),
    Phase.DEDUCT: (Verb.POINTS,),
    Phase.SHIELD: (Verb.VOID, Verb.SHIELD),
}
"""What the rules of a phase may write, besides the verbs that are ALWAYS allowed."""

ALWAYS = (Verb.NOTE, Verb.UNKNOWN)
"""What rules may write in every phase: words without effect."""

AWARDS = (Verb.POINTS, Verb.MULTIPLY, Verb.FLOOR, Verb.DOUBLE)
"""The verbs whose lines bring points besides the plain worth of the cards."""

OF_POINTS = tuple(phase for phase in Phase if phase >= Phase.OWN)
"""The phases after the count of the cards, in their usual order."""
