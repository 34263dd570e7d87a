"""The report on the rules of an edition: each in plain words, with examples on either side of its boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.editions.examples.cases import case_toml
from server.editions.examples.reading import plain_words
from server.editions.examples.rule_context import EditionRules, RuleContext
from server.editions.examples.search import find_examples
from server.editions.examples.tables import hands_of
from server.editions.loader import read_edition
from server.editions.schema import EditionFile
from server.editions.source import read_source
from server.editions.translations import in_language
from server.scoring.breakdown import decimal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.editions.examples.rule_context import Scores
    from server.editions.examples.tables import Table
    from server.scoring import Hand
    from server.scoring.edition import Edition
    from server.scoring.rules import Points


_TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True)
class RuleReport:
    """A rule as the machine understands it: plain words, phases, and examples, each of one or two decks.

    Without examples, no deck was found for which the rule matters.
    """

    key: str
    name: str
    words: tuple[str, ...]
    phases: tuple[str, ...]
    examples: tuple[tuple[DeckReport, ...], ...]
    matters: bool


@dataclass(frozen=True)
class DeckReport:
    """A table of an example: its text and its scores as text, and the test case that it becomes."""

    rule: str
    text: str
    score: str
    table: Table
    scores: Scores


def rule_reports(folder: Path) -> Iterator[RuleReport]:
    """Yield the report on each rule with an effect of the edition in a folder, in its own language."""
    edition = read_edition(folder, None)
    file = EditionFile.model_validate(read_source(folder).document)
    rules = EditionRules(edition, file)
    for rule in edition.rules:
        if rule.steps:
            yield rule_report(rules, rule.key)


def rule_report(rules: EditionRules, key: str, language: str = "en") -> RuleReport:
    """Return the report on a rule, in a language; names of cards are those of the edition."""
    context = RuleContext(rules, key)
    edition = rules.edition
    found = find_examples(context)
    rule = context.rule
    pairs = []
    for example in found.examples:
        decks = [_deck(edition, key, example.table, example.scores, language)]
        if example.other != example.table:
            decks.append(_deck(edition, key, example.other, example.other_scores, language))
        pairs.append(tuple(decks))
    phases = tuple(phase.name for phase in edition.phases if phase in rule.phases)
    return RuleReport(
        key,
        rule.name,
        tuple(plain_words(edition, rule, context.meaning, language)),
        phases,
        tuple(pairs),
        found.matters,
    )


def recorded(edition: Edition, deck: DeckReport, scores: Scores) -> str:
    """Return the test case of a deck with the scores that the author expects."""
    return case_toml(edition, deck.rule, deck.table, scores)


def _points(score: Points, language: str) -> str:
    return decimal(score).replace("-", "\N{MINUS SIGN}").replace(".", in_language(".", language))


def _deck(edition: Edition, rule: str, table: Table, scores: Scores, language: str) -> DeckReport:
    hands = hands_of(edition, table, len(scores))
    text = (
        "; ".join(f"{hand.player}: {_hand(edition, hand, language)}" for hand in hands)
        if len(hands) > 1
        else _hand(edition, hands[0], language)
    )
    points = [in_language("out", language) if score is None else _points(score, language) for score in scores]
    score = (
        " ".join(f"{hand.player} {one}" for hand, one in zip(hands, points, strict=True))
        if len(hands) > 1
        else points[0]
    )
    return DeckReport(rule, text, score, table, scores)


def _hand(edition: Edition, hand: Hand, language: str) -> str:
    """Return the cards, facts and choices of a hand as text."""
    left = dict(hand.cards)
    pieces = []
    for part, cards in hand.parts.items():
        for kind, number in cards.items():
            left[kind] -= number
            there = in_language("{0} in {1}", language)
            pieces.append(there.format(f"{number} {_TIMES} {edition.name_of[kind]}", edition.name_of[part]))
    pieces = [f"{number} {_TIMES} {edition.name_of[kind]}" for kind, number in left.items() if number] + pieces
    pieces += [f"{name}: {in_language(str(value).lower(), language)}" for name, value in hand.facts.items()]
    pieces += [f"{name}: {player}" for name, player in hand.named.items()]
    pieces += [in_language("cancels rule {0}", language).format(key) for key in hand.cancels]
    return ", ".join(pieces) or in_language("no cards", language)
