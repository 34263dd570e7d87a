"""Arithmetic of formulas, and calculations that breakdowns show, such as `5 mod 3 = 2`."""

from __future__ import annotations

import operator
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from server.scoring.errors import CalculationError
from server.scoring.rules import ShownValue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Exact = int | Fraction

LARGEST = 10**12
"""The largest value of a formula."""
_LARGEST_PRIME = 10**6
"""The largest number that is tested for being prime."""


def modulo(number: Exact, divisor: Exact) -> Exact:
    """Return the remainder of a division, from 0 up to the divisor, whatever the signs are."""
    if not divisor:
        raise CalculationError("a formula calculates mod 0")
    return number % (divisor if divisor > 0 else -divisor)


def divide(number: Exact, divisor: Exact) -> Exact:
    """Return the exact quotient."""
    if not divisor:
        raise CalculationError("a formula divides by 0")
    exact = number if isinstance(number, Fraction) else Fraction(operator.index(number))
    quotient = exact / (divisor if isinstance(divisor, Fraction) else operator.index(divisor))
    return quotient.numerator if quotient.denominator == 1 else quotient


def floor_divide(number: Exact, divisor: Exact) -> int:
    """Return the quotient, rounded down."""
    if not divisor:
        raise CalculationError("a formula divides by 0")
    return number // divisor


def bounded(value: Exact) -> Exact:
    """Return the value of a formula; CalculationError if it is too large, or too long a fraction."""
    if not -LARGEST <= value <= LARGEST or value.denominator > LARGEST:
        raise CalculationError("a formula has too large a value, or too long a fraction")
    return value


def prime(number: Exact) -> bool:
    """Return whether a number is prime."""
    if number > _LARGEST_PRIME:
        raise CalculationError("a formula tests too large a number for being prime")
    return number % 1 == 0 and number > 1 and all(number % divisor for divisor in range(2, isqrt(int(number)) + 1))


_SUM, _PRODUCT, _SIGN, _ATOM = range(4)
_MINUS, _TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
_OPERATORS: dict[str, tuple[str, int, Callable[[Exact, Exact], Exact]]] = {
    "+": (" + ", _SUM, operator.add),
    "-": (f" {_MINUS} ", _SUM, operator.sub),
    "*": (f" {_TIMES} ", _PRODUCT, operator.mul),
    "/": (" / ", _PRODUCT, divide),
    "//": (" / ", _ATOM, floor_divide),
    "%": (" mod ", _PRODUCT, modulo),
}
"""By operator: its sign in a breakdown, its precedence, and its function. `_ATOM` needs no parentheses around it."""
_COMPARISONS: dict[str, tuple[str, Callable[[Exact, Exact], bool]]] = {
    "==": (" = ", operator.eq),
    "!=": (" ≠ ", operator.ne),
    "<": (" < ", operator.lt),
    "<=": (" ≤ ", operator.le),
    ">": (" > ", operator.gt),
    ">=": (" ≥ ", operator.ge),
}


class Term(NamedTuple):
    """A part of a formula that a breakdown can show.

    `sign` is an operator, the name of a function, "if", "and", "or", "not", "value" or "hidden". A value has its
    position among the values of a `Calculation` as `place`, or is the constant `number`.
    """

    sign: str
    terms: tuple[Term, ...] = ()
    place: int | None = None
    number: Exact = 0


class Calculation(ShownValue):
    """A formula with the values for one hand. A condition shows the comparisons that hold."""

    __slots__ = ("term", "values")

    def __init__(self, term: Term, values: tuple[Exact, ...]) -> None:
        self.term = term
        self.values = values

    def __repr__(self) -> str:
        return f"Calculation({self.term!r}, {self.values!r})"

    def text(self, show: Callable[[Exact], str]) -> str:
        """Return the formula with its values filled in, and its result; `show` formats a number."""
        if _is_condition(self.term):
            return ", ".join(_Text(self.values, show).comparisons(self.term))
        value, text, precedence = _Text(self.values, show).number(self.term)
        result = show(value)
        return result if text == result and precedence == _ATOM else f"{text} = {result}"


def _is_condition(term: Term) -> bool:
    return term.sign in _COMPARISONS or term.sign in {"and", "or", "not", "hidden"}


_Shown = tuple[Exact, str, int]
"""The value of a term, its text, and the precedence of its operator."""


class _Text:
    """The text of terms with their values filled in."""

    def __init__(self, values: Sequence[Exact], show: Callable[[Exact], str]) -> None:
        self._values = values
        self._show = show

    def number(self, term: Term) -> _Shown:
        sign, terms = term.sign, term.terms
        if sign == "value":
            value = term.number if term.place is None else self._values[term.place]
            return value, self._show(value), _ATOM if value >= 0 else _SIGN
        if sign == "if":
            return self.number(terms[1] if self.holds(terms[0]) else terms[2])
        shown = [self.number(inner) for inner in terms]
        if sign in _OPERATORS:
            return self._binary(sign, *shown)
        return self._function(sign, shown)

    @staticmethod
    def _function(sign: str, shown: Sequence[_Shown]) -> _Shown:
        (value, text, precedence), *others = shown
        if sign == "negative":
            return -value, _MINUS + (text if precedence == _ATOM else f"({text})"), _SIGN
        if sign in {"max", "min"}:
            values, texts = [value, *(one[0] for one in others)], [text, *(one[1] for one in others)]
            return (max if sign == "max" else min)(values), f"{sign}({'; '.join(texts)})", _ATOM
        if sign == "abs":
            return max(value, -value), f"|{text}|", _ATOM
        return (value, text, precedence) if value % 1 == 0 else (value // 1, f"⌊{text}⌋", _ATOM)

    def _binary(self, sign: str, left: _Shown, right: _Shown) -> _Shown:
        symbol, precedence, act = _OPERATORS[sign]
        value = act(left[0], right[0])
        needed = precedence
        if sign in {"%", "/", "//"}:
            needed = _SIGN  # written like this, a product would be ambiguous
        first = left[1] if left[2] >= needed else f"({left[1]})"
        second = right[1] if right[2] > precedence and right[2] >= needed else f"({right[1]})"
        if sign == "//":
            return value, f"⌊{first} / {right[1] if right[2] == _ATOM else f'({right[1]})'}⌋", _ATOM
        return value, f"{first}{symbol}{second}", precedence

    def holds(self, term: Term) -> bool:
        """Return whether a condition on numbers holds; others are given as values 0 or 1."""
        if term.sign in _COMPARISONS:
            left, right = (self.number(inner)[0] for inner in term.terms)
            return _COMPARISONS[term.sign][1](left, right)
        if term.sign == "and":
            return all(map(self.holds, term.terms))
        if term.sign == "or":
            return any(map(self.holds, term.terms))
        if term.sign == "not":
            return not self.holds(term.terms[0])
        return term.place is not None and bool(self._values[term.place])

    def comparisons(self, term: Term) -> list[str]:
        """Return the texts of the comparisons that make a condition true."""
        if term.sign in _COMPARISONS:
            symbol, act = _COMPARISONS[term.sign]
            left, right = (self.number(inner) for inner in term.terms)
            return [f"{left[1]}{symbol}{right[1]}"] if act(left[0], right[0]) else []
        if term.sign == "and":
            return [text for inner in term.terms for text in self.comparisons(inner)]
        if term.sign == "or":  # nothing after the first was calculated
            return self.comparisons(next(inner for inner in term.terms if self.holds(inner)))
        return []
