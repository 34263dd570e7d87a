"""How an edition's `rules.py` says what its rules do: one small function a rule, beside its number and phase."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.scoring.errors import EditionError
from server.scoring.rules import Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.scoring.rules import Numbers, Phase
    from server.scoring.table import Seat


Act = Callable[["Seat", "Numbers"], None]
"""A rule's function: it reads a hand, the table around it and its own numbers, and writes."""

TieKey = Callable[["Seat"], Any]
"""A tie-break's function: its values are compared among hands, the larger ranks higher."""

Alike = Callable[[int, int, int], Hashable]
"""What rules see of a category's numbered cards, from how many they are and their lowest and highest number."""


@dataclass(frozen=True)
class RuleCode:
    """What a rule does phase by phase, and the keys of the rules that it touches."""

    steps: tuple[Step, ...]
    touches: frozenset[str]


class Rulebook:
    """Collects the functions of an edition: `book = Rulebook()` in its `rules.py`."""

    def __init__(self) -> None:
        self.rules: dict[str, RuleCode] = {}
        self.families: dict[str, RuleCode] = {}
        self.ties: dict[str, TieKey] = {}
        self.alikes: dict[str, Alike] = {}

    def rule(
        self,
        key: int | str,
        phase: Phase,
        *,
        touches: Iterable[int | str] = (),
        also: bool = False,
        always: bool = False,
    ) -> Callable[[Act], Act]:
        """Register the function of a rule. `touches`: rules whose numbers it moves or that it voids or cancels.

        A rule that acts in several phases has a function for each, all but the first marked with `also`. One marked
        with `always` runs even where another rule has cancelled this one.
        """
        return self._register(self.rules, "rule", str(key), (phase, touches, also, always))

    def family(
        self, name: str, phase: Phase, *, touches: Iterable[int | str] = (), also: bool = False, always: bool = False
    ) -> Callable[[Act], Act]:
        """Register a function that all rules of a family share; they differ in their numbers and lists."""
        return self._register(self.families, "family", name, (phase, touches, also, always))

    def tie(self, name: str) -> Callable[[TieKey], TieKey]:
        """Register the function of a tie-break: of two hands, the one with the larger value ranks higher."""

        def register(key: TieKey) -> TieKey:
            if name in self.ties:
                raise EditionError(f"tie-break {name} has two functions")
            self.ties[name] = key
            return key

        return register

    def alike(self, category: str) -> Callable[[Alike], Alike]:
        """Register what tells holdings of a category of numbered cards apart, besides how many cards they are.

        The function gets the number of cards and the lowest and highest number among them (0 for none). Where its
        answer is the same, all rules must score alike: the search for the best deck then tries one of them.
        """

        def register(view: Alike) -> Alike:
            if category in self.alikes:
                raise EditionError(f"category {category} has two functions that say what is alike")
            self.alikes[category] = view
            return view

        return register

    def _register(
        self,
        codes: dict[str, RuleCode],
        what: str,
        name: str,
        how: tuple[Phase, Iterable[int | str], bool, bool],
    ) -> Callable[[Act], Act]:
        phase, touches, also, always = how

        def register(act: Act) -> Act:
            code = codes.get(name, RuleCode((), frozenset()))
            if code.steps and (not also or phase in {step.phase for step in code.steps}):
                raise EditionError(f"{what} {name} has two functions")
            touched = code.touches | {str(key) for key in touches}
            codes[name] = RuleCode((*code.steps, Step(phase, act, always)), frozenset(touched))
            return act

        return register
