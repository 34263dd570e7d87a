"""Test cases of an edition: small tables with the scores that its author expects, recorded in `edition.toml`."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

from server.editions.code_checks.trial import error_sentence
from server.editions.examples.rule_context import EditionRules, RuleContext
from server.editions.examples.tables import hands_of
from server.editions.registry import FILE
from server.editions.translations import Sentence
from server.scoring import Hand, ScoringError, score
from server.scoring.breakdown import decimal
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from server.editions.examples.rule_context import Scores
    from server.editions.examples.tables import Table
    from server.editions.schema import CasePart, EditionFile
    from server.scoring.edition import Edition
    from server.scoring.rules import Points


def case_mistakes(edition: Edition, file: EditionFile) -> Iterator[tuple[str, str]]:
    """Yield the place of each case whose scores are other ones than its author expects, and a sentence."""
    rules = EditionRules(edition, file)
    for index, case in enumerate(file.cases):
        place = f"cases.#{index}"
        if case.rule is not None and case.rule not in edition.rule_of:
            yield (
                f"{place}.rule",
                Sentence("names rule {rule}, which does not exist; take the case out", rule=case.rule),
            )
            continue
        active = None if case.rule is None else RuleContext(rules, case.rule).active
        try:
            found = case_scores(edition, case, active)
        except ScoringError as error:
            yield place, Sentence("cannot be scored: {error}", error=str(error))
            continue
        except EditionError as error:
            where, reason = error_sentence(edition, error)
            yield place, Sentence("cannot be scored ({where}: {reason})", where=where, reason=reason)
            continue
        if found != tuple(case.scores):
            scores, expected = scores_text(found), scores_text(case.scores)
            if case.rule is None:
                sentence = "scores {found} now, but its author expects {expected}"
            else:
                sentence = "scores {found} by rule {rule} now, but its author expects {expected}"
            yield place, Sentence(sentence, found=scores, rule=case.rule, expected=expected)


def case_scores(edition: Edition, case: CasePart, active: Sequence[str] | None) -> Scores:
    """Return the scores of the hands of a case, if only some rules are active."""
    hands = [
        Hand(
            f"hand {index + 1}",
            dict(hand.cards),
            facts=dict(hand.facts),
            named={name: f"hand {number}" for name, number in hand.named.items()},
            parts={part: dict(cards) for part, cards in hand.parts.items()},
            cancels=tuple(hand.cancels),
        )
        for index, hand in enumerate(case.hands)
    ]
    result = score(edition, hands, active_rules=active, provisional=False)
    by_player = {one.hand.player: None if one.eliminated else one.score for one in result.hands}
    return tuple(by_player[hand.player] for hand in hands)


def scores_text(scores: Sequence[Points | None]) -> str:
    """Return scores for people; "out" for a hand that is eliminated."""
    return ", ".join("out" if points is None else decimal(points) for points in scores)


def case_toml(edition: Edition, rule: str, table: Table, scores: Scores) -> str:
    """Return a test case as it is written into `edition.toml`."""
    hands = []
    numbers = {hand.player: number for number, hand in enumerate(hands_of(edition, table, len(scores)), 1)}
    for hand in hands_of(edition, table, len(scores)):
        entries = [f"cards = {_table(hand.cards)}"]
        entries += [f"facts = {_table(hand.facts)}"] if hand.facts else []
        named = {name: numbers[player] for name, player in hand.named.items()}
        entries += [f"named = {_table(named)}"] if named else []
        parts = [f"{part} = {_table(cards)}" for part, cards in hand.parts.items()]
        entries += [f"parts = {{ {', '.join(parts)} }}"] if parts else []
        entries += [f"cancels = {json.dumps(hand.cancels)}"] if hand.cancels else []
        hands.append(f"{{ {', '.join(entries)} }}")
    return f'[[cases]]\nrule = "{rule}"\nhands = [{", ".join(hands)}]\nscores = [{", ".join(map(_score, scores))}]\n'


def _table(values: Mapping[str, int]) -> str:
    inner = ", ".join(f"{name} = {str(value).lower()}" for name, value in values.items())
    return f"{{ {inner} }}" if inner else "{}"


def _score(points: Points | None) -> str:
    text = "out" if points is None else decimal(points)
    return f'"{text}"' if points is None or "/" in text else text


def record_case(folder: Path, case: str) -> None:
    """Add a test case at the end of the file of an edition, unless it is there."""
    path = folder / FILE
    text = path.read_text(encoding="utf-8")
    if case not in text:
        path.write_text(f"{text.rstrip()}\n\n{case}", encoding="utf-8")


def is_recorded(folder: Path, case: str) -> bool:
    """Return whether a test case is in the file of an edition, maybe with other scores."""
    hands, _, _ = case.rpartition("scores = ")
    return hands in (folder / FILE).read_text(encoding="utf-8")


def parsed_score(text: str) -> Points | None:
    """Return the score that an author has typed; ValueError if it is none."""
    if text.strip() == "out":
        return None
    try:
        value = Fraction(text.strip().replace("\N{MINUS SIGN}", "-"))
    except ZeroDivisionError:
        raise ValueError(text) from None
    return value.numerator if value.denominator == 1 else value
