"""Formulas of rules as numbers and conditions of the model. They are valid: the loader has checked them."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from server.editions.formulas.functions import FUNCTIONS, PART, PLAYER, RULE, Cards
from server.editions.formulas.parsing import parse_formula
from server.optimizer.solver.arithmetic import (
    ZERO,
    Arithmetic,
    Condition,
    Number,
    UnsupportedRuleError,
    constant,
    negated,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from server.editions.formulas.meaning import StatedStep
    from server.optimizer.solver.functions import Functions, Kinds

Value = Any
"""A `Number`, `Cards`, `Kinds`, the name of a single kind as text, or a condition."""

_CARD_SETS: dict[str, Callable[[Any, Any], bool]] = {
    "both": lambda first, second: first and second,
    "any_of": lambda first, second: first or second,
    "without": lambda first, second: first and not second,
}


class FormulaReader:
    """The formulas of a rule for a hand. `locals` are the names that the frame of the rule gives.

    `points` returns the points so far and the number of cards that score, by kind; `holds_card` whether the hand has
    the card of the rule.
    """

    def __init__(
        self,
        arithmetic: Arithmetic,
        functions: Functions,
        stated: StatedStep,
        numbers: Mapping[str, Number],
        points: Callable[[], tuple[Number, Mapping[str, Number]]],
        holds_card: Callable[[], Condition],
    ) -> None:
        self.locals: dict[str, Value] = {}
        self._arithmetic = arithmetic
        self._functions = functions
        self._define = stated.define
        self._names = stated.names
        self._numbers = numbers
        self._points = points
        self._holds_card = holds_card
        self._defining: list[str] = []
        self._defined: dict[object, Value] = {}

    def number(self, formula: str) -> Number:
        """Return the value of a formula as a number."""
        return self._number(parse_formula(formula))

    def condition(self, formula: str | None) -> Condition:
        """Return the value of a formula as a condition; none always holds."""
        return True if formula is None else self._value(parse_formula(formula))

    def cards(self, formula: str) -> Cards | Kinds:
        """Return the cards or kinds that a formula names."""
        return self._cards(self._value(parse_formula(formula)))

    def names(self, formula: str) -> Kinds:
        """Return the names of cards or kinds, whether the hand has them or not."""
        value = self._cards(self._value(parse_formula(formula)))
        return dict.fromkeys(value.kinds, True) if isinstance(value, Cards) else value

    def single_kinds(self, formula: str) -> list[tuple[str, Number, Condition]]:
        """Return the single kinds that a formula names, each with the number of its cards and whether it is meant."""
        value = self._value(parse_formula(formula))
        if isinstance(value, str):
            value = Cards((value,), (value,), self._functions.deck.single(value))
        if isinstance(value, Cards):
            if len(value.kinds) == 1:
                return [(value.kinds[0], self._functions.deck.has(value.kinds[0]), True)]
            value = Cards(value.kinds, value.kinds, value.kinds)
        return [(one.name, one.number, one.present) for one in self._functions.held(value)]

    # Values

    def _cards(self, value: Value) -> Cards | Kinds:
        """Return cards as functions take them."""
        return {value: True} if isinstance(value, str) else value

    def _number(self, node: ast.expr) -> Number:
        value = self._value(node)
        if isinstance(value, Number):
            return value
        if isinstance(value, str):
            return self._functions.deck.has(value)
        found: Number = self._functions.call("count", [value])
        return found

    def _value(self, node: ast.expr) -> Value:
        return _NODES[type(node)](self, node)

    def _constant(self, node: ast.Constant) -> Value:
        value: object = node.value
        return constant(value) if isinstance(value, int | Fraction) else ZERO

    def _name(self, node: ast.Name) -> Value:
        name, names = node.id, self._names
        local = self._local(name)
        if local is not None:
            return local
        if name in names.numbers:
            return self._numbers[name]
        if name in names.cards:
            return names.cards[name]
        if name in names.facts:
            fact = self._functions.deck.fact(name)
            return self._arithmetic.positive(fact) if names.facts[name] else fact
        return self._of_engine(name)

    def _of_engine(self, name: str) -> Value:
        if name == "total":
            return self._functions.deck.total
        if name == "provisional":
            return False
        return self._holds_card() if name == "holds_card" else self._points()[0]

    def _local(self, name: str) -> Value | None:
        """Return the value of a name that `define` or the frame gives."""
        formula = self._define.get(name)
        if formula is None or (name in self._defining and name in self.locals):
            return self.locals.get(name)
        frame = repr(self.locals)
        key = (name, frame, tuple(name for name in self._defining if name in self.locals))
        if key not in self._defined:
            self._defining.append(name)
            self._defined[key] = self._value(parse_formula(formula))
            self._defining.pop()
        return self._defined[key]

    def _binary(self, node: ast.BinOp) -> Value:
        act = getattr(self._arithmetic, _BINARY[type(node.op)])
        return act(self._number(node.left), self._number(node.right))

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return negated(self._value(node.operand))
        return self._arithmetic.subtract(ZERO, self._number(node.operand))

    def _boolean(self, node: ast.BoolOp) -> Value:
        stops = isinstance(node.op, ast.Or)
        found = []
        for part in node.values:
            found.append(self._value(part))
            if found[-1] is stops:
                return stops
        return self._arithmetic.any_of(found) if stops else self._arithmetic.all_of(found)

    def _compare(self, node: ast.Compare) -> Value:
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            found = self._membership(node)
            return found if isinstance(node.ops[0], ast.In) else negated(found)
        sides = [self._number(side) for side in (node.left, *node.comparators)]
        return self._arithmetic.all_of(
            _COMPARE[type(op)](self._arithmetic, left, right)
            for op, left, right in zip(node.ops, sides, sides[1:], strict=False)
        )

    def _membership(self, node: ast.Compare) -> Condition:
        one, several = self._value(node.left), self._cards(self._value(node.comparators[0]))
        kind = one.names[0] if isinstance(one, Cards) else one
        if isinstance(several, Cards):
            several = {held.name: held.present for held in self._functions.held(several)}
        return several.get(kind, False)

    def _choice(self, node: ast.IfExp) -> Value:
        test = self._value(node.test)
        if isinstance(test, bool):
            return self._number(node.body if test else node.orelse)
        return self._arithmetic.choose(test, self._number(node.body), self._number(node.orelse))

    def _call(self, node: ast.Call) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _ARITHMETIC:
            return _ARITHMETIC[name](self._arithmetic, [self._number(argument) for argument in node.args])
        if name in _CARD_SETS:
            return self._card_set(name, *(self._value(argument) for argument in node.args))
        if name == "sum":
            return self._sum(*node.args)
        if name == "scoring":
            scoring = self._points()[1]
            cards = self._cards(self._value(node.args[0]))
            kinds = dict.fromkeys(cards.kinds, True) if isinstance(cards, Cards) else cards
            return self._arithmetic.total(
                self._arithmetic.gated(lit, scoring[kind]) for kind, lit in kinds.items() if kind in scoring
            )
        return self._functions.call(name, list(self._arguments(name, node)))

    def _arguments(self, name: str, node: ast.Call) -> Iterator[Value]:
        function = FUNCTIONS[name]
        types = list(function.parameters)
        while function.repeated and len(types) < len(node.args):
            types += types[-function.repeated :]
        for argument, wanted in zip(node.args, types, strict=True):
            if wanted == PLAYER:
                raise UnsupportedRuleError(f"the function {name}")
            if wanted in {PART, RULE}:
                known = self._names.parts if wanted == PART else self._names.rules
                yield known[argument.id if isinstance(argument, ast.Name) else str(getattr(argument, "value", ""))]
            elif wanted == "a number":
                yield self._number(argument)
            else:
                value = self._value(argument)
                named = wanted in {"cards by name", "a single name of cards"}
                yield Cards((value,), (value,), (value,)) if named and isinstance(value, str) else self._cards(value)

    def _card_set(self, name: str, first: Cards, second: Cards) -> Cards:
        order = dict.fromkeys((*first.kinds, *second.kinds))
        chosen = tuple(kind for kind in order if _CARD_SETS[name](kind in first.kinds, kind in second.kinds))
        return Cards(chosen, chosen, chosen)

    def _sum(self, cards: ast.expr, term: ast.expr) -> Number:
        outer, terms = self.locals, []
        for one in self._functions.held(self._cards(self._value(cards))):
            self.locals = {**outer, "it": one.name, "count": one.number}
            terms.append(self._arithmetic.gated(one.present, self._number(term)))
        self.locals = outer
        return self._arithmetic.total(terms)


_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "modulo",
}
_COMPARE: dict[type[ast.cmpop], Callable[[Arithmetic, Number, Number], Condition]] = {
    ast.Eq: lambda arithmetic, left, right: arithmetic.equal(left, right),
    ast.NotEq: lambda arithmetic, left, right: negated(arithmetic.equal(left, right)),
    ast.Lt: lambda arithmetic, left, right: arithmetic.less(left, right),
    ast.LtE: lambda arithmetic, left, right: arithmetic.at_most(left, right),
    ast.Gt: lambda arithmetic, left, right: arithmetic.less(right, left),
    ast.GtE: lambda arithmetic, left, right: arithmetic.at_most(right, left),
}
_ARITHMETIC: dict[str, Callable[[Arithmetic, list[Number]], Value]] = {
    "abs": lambda arithmetic, numbers: arithmetic.absolute(numbers[0]),
    "max": lambda arithmetic, numbers: arithmetic.maximum(numbers),
    "min": lambda arithmetic, numbers: arithmetic.minimum(numbers),
    "floor": lambda arithmetic, numbers: arithmetic.floor_divide(numbers[0], constant(1)),
    "odd": lambda arithmetic, numbers: arithmetic.equal(arithmetic.modulo(numbers[0], constant(2)), constant(1)),
    "even": lambda arithmetic, numbers: arithmetic.equal(arithmetic.modulo(numbers[0], constant(2)), ZERO),
    "prime": lambda arithmetic, numbers: arithmetic.prime(numbers[0]),
}
_NODES: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: FormulaReader._constant,  # noqa: SLF001 - the table of the class above
    ast.Name: FormulaReader._name,  # noqa: SLF001
    ast.BinOp: FormulaReader._binary,  # noqa: SLF001
    ast.UnaryOp: FormulaReader._unary,  # noqa: SLF001
    ast.BoolOp: FormulaReader._boolean,  # noqa: SLF001
    ast.Compare: FormulaReader._compare,  # noqa: SLF001
    ast.IfExp: FormulaReader._choice,  # noqa: SLF001
    ast.Call: FormulaReader._call,  # noqa: SLF001
}
