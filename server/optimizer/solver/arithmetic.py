"""Exact arithmetic with variables of a CP-SAT model. Whatever is constant is calculated at once, without a variable."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from ortools.sat.python import cp_model

from server.editions.formulas.calculation import prime

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from server.scoring.rules import Points

_LARGEST = 2**45
"""The largest absolute value of an expression, so that products and sums of a model do not overflow."""
_MOST_TESTED = 100_000
"""The largest number that is tested for being prime."""

Condition = Any
"""A `bool`, or a literal of the model."""


class UnsupportedRuleError(Exception):
    """A rule that the model cannot express; the message says why."""


class Number(NamedTuple):
    """A number of the model: `expression` / `scale`, where the expression is between `low` and `high`."""

    expression: Any
    low: int
    high: int
    scale: int = 1

    @property
    def constant(self) -> Points | None:
        """The value, if it is the same for all decks."""
        if self.low != self.high:
            return None
        value = Fraction(self.low, self.scale)
        return value.numerator if value.denominator == 1 else value


def constant(value: Points | bool) -> Number:  # noqa: FBT001 - facts of yes or no are numbers too
    """Return a number that is the same for all decks."""
    exact = Fraction(value)
    return Number(exact.numerator, exact.numerator, exact.numerator, exact.denominator)


ZERO = constant(0)
ONE = constant(1)


class Arithmetic:
    """Builds a model: each method returns the number or condition that it describes."""

    def __init__(self) -> None:
        self.model = cp_model.CpModel()
        self._comparisons: dict[tuple[str, int, int], Condition] = {}
        self._variables: dict[object, Number] = {}

    # Numbers

    def variable(self, low: int, high: int) -> Number:
        """Return a new variable."""
        if low == high:
            return constant(low)
        return Number(self.model.new_int_var(low, high, ""), low, high)

    def literal(self) -> Condition:
        """Return a new condition."""
        return self.model.new_bool_var("")

    def total(self, numbers: Iterable[Number]) -> Number:
        """Return the sum."""
        terms = [number for number in numbers if number.low or number.high]
        scale = lcm(*(number.scale for number in terms))
        factors = [scale // number.scale for number in terms]
        low = sum(number.low * factor for number, factor in zip(terms, factors, strict=True))
        high = sum(number.high * factor for number, factor in zip(terms, factors, strict=True))
        expression = sum(number.expression * factor for number, factor in zip(terms, factors, strict=True))
        return _checked(Number(low if low == high else expression, low, high, scale))

    def add(self, one: Number, other: Number) -> Number:
        """Return one + other."""
        return self.total((one, other))

    def subtract(self, one: Number, other: Number) -> Number:
        """Return one - other."""
        return self.total((one, negative(other)))

    def multiply(self, one: Number, other: Number) -> Number:
        """Return one * other."""
        if one.low == one.high:
            one, other = other, one
        scale = one.scale * other.scale
        corners = [x * y for x in (one.low, one.high) for y in (other.low, other.high)]
        low, high = min(corners), max(corners)
        if low == high:
            return Number(low, low, high, scale)
        if other.low == other.high:
            return _checked(Number(one.expression * other.low, low, high, scale))
        if one.low >= 0 and one.high == 1 and one.scale == 1:
            one, other = other, one
        _checked(Number(0, low, high))
        product = self.variable(low, high)
        self.model.add_multiplication_equality(product.expression, [self._plain(one), self._plain(other)])
        return product._replace(scale=scale)

    def divide(self, one: Number, other: Number) -> Number:
        """Return the exact quotient."""
        divisor = other.constant
        if not divisor:
            raise UnsupportedRuleError("a division by a number that depends on the deck")
        return self.multiply(one, constant(1 / Fraction(divisor)))

    def floor_divide(self, one: Number, other: Number) -> Number:
        """Return the quotient, rounded down."""
        return self._division(one, other)[0]

    def modulo(self, one: Number, other: Number) -> Number:
        """Return the remainder, never negative."""
        return self._division(one, self.absolute(other))[1]

    def absolute(self, number: Number) -> Number:
        """Return the absolute value."""
        if number.low >= 0:
            return number
        if number.high <= 0:
            return negative(number)
        found = self.variable(0, max(-number.low, number.high))
        self.model.add_abs_equality(found.expression, self._plain(number))
        return found._replace(scale=number.scale)

    def maximum(self, numbers: Sequence[Number]) -> Number:
        """Return the largest number."""
        scale = lcm(*(number.scale for number in numbers))
        terms = [_scaled(number, scale) for number in numbers]
        low = max(term.low for term in terms)
        terms = [term for term in terms if term.high >= low]
        high = max(term.high for term in terms)
        if len(terms) == 1 or low == high:
            return terms[0] if len(terms) == 1 else Number(low, low, low, scale)
        found = self.variable(low, high)
        self.model.add_max_equality(found.expression, [self._plain(term) for term in terms])
        return found._replace(scale=scale)

    def minimum(self, numbers: Sequence[Number]) -> Number:
        """Return the smallest number."""
        return negative(self.maximum([negative(number) for number in numbers]))

    def choose(self, condition: Condition, yes: Number, no: Number) -> Number:
        """Return one number if a condition holds, otherwise the other."""
        if isinstance(condition, bool):
            return yes if condition else no
        if yes.low == yes.high and no.low == no.high:
            scale = lcm(yes.scale, no.scale)
            one, other = _scaled(yes, scale).low, _scaled(no, scale).low
            if one == other:
                return no
            return Number((one - other) * condition + other, min(one, other), max(one, other), scale)
        scale = lcm(yes.scale, no.scale)
        first, second = _scaled(yes, scale), _scaled(no, scale)
        found = self.variable(min(first.low, second.low), max(first.high, second.high))
        if first.low >= 0 and second.high == 0:
            self.model.add(found.expression <= first.expression)  # follows, but shortens proofs
        self.model.add(found.expression == first.expression).only_enforce_if(condition)
        self.model.add(found.expression == second.expression).only_enforce_if(negated(condition))
        return found._replace(scale=scale)

    def gated(self, condition: Condition, number: Number) -> Number:
        """Return a number if a condition holds, otherwise 0."""
        return self.choose(condition, number, ZERO)

    # Conditions

    def all_of(self, conditions: Iterable[Condition]) -> Condition:
        """Return whether all conditions hold."""
        open_ones = {}
        for condition in conditions:
            if condition is False:
                return False
            if condition is not True:
                open_ones[condition.index] = condition
        if len(open_ones) < 2:  # noqa: PLR2004 - nothing to combine
            return next(iter(open_ones.values()), True)
        found = self.literal()
        self.model.add_bool_and(list(open_ones.values())).only_enforce_if(found)
        self.model.add_bool_or([found, *(negated(one) for one in open_ones.values())])
        return found

    def any_of(self, conditions: Iterable[Condition]) -> Condition:
        """Return whether one of the conditions holds."""
        return negated(self.all_of(negated(condition) for condition in conditions))

    def at_most(self, one: Number, other: Number) -> Condition:
        """Return whether one <= other."""
        scale = lcm(one.scale, other.scale)
        gap = self.subtract(_scaled(one, scale), _scaled(other, scale))
        if gap.high <= 0 or gap.low > 0:
            return gap.high <= 0
        variable, sign, offset = self._gap(gap)
        if sign > 0:
            return self._compared("<=", variable, -offset)
        return negated(self._compared("<=", variable, offset - 1))

    def _gap(self, gap: Number) -> tuple[Any, int, int]:
        """Return variable, sign and offset of which the gap consists.

        Comparisons of the same numbers share the variable, so that the solver sees which exclude each other.
        """
        flat = cp_model.FlatIntExpr(gap.expression)
        terms = sorted(zip((variable.index for variable in flat.vars), flat.coeffs, flat.vars, strict=True))
        sign = 1 if terms[0][1] > 0 else -1
        if len(terms) == 1 and abs(terms[0][1]) == 1:
            return terms[0][2], sign, flat.offset
        plain = sum(sign * factor * variable for _, factor, variable in terms)
        ends = sorted(sign * (end - flat.offset) for end in (gap.low, gap.high))
        return self._plain(Number(plain, ends[0], ends[1])), sign, flat.offset

    def _compared(self, how: str, variable: Any, value: int) -> Condition:  # noqa: ANN401 - a variable of the model
        """Return whether a variable is a value ("=="), or at most as large ("<=")."""
        known = self._comparisons.get((how, variable.index, value))
        if known is None:
            known = self._comparisons[how, variable.index, value] = self.literal()
            yes, no = (variable == value, variable != value) if how == "==" else (variable <= value, variable > value)
            self.model.add(yes).only_enforce_if(known)
            self.model.add(no).only_enforce_if(negated(known))
        return known

    def less(self, one: Number, other: Number) -> Condition:
        """Return whether one < other."""
        return negated(self.at_most(other, one))

    def equal(self, one: Number, other: Number) -> Condition:
        """Return whether one == other."""
        scale = lcm(one.scale, other.scale)
        gap = self.subtract(_scaled(one, scale), _scaled(other, scale))
        if gap.low > 0 or gap.high < 0 or gap.low == gap.high:
            return gap.low <= 0 <= gap.high
        variable, sign, offset = self._gap(gap)
        return self._compared("==", variable, -sign * offset)

    def positive(self, number: Number) -> Condition:
        """Return whether a number is above 0."""
        return self.less(ZERO, number)

    def prime(self, number: Number) -> Condition:
        """Return whether a number is prime."""
        if number.scale != 1:
            raise UnsupportedRuleError("a fraction that may be prime")
        if number.high > _MOST_TESTED:
            raise UnsupportedRuleError("a large number that may be prime")
        primes = [value for value in range(max(number.low, 2), number.high + 1) if prime(value)]
        if number.low == number.high or not primes:
            return bool(primes)
        found = self.literal()
        domain = cp_model.Domain.from_values(primes)
        self.model.add_linear_expression_in_domain(number.expression, domain).only_enforce_if(found)
        others = domain.complement().intersection_with(cp_model.Domain(number.low, number.high))
        self.model.add_linear_expression_in_domain(number.expression, others).only_enforce_if(negated(found))
        return found

    def require(self, condition: Condition) -> None:
        """Leave only decks for which a condition holds."""
        self.model.add_bool_or([condition])

    def table(self, numbers: Iterable[Number], rows: Iterable[Iterable[int]]) -> None:
        """Leave only decks for which some numbers are those of a row."""
        self.model.add_allowed_assignments([number.expression for number in numbers], rows)

    # Parts

    def _plain(self, number: Number) -> Any:  # noqa: ANN401 - a variable or a constant
        """Return the expression of a number as a variable, which most constraints need."""
        if number.low == number.high:
            return number.low
        if isinstance(number.expression, cp_model.IntVar):
            return number.expression
        flat = cp_model.FlatIntExpr(number.expression)
        key = (flat.offset, *sorted(zip((variable.index for variable in flat.vars), flat.coeffs, strict=True)))
        known = self._variables.get(key)
        if known is None:
            known = self._variables[key] = self.variable(number.low, number.high)
            self.model.add(known.expression == number.expression)
        return known.expression

    def _division(self, one: Number, other: Number) -> tuple[Number, Number]:
        """Return quotient, rounded down, and remainder. A divisor of 0 is never used, so it may count as 1."""
        scale = lcm(one.scale, other.scale)
        dividend, divisor = _scaled(one, scale), _scaled(other, scale)
        if divisor.high < 0:
            dividend, divisor = negative(dividend), negative(divisor)
            quotient, rest = self._divided(dividend, divisor)
            return quotient, negative(rest)._replace(scale=scale)
        if divisor.low < 0:
            raise UnsupportedRuleError("a division by a number that may be negative")
        quotient, rest = self._divided(dividend, divisor)
        return quotient, rest._replace(scale=scale)

    def _divided(self, dividend: Number, divisor: Number) -> tuple[Number, Number]:
        dividend, divisor = dividend._replace(scale=1), divisor._replace(scale=1)
        if divisor.low == 0:
            divisor = self.maximum([divisor, ONE])
        if dividend.low == dividend.high and divisor.low == divisor.high:
            return constant(dividend.low // divisor.low), constant(dividend.low % divisor.low)
        if dividend.low >= 0 and dividend.high < divisor.low:
            return ZERO, dividend
        ends = [value // by for value in (dividend.low, dividend.high) for by in (divisor.low, divisor.high)]
        quotient = self.variable(min(ends), max(ends))
        rest = self.subtract(dividend, self.multiply(quotient, divisor))
        remainder = self.variable(0, divisor.high - 1)
        self.model.add(remainder.expression == rest.expression)
        if divisor.low != divisor.high:
            self.model.add(remainder.expression < divisor.expression)
        return quotient, remainder


def negated(condition: Condition) -> Condition:
    """Return whether a condition does not hold."""
    return not condition if isinstance(condition, bool) else condition.negated()


def negative(number: Number) -> Number:
    """Return the number with the other sign."""
    low, high = -number.high, -number.low
    return Number(low if low == high else -number.expression, low, high, number.scale)


def as_number(condition: Condition) -> Number:
    """Return 1 for a condition that holds, otherwise 0."""
    return constant(int(condition)) if isinstance(condition, bool) else Number(condition, 0, 1)


def _scaled(number: Number, scale: int) -> Number:
    factor = scale // number.scale
    if factor == 1:
        return number
    return _checked(Number(number.expression * factor, number.low * factor, number.high * factor, scale))


def _checked(number: Number) -> Number:
    if max(abs(number.low), abs(number.high)) > _LARGEST:
        raise UnsupportedRuleError("a number that may be too large")
    return number
