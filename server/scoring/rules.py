"""A rule: its card, its numbers, and the functions by which it acts."""

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
    """For whom a rule acts."""

    ALWAYS = "always"
    """For every hand, whoever holds the rule's card."""
    HOLDER = "holder"
    """For those who handed its card in. Cards of the same effect act once a hand."""
    IN_PLAY = "in-play"
    """For every hand as soon as anyone handed its card in. Cards of the same effect act once."""


class Step(NamedTuple):
    """A function of a rule and the phase in which it runs; `always` runs it even where the rule is cancelled."""

    phase: Phase
    act: Callable[..., None]
    always: bool = False


@dataclass(frozen=True)
class Rule:
    """A rule: its key (the number on its card, as text), title, wording with the numbers filled in, and numbers.

    `place` is its place in the edition, from 0: lines of a breakdown stand in this order. `settings` names the
    organiser's values that join its numbers; `lists` are named slugs that its functions read; `says` holds the
    templates of its sentences in a breakdown. `touches` and `steps` are empty for a rule that only breaks ties or only
    `informs`.
    `effect` is the same for rules whose cards say the same. A `puzzle` needs something that its card does not state.
    """

    key: str
    place: int
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
    """A hand that made a rule act, by its player, and the number that made it; None where there is nothing to say."""

    player: str
    number: int | None


class PlayerGroup:
    """Hands that made a rule act alike, in the order of their players' names; one of them may be left out.

    A view: to part it, or to make one for each hand of a game, copies nothing.
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
        """Return the first authors, at most so many."""
        places = range(self._start, min(self._start + number, self._stop))
        return [self._all[place + (place >= self._without)] for place in places]

    def parted(self, number: int) -> tuple[PlayerGroup, PlayerGroup]:
        """Return the first `number` authors, and the others."""
        without = None if self._without == len(self._all) else self._without
        middle = self._start + number
        return PlayerGroup(self._all, without, self._start, middle), PlayerGroup(self._all, without, middle, self._stop)


Points = int | Fraction
"""Exact points. Whole ones stay `int`, which counts much faster; results turn them into `Fraction`."""


class Verbatim(str):
    """A text that a sentence shows as it is, such as a player's name or a rule's key; plain `str` are slugs."""

    __slots__ = ()


Value = Points | str | tuple[str, ...] | Mapping[str, int] | PlayerGroup
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


class Numbers:
    """A rule's numbers as attributes, at the values that count for one hand: `n.limit`. Halves are exact."""

    def __init__(self, printed: Mapping[str, Points], moved: Mapping[str, Points] | None = None) -> None:
        self.__dict__.update(printed)
        self._printed = printed
        for name, by in (moved or {}).items():
            self.__dict__[name] = printed[name] + by

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whole for a limit, maybe a fraction for points
        raise AttributeError(f"the rule has no number '{name}' (it has {', '.join(self._printed) or 'none'})")


def printed(numbers: Numbers) -> Mapping[str, Points]:
    """Return the numbers as the card says them. A function, so that a number may have any name."""
    return numbers._printed  # noqa: SLF001 - this module owns the class


def effective(numbers: Numbers) -> dict[str, Points]:
    """Return the numbers as they count."""
    return {name: getattr(numbers, name) for name in printed(numbers)}


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
