"""The rulebook, with which the `rules.py` of an edition registers a small function for each rule and phase."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.scoring.errors import EditionError
from server.scoring.rules import Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.scoring.rules import Numbers, Phase
    from server.scoring.table import Seat


Act = Callable[["Seat", "Numbers"], None]
"""The function of a rule: it reads a hand, its table and its own numbers, and writes journal entries."""

TieKey = Callable[["Seat"], Any]
"""The function of a tie-break: the hand with the larger value ranks higher."""


@dataclass(frozen=True)
class RuleCode:
    """The functions of a rule by phase, and the keys of the rules that it touches."""

    steps: tuple[Step, ...]
    touches: frozenset[str]


class Rulebook:
    """Collects the functions of an edition: `book = Rulebook()` in its `rules.py`."""

    def __init__(self) -> None:
        self.rules: dict[str, RuleCode] = {}
        self.families: dict[str, RuleCode] = {}
        self.ties: dict[str, TieKey] = {}
        self.instead: set[str] = set()
        """Rules and families of a variant whose functions replace effects of the edition that it extends."""

    def rule(
        self,
        key: int | str,
        phase: Phase,
        *,
        touches: Iterable[int | str] = (),
        also: bool = False,
        always: bool = False,
    ) -> Callable[[Act], Act]:
        """Register the function of a rule. `touches` are the rules that it adjusts, cancels, voids or shields.

        A rule that acts in several phases has a function for each; all except the first need `also`. A function with
        `always` runs even if another rule has cancelled this one.
        """
        return self._register(self.rules, "rule", str(key), (phase, touches, also, always))

    def family(
        self, name: str, phase: Phase, *, touches: Iterable[int | str] = (), also: bool = False, always: bool = False
    ) -> Callable[[Act], Act]:
        """Register a function that all rules of a family share. They differ in their numbers and lists."""
        return self._register(self.families, "family", name, (phase, touches, also, always))

    def tie(self, name: str) -> Callable[[TieKey], TieKey]:
        """Register the function of a tie-break: of two hands, the one with the larger value ranks higher."""

        def register(key: TieKey) -> TieKey:
            if name in self.ties:
                raise EditionError(f"tie-break {name} has two functions")
            self.ties[name] = key
            return key

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
