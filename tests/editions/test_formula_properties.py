"""Random formulas have the values that a plain evaluation gives, whatever is defined, guarded or added up."""

from __future__ import annotations

import ast
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.editions.formulas.calculation import LARGEST
from server.editions.loader import read_edition
from server.scoring import EditionError, Hand, score
from tests.editions.test_formulas import points, written

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from random import Random  # noqa: TID251 - of hypothesis, which repeats it

COLOURS = ("red", "gold", "blue", "sea-green")
OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda left, right: Fraction(left // right),
    ast.Mod: lambda left, right: left % abs(right),
    ast.Lt: operator.lt,
    ast.Eq: operator.eq,
    ast.GtE: operator.ge,
}


def number(random: Random, depth: int, names: tuple[str, ...], *, sums: bool = True) -> str:
    """Return a random formula."""
    choice = random.random()
    if depth == 0 or choice < 0.2:
        return random.choice([*COLOURS, *names, *names, "1", "2"]).replace("-", "_")
    left, right = (number(random, depth - 1, names, sums=sums) for _ in range(2))
    if choice < 0.55:
        return f"({left} {random.choice(['+', '-', '*', '/', '//', 'mod'])} {right})"
    if choice < 0.8:
        return f"({left} if {condition(random, depth - 1, names, sums=sums)} else {right})"
    if choice < 0.9 or not sums:
        return f"max({left}, {right})"
    return f"sum(colour, {number(random, depth - 1, (*names, 'count'), sums=False)})"


def condition(random: Random, depth: int, names: tuple[str, ...], *, sums: bool = True) -> str:
    """Return a random condition."""
    sides = [number(random, max(depth - 1, 0), names, sums=sums) for _ in range(3)]
    if random.random() < 0.3:
        return f"{sides[0]} < {sides[1]} < {sides[2]}"
    first, second = f"{sides[0]} {random.choice(['<', '==', '>='])} {sides[1]}", f"odd({sides[2]})"
    return f"({first} {random.choice(['and', 'or'])} {second})" if depth else first


class Evaluation:
    """A plain evaluation of formulas for some cards; ZeroDivisionError where there is no value."""

    def __init__(self, define: Mapping[str, str], cards: Mapping[str, int]) -> None:
        self.define = define
        self.cards = cards

    def of(self, formula: str) -> Fraction:
        value: Fraction = self.node(ast.parse(formula.replace(" mod ", " % "), mode="eval").body, None)
        if abs(value) > LARGEST or value.denominator > LARGEST:
            raise ZeroDivisionError
        return value

    def node(self, node: Any, count: int | None) -> Any:  # noqa: ANN401, PLR0911 - a case for each kind of node
        if isinstance(node, ast.Constant):
            return Fraction(node.value)
        if isinstance(node, ast.Name):
            if node.id in self.define:
                return self.of(self.define[node.id])
            return Fraction(count if node.id == "count" and count else self.cards.get(node.id.replace("_", "-"), 0))
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](self.node(node.left, count), self.node(node.right, count))
        if isinstance(node, ast.IfExp):
            return self.node(node.body if self.node(node.test, count) else node.orelse, count)
        if isinstance(node, ast.BoolOp):
            combine = all if isinstance(node.op, ast.And) else any
            return combine(self.node(value, count) for value in node.values)
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            pairs = zip(sides, node.ops, sides[1:], strict=False)
            return all(
                OPERATORS[type(sign)](self.node(left, count), self.node(right, count)) for left, sign, right in pairs
            )
        if node.func.id == "sum":
            return sum((self.node(node.args[1], held) for held in self.cards.values() if held), Fraction(0))
        values = [self.node(argument, count) for argument in node.args]
        return max(values) if node.func.id == "max" else values[0] % 2 == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_random_formulas_have_the_values_of_a_plain_evaluation(tmp_path: Path, random: Random) -> None:
    define = {"third": number(random, 2, ())}
    define["second"] = number(random, 2, ("third",))
    define["first"] = number(random, 2, ("second", "third"))
    test, give = condition(random, 2, tuple(define)), number(random, 3, tuple(define))
    if max(map(len, (test, give, *define.values()))) > 400:
        return
    stated = ", ".join(f'{name} = "{formula}"' for name, formula in define.items())
    rule = f'define = {{ {stated} }}\ncase = [{{ when = "{test}", give = "{give}" }}, {{ give = "first" }}]'
    edition = read_edition(written(tmp_path, rule), None)
    for _ in range(3):
        cards = {kind: random.choice([0, 0, 1, 2, 3]) for kind in COLOURS}
        plain = Evaluation(define, cards)
        try:
            expected = plain.of(f"({give} if {test} else first)")
        except ZeroDivisionError:
            expected = None
        error, found = "", None
        try:
            (hand,) = score(edition, [Hand("Ada", cards)], provisional=False).hands
            found = points(hand)
        except EditionError as raised:
            error = str(raised)
        assert error if expected is None else "too large a value" in error or found == expected
