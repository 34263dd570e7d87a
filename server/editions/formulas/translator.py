"""The translation of formulas to Python, behind an allow-list, with a check of types.

A formula may contain names, numbers, `+ - * / // mod`, comparisons, `in`, `and`, `or`, `not`, `… if … else …` and calls
of `FUNCTIONS`. It cannot reach anything else: every name and call is looked up, and the translation is our own text.
"""

from __future__ import annotations

import ast
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from server.editions.formulas.calculation import LARGEST, Term
from server.editions.formulas.functions import (
    CARDS,
    CATEGORY,
    CONDITION,
    COUNTS,
    FUNCTIONS,
    KINDS,
    NAME,
    NUMBER,
    PART,
    PLAYER,
    RULE,
    Cards,
)
from server.editions.formulas.parsing import FormulaError
from server.editions.translations import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from server.editions.formulas.writer import Writer

KIND = Sentence("a kind")
"""The type of `it`, a single kind that is only known in a hand."""

_DEEPEST = 20
"""Most levels of nesting."""

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_CALLED = {"/": "divide", "//": "floor_divide", "%": "modulo"}
_ARITHMETIC = {"abs": (1, 1), "max": (2, 9), "min": (2, 9), "floor": (1, 1)}
"""Functions of numbers, with the least and most arguments."""
_FAST_PYTHON = 60
"""Most characters of a dividend whose Python is repeated, so that it needs no call."""
_TESTS = {"odd": "{0} % 2 == 1", "even": "{0} % 2 == 0", "prime": "prime({0})"}
_ENGINE = {
    "total": (NUMBER, "me.total"),
    "provisional": (CONDITION, "me.table.provisional"),
    "holds_card": (CONDITION, "me.holds_card()"),
    "points_so_far": (NUMBER, "me.points_so_far()"),
}
"""Names that every formula can use: their types, and their Python."""
_INLINE = {
    "kinds": "len(me.counts({0}))",
    "highest": "me.highest({0})",
    "lowest": "min(me.counts({0}).values(), default=0)",
    "most": "me.most({0})",
    "highest_number": "max(me.serials({0}), default=0)",
    "lowest_number": "min(me.serials({0}), default=0)",
}
"""Functions with shorter Python for a whole category."""
_CARD_SETS: dict[str, Callable[[set[str], set[str]], set[str]]] = {
    "both": set.intersection,
    "any_of": set.union,
    "without": set.difference,
}
"""Functions that combine cards by name."""
_MISSING: dict[str, str] = {
    PART: "there is no part of the deck '{name}'",
    RULE: "there is no rule '{name}'",
    PLAYER: "there is no fact '{name}' that names a player",
}
"""Sentences about names that do not exist, by type."""
_HIDDEN = Term("hidden")


class Value(NamedTuple):
    """A translated formula or a part of it: its type, its Python, and how a breakdown shows it.

    It `fails` in some hands if nothing guards it, such as a division.
    """

    type: str
    python: str
    term: Term = _HIDDEN
    cards: Cards | None = None
    fails: bool = False


_IN_SUM = {"it": Value(KIND, "s_it"), "count": Value(NUMBER, "s_count")}
"""The names of a kind and of the number of its cards in the second argument of `sum`."""


@dataclass
class Names:
    """The names that the formulas of a rule may use; `-` in the names of cards and rules is `_` in a formula.

    `numbers` are those of the rule and its settings; `facts` are True for those of yes or no, and `players` are the
    facts that name players. `numbers_of` has the numbers of all rules.
    """

    cards: Mapping[str, Cards]
    numbers: frozenset[str] = frozenset()
    facts: Mapping[str, bool] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    numbers_of: Mapping[str, frozenset[str]] = field(default_factory=dict)


class Translator:
    """Translates formulas of a rule for a `writer`.

    `local` returns the value of a name that the rule defines, and knows whether it is `guarded`: whether its use
    depends on a condition in the formula. `refused` are names and functions that must not be used, and why.
    """

    def __init__(
        self,
        names: Names,
        writer: Writer,
        local: Callable[[str, bool], Value | None],
        *,
        guarded: bool = False,
        refused: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.names = names
        self._guarded = guarded
        self._refused = refused
        self._each: dict[str, Value] = {}
        self.compares = False
        """True once a formula has looked at other hands."""
        self.reads_points = False
        """True once a formula has looked at the points of earlier phases."""
        self.shown: list[str] = []
        """The Python of the values that the terms show, by place."""
        self._writer = writer
        self._local = local

    def translate(self, node: ast.expr, wanted: str) -> Value:
        """Return a formula whose value has the type `wanted`."""
        return self.convert(self.value(node), wanted, node.col_offset)

    # Types

    def convert(self, value: Value, wanted: str, index: int = 0) -> Value:
        """Return a value as the type that is needed: the name of cards also means their number."""
        if wanted == value.type:
            return value
        if value.type == CARDS and value.cards is not None:
            if wanted == NUMBER:
                return self._leaf(NUMBER, _count(value.cards))
            if wanted == KINDS:
                return self._leaf(KINDS, f"tuple(held(me, {value.python}))")
        if value.type == KIND and wanted == NUMBER:
            return self._leaf(NUMBER, f"me.has({value.python})")
        if value.type == KIND and wanted == KINDS:
            return Value(KINDS, f"({value.python},)")
        raise FormulaError(_type_sentence(value.type, wanted), index)

    def _leaf(self, kind: str, python: str, *, fails: bool = False) -> Value:
        """Return a value that a breakdown shows as a number; it is calculated here, or when needed if it may fail."""
        name = python
        if not re.fullmatch(r"n\.\w+|\w+", python) and not is_lazy(python):
            name = self._writer.bind(python, lazy=fails and self._guarded)
        fails = is_lazy(name)
        if kind not in {NUMBER, CONDITION}:
            return Value(kind, name, fails=fails)
        known = f"{name.removesuffix('()')}.known" if fails else name
        if known not in self.shown:
            self.shown.append(known)
        term = Term("value" if kind == NUMBER else "hidden", place=self.shown.index(known))
        return Value(kind, name, term, fails=fails)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Translate parts that are only calculated under a condition."""
        outer, self._guarded = self._guarded, True
        yield
        self._guarded = outer

    # Nodes

    def value(self, node: ast.expr, depth: int = 0) -> Value:
        """Return a formula or a part of it, whatever its type is."""
        if depth > _DEEPEST:
            raise FormulaError(
                Sentence("is nested more than {most} levels deep; define parts of it", most=_DEEPEST), node.col_offset
            )
        translate = _NODES.get(type(node))
        if translate is None:
            raise FormulaError(Sentence("may not be used in a formula"), node.col_offset)
        return translate(self, node, depth + 1)

    def _number(self, node: ast.expr, depth: int) -> Value:
        return self.convert(self.value(node, depth), NUMBER, node.col_offset)

    def _condition(self, node: ast.expr, depth: int) -> Value:
        return self.convert(self.value(node, depth), CONDITION, node.col_offset)

    def _constant(self, node: ast.Constant, _depth: int) -> Value:
        value: object = node.value
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise FormulaError(Sentence("may not be used in a formula"), node.col_offset)
        if value > LARGEST:
            raise FormulaError(Sentence("is too large a number (at most {most})", most=LARGEST), node.col_offset)
        if value.denominator > LARGEST:
            raise FormulaError(Sentence("has too many decimals"), node.col_offset)
        python = str(value) if isinstance(value, int) else self._writer.constant(repr(value))
        return Value(NUMBER, python, Term("value", number=value))

    def _name(self, node: ast.Name, _depth: int) -> Value:
        if node.id in self.names.numbers and node.id in self.names.cards:
            what = Sentence(
                "'{name}' is a number of the rule and the name of cards; give the number another name", name=node.id
            )
            raise FormulaError(what, node.col_offset)
        self._require_allowed(node.id, node)
        found = self.variable(node.id)
        if found is None:
            known = [*self.names.numbers, *self.names.cards, *self.names.facts, *_ENGINE]
            close = get_close_matches(node.id, known, 1)
            hint: str = Sentence("; did you mean '{name}'?", name=close[0]) if close else ""
            if node.id in FUNCTIONS:
                hint = Sentence("; it is a function: {name}(…)", name=node.id)
            raise FormulaError(
                Sentence("there is no card, number or fact '{name}'{hint}", name=node.id, hint=hint), node.col_offset
            )
        return found

    def variable(self, name: str) -> Value | None:
        """Return the value of a name, or None if there is none."""
        names = self.names
        local = self._each.get(name) or self._local(name, self._guarded)
        if local is not None:
            return self._leaf(local.type, local.python) if local.type in {NUMBER, CONDITION} else local
        if name in names.numbers:
            return self._leaf(NUMBER, f"n.{name}")
        if name in names.cards:
            return self._cards(names.cards[name])
        if name in names.facts:
            return self._leaf(CONDITION if names.facts[name] else NUMBER, f"me.fact({name!r})")
        if name in names.players:
            return Value(PLAYER, f"PlayerName(me.hand.named.get({name!r}, ''))")
        kind, python = _ENGINE.get(name, ("", ""))
        self.reads_points = self.reads_points or name == "points_so_far"
        return self._leaf(kind, python) if python else None

    def _cards(self, cards: Cards) -> Value:
        return Value(CARDS, self._writer.constant(repr(cards)), cards=cards)

    def _binary(self, node: ast.BinOp, depth: int) -> Value:
        sign = _BINARY.get(type(node.op))
        if sign is None:
            raise FormulaError(
                Sentence("has an operator that may not be used; multiply instead of raising"), node.col_offset
            )
        left, right = self._number(node.left, depth), self._number(node.right, depth)
        python = f"({left.python} {sign} {right.python})"
        if sign in _CALLED:
            python = f"{_CALLED[sign]}({left.python}, {right.python})"
            fast = sign != "/" and re.fullmatch(r"[\w.]+", right.python) and len(left.python) <= _FAST_PYTHON
            if fast:  # the same for divisors above 0
                python = f"({left.python} {sign} {right.python} if {right.python} > 0 else {python})"
        divides = sign in _CALLED and (right.term.sign != "value" or right.term.place is not None)
        fails = left.fails or right.fails or divides or (sign in _CALLED and not right.term.number)
        return Value(NUMBER, python, Term(sign, (left.term, right.term)), fails=fails)

    def _unary(self, node: ast.UnaryOp, depth: int) -> Value:
        if isinstance(node.op, ast.Not):
            inner = self._condition(node.operand, depth)
            return Value(CONDITION, f"(not {inner.python})", Term("not", (inner.term,)), fails=inner.fails)
        if not isinstance(node.op, ast.USub):
            raise FormulaError(Sentence("may not be used in a formula"), node.col_offset)
        inner = self._number(node.operand, depth)
        return Value(NUMBER, f"(-{inner.python})", Term("negative", (inner.term,)), fails=inner.fails)

    def _boolean(self, node: ast.BoolOp, depth: int) -> Value:
        word = "and" if isinstance(node.op, ast.And) else "or"
        inner = [self._condition(node.values[0], depth)]
        with self._guard():
            inner += [self._condition(one, depth) for one in node.values[1:]]
        python = f"({f' {word} '.join(one.python for one in inner)})"
        return Value(CONDITION, python, Term(word, tuple(one.term for one in inner)), fails=_any_fails(inner))

    def _compare(self, node: ast.Compare, depth: int) -> Value:
        sides = [node.left, *node.comparators]
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            return self._membership(node, depth)
        signs = [_COMPARE.get(type(op), "") for op in node.ops]
        if not all(signs):
            raise FormulaError(Sentence("may not be used in a formula"), node.col_offset)
        values = [self._number(side, depth) for side in sides[:2]]
        with self._guard():
            values += [self._number(side, depth) for side in sides[2:]]
        pairs = zip(values, signs, values[1:], strict=False)
        terms = tuple(Term(sign, (left.term, right.term)) for left, sign, right in pairs)
        python = values[0].python
        for sign, value in zip(signs, values[1:], strict=True):
            python += f" {sign} {value.python}"
        term = terms[0] if len(terms) == 1 else Term("and", terms)
        return Value(CONDITION, f"({python})", term, fails=_any_fails(values))

    def _membership(self, node: ast.Compare, depth: int) -> Value:
        """Translate `red in most(colour)`."""
        if len(node.ops) > 1:
            raise FormulaError(Sentence("compares too much at once"), node.col_offset)
        one, several = self.value(node.left, depth), self.value(node.comparators[0], depth)
        several = self.convert(several, KINDS, node.comparators[0].col_offset)
        word = "in" if isinstance(node.ops[0], ast.In) else "not in"
        if one.type != KIND and (one.cards is None or len(one.cards.names) != 1):
            raise FormulaError(Sentence("needs a single kind of card before 'in'"), node.col_offset)
        kind = one.python if one.cards is None else repr(one.cards.names[0])
        return self._leaf(CONDITION, f"({kind} {word} {several.python})", fails=several.fails)

    def _choice(self, node: ast.IfExp, depth: int) -> Value:
        test = self._condition(node.test, depth)
        with self._guard():
            yes, no = self._number(node.body, depth), self._number(node.orelse, depth)
        term = Term("if", (test.term, yes.term, no.term))
        python = f"({yes.python} if {test.python} else {no.python})"
        return Value(NUMBER, python, term, fails=_any_fails((test, yes, no)))

    # Calls

    def _call(self, node: ast.Call, depth: int) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if not name or node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise FormulaError(Sentence("may not be used in a formula"), node.col_offset)
        if name in _ARITHMETIC:
            return self._arithmetic(node, name, depth)
        if name in _TESTS:
            self._require_arguments(node, name, 1, 1)
            tested = self._number(node.args[0], depth)
            python = f"({_TESTS[name].format(tested.python)})"
            return self._leaf(CONDITION, python, fails=tested.fails or name == "prime")
        if name in _CARD_SETS:
            return self._card_set(node, name, depth)
        if name == "sum":
            return self._sum(node, depth)
        if name not in FUNCTIONS:
            close = get_close_matches(name, [*FUNCTIONS, *_ARITHMETIC, *_TESTS, *_CARD_SETS, "sum"], 1)
            hint = Sentence("; did you mean '{name}'?", name=close[0]) if close else ""
            raise FormulaError(Sentence("there is no function '{name}'{hint}", name=name, hint=hint), node.col_offset)
        return self._function(node, name, depth)

    def _arithmetic(self, node: ast.Call, name: str, depth: int) -> Value:
        self._require_arguments(node, name, *_ARITHMETIC[name])
        inner = [self._number(argument, depth) for argument in node.args]
        joined = ", ".join(one.python for one in inner)
        python = f"{name}({joined})" if name != "floor" else f"floor_divide({joined}, 1)"
        return Value(NUMBER, python, Term(name, tuple(one.term for one in inner)), fails=_any_fails(inner))

    def _sum(self, node: ast.Call, depth: int) -> Value:
        """Translate `sum(colour, count // 2)`: a number for each kind that the hand has, added up."""
        self._require_arguments(node, "sum", 2, 2)
        if self._each:
            raise FormulaError(Sentence("sum(…) cannot be inside sum(…)"), node.col_offset)
        cards, term = self._argument(node.args[0], CARDS, depth), node.args[1]
        for inner in ast.walk(term):  # definitions are calculated once, before the loop
            if isinstance(inner, ast.Name) and inner.id not in _IN_SUM:
                self._local(inner.id, True)
        writer, function = self._writer, self._writer.new_name("f")
        shown, guarded, self.shown, self._guarded, self._each = self.shown, self._guarded, [], False, _IN_SUM
        with writer.block(f"def {function}():"):
            writer.line("s_sum = 0")
            with writer.block(f"for s_it, s_count in held(me, {cards.python}).items():"):
                value = self._number(term, depth)
                writer.line(f"s_sum += {value.python}")
            writer.line("return bounded(s_sum)")
        self.shown, self._guarded, self._each = shown, guarded, {}
        return self._leaf(NUMBER, f"{function}()", fails=cards.fails or value.fails)

    def _function(self, node: ast.Call, name: str, depth: int) -> Value:
        self._require_allowed(name, node)
        function = FUNCTIONS[name]
        types = list(function.parameters)
        while function.repeated and len(types) < len(node.args):
            types += types[-function.repeated :]
        self._require_arguments(node, name, len(types), len(types))
        self.compares = self.compares or function.compares
        self.reads_points = self.reads_points or function.reads_points
        arguments = [self._argument(argument, wanted, depth) for argument, wanted in zip(node.args, types, strict=True)]
        cards = arguments[0].cards
        if name == "count" and cards is not None:
            return self._leaf(NUMBER, _count(cards))
        python = f"{name}_({', '.join(['me', *(one.python for one in arguments)])})"
        if name in _INLINE and cards is not None and cards.category:
            python = _INLINE[name].format(repr(cards.category))
        elif name == "kinds" and cards is None:
            python = f"len({arguments[0].python})"
        return self._leaf(function.result, python, fails=_any_fails(arguments))

    def _argument(self, node: ast.expr, wanted: str, depth: int) -> Value:
        if wanted in _MISSING:
            return Value(wanted, repr(self._looked_up(node, wanted)))
        value = self.value(node, depth)
        if wanted == NUMBER:
            return self.convert(value, NUMBER, node.col_offset)
        cards = value.cards
        if wanted == CARDS and value.type == KINDS:
            return value
        if wanted != CATEGORY and value.type == KIND:
            one = f"({value.python},)"
            return value._replace(python=one if wanted == CARDS else f"Cards({one}, {one}, {one})")
        if cards is None:
            raise FormulaError(_type_sentence(value.type, CARDS), node.col_offset)
        if wanted == CATEGORY and not cards.category:
            raise FormulaError(Sentence("must be a category of cards here"), node.col_offset)
        if wanted == NAME and len(cards.names) != 1:
            raise FormulaError(Sentence("must be a single card, group or category here"), node.col_offset)
        return value

    def _looked_up(self, node: ast.expr, wanted: str) -> str:
        own = self.names
        tables: dict[str, Mapping[str, str]] = {PART: own.parts, PLAYER: own.players, RULE: own.rules}
        known = tables[wanted]
        name = node.id if isinstance(node, ast.Name) else str(getattr(node, "value", ""))
        if name not in known:
            raise FormulaError(Sentence(_MISSING[wanted], name=name), node.col_offset)
        return known[name]

    def _card_set(self, node: ast.Call, name: str, depth: int) -> Value:
        """Translate `both(red, star)`: the kinds in both groups."""
        self._require_arguments(node, name, 2, 2)
        members: list[set[str]] = []
        order: dict[str, None] = {}
        for argument in node.args:
            cards = self.value(argument, depth).cards
            if cards is None:
                raise FormulaError(Sentence("must be the name of cards here"), argument.col_offset)
            members.append(set(cards.kinds))
            order |= dict.fromkeys(cards.kinds)
        chosen = _CARD_SETS[name](*members)
        kinds = tuple(kind for kind in order if kind in chosen)
        return self._cards(Cards(kinds, kinds, kinds))

    def _require_allowed(self, name: str, node: ast.expr) -> None:
        if name in self._refused:
            raise FormulaError(Sentence("'{name}' {reason}", name=name, reason=self._refused[name]), node.col_offset)

    def _require_arguments(self, node: ast.Call, name: str, least: int, most: int) -> None:
        if not least <= len(node.args) <= most:
            number = least if least == most else Sentence("{least} to {most}", least=least, most=most)
            what = "{name} takes {number} values in its parentheses, not {given}"
            raise FormulaError(Sentence(what, name=name, number=number, given=len(node.args)), node.col_offset)


_NODES: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: Translator._constant,  # noqa: SLF001 - the table of the class above
    ast.Name: Translator._name,  # noqa: SLF001
    ast.BinOp: Translator._binary,  # noqa: SLF001
    ast.UnaryOp: Translator._unary,  # noqa: SLF001
    ast.BoolOp: Translator._boolean,  # noqa: SLF001
    ast.Compare: Translator._compare,  # noqa: SLF001
    ast.IfExp: Translator._choice,  # noqa: SLF001
    ast.Call: Translator._call,  # noqa: SLF001
}
"""The allow-list: the nodes of a formula, and their translation."""


def is_lazy(python: str) -> bool:
    """Return whether a value is calculated when it is needed first."""
    return re.fullmatch(r"v\d+\(\)", python) is not None


def _any_fails(values: Iterable[Value]) -> bool:
    return any(value.fails for value in values)


def _count(cards: Cards) -> str:
    """Return the Python for the number of cards."""
    if cards.category:
        return f"me.size({cards.category!r})"
    return " + ".join(f"me.has({name!r})" for name in cards.names) or "0"


def _type_sentence(found: str, wanted: str) -> str:
    if wanted == CONDITION:
        return Sentence("must be a condition, such as 'red > 2', not {found}", found=found)
    if wanted == NUMBER and found == CONDITION:
        return Sentence("must be a number, not a condition; write '1 if … else 0'")
    if found == PLAYER:
        return Sentence("names a player; write count_of(…), points_of(…) or another function around it")
    if wanted == NUMBER and found in {KINDS, COUNTS}:
        return Sentence("must be a number; write count(…) or kinds(…) around it")
    return Sentence("must be {wanted}, not {found}", wanted=wanted, found=found)
