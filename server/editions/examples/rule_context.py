"""A rule among those that its effect depends on, and the scores that it, or a near miss of it, gives small tables."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from server.editions.examples.near_misses import alike, near_misses, stated_formulas, words_of
from server.editions.examples.tables import MOST_HANDS, Room, Variable, evenly, hands_of
from server.editions.formula_names import formula_names, rule_names
from server.editions.formulas.compiler import compile_rule
from server.editions.formulas.effects import RuleText
from server.editions.formulas.functions import FUNCTIONS
from server.editions.rules_file import called_functions, words_in_code
from server.scoring import Scorer
from server.scoring.breakdown import decimal
from server.scoring.engine import ScoringError
from server.scoring.errors import EditionError
from server.scoring.rules import Phase, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.editions.examples.near_misses import NearMiss
    from server.editions.examples.tables import Table
    from server.editions.formulas.meaning import EffectPart, MeaningPart
    from server.editions.formulas.translator import Names
    from server.editions.schema import EditionFile
    from server.scoring.edition import Edition
    from server.scoring.rules import Points, Rule

    Scores = tuple[Points | None, ...]
    """The score of each hand; None for one that is eliminated."""

_MOST_KINDS = 8
"""Most kinds of a category that are varied."""
_FEW_KINDS = 4
_LARGEST_VALUE = 24
"""The largest number of cards of a kind that is tried."""
_FOR_OTHERS = frozenset({"give_others", "shield", "cancel"})
"""Effects for which other hands matter."""
_ON_WORTH = frozenset({"double", "zero", "cap", "multiply", "at_least", "keep", "eliminate"})
"""Effects that only matter if cards are worth something."""
_COMPARING_PHASES = frozenset({Phase.TABLE, Phase.DEDUCT, Phase.SHIELD, Phase.CANCEL})
_PART_WORDS = frozenset({"in_part", "kinds_in_part", "most_of_others_in_part", "part"})
_RUN_WORDS = frozenset({"runs", "longest_run"})
_COMPARING_WORDS = frozenset({"table", "others", "player", "points_for_others", "points_for"})


class EditionRules:
    """The rules of an edition with their meanings and the names that they use; `file` is the edition's document."""

    def __init__(self, edition: Edition, file: EditionFile) -> None:
        self.edition = edition
        self.names = formula_names(file, edition.absent)
        self._parts = {key: part for part in file.rules for key in part.cards}
        self._families = {family.name: family for family in file.families}
        self._slugs_of: dict[str, frozenset[str]] = {}

    def meaning(self, rule: Rule) -> MeaningPart | None:
        """Return the meaning of a rule; None for one whose functions are in rules.py."""
        if any(step.act.__code__.co_filename.endswith(".py") for step in rule.steps):
            return None
        part = self._parts[rule.key]
        if part.has_meaning:
            return part
        family = self._families.get(part.family or "")
        return family if family is not None and family.has_meaning else None

    def words(self, rule: Rule) -> set[str]:
        """Return the words in the formulas or functions of a rule."""
        meaning = self.meaning(rule)
        if meaning is None:
            functions = {act for step in rule.steps for act in called_functions(step.act)}
            return {word for act in functions for word in words_in_code(act.__code__)}
        return {word for _, formula in stated_formulas(meaning) for word in words_of(formula)}

    def slugs_in(self, rule: Rule) -> frozenset[str]:
        """Return the slugs of cards, groups and categories that a rule may read or write."""
        if rule.key in self._slugs_of:
            return self._slugs_of[rule.key]
        meaning = self.meaning(rule)
        words = set(self.words(rule))
        if meaning is not None:
            words |= {str(path[-1]) for path, _ in stated_formulas(meaning) if len(path) > 1}  # such as worth.red
        found = {slug for word in words for slug in self._slugs(word)}
        found |= {slug for slugs in rule.lists.values() for slug in slugs}
        return self._slugs_of.setdefault(rule.key, frozenset(found))

    def _slugs(self, name: str) -> tuple[str, ...]:
        cards = self.names.cards.get(name.replace("-", "_"))
        return cards.names if cards is not None else ()

    def kinds_of(self, slugs: Iterable[str], *, adjacent: bool = False) -> set[str]:
        """Return the kinds with these names, a few of a large category: the first, or from all over it."""
        kinds: set[str] = set()
        for slug in slugs:
            cards = self.names.cards.get(slug.replace("-", "_"))
            there = [kind for kind in cards.kinds if kind in self.edition.kind_of] if cards else []
            kinds |= set(there[:_MOST_KINDS] if adjacent else evenly(there, _MOST_KINDS))
        return kinds


class RuleContext:
    """A rule with those that it touches and those that set the worth of cards. No other rule acts in its examples.

    `settings` are those of the game, by default those of the edition.
    """

    def __init__(self, rules: EditionRules, key: str, settings: Mapping[str, int] | None = None) -> None:
        self._settings = settings
        self.edition = rules.edition
        self.rule = self.edition.rule_of[key]
        self._all = rules
        self.meaning = rules.meaning(self.rule)
        touched = self._touched()
        slugs = {slug for rule in (self.rule, *touched) for slug in rules.slugs_in(rule)}
        self._kinds = rules.kinds_of(slugs, adjacent=bool(_RUN_WORDS & rules.words(self.rule)))
        valuing = [rule for rule in self.edition.rules if Phase.BASE in rule.phases and rule is not self.rule]
        active = dict.fromkeys([self.rule.key, *(rule.key for rule in touched)])
        for rule in valuing:  # a worth that depends on other cards needs them too
            its = rules.slugs_in(rule)
            if rule.key not in active and its & self._kinds:
                active[rule.key] = None
                self._kinds |= rules.kinds_of(its)
        self.active = tuple(active)
        """The keys of the rules that act in its examples, the rule itself first."""
        self._near = [self.rule, *touched]
        self._scorer = self._scorer_with(self.rule)

    def _touched(self) -> list[Rule]:
        """Return the rules that the rule touches, directly or indirectly."""
        found: dict[str, None] = {}
        waiting = [self.rule]
        while waiting:
            rule = waiting.pop()
            new = [key for key in sorted(rule.touches) if key in self.edition.rule_of and key not in found]
            found |= dict.fromkeys(key for key in new if key != self.rule.key)
            waiting += [self.edition.rule_of[key] for key in new]
        return [self.edition.rule_of[key] for key in found]

    # Tables

    @cached_property
    def effects(self) -> set[str]:
        """The names of the effects of the rule."""
        parts: list[EffectPart] = []
        if self.meaning is not None:
            for frame in (self.meaning, *self.meaning.also):
                parts += [frame, *frame.case]
        return {part.verb for part in parts}

    @property
    def compares(self) -> bool:
        """True if other hands matter."""
        words = self._all.words(self.rule)
        if self.meaning is None:
            return bool(self.rule.phases & _COMPARING_PHASES or words & _COMPARING_WORDS)
        calls = any(FUNCTIONS[word].compares for word in words & FUNCTIONS.keys())
        return calls or bool(self.effects & _FOR_OTHERS) or self.rule.scope is Scope.IN_PLAY

    @cached_property
    def room(self) -> Room:
        """The tables that matter for the rule."""
        words = self._all.words(self.rule)
        hands = range(MOST_HANDS if self.compares else 1)
        parts = ["", *(part.slug for part in self.edition.parts)] if _PART_WORDS & words else [""]
        kinds = self._varied_kinds(words)
        variables = [Variable(hand, "card", kind, part) for hand in hands for kind in kinds for part in parts]
        facts = {fact.name for rule in self._near for fact in self.edition.facts if fact.name in self._all.words(rule)}
        variables += [Variable(hand, "fact", name) for hand in hands for name in sorted(facts)]
        naming = sorted({fact.name for fact in self.edition.player_facts} & words)
        variables += [Variable(hand, "player", name) for hand in hands for name in naming]
        if self.rule.scope is Scope.HOLDER and Phase.CANCEL in self.rule.phases:
            variables += [Variable(hand, "cancel", key) for hand in hands for key in sorted(self.rule.touches)]
        own = Variable(0, "card", self.rule.card)
        fixed = ((own, 1),) if own in variables and self.rule.scope is not Scope.ALWAYS else ()
        return Room(len(hands), tuple(variables), self._values(), fixed, self._shapes())

    def _shapes(self) -> tuple[tuple[int, ...], ...]:
        """Return the numbers of each formula in order, such as those of is_shape."""
        formulas = stated_formulas(self.meaning) if self.meaning is not None else ()
        numbers = {name: decimal(number) for name, number in self.rule.numbers.items()}
        found = [[numbers.get(word, word) for word in re.findall(r"\w+", formula)] for _, formula in formulas]
        return tuple(tuple(int(word) for word in words if re.fullmatch(r"\d{1,2}", word)) for words in found)

    def _varied_kinds(self, words: set[str]) -> list[str]:
        kinds = [kind.slug for kind in self.edition.kinds if kind.slug in self._kinds]
        if not kinds or "total" in words or self.effects & _ON_WORTH:
            valued = [kind.slug for kind in self.edition.kinds if kind.category in self.edition.valued]
            kinds += evenly(valued, _FEW_KINDS if kinds else _MOST_KINDS)
        if self.meaning is not None:  # kinds that an author may have meant instead
            others = {
                other for word in words for other in alike(word, self._all.names)[:3] if other in self._all.names.cards
            }
            kinds += [
                kind for name, cards in self._all.names.cards.items() if name in others for kind in cards.kinds[:1]
            ]
        rules = [self.edition.rule_of[key] for key in self.active]
        kinds += [rule.card for rule in rules if rule.scope is not Scope.ALWAYS]
        return list(dict.fromkeys(kind for kind in kinds if kind in self.edition.kind_of))

    def _values(self) -> tuple[int, ...]:
        """Return the numbers of cards to try: small ones, and those around the numbers of the rule."""
        numbers = {int(number) for rule in self._near for number in rule.numbers.values()}
        if self.meaning is not None:
            formulas = (formula for _, formula in stated_formulas(self.meaning))
            numbers |= {int(word) for formula in formulas for word in re.findall(r"\b\d{1,4}\b", formula)}
        near = {number + step for number in numbers for step in (-1, 0, 1)} | {1, 2, 3}
        return tuple(sorted(value for value in near if 0 < value <= _LARGEST_VALUE))

    # Scores

    def scores(self, table: Table, scorer: Scorer | None = None) -> Scores | None:
        """Return the scores of the hands, or None if the table cannot be scored."""
        hands = hands_of(self.edition, table, self.room.hands)
        try:
            result = (scorer or self._scorer).score(hands, provisional=False)
        except (EditionError, ScoringError):
            return None
        by_player = {one.hand.player: None if one.eliminated else one.score for one in result.hands}
        return tuple(by_player[hand.player] for hand in hands)

    def acts(self, table: Table) -> bool:
        """Return whether the rule does anything for a table."""
        hands = hands_of(self.edition, table, self.room.hands)
        result = self._scorer.score(hands, provisional=False)
        return any(entry.rule.key == self.rule.key for hand in result.hands for entry in hand.seat.journal)

    def scorer_without(self) -> Scorer:
        """Return what scores tables without an effect of the rule."""
        return self._scorer_with(replace(self.rule, steps=()))

    def _scorer_with(self, rule: Rule) -> Scorer:
        rules = tuple(rule if one.key == rule.key else one for one in self.edition.rules)
        return Scorer(replace(self.edition, rules=rules), self._settings, self.active)

    def variations(self) -> list[tuple[NearMiss, Scorer]]:
        """Return the near misses that can be compiled, with what scores them; the first is without effect."""
        found = []
        for miss in near_misses(self.rule, self.meaning, self._rule_names(self.rule.lists)):
            scorer = self.scorer_of(miss)
            if scorer is not None:
                found.append((miss, scorer))
        return found

    def scorer_of(self, miss: NearMiss) -> Scorer | None:
        """Return what scores a near miss, or None if it cannot be compiled."""
        if not miss.acts:
            return self.scorer_without()
        rule = self._varied(miss)
        return None if rule is None else self._scorer_with(rule)

    def _varied(self, miss: NearMiss) -> Rule | None:
        rule = replace(self.rule, numbers=miss.numbers, lists=miss.lists)
        if miss.meaning is None or (miss.meaning is self.meaning and miss.lists == self.rule.lists):
            return rule
        mistakes: list[str] = []
        text = RuleText({name: frozenset() for name in self.rule.says}, frozenset(), "", "")
        names = self._rule_names(miss.lists)
        code = compile_rule(miss.meaning, names, text, self.edition.slug, lambda *found: mistakes.append(found[1]))
        return None if mistakes else replace(rule, steps=code.steps, touches=self.rule.touches | code.touches)

    def _rule_names(self, lists: Mapping[str, tuple[str, ...]]) -> Names:
        numbers = frozenset({*self.rule.numbers, *self.rule.settings})
        return rule_names(self._all.names, numbers, lists)
