"""A rule in plain words, as the machine understands it: made from its formulas, not from the author's wording."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from server.editions.formulas.parsing import parse_formula
from server.scoring.breakdown import decimal
from server.scoring.rules import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.editions.formulas.meaning import EffectPart, FramePart, MeaningPart
    from server.scoring.edition import Edition
    from server.scoring.rules import Rule

_MINUS, _TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Gt: "is more than",
    ast.GtE: "is at least",
    ast.Lt: "is less than",
    ast.LtE: "is at most",
    ast.Eq: "is",
    ast.NotEq: "is not",
    ast.In: "is among",
    ast.NotIn: "is not among",
}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "{0} + {1}",
    ast.Sub: f"{{0}} {_MINUS} {{1}}",
    ast.Mult: f"{{0}} {_TIMES} {{1}}",
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
    "count": "the number of {0}",
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
_ON_CARDS = {
    "keep": "at most {1} {0} score",
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
_NUMBER = re.compile(rf"{_MINUS}?[0-9.]+")
_PRECEDENCE = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2}


def plain_words(edition: Edition, rule: Rule, meaning: MeaningPart | None) -> list[str]:
    """Return the sentences that say what a rule does; names of cards are those of the edition."""
    if meaning is None:
        return ["A function in rules.py says what this rule does."] if rule.steps else ["This rule has no effect."]
    words = _Words(edition, rule, meaning.define)
    found = words.frame(meaning) if meaning.verb or meaning.case else []
    for also in meaning.also:
        found += [f"{line} (Even if the rule is cancelled.)" if also.always else line for line in words.frame(also)]
    found = [f"{line[0].upper()}{line[1:]}" for line in found] or ["This rule only writes lines."]
    return [*_SCOPES.get(rule.scope, ()), *found]


class _Words:
    def __init__(self, edition: Edition, rule: Rule, define: Mapping[str, str]) -> None:
        self._edition = edition
        self._rule = rule
        self._define = define
        self._categories = {deal.category: deal.name for deal in edition.deal}
        self._defined: dict[str, str] = {}

    # Frames and effects

    def frame(self, frame: FramePart) -> list[str]:
        """Return the sentences of a frame, one for each case that has an effect."""
        conditions = []
        start = ""
        if frame.each is not None:
            start = f"For each kind of {self._formula(frame.each, cards=True)} in the hand"
            start += f", except {self._formula(frame.but, cards=True)}" if frame.but is not None else ""
        if frame.when is not None:
            conditions.append(self._formula(frame.when))
        if not frame.case:
            return [self._sentence(start, conditions, frame)] if frame.verb else []
        lines, earlier = [], False
        for case in frame.case:
            held = [*conditions, *([self._formula(case.when)] if case.when is not None else [])]
            if case.verb:
                lines.append(("otherwise, " if earlier else "") + self._sentence(start, held, case))
            elif case.when is not None:
                lines.append(("otherwise, " if earlier else "") + self._joined(start, held, "nothing happens"))
            earlier = True
        return lines

    def _sentence(self, start: str, conditions: list[str], part: EffectPart) -> str:
        return self._joined(start, conditions, "; ".join(self._effect(part)))

    @staticmethod
    def _joined(start: str, conditions: list[str], effect: str) -> str:
        pieces = [start] if start else []
        pieces += [f"if {' and '.join(conditions)}"] if conditions else []
        return f"{', '.join(pieces)}: {effect}." if pieces else f"{effect}."

    def _effect(self, part: EffectPart) -> Iterable[str]:
        if part.eliminate:
            yield "the hand is out of the game"
        for effect, template in _ON_CARDS.items():
            for name, number in (getattr(part, effect) or {}).items():
                amount = self._points(number) if effect in {"worth", "at_least"} else self._formula(number)
                chosen = f", those of the {part.prefer} worth" if part.prefer else ", drawn at random"
                yield template.format(self._cards(name), amount) + (chosen if effect == "keep" else "")
        yield from self._on_cards(part)
        yield from self._on_points(part)
        yield from self._on_rules(part)

    def _on_cards(self, part: EffectPart) -> Iterable[str]:
        if part.zero is not None:
            yield f"{self._formula(part.zero, cards=True)}: worth nothing"
        if part.multiply is not None:
            cards = self._formula(part.multiply.cards, cards=True)
            number = f" for this number of them: {self._formula(part.multiply.number)}" if part.multiply.number else ""
            yield f"the worth of {cards} is multiplied by {self._formula(part.multiply.by)}{number}"

    def _on_points(self, part: EffectPart) -> Iterable[str]:
        if part.give is not None:
            yield f"the hand gains {self._points(part.give)}"
        if part.take is not None:
            yield f"the hand loses {self._points(part.take)}"
        if part.give_others is not None:
            points = self._points(part.give_others)
            yield f"every other hand {'loses' if points[0] == _MINUS else 'gains'} {points.removeprefix(_MINUS)}"
        if part.double is not None:
            yield f"the points so far are multiplied by {self._formula(part.double)}"

    def _on_rules(self, part: EffectPart) -> Iterable[str]:
        if part.cancel is not None:
            which = "the rules that the player has chosen among" if part.cancel.chosen else "the rules"
            whom = "everyone" if part.cancel.everyone else "this hand"
            yield f"switched off for {whom}: {which} {self._rules(part.cancel.rules)}"
        if part.adjust is not None:
            by = self._formula(part.adjust.by)
            yield f"the number “{part.adjust.number}” of rules {self._rules(part.adjust.rules)} changes by {by}"
        if part.void is not None:
            yield f"the points of rules {self._rules(part.void)} are void"
        if part.shield is not None:
            lines = self._formula(part.shield.lines)
            rules = self._rules(part.shield.rules)
            yield f"losses by rules {rules} are void, the largest first, this many: {lines}"

    def _rules(self, keys: Iterable[int | str]) -> str:
        return ", ".join(map(str, keys))

    def _points(self, formula: str) -> str:
        text = self._formula(formula)
        if not _NUMBER.fullmatch(text):
            return f"as many points as {text}"
        return f"{text} point{'' if text == '1' else 's'}"

    def _cards(self, name: str) -> str:
        """Return the name of cards as the edition shows it."""
        listed = self._rule.lists.get(name)
        if listed is not None:
            return " / ".join(map(self._cards, listed))
        for slug in (name, name.replace("_", "-")):
            found = self._categories.get(slug) or self._edition.name_of.get(slug)
            if found:
                return f"“{found}”"
        return name

    # Formulas

    def _formula(self, formula: str, *, cards: bool = False) -> str:
        tree = parse_formula(formula)
        if cards and isinstance(tree, ast.Name) and tree.id not in self._define:
            return _NAMES.get(tree.id) or self._cards(tree.id)
        return self._of(tree)

    def _of(self, node: ast.expr) -> str:  # noqa: PLR0911 - one for each kind of node
        if isinstance(node, ast.Constant):
            return decimal(node.value)  # type: ignore[arg-type] # the parser allows only numbers
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.BinOp):
            level = _PRECEDENCE.get(type(node.op), 3)
            sides = [self._side(side, level) for side in (node.left, node.right)]
            return _OPERATORS[type(node.op)].format(*sides)
        if isinstance(node, ast.UnaryOp):
            inner = self._of(node.operand)
            return f"not ({inner})" if isinstance(node.op, ast.Not) else f"{_MINUS}{inner}"
        if isinstance(node, ast.BoolOp):
            word = " and " if isinstance(node.op, ast.And) else " or "
            return word.join(
                f"({self._of(one)})" if isinstance(one, ast.BoolOp) else self._of(one) for one in node.values
            )
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.IfExp):
            return f"({self._of(node.body)} if {self._of(node.test)}, otherwise {self._of(node.orelse)})"
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
            kinds = isinstance(operator, ast.In | ast.NotIn)
            first = (
                self._cards(left.id)
                if kinds and isinstance(left, ast.Name) and left.id not in _NAMES
                else self._of(left)
            )
            pieces.append(f"{first} {_COMPARISONS[type(operator)]} {self._of(right)}")
        return " and ".join(pieces)

    def _name(self, name: str) -> str:
        if name in self._define:
            if name not in self._defined:
                self._defined[name] = name
                text = self._of(parse_formula(self._define[name]))
                self._defined[name] = text if len(text) <= _LONGEST else name
            return self._defined[name]
        if name in self._rule.numbers:
            return decimal(self._rule.numbers[name]).replace("-", _MINUS)
        if name in self._rule.settings:
            return f"the setting “{name}”"
        if name in self._edition.fact_of:
            return f"“{name}”"
        if name in _NAMES:
            return _NAMES[name]
        cards = self._cards(name)
        return f"the number of {cards}" if cards != name else name

    def _called(self, node: ast.Call) -> str:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "abs" and isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Sub):
            return f"the difference between {self._of(node.args[0].left)} and {self._of(node.args[0].right)}"
        if name in _RULES:
            return _FUNCTIONS[name].format(all=", ".join(ast.unparse(one) for one in node.args))
        texts = []
        for place, argument in enumerate(node.args):
            plain = isinstance(argument, ast.Name) and argument.id not in self._define
            if isinstance(argument, ast.Name) and (plain and (place == 0 or name in {"both", "any_of", "without"})):
                number = name in {"min", "max", "abs", "floor", "odd", "even", "prime"}
                texts.append(self._of(argument) if number else _NAMES.get(argument.id) or self._cards(argument.id))
            elif isinstance(argument, ast.Name) and name in _PARTS:
                texts.append(self._cards(argument.id))
            else:
                texts.append(self._of(argument))
        pairs = ", ".join(
            f"{self._cards(cards.id)} bring {self._of(points)}"
            for cards, points in zip(node.args[::2], node.args[1::2], strict=False)
            if isinstance(cards, ast.Name)
        )
        return _FUNCTIONS[name].format(*texts, all="; ".join(texts), rest=", ".join(texts[1:]), pairs=pairs)
