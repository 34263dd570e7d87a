"""The search for examples of a rule: at most six pairs of small decks that no near miss of the rule scores alike."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from server.editions.examples.rule_context import RuleContext
from server.editions.examples.tables import generated, neighbours, shrunk, size
from server.editions.translations import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from server.editions.examples.rule_context import EditionRules, Scores
    from server.editions.examples.tables import Table
    from server.scoring import Scorer

MOST_EXAMPLES = 6
_FAR = 10
"""How far above its minimum a setting without a maximum is tried."""
_SAMPLE = 24
"""The number of tables that show which near misses are hard to find."""


class Example(NamedTuple):
    """Two tables that differ in one card, on either side of a boundary of a rule, and their scores."""

    table: Table
    scores: Scores
    other: Table
    other_scores: Scores


class RuleExamples(NamedTuple):
    """The examples of a rule. It `matters` if they include one whose score is another one without the rule.

    `missed` are near misses that score all generated tables alike.
    """

    examples: tuple[Example, ...]
    matters: bool
    missed: tuple[str, ...]


def find_examples(context: RuleContext) -> RuleExamples:
    """Return the examples of a rule."""
    return _Search(context).found()


def idle_sentence(rules: EditionRules, key: str) -> str | None:
    """Return a sentence about a rule that matters for none of the tables made for it; None for any other.

    The settings that it uses have their defaults, then their least and their largest values.
    """
    used = [setting for setting in rules.edition.settings if setting.name in rules.edition.rule_of[key].settings]
    tried: list[dict[str, int]] = [{}]
    if used:
        tried.append({one.name: one.minimum for one in used})
        tried.append({one.name: one.minimum + _FAR if one.maximum is None else one.maximum for one in used})
    sentences = (_idle_sentence(RuleContext(rules, key, settings)) for settings in tried)
    first = next(sentences)
    return None if first is None or None in sentences else first


def _idle_sentence(context: RuleContext) -> str | None:
    without = context.scorer_without()
    played = []
    for table in generated(context.edition, context.room):
        scores = context.scores(table)
        if scores is not None:
            played.append(table)
            if context.scores(table, without) != scores:
                return None
    acted = sum(map(context.acts, played))
    if not acted:
        return Sentence("never acted in {number} games that were made for it; check its condition", number=len(played))
    return Sentence(
        "acted in {acted} of {number} games that were made for it, but changed no score; check its effect",
        acted=acted,
        number=len(played),
    )


class _Search:
    def __init__(self, context: RuleContext) -> None:
        self._context = context
        self._known: dict[Table, Scores | None] = {}
        self._variations = context.variations()
        self._tables = list(dict.fromkeys(generated(context.edition, context.room)))

    def _scores(self, table: Table) -> Scores | None:
        if table not in self._known:
            self._known[table] = self._context.scores(table)
        return self._known[table]

    def _differs(self, scorer: Scorer, table: Table) -> bool:
        scores = self._scores(table)
        return scores is not None and self._context.scores(table, scorer) != scores

    def found(self) -> RuleExamples:
        misses = list(range(len(self._variations)))
        sample = self._tables[:: max(1, len(self._tables) // _SAMPLE)]
        seen = {miss: sum(self._differs(self._variations[miss][1], table) for table in sample) for miss in misses}
        left = sorted(misses, key=lambda miss: seen[miss])
        chosen: list[tuple[Example, set[int]]] = []
        missed: list[int] = []
        while left:
            miss = left[0]
            scorer = self._variations[miss][1]
            table = next((table for table in self._tables if self._differs(scorer, table)), None)
            if table is None:
                left.remove(miss)
                missed.append(miss)
                continue
            small = shrunk(self._context.edition, self._context.room, table, partial(self._differs, scorer))
            example, found = self._pair(small, left)
            chosen.append((example, found))
            left = [one for one in left if one not in found]
        examples = self._fewest(chosen, [miss for miss in misses if miss not in missed])
        matters = 0 not in missed
        return RuleExamples(tuple(examples), matters, tuple(self._variations[miss][0].what for miss in missed))

    def _pair(self, table: Table, misses: Sequence[int]) -> tuple[Example, set[int]]:
        """Return an example with the neighbour of a table that shows most, and the near misses that it shows."""
        scores = self._scores(table) or ()
        shown = {miss for miss in misses if self._differs(self._variations[miss][1], table)}
        others = [miss for miss in misses if miss not in shown]
        best: tuple[int, bool, int, Table, set[int]] | None = None
        for other in neighbours(self._context.edition, self._context.room, table):
            if self._scores(other) is None:
                continue
            more = {miss for miss in others if self._differs(self._variations[miss][1], other)}
            rank = (len(more), self._acts(other) != self._acts(table), -size(other))
            if best is None or rank > best[:3]:
                best = (*rank, other, more)
        if best is None:
            return Example(table, scores, table, scores), shown
        return Example(table, scores, best[3], self._scores(best[3]) or ()), shown | best[4]

    def _acts(self, table: Table) -> bool:
        """Return whether the rule changes a score."""
        return self._differs(self._variations[0][1], table)

    def _fewest(self, chosen: Sequence[tuple[Example, set[int]]], misses: Iterable[int]) -> list[Example]:
        """Return the examples that show most near misses, at most MOST_EXAMPLES."""
        shows = {
            example: {
                miss
                for miss in misses
                if self._differs(self._variations[miss][1], example.table)
                or self._differs(self._variations[miss][1], example.other)
            }
            for example, _ in chosen
        }
        picked: list[Example] = []
        seen: set[int] = set()
        while len(picked) < MOST_EXAMPLES:
            best = max(shows, key=lambda one: (len(shows[one] - seen), -size(one.table)), default=None)
            if best is None or not shows[best] - seen:
                break
            seen |= shows.pop(best)
            picked.append(best)
        return sorted(map(_smaller_first, picked), key=lambda one: size(one.table))


def _smaller_first(example: Example) -> Example:
    if size(example.other) >= size(example.table):
        return example
    return Example(example.other, example.other_scores, example.table, example.scores)
