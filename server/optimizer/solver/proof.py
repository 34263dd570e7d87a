"""The search for a best deck by CP-SAT, with a bound on the score of all decks."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ortools.sat.python import cp_model

from server.optimizer.solver.arithmetic import UnsupportedRuleError
from server.optimizer.solver.game import PointsModel

if TYPE_CHECKING:
    from server.optimizer.solver.arithmetic import Condition, Number
    from server.optimizer.space import Space
    from server.scoring import Hand

__all__ = ["Solution", "UnsupportedRuleError", "solution"]

_SINGLE = 5.0
"""Seconds of a search with one worker, which finds the same deck each time; then several strategies search."""
_WORKERS = 8
"""Fewer leave out strategies that find bounds, even if there are fewer processors."""
_SMALLER = 5.0
"""Most seconds of the search for a smaller deck of the same score."""


class Solution(NamedTuple):
    """A deck, its points in the model, and the most points that any deck can have.

    It has no deck if all are eliminated (then this is `proven`) or if the time was too short.
    """

    hand: Hand | None
    points: Fraction
    bound: Fraction | None
    proven: bool


def solution(space: Space, seconds: float) -> Solution:
    """Return the best deck that is found in some seconds; if it is proven, the smallest one with its points.

    UnsupportedRuleError if the model cannot express a rule.
    """
    game = PointsModel(space)
    model, points = game.arithmetic.model, game.points
    model.maximize(points.expression)
    solver = _solver(min(seconds, _SINGLE), 1)
    status = solver.solve(model)
    if status not in _PROVEN and seconds > _SINGLE:
        if status == cp_model.FEASIBLE:
            _hint(model, solver)
        solver = _solver(seconds - _SINGLE, _WORKERS)
        status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return Solution(None, Fraction(0), None, proven=True)
    if status == cp_model.UNKNOWN:
        return Solution(None, Fraction(0), None, proven=False)
    if status not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        raise AssertionError(f"the model of {space.edition.slug} is wrong: {model.validate()}")
    bound = Fraction(round(solver.best_objective_bound), points.scale)
    if status == cp_model.OPTIMAL:
        _hint(model, solver)
        model.add(points.expression == solver.value(points.expression))
        model.minimize(game.deck.total.expression)
        smaller = _solver(min(seconds, _SMALLER), 1)
        if smaller.solve(model) in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
            solver = smaller

    def value(number: Number) -> int:
        return int(solver.value(number.expression))

    def holds(condition: Condition) -> bool:
        return bool(solver.boolean_value(condition))

    found = Fraction(value(points), points.scale)
    return Solution(game.hand(value, holds), found, bound, status == cp_model.OPTIMAL)


_PROVEN = frozenset({cp_model.OPTIMAL, cp_model.INFEASIBLE, cp_model.MODEL_INVALID})


def _solver(seconds: float, workers: int) -> cp_model.CpSolver:
    """Return a solver with a limit."""
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = workers
    return solver


def _hint(model: cp_model.CpModel, solver: cp_model.CpSolver) -> None:
    """Let the next search begin with the solution of this one."""
    model.clear_hints()
    for index, value in enumerate(solver.response_proto.solution):
        model.add_hint(model.get_int_var_from_proto_index(index), value)
