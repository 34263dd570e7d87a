"""Somebody who looks on while the functions of an edition run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from server.scoring.edition import Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.scoring import Numbers, Seat
    from server.scoring.edition import Edition, Step, Tie


class Watcher(Protocol):
    """Looks on while an edition is tried."""

    backwards: bool
    """Whether the last game comes first: what a rule keeps from one game to the next then shows."""

    def runs(self, what: str) -> bool:
        """Tell whether to run something at all: "rules.py", "rule 7" or "tie-break NAME"."""

    def begins(self, what: str) -> None:
        """Hear what runs now: its name, a line break, and its file and line; "" for nothing of the author's."""

    def game(self) -> None:
        """Hear that a new game begins, which should not take long."""

    def rests(self) -> None:
        """Hear that nothing of the author's runs for now, so that nothing needs to be quick."""

    def saw(self, rule: Rule, game: int, lines: str) -> None:
        """Get a digest of all lines of a rule in a game."""


class _Nobody:
    backwards = False

    def runs(self, what: str) -> bool:  # noqa: ARG002 - as the protocol says
        return True

    def begins(self, what: str) -> None: ...

    def game(self) -> None: ...

    def rests(self) -> None: ...

    def saw(self, rule: Rule, game: int, lines: str) -> None: ...


NOBODY: Watcher = _Nobody()


class _Watched:
    """A function of the author's that tells a watcher when it runs."""

    def __init__(self, act: Callable[..., object], what: str, watcher: Watcher) -> None:
        self.__code__ = act.__code__
        """Whose it is: errors name its file and line."""
        self._act, self._begins = act, watcher.begins
        self._what = f"{what}\n{act.__code__.co_filename}:{act.__code__.co_firstlineno}"

    def __call__(self, seat: Seat, *numbers: Numbers) -> Any:  # noqa: ANN401 - a tie-break's value is any
        self._begins(self._what)
        answer = self._act(seat, *numbers)
        self._begins("")
        return answer


def what_of(one: Rule | Tie) -> str:
    """Return what a watcher and a sentence call a rule or a tie-break."""
    return f"rule {one.key}" if isinstance(one, Rule) else f"tie-break {one.name}"


def watched(edition: Edition, watcher: Watcher) -> Edition:
    """Let a watcher see the functions run, and leave out what it does not want to run."""
    rules = tuple(
        replace(rule, steps=tuple(_watched_step(step, what_of(rule), watcher) for step in rule.steps))
        if watcher.runs(what_of(rule))
        else replace(rule, steps=())
        for rule in edition.rules
    )
    ties = tuple(
        replace(tie, key=_Watched(tie.key, what_of(tie), watcher) if hasattr(tie.key, "__code__") else tie.key)
        for tie in edition.ties
        if watcher.runs(what_of(tie))
    )
    return replace(edition, rules=rules, ties=ties)


def _watched_step(step: Step, what: str, watcher: Watcher) -> Step:
    return step._replace(act=_Watched(step.act, what, watcher)) if hasattr(step.act, "__code__") else step
