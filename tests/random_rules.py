"""Variants of editions in which the rules that a player does not hold are different."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from server.scoring import Phase
from server.scoring.rules import Scope, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from server.scoring import Edition, Numbers, Rule, Seat

SECRET = "Zaubernuss"  # noqa: S105 - a word to look for
"""A word that appears in all texts of the other rules of a `poisoned` edition."""


def others(edition: Edition, held: Collection[str]) -> list[Rule]:
    """Return the rules whose cards are not among those held."""
    return [rule for rule in edition.rules if rule.card not in held]


def _changed(edition: Edition, held: Collection[str], change: Callable[[Rule], Rule]) -> tuple[Rule, ...]:
    return tuple(rule if rule.card in held else change(rule) for rule in edition.rules)


def emptied(edition: Edition, held: Collection[str]) -> Edition:
    """Return an edition without the other rules. Their cards remain, since only their texts are secret."""
    kinds = tuple(
        kind if kind.category != "rule" or kind.slug in held else replace(kind, name=SECRET, text=SECRET)
        for kind in edition.kinds
    )
    rules = tuple(rule for rule in edition.rules if rule.card in held)
    return replace(edition, rules=rules, kinds=kinds, rulings=(), ties=())


def poisoned(edition: Edition, held: Collection[str]) -> Edition:
    """Return an edition whose other rules raise an error and have different texts and numbers."""
    hidden = {kind for kind, keys in edition.told_by.items() if any(f"rule-{key}" not in held for key in keys)}
    worths = {kind: worth + 1000 if kind in hidden else worth for kind, worth in edition.worths.items()}
    rules = _changed(edition, held, _bad)
    return replace(emptied(edition, held), summary=SECRET, rules=rules, worths=worths)


def generous(edition: Edition, held: Collection[str]) -> Edition:
    """Return an edition whose other rules apply to everybody and change their points."""
    steps, says = (Step(Phase.OWN, _gift),), {"line": SECRET}

    def kind(rule: Rule) -> Rule:
        return replace(rule, steps=steps, scope=Scope.ALWAYS, says=says, touches=frozenset())

    return replace(edition, rules=_changed(edition, held, kind))


VARIANTS = (poisoned, emptied, generous)


def _gift(me: Seat, _numbers: Numbers) -> None:
    me.points(1000 + me.total)


def _fail(me: Seat, _numbers: Numbers) -> None:
    raise RuntimeError(f"{SECRET} {me.total}")


def _bad(rule: Rule) -> Rule:
    return replace(
        rule,
        name=SECRET,
        text=SECRET,
        numbers={name: value + 99 for name, value in rule.numbers.items()},
        says=dict.fromkeys(rule.says, SECRET),
        steps=tuple(Step(step.phase, _fail, always=True) for step in rule.steps),
        scope=Scope.ALWAYS,
        effect=SECRET,
    )
