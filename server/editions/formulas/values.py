"""The formulas of one rule: the names that its frame and its `define` give, and the values that they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

from server.editions.formulas.calculation import Term
from server.editions.formulas.functions import CARDS, CONDITION, COUNTS, KINDS, NUMBER, Cards
from server.editions.formulas.parsing import FormulaError, parse_formula
from server.editions.formulas.translator import KIND, Translator, Value, is_lazy
from server.editions.formulas.writer import Writer
from server.editions.translations import Sentence

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping

    from server.editions.formulas.translator import Names

    Report = Callable[[str, str, str, int], None]
    """Takes a mistake: the path below the rule, a sentence, the formula and the index in it."""


class ReportedError(Exception):
    """A mistake that has been reported."""


class Shown(NamedTuple):
    """A formula as a breakdown shows it: its term, and the Python of the values in it."""

    term: Term
    values: list[str]

    @property
    def calculates(self) -> bool:
        """True if there is more to show than a single value."""
        inner = self.term.terms[0] if self.term.sign == "floor" else self.term
        return inner.sign != "value"

    def rounded(self) -> Shown:
        """Return the formula, rounded down."""
        return self._replace(term=Term("floor", (self.term,)))

    def python(self, writer: Writer) -> str:
        """Return the Python of the calculation."""
        values = f"({', '.join(self.values)}{',' if len(self.values) == 1 else ''})"
        return f"Calculation({writer.constant(repr(self.term))}, {values})"


class RuleFormulas:
    """The formulas of a rule while a function of it is written.

    `locals` are the names that the frame gives; `condition` is the one that holds where the next line is written. It
    `compares` once a formula looks at other hands, and `reads_points` once one looks at the points of earlier phases.
    `path` is put before the path of a mistake.
    """

    def __init__(self, names: Names, define: Mapping[str, str], report: Report) -> None:
        self.define = define
        self.names = names
        self.start("")
        self._report = report
        self._defining: list[str] = []

    def start(self, path: str) -> None:
        """Begin another function."""
        self.writer = Writer()
        self.locals: dict[str, Value] = {}
        self.condition: Shown | None = None
        self.compares = False
        self.reads_points = False
        self.path = path

    def fail(self, path: str, sentence: str, formula: str = "", index: int = 0) -> NoReturn:
        """Report a mistake, and leave the function out."""
        self._report(f"{self.path}{path}".strip("."), sentence, formula, index)
        raise ReportedError

    def translator(self, *, guarded: bool = False) -> Translator:
        """Return a translator for a formula."""
        return Translator(self.names, self.writer, self._local, guarded=guarded)

    def parsed(self, path: str, formula: str) -> ast.expr:
        """Return the tree of a formula."""
        try:
            return parse_formula(formula)
        except FormulaError as error:
            self.fail(path, error.sentence, formula, error.index)

    def formula(self, path: str, formula: str, wanted: str | None, translator: Translator | None = None) -> Value:
        """Translate a formula to a type. If cards are wanted, they may also be kinds; None takes any value."""
        translator = translator or self.translator()
        tree = self.parsed(path, formula)
        try:
            value = translator.value(tree)
            if wanted is None:
                value = translator.convert(value, NUMBER, tree.col_offset) if value.cards is not None else value
            elif not (wanted == CARDS and value.type in {CARDS, KINDS, KIND}):
                value = translator.convert(value, wanted, tree.col_offset)
        except FormulaError as error:
            self.fail(path, error.sentence, formula, error.index)
        self._note(translator)
        return value

    def conjunct(self, tree: ast.expr, formula: str, translator: Translator) -> Value:
        """Translate a part of a condition."""
        try:
            value = translator.translate(tree, CONDITION)
        except FormulaError as error:
            self.fail("when", error.sentence, formula, error.index)
        self._note(translator)
        return value

    def amount(self, path: str, formula: str, *, negative: bool = False) -> tuple[str, Shown]:
        """Translate a number; return its Python, and how a breakdown shows it."""
        translator = self.translator()
        value = self.formula(path, formula, NUMBER, translator)
        python = f"-{value.python}" if negative else value.python
        return _bounded(python, value.term), Shown(value.term, translator.shown)

    def placeholder(self, name: str) -> str | None:
        """Return the Python of a name in a sentence, or None if there is no such name."""
        translator = self.translator()
        value = translator.variable(name)
        self._note(translator)
        if value is None or value.cards is None:
            return value and value.python
        if value.cards.is_list:
            return f"counts_(me, {value.python})"
        return translator.convert(value, NUMBER).python

    def single_kinds(self, value: Value) -> str:
        """Return the Python of all single kinds of cards."""
        kinds = value.cards.kinds if value.cards is not None else None
        return value.python if kinds is None else self.writer.constant(repr(Cards(kinds, kinds, kinds)))

    def _note(self, translator: Translator) -> None:
        self.compares = self.compares or translator.compares
        self.reads_points = self.reads_points or translator.reads_points

    def _local(self, name: str, guarded: bool) -> Value | None:  # noqa: FBT001 - the type of a callable
        """Return the value of a name that `define` or the frame gives."""
        formula = self.define.get(name)
        if formula is None or (name in self._defining and name in self.locals):
            return self.locals.get(name)
        if name in self._defining:
            self.fail(f"define.{name}", Sentence("needs its own value; define it without itself"), formula)
        own = frozenset(name for name in self._defining if name in self.locals)
        key = (name, frozenset(self.locals.items()), own)
        return self.writer.remember(key, lambda: self._defined(name, formula, guarded=guarded))

    def _defined(self, name: str, formula: str, *, guarded: bool) -> Value:
        self._defining.append(name)
        path, self.path = self.path, ""
        try:
            value = self.formula(f"define.{name}", formula, None, self.translator(guarded=guarded))
        finally:
            self._defining.pop()
            self.path = path
        if value.type not in {NUMBER, CONDITION, KINDS, COUNTS}:
            return value
        python = _bounded(value.python, value.term) if value.type == NUMBER else value.python
        if "(" in python and not is_lazy(python):
            python = self.writer.bind(python, lazy=value.fails and guarded)
        return Value(value.type, python, fails=is_lazy(python))


def _bounded(python: str, term: Term) -> str:
    """Return the Python of a number, checked where a formula can make it large."""
    return f"bounded({python})" if _multiplies(term) else python


def _multiplies(term: Term) -> bool:
    return term.sign in {"*", "/", "//"} or any(map(_multiplies, term.terms))
