"""A rule in plain words, as the machine understands it: made from its formulas, not from the author's wording."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from functools import partial, reduce
from typing import TYPE_CHECKING

from server.editions.formulas.parsing import parse_formula
from server.editions.translations import in_language
from server.scoring.breakdown import FilledValue, decimal
from server.scoring.rules import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.editions.formulas.meaning import EffectPart, FramePart, MeaningPart
    from server.scoring.edition import Edition
    from server.scoring.rules import Points, Rule

_MINUS = "\N{MINUS SIGN}"
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Gt: "{0} is more than {1}",
    ast.GtE: "{0} is at least {1}",
    ast.Lt: "{0} is less than {1}",
    ast.LtE: "{0} is at most {1}",
    ast.Eq: "{0} is {1}",
    ast.NotEq: "{0} is not {1}",
    ast.In: "{0} is among {1}",
    ast.NotIn: "{0} is not among {1}",
}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "{0} + {1}",
    ast.Sub: "{0} \N{MINUS SIGN} {1}",
    ast.Mult: "{0} \N{MULTIPLICATION SIGN} {1}",
    ast.Div: "{0} / {1}",
    ast.FloorDiv: "({0} / {1}, rounded down)",
    ast.Mod: "the remainder of {0} divided by {1}",
}
_NAMES = {
    "total": "the number of all cards handed in",
    "provisional": "the score is provisional",
    "holds_card": "the hand has the card of this rule",
    "points_so_far": "the number of points so far",
    "it": "that kind",
    "kind": "that kind",
    "count": "the number of its cards",
}
_FUNCTIONS = {
    "abs": "{0} without its sign",
    "floor": "{0}, rounded down",
    "min": "the least of ({all})",
    "max": "the greatest of ({all})",
    "odd": "{0} is odd",
    "even": "{0} is even",
    "prime": "{0} is a prime number",
    "both": "the cards that are in both {0} and {1}",
    "any_of": "the cards that are in {0} or {1}",
    "without": "{0} except {1}",
    "count": "the number of cards of {0}",
    "kinds": "the number of different kinds of {0}",
    "handed_in": "the number of {0} handed in, before any are removed",
    "highest": "the number of cards of the most frequent kind of {0}",
    "lowest": "the number of cards of the rarest kind of {0} in the hand",
    "scoring": "the number of {0} that bring points",
    "equal_sets": "the number of sets of {1} equal {0}",
    "sets": "the number of complete sets of {0}",
    "most": "the most frequent kinds of {0} (all that tie)",
    "least": "the rarest kinds of {0} in the hand (all that tie)",
    "only_most": "the most frequent kind of {0} (none if several tie)",
    "only_least": "the rarest kind of {0} in the hand (none if several tie)",
    "next_most": "the most frequent kind of {0} of those that tie with no other",
    "next_least": "the rarest kind of {0} of those that tie with no other",
    "exactly": "the kinds of {0} with exactly {1} cards",
    "above": "the kinds of {0} with more than {1} cards",
    "below": "the kinds of {0} with fewer than {1} cards, but at least one",
    "names": "{0}",
    "counts": "{0}",
    "all_different": "no two kinds of {0} have the same number of cards",
    "is_shape": "the kinds of {0} have, in any order, these numbers of cards: {rest}",
    "runs": "the number of runs of {1} in {0}",
    "longest_run": "the length of the longest run in {0}",
    "best_sets": "the most points from sets, where {pairs}",
    "number": "the number on the only card of {0}",
    "highest_number": "the highest number on the {0}",
    "lowest_number": "the lowest number on the {0}",
    "sum_of_numbers": "the sum of the different numbers on the {0}",
    "has_most": "no other hand has more {0} (a tie is enough)",
    "only_has_most": "every other hand has fewer {0} (a tie is not enough)",
    "next_has_most": "the hand has the highest number of {0} that no two hands share",
    "next_most_of_hands": "the highest number of {0} that no two hands share",
    "is_level": "another hand has the same number of {0}, above 0",
    "most_of_others": "the highest number of {0} in another hand",
    "sum_of_others": "the number of {0} in all other hands",
    "count_of": "the number of {1} of the player named as “{0}”",
    "kinds_of": "the number of different kinds of {1} of the player named as “{0}”",
    "points_of": "the number of points so far of the player named as “{0}”",
    "is_named": "a player is named as “{0}”",
    "is_mutual": "the player named as “{0}” has named this one too",
    "in_part": "the number of {1} in the part {0}",
    "kinds_in_part": "the number of different kinds of {1} in the part {0}",
    "most_of_others_in_part": "the highest number of {1} in the part {0} of another deck",
    "sum": "the sum, over the kinds of {0} in the hand, of {1}",
    "is_active": "one of the rules {all} is active in this game",
}
"""Functions in words; tests compare with the functions of formulas."""
_KEEP = {
    None: "at most {1} {0} score, drawn at random",
    "highest": "at most {1} {0} score, those of the highest worth",
    "lowest": "at most {1} {0} score, those of the lowest worth",
}
_ON_CARDS = {
    "worth": "each {0} is worth {1}",
    "cap": "at most this number of {0} score: {1}",
    "at_least": "{0} together bring at least {1}",
}
_SCOPES = {
    Scope.HOLDER: ["Acts for each hand that has its card."],
    Scope.IN_PLAY: ["Acts for all hands as soon as one of them has its card."],
}
_RULES = frozenset({"is_active"})
_PARTS = frozenset({"in_part", "kinds_in_part", "most_of_others_in_part", "count_of", "kinds_of"})
_LONGEST = 300
"""Most characters of the words for a definition; a longer one is given by its name."""
_NUMBER = re.compile(rf"{_MINUS}?[0-9]+([.,][0-9]+)?")
_PRECEDENCE = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2}


def plain_words(edition: Edition, rule: Rule, meaning: MeaningPart | None, language: str = "en") -> list[str]:
    """Return the sentences that say what a rule does; names of cards are those of the edition."""
    words = _Words(edition, rule, meaning.define if meaning else {}, language)
    if meaning is None:
        code = "A function in rules.py says what this rule does."
        return [words.say(code if rule.steps else "This rule has no effect.")]
    found = words.frame(meaning) if meaning.verb or meaning.case else []
    for also in meaning.also:
        lines = words.frame(also)
        found += [words.say("{0} (Even if the rule is cancelled.)", line) for line in lines] if also.always else lines
    found = [f"{line[0].upper()}{line[1:]}" for line in found] or [words.say("This rule only writes lines.")]
    return [*map(words.say, _SCOPES.get(rule.scope, ())), *found]


class _Words:
    def __init__(self, edition: Edition, rule: Rule, define: Mapping[str, str], language: str) -> None:
        self._language = language
        self._edition = edition
        self._rule = rule
        self._define = define
        self._categories = {deal.category: deal.name for deal in edition.deal}
        self._defined: dict[str, str] = {}

    def say(self, english: str, *values: str, **named: str) -> str:
        """Return an English text in the language, with its values."""
        return in_language(english, self._language).format(*values, **named)

    # Frames and effects

    def frame(self, frame: FramePart) -> list[str]:
        """Return the sentences of a frame, one for each case that has an effect."""
        conditions = []
        start = ""
        if frame.each is not None:
            start = self.say("for each kind of {0} in the hand", self._formula(frame.each, cards=True))
            if frame.but is not None:
                start = self.say("{0}, except {1}", start, self._formula(frame.but, cards=True))
        if frame.when is not None:
            conditions.append(self._formula(frame.when))
        if not frame.case:
            return [self._joined(start, conditions, "; ".join(self._effect(frame)))] if frame.verb else []
        lines, earlier = [], False
        for case in frame.case:
            held = [*conditions, *([self._formula(case.when)] if case.when is not None else [])]
            if case.verb or case.when is not None:
                effect = "; ".join(self._effect(case)) if case.verb else self.say("nothing happens")
                line = self._joined(start, held, effect)
                otherwise = self.say("otherwise, {0}" if start or held else "otherwise: {0}", line)
                lines.append(otherwise if earlier else line)
            earlier = True
        return lines

    def _joined(self, start: str, conditions: list[str], effect: str) -> str:
        pieces = [start] if start else []
        pieces += [self.say("if {0}", reduce(partial(self.say, "{0} and {1}"), conditions))] if conditions else []
        return self.say("{0}: {1}.", ", ".join(pieces), effect) if pieces else f"{effect}."

    def _effect(self, part: EffectPart) -> Iterable[str]:
        if part.eliminate:
            yield self.say("the hand is out of the game")
        for name, number in (part.keep or {}).items():
            yield self.say(_KEEP[part.prefer], self._cards(name), self._formula(number))
        for effect, english in _ON_CARDS.items():
            for name, number in (getattr(part, effect) or {}).items():
                amount = self._formula(number) if effect == "cap" else self._points(number)
                yield self.say(english, self._cards(name), amount)
        yield from self._on_cards(part)
        yield from self._on_points(part)
        yield from self._on_rules(part)

    def _on_cards(self, part: EffectPart) -> Iterable[str]:
        if part.zero is not None:
            yield self.say("{0}: worth nothing", self._formula(part.zero, cards=True))
        if part.multiply is not None:
            cards, by = self._formula(part.multiply.cards, cards=True), self._formula(part.multiply.by)
            if part.multiply.number is None:
                yield self.say("the worth of {0} is multiplied by {1}", cards, by)
            else:
                several = "the worth of {0} is multiplied by {1} for this number of them: {2}"
                yield self.say(several, cards, by, self._formula(part.multiply.number))

    def _on_points(self, part: EffectPart) -> Iterable[str]:
        if part.give is not None:
            yield self.say("the hand gains {0}", self._points(part.give))
        if part.take is not None:
            yield self.say("the hand loses {0}", self._points(part.take))
        if part.give_others is not None:
            points = self._points(part.give_others)
            loses = points.startswith(_MINUS)
            others = "every other hand loses {0}" if loses else "every other hand gains {0}"
            yield self.say(others, points.removeprefix(_MINUS))
        if part.double is not None:
            yield self.say("the points so far are multiplied by {0}", self._formula(part.double))

    def _on_rules(self, part: EffectPart) -> Iterable[str]:
        if part.cancel is not None:
            rules = self._rules(part.cancel.rules)
            rules = self.say("those that the player has chosen of {0}", rules) if part.cancel.chosen else rules
            whom = "switched off for everyone: {0}" if part.cancel.everyone else "switched off for this hand: {0}"
            yield self.say(whom, rules)
        if part.adjust is not None:
            moved = "the number “{0}” of {1} changes by {2}"
            rules, by = self._rules(part.adjust.rules), self._formula(part.adjust.by)
            yield self.say(moved, part.adjust.number, rules, by)
        if part.void is not None:
            yield self.say("the points of {0} are void", self._rules(part.void))
        if part.shield is not None:
            void = "losses by {0} are void, the largest first, this many: {1}"
            yield self.say(void, self._rules(part.shield.rules), self._formula(part.shield.lines))

    def _rules(self, keys: Sequence[int | str]) -> str:
        return self.say("rule {0}" if len(keys) == 1 else "rules {0}", ", ".join(map(str, keys)))

    def _points(self, formula: str) -> str:
        text = self._formula(formula)
        if not _NUMBER.fullmatch(text):
            return self.say("as many points as {0}", text)
        number = Fraction(text.replace(",", ".").replace(_MINUS, "-"))
        return self.say("{0} {0:point|points}", FilledValue.of_number(text, number, self._language))

    def _cards(self, name: str) -> str:
        """Return the name of cards as the edition shows it."""
        listed = self._rule.lists.get(name)
        if listed is not None:
            return " / ".join(map(self._cards, listed))
        for slug in (name, name.replace("_", "-")):
            found = self._categories.get(slug) or self._edition.name_of.get(slug)
            if found:
                return self.say("“{0}”", found)
        return name

    # Formulas

    def _formula(self, formula: str, *, cards: bool = False) -> str:
        tree = parse_formula(formula)
        if cards and isinstance(tree, ast.Name) and tree.id not in self._define:
            return self.say(_NAMES[tree.id]) if tree.id in _NAMES else self._cards(tree.id)
        return self._of(tree)

    def _of(self, node: ast.expr) -> str:  # noqa: PLR0911 - one for each kind of node
        if isinstance(node, ast.Constant):
            return self._number(node.value)  # type: ignore[arg-type] # the parser allows only numbers
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.BinOp):
            level = _PRECEDENCE.get(type(node.op), 3)
            sides = [self._side(side, level) for side in (node.left, node.right)]
            return self.say(_OPERATORS[type(node.op)], *sides)
        if isinstance(node, ast.UnaryOp):
            inner = self._of(node.operand)
            return self.say("not ({0})", inner) if isinstance(node.op, ast.Not) else f"{_MINUS}{inner}"
        if isinstance(node, ast.BoolOp):
            word = "{0} and {1}" if isinstance(node.op, ast.And) else "{0} or {1}"
            parts = [f"({self._of(one)})" if isinstance(one, ast.BoolOp) else self._of(one) for one in node.values]
            return reduce(partial(self.say, word), parts)
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.IfExp):
            choice = "({0} if {1}, otherwise {2})"
            return self.say(choice, self._of(node.body), self._of(node.test), self._of(node.orelse))
        if isinstance(node, ast.Call):
            return self._called(node)
        return ast.unparse(node)

    def _side(self, node: ast.expr, level: int) -> str:
        text = self._of(node)
        own = _PRECEDENCE.get(type(node.op), 0) if isinstance(node, ast.BinOp) else 9
        return f"({text})" if own < level or (own == level and level > 1) else text

    def _compared(self, node: ast.Compare) -> str:
        sides = [node.left, *node.comparators]
        pieces = []
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            first = self._of(left)
            if isinstance(operator, ast.In | ast.NotIn) and isinstance(left, ast.Name):
                first = self.say("this kind") if left.id in _NAMES else self._cards(left.id)
            pieces.append(self.say(_COMPARISONS[type(operator)], first, self._of(right)))
        return reduce(partial(self.say, "{0} and {1}"), pieces)

    def _name(self, name: str) -> str:
        if name in self._define:
            if name not in self._defined:
                self._defined[name] = name
                text = self._of(parse_formula(self._define[name]))
                self._defined[name] = text if len(text) <= _LONGEST else name
            return self._defined[name]
        if name in self._rule.numbers:
            return self._number(self._rule.numbers[name])
        if name in self._rule.settings:
            return self.say("the setting “{0}”", name)
        if name in self._edition.fact_of:
            return self.say("“{0}”", name)
        if name in _NAMES:
            return self.say(_NAMES[name])
        cards = self._cards(name)
        return self.say("the number of {0}", cards) if cards != name else name

    def _number(self, number: Points) -> str:
        return decimal(number).replace("-", _MINUS).replace(".", self.say("."))

    def _called(self, node: ast.Call) -> str:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "abs" and isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Sub):
            left, right = self._of(node.args[0].left), self._of(node.args[0].right)
            return self.say("the difference between {0} and {1}", left, right)
        if name in _RULES:
            return self.say(_FUNCTIONS[name], all=", ".join(ast.unparse(one) for one in node.args))
        texts = []
        for place, argument in enumerate(node.args):
            plain = isinstance(argument, ast.Name) and argument.id not in self._define
            if isinstance(argument, ast.Name) and (plain and (place == 0 or name in {"both", "any_of", "without"})):
                number = name in {"min", "max", "abs", "floor", "odd", "even", "prime"}
                texts.append(self._of(argument) if number else self._formula(argument.id, cards=True))
            elif isinstance(argument, ast.Name) and name in _PARTS:
                texts.append(self._cards(argument.id))
            else:
                texts.append(self._of(argument))
        pairs = ", ".join(
            self.say("{0} bring {1}", self._cards(cards.id), self._of(points))
            for cards, points in zip(node.args[::2], node.args[1::2], strict=False)
            if isinstance(cards, ast.Name)
        )
        return self.say(_FUNCTIONS[name], *texts, all="; ".join(texts), rest=", ".join(texts[1:]), pairs=pairs)
