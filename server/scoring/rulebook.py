"""How an edition's `rules.py` says what its rules do: one small function a rule, beside its number and phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.scoring.edition import EditionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from server.scoring.edition import Act, TieKey
    from server.scoring.phases import Phase


@dataclass(frozen=True)
class RuleCode:
    """A rule's function, the phase in which it acts, and the keys of the rules that it touches."""

    act: Act
    phase: Phase
    touches: frozenset[str]


class Rulebook:
    """Collects the functions of an edition: `book = Rulebook()` in its `rules.py`."""

    def __init__(self) -> None:
        self.rules: dict[str, RuleCode] = {}
        self.ties: dict[str, TieKey] = {}

    def rule(self, key: int | str, phase: Phase, *, touches: Iterable[int | str] = ()) -> Callable[[Act], Act]:
        """Register the function of a rule. `touches`: rules whose numbers it moves or whose points it voids."""

        def register(act: Act) -> Act:
            if str(key) in self.rules:
                raise EditionError(f"rule {key} has two functions")
            self.rules[str(key)] = RuleCode(act, phase, frozenset(str(touched) for touched in touches))
            return act

        return register

    def tie(self, name: str) -> Callable[[TieKey], TieKey]:
        """Register the function of a tie-break: of two hands, the one with the larger value ranks higher."""

        def register(key: TieKey) -> TieKey:
            if name in self.ties:
                raise EditionError(f"tie-break {name} has two functions")
            self.ties[name] = key
            return key

        return register
