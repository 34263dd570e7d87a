"""Other worlds: editions and games that differ from the real ones only in rules whose cards somebody does not hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from server.scoring import Phase
from server.scoring.edition import Scope, Step

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.scoring import Edition, Numbers, Rule, Seat

SECRET = "Zaubernuss"  # noqa: S105 - a word to look for
"""A word that stands in everything of the other rules of a `poisoned` edition."""


def others(edition: Edition, held: Collection[str]) -> list[Rule]:
    """Return the rules whose cards are not among those held."""
    return [rule for rule in edition.rules if rule.card not in held]


def poisoned(edition: Edition, held: Collection[str]) -> Edition:
    """Return an edition whose other rules fail when they run, and whose wordings and numbers are others."""
    told = {kind for kind, keys in edition.told_by.items() if any(f"rule-{key}" not in held for key in keys)}
    return replace(
        edition,
        summary=SECRET,
        rules=tuple(rule if rule.card in held else _bad(rule) for rule in edition.rules),
        kinds=tuple(
            replace(kind, name=SECRET, text=SECRET) if kind.category == "rule" and kind.slug not in held else kind
            for kind in edition.kinds
        ),
        worths={kind: worth + 1000 if kind in told else worth for kind, worth in edition.worths.items()},
        rulings=(),
        ties=(),
    )


def emptied(edition: Edition, held: Collection[str]) -> Edition:
    """Return an edition that has no other rules at all. That such cards were printed is no secret; what they say is."""
    return replace(
        edition,
        rules=tuple(rule for rule in edition.rules if rule.card in held),
        kinds=tuple(
            kind if kind.category != "rule" or kind.slug in held else replace(kind, name=SECRET, text=SECRET)
            for kind in edition.kinds
        ),
        rulings=(),
        ties=(),
    )


def generous(edition: Edition, held: Collection[str]) -> Edition:
    """Return an edition whose other rules give and take points, set worths and speak for everybody."""
    return replace(
        edition,
        rules=tuple(
            rule
            if rule.card in held
            else replace(
                rule, steps=(Step(Phase.OWN, _gift),), scope=Scope.ALWAYS, says={"line": SECRET}, touches=frozenset()
            )
            for rule in edition.rules
        ),
    )


WORLDS = (poisoned, emptied, generous)


def _gift(me: Seat, _numbers: Numbers) -> None:
    me.points(1000 + me.total)


def _fail(me: Seat, _numbers: Numbers) -> None:
    raise RuntimeError(f"{SECRET} {me.total}")


def _bad(rule: Rule) -> Rule:
    changed: dict[str, Any] = {
        "name": SECRET,
        "text": SECRET,
        "numbers": {name: value + 99 for name, value in rule.numbers.items()},
        "says": dict.fromkeys(rule.says, SECRET),
        "steps": tuple(Step(step.phase, _fail, always=True) for step in rule.steps),
        "scope": Scope.ALWAYS,
        "effect": SECRET,
    }
    return replace(rule, **changed)
