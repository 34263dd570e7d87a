"""A rule: its card, its numbers, its functions, and the journal entries that they write in the phases of a count.

Rules read the table as it was when their phase began; their entries take effect when the phase ends. The effects of a
phase do not depend on the order of its entries, so neither the order of rules nor that of players matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


RULE_CATEGORY = "rule"
"""The category of the rule cards: the kind of rule 7 is `rule-7`."""


class Scope(Enum):
    """The hands for which a rule acts."""

    ALWAYS = "always"
    """All hands, even if nobody has the rule's card."""
    HOLDER = "holder"
    """Those who handed in its card. Cards of the same effect act once in each hand."""
    IN_PLAY = "in-play"
    """All hands, as soon as anyone handed in its card. Cards of the same effect act once."""


class Step(NamedTuple):
    """A function of a rule and the phase in which it runs; with `always` it runs even if the rule is cancelled.

    If it `reads_points`, it depends on what the hand has got in earlier phases. `stated` is what the function was
    compiled from; None if it is one of `rules.py`.
    """

    phase: Phase
    act: Callable[..., None]
    always: bool = False
    reads_points: bool = False
    stated: object = None


@dataclass(frozen=True)
class Rule:
    """A rule: its key (the number on its card, as text), title, wording with the numbers filled in, and numbers.

    `position` is its position in the edition, from 0, and the order of lines in a breakdown. `settings` names the
    organiser's values that are added to its numbers; `lists` has lists of slugs for its functions; `says` has the
    templates of its sentences in a breakdown. `touches` and `steps` are empty for a rule that only breaks ties or only
    `informs`. Rules with the same wording share an `effect`. A `puzzle` depends on something that its card does not
    state.
    """

    key: str
    position: int
    name: str
    text: str
    numbers: Mapping[str, Points] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    says: Mapping[str, str] = field(default_factory=dict)
    touches: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()
    scope: Scope = Scope.ALWAYS
    effect: str = ""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    informs: bool = False
    puzzle: bool = False

    @property
    def card(self) -> str:
        """The slug of the rule's card."""
        return f"{RULE_CATEGORY}-{self.key}"

    @property
    def phases(self) -> frozenset[Phase]:
        """The phases in which the rule acts."""
        return frozenset(step.phase for step in self.steps)


class RuleAuthor(NamedTuple):
    """The player whose hand made a rule act, and the number that made it act, if that is of interest."""

    player: str
    number: int | None


class PlayerGroup:
    """Hands that made a rule act in the same way, in the order of their players' names; one of them may be left out.

    This is a view: splitting it, or making one for each hand of a game, copies nothing.
    """

    __slots__ = ("_all", "_start", "_stop", "_without")

    def __init__(
        self, authors: Sequence[RuleAuthor], without: int | None, start: int = 0, stop: int | None = None
    ) -> None:
        self._all = authors
        self._without = len(authors) if without is None else without
        self._start = start
        self._stop = len(authors) - (without is not None) if stop is None else stop

    def __len__(self) -> int:
        return self._stop - self._start

    def first(self, number: int) -> list[RuleAuthor]:
        """Return the first `number` authors, or all if there are fewer."""
        places = range(self._start, min(self._start + number, self._stop))
        return [self._all[place + (place >= self._without)] for place in places]

    def split(self, number: int) -> tuple[PlayerGroup, PlayerGroup]:
        """Return the first `number` authors, and the others."""
        without = None if self._without == len(self._all) else self._without
        middle = self._start + number
        return PlayerGroup(self._all, without, self._start, middle), PlayerGroup(self._all, without, middle, self._stop)


Points = int | Fraction
"""Exact points. Whole numbers stay `int`, which is faster; results convert them to `Fraction`."""


class Verbatim(str):
    """A text that a sentence shows unchanged, such as a player's name or a rule's key; a plain `str` is a slug."""

    __slots__ = ()


class RuleKey(Verbatim):
    """The key of a rule, which a sentence shows as its number, or as its title where it has none."""

    __slots__ = ()


class PlayerName(Verbatim):
    """The name of a player, for whom a sentence may show another name; "" for nobody."""

    __slots__ = ()


class ShownValue:
    """A value for a placeholder that formats itself."""

    __slots__ = ()

    def text(self, show: Callable[[Points], str]) -> str:
        """Return the text of the value; `show` formats a number."""
        raise NotImplementedError


Value = Points | str | tuple[str, ...] | Mapping[str, int] | PlayerGroup | ShownValue
"""A value for a placeholder: a number, the slug of a kind or group, several slugs, kinds with their counts, the hands
that made a rule act, or a value that formats itself."""


class Entry(NamedTuple):
    """An entry in the journal of a hand, written by a rule. The journal is the score and also its explanation.

    `targets` are slugs of kinds (SET, CAP, ZERO, MULTIPLY, FLOOR), of a category (REMOVE) or keys of rules (CANCEL,
    ADJUST, VOID, SHIELD, IDLE); `number` is the name of the number for ADJUST, and for REMOVE the worth of the
    cards that stay, "highest", "lowest" or "". The meaning of `amount` depends on the
    verb: points, a worth, a limit or a factor; after the phase, those of MULTIPLY, FLOOR and DOUBLE are points.
    `author` is the player whose hand made the rule act (the first by name if there are several), "" for the hand
    itself. `say` names the rule's sentence, `values` and `numbers` (the author's) fill it; the text is only made when
    it is read.
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


class Numbers:
    """The numbers of a rule as attributes, with the values for one hand: `n.limit`. Fractions are exact."""

    def __init__(self, printed: Mapping[str, Points], moved: Mapping[str, Points] | None = None) -> None:
        self.__dict__.update(printed)
        self._printed = printed
        for name, by in (moved or {}).items():
            self.__dict__[name] = printed[name] + by

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whole for a limit, maybe a fraction for points
        raise AttributeError(f"the rule has no number '{name}' (it has {', '.join(self._printed) or 'none'})")


def printed(numbers: Numbers) -> Mapping[str, Points]:
    """Return the numbers printed on the card. This is a function, so that a number may have any name."""
    return numbers._printed  # noqa: SLF001 - this module owns the class


def effective(numbers: Numbers) -> dict[str, Points]:
    """Return the numbers after all adjustments."""
    return {name: getattr(numbers, name) for name in printed(numbers)}


class Verb(Enum):
    """The kinds of entries that rules write."""

    ELIMINATE = "eliminate a hand"
    REMOVE = "remove excess cards"
    CANCEL = "cancel other rules"
    ADJUST = "adjust a number of another rule"
    SET = "set the worth of a kind of card"
    CAP = "limit the number of cards of a kind that score"
    ZERO = "make kinds of cards worth nothing"
    MULTIPLY = "multiply the worth of cards"
    FLOOR = "set a minimum for the points of a kind of card"
    POINTS = "give or take points"
    DOUBLE = "multiply all earlier points"
    VOID = "void the points of other rules"
    SHIELD = "void a number of lines"
    NOTE = "write a line without points"
    UNKNOWN = "state what other hands may change"
    IDLE = "be idle beside a rule of the same effect"
    OPEN = "wait for another hand to bring it into play"


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
"""The verbs that are allowed in a phase, besides those in ALWAYS."""

ALWAYS = (Verb.NOTE, Verb.UNKNOWN)
"""The verbs that are allowed in every phase: sentences without effect."""

AWARDS = (Verb.POINTS, Verb.MULTIPLY, Verb.FLOOR, Verb.DOUBLE)
"""The verbs whose lines bring points, besides the plain worth of the cards."""

POINTS_PHASES = tuple(phase for phase in Phase if phase >= Phase.OWN)
"""The phases after the count of the cards, in their usual order."""
