"""The effects of rules in the model: what a rule writes for a hand in a phase."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.optimizer.solver.arithmetic import ONE, ZERO, Arithmetic, Condition, Number, negated, negative
from server.optimizer.solver.formulas import FormulaReader
from server.scoring.rules import Rule, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.editions.formulas.meaning import EffectPart, FramePart, StatedStep
    from server.optimizer.solver.deck import TableDeck
    from server.optimizer.solver.functions import Functions


@dataclass
class Award:
    """Points beside a rule, while they are not void: all of `amount` if `live`."""

    rule: Rule
    amount: Number
    live: Condition
    deduction: bool = False
    author: str = ""


@dataclass
class SeatModel:
    """A hand at the table: its deck, the numbers of all rules, the rules that are off, and what they wrote."""

    deck: TableDeck
    functions: Functions
    numbers: dict[str, dict[str, Number]]
    acting: dict[str, Condition] = field(default_factory=dict)
    off: dict[str, list[Condition]] = field(default_factory=dict)
    cancelled: dict[str, list[Condition]] = field(default_factory=dict)
    chosen: dict[str, Condition] = field(default_factory=dict)
    eliminated: list[Condition] = field(default_factory=list)
    limits: dict[str, list[tuple[Rule, Number, str, Condition]]] = field(default_factory=dict)
    moved: dict[tuple[str, str], list[Number]] = field(default_factory=dict)
    worths: dict[str, list[tuple[Number, Condition]]] = field(default_factory=dict)
    caps: dict[str, list[Number]] = field(default_factory=dict)
    zeroes: dict[str, list[Condition]] = field(default_factory=dict)
    factors: list[tuple[str, Number, Number, Condition]] = field(default_factory=list)
    floors: dict[str, list[tuple[Number, Condition]]] = field(default_factory=dict)
    awards: list[Award] = field(default_factory=list)
    doubled: list[tuple[Rule, Number, Condition]] = field(default_factory=list)
    voids: list[tuple[tuple[str, ...], Condition]] = field(default_factory=list)
    shields: list[tuple[Rule, tuple[str, ...], Number]] = field(default_factory=list)
    cards: Number = ZERO


class RuleEffects:
    """A rule in a phase, for a hand: writes its effects into the models of the seats."""

    def __init__(
        self,
        arithmetic: Arithmetic,
        seats: Sequence[SeatModel],
        seat: SeatModel,
        rule: Rule,
        stated: StatedStep,
        points: Callable[[], tuple[Number, Mapping[str, Number]]],
    ) -> None:
        self._arithmetic = arithmetic
        self._seats = seats
        self._seat = seat
        self._rule = rule
        self._frame = stated.frame
        self._formulas = FormulaReader(
            arithmetic,
            seat.functions,
            stated,
            seat.numbers[rule.key],
            points,
            lambda: (
                self._seat.acting[rule.key] if rule.scope is Scope.HOLDER else seat.deck.any_handed_in((rule.card,))
            ),
        )

    def run(self, condition: Condition) -> None:
        """Write the effect where a condition holds."""
        formulas, frame = self._formulas, self._frame
        if frame.each is None:
            self._cases(frame, condition)
            return
        cards = formulas.cards(frame.each)
        but = formulas.names(frame.but) if frame.but is not None else {}
        for one in self._seat.functions.held(cards):
            left_out = but.get(one.name, False)
            formulas.locals = {"it": one.name, "kind": one.name, "count": one.number}
            self._cases(frame, self._arithmetic.all_of((condition, one.present, negated(left_out))))
        formulas.locals = {}

    def _cases(self, frame: FramePart, condition: Condition) -> None:
        condition = self._also(condition, frame.when)
        if not frame.case:
            self._write(frame, condition)
            return
        for case in frame.case:
            if condition is False:
                return
            applies = self._formulas.condition(case.when)
            self._write(case, self._arithmetic.all_of((condition, applies)))
            condition = self._arithmetic.all_of((condition, negated(applies)))

    def _also(self, condition: Condition, formula: str | None) -> Condition:
        if condition is False or formula is None:
            return condition
        return self._arithmetic.all_of((condition, self._formulas.condition(formula)))

    def _write(self, part: EffectPart, condition: Condition) -> None:
        if part.verb and condition is not False:
            _EFFECTS[part.verb](self, part, condition)

    # Effects

    def _eliminate(self, _part: EffectPart, condition: Condition) -> None:
        self._seat.eliminated.append(condition)

    def _keep(self, part: EffectPart, condition: Condition) -> None:
        for category, formula in (part.keep or {}).items():
            limit = self._limit(formula)
            size = self._seat.deck.size(category)
            excess = self._arithmetic.all_of((condition, self._arithmetic.less(limit, size)))
            if excess is not False:
                limits = self._seat.limits.setdefault(category, [])
                limits.append((self._rule, limit, part.prefer or "", excess))

    def _limit(self, formula: str) -> Number:
        """Return a number of cards, rounded down and at least 0."""
        arithmetic = self._arithmetic
        return arithmetic.maximum([ZERO, arithmetic.floor_divide(self._formulas.number(formula), ONE)])

    def _cancel(self, part: EffectPart, condition: Condition) -> None:
        if part.cancel is None:
            return
        rules = [str(key) for key in part.cancel.rules]
        for key in rules:
            off = condition
            if part.cancel.chosen:
                off = self._arithmetic.all_of((condition, self._seat.chosen.get(key, False)))
            for seat in self._seats if part.cancel.everyone else [self._seat]:
                seat.cancelled.setdefault(key, []).append(off)

    def _adjust(self, part: EffectPart, condition: Condition) -> None:
        adjust = part.adjust
        if adjust is not None:
            by = self._arithmetic.gated(condition, self._formulas.number(adjust.by))
            for key in map(str, adjust.rules):
                if key in self._seat.numbers:
                    self._seat.moved.setdefault((key, adjust.number), []).append(by)

    def _of_kinds(self, target: str, condition: Condition) -> Iterator[tuple[str, Condition]]:
        """Yield each kind that an effect concerns, while its names are known to formulas."""
        outer = dict(self._formulas.locals)
        for kind, number, present in self._formulas.single_kinds(target):
            self._formulas.locals = {"count": number, **outer, "kind": kind}
            yield kind, self._arithmetic.all_of((condition, present))
        self._formulas.locals = outer

    def _worth(self, part: EffectPart, condition: Condition) -> None:
        for target, formula in (part.worth or {}).items():
            for kind, _ in self._of_kinds(target, condition):
                # A kind that the hand lacks brings nothing, whatever it is worth.
                self._seat.worths.setdefault(kind, []).append((self._formulas.number(formula), condition))

    def _cap(self, part: EffectPart, condition: Condition) -> None:
        for target, formula in (part.cap or {}).items():
            for kind, applies in self._of_kinds(target, condition):
                number = self._seat.deck.has(kind)
                limit = self._arithmetic.choose(applies, self._limit(formula), number)
                self._seat.caps.setdefault(kind, []).append(limit)

    def _zero(self, part: EffectPart, condition: Condition) -> None:
        for kind, number, present in self._formulas.single_kinds(part.zero or ""):
            if number.high:
                applies = self._arithmetic.all_of((condition, present))
                self._seat.zeroes.setdefault(kind, []).append(applies)

    def _multiply(self, part: EffectPart, condition: Condition) -> None:
        if part.multiply is None:
            return
        for kind, applies in self._of_kinds(part.multiply.cards, condition):
            cards = self._seat.deck.has(kind)
            if part.multiply.number is not None:
                cards = self._arithmetic.minimum([cards, self._limit(part.multiply.number)])
            self._seat.factors.append((kind, self._formulas.number(part.multiply.by), cards, applies))

    def _at_least(self, part: EffectPart, condition: Condition) -> None:
        for target, formula in (part.at_least or {}).items():
            for kind, applies in self._of_kinds(target, condition):
                self._seat.floors.setdefault(kind, []).append((self._formulas.number(formula), applies))

    def _give(self, part: EffectPart, condition: Condition) -> None:
        amount = self._formulas.number(part.give or "")
        self._seat.awards.append(Award(self._rule, amount, condition, amount.low < 0))

    def _take(self, part: EffectPart, condition: Condition) -> None:
        amount = negative(self._formulas.number(part.take or ""))
        self._seat.awards.append(Award(self._rule, amount, condition, amount.low < 0))

    def _give_others(self, part: EffectPart, condition: Condition) -> None:
        me = self._seats[0]
        if self._seat is not me:
            amount = self._formulas.number(part.give_others or "")
            me.awards.append(Award(self._rule, amount, condition, amount.low < 0, self._seat.deck.player))

    def _double(self, part: EffectPart, condition: Condition) -> None:
        self._seat.doubled.append((self._rule, self._formulas.number(part.double or ""), condition))

    def _void(self, part: EffectPart, condition: Condition) -> None:
        self._seat.voids.append((tuple(map(str, part.void or ())), condition))

    def _shield(self, part: EffectPart, condition: Condition) -> None:
        if part.shield is not None:
            lines = self._arithmetic.gated(condition, self._limit(part.shield.lines))
            self._seat.shields.append((self._rule, tuple(map(str, part.shield.rules)), lines))


_EFFECTS: dict[str, Callable[[RuleEffects, EffectPart, Condition], None]] = {
    "eliminate": RuleEffects._eliminate,  # noqa: SLF001 - the table of the class above
    "keep": RuleEffects._keep,  # noqa: SLF001
    "cancel": RuleEffects._cancel,  # noqa: SLF001
    "adjust": RuleEffects._adjust,  # noqa: SLF001
    "worth": RuleEffects._worth,  # noqa: SLF001
    "cap": RuleEffects._cap,  # noqa: SLF001
    "zero": RuleEffects._zero,  # noqa: SLF001
    "multiply": RuleEffects._multiply,  # noqa: SLF001
    "at_least": RuleEffects._at_least,  # noqa: SLF001
    "give": RuleEffects._give,  # noqa: SLF001
    "take": RuleEffects._take,  # noqa: SLF001
    "give_others": RuleEffects._give_others,  # noqa: SLF001
    "double": RuleEffects._double,  # noqa: SLF001
    "void": RuleEffects._void,  # noqa: SLF001
    "shield": RuleEffects._shield,  # noqa: SLF001
}
