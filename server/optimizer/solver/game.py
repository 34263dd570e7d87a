"""The phases of a count in the model: all hands at the table, and the points of the deck that is searched."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from server.editions.formulas.meaning import StatedStep
from server.optimizer.solver.arithmetic import (
    ONE,
    ZERO,
    Arithmetic,
    Condition,
    Number,
    UnsupportedRuleError,
    as_number,
    constant,
    negated,
)
from server.optimizer.solver.deck import GivenDeck, SearchedDeck, TableDeck
from server.optimizer.solver.effects import Award, RuleEffects, SeatModel
from server.optimizer.solver.functions import Functions
from server.scoring import Scorer
from server.scoring.hand import cancelling_rules
from server.scoring.phase_effects import draws, preferences
from server.scoring.rules import POINTS_PHASES, Phase, Rule, Scope, Step, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from server.editions.formulas.meaning import FramePart
    from server.optimizer.space import Space
    from server.scoring import Hand

_ABOUT_OWN_CARDS = {Phase.BASE, Phase.COUNT, Phase.WORTH}
_REACHING = {"eliminate", "keep", "cancel", "adjust", "give_others"}
"""The effects of other hands that matter for the deck."""


class PointsModel(Scorer):
    """The model of a space: `points` are those of its deck. UnsupportedRuleError if a rule cannot be expressed."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.edition, space.settings, space.active)
        self._space = space
        self.arithmetic = Arithmetic()
        self.deck = SearchedDeck(self.arithmetic, space)
        for rule in self.active:
            _stated(rule)
        decks: list[TableDeck] = [
            self.deck,
            *(GivenDeck(self.arithmetic, space.edition, hand) for hand in space.others),
        ]
        self._seats = [self._seat_model(deck, decks) for deck in decks]
        self._me = self._seats[0]
        self._kinds: dict[str, Number] = {}
        """The number of cards of each valued kind, after limits."""
        self._first: dict[str, str] = {}
        self._choose_cancels()
        self._acting()
        self.points = self._count_points()
        self.deck.finish()

    @property
    def chosen(self) -> Mapping[str, Condition]:
        """By key, whether the deck cancels a rule."""
        return self._me.chosen

    def hand(self, value: Callable[[Number], int], holds: Callable[[Condition], bool]) -> Hand:
        """Return the deck of a solution; `value` and `holds` return the values in it."""
        chosen = tuple(key for key, condition in self.chosen.items() if holds(condition))
        return replace(self.deck.hand(value), cancels=chosen)

    def _seat_model(self, deck: TableDeck, decks: Sequence[TableDeck]) -> SeatModel:
        numbers = {
            key: {name: constant(value) for name, value in printed(its).items()} for key, its in self._numbers.items()
        }
        others = [other for other in decks if other is not deck]
        return SeatModel(deck, Functions(self.arithmetic, deck, others, self._numbers), numbers)

    # Which rules act

    def _acting(self) -> None:
        """Set the conditions under which each rule acts for each hand."""
        any_of, all_of = self.arithmetic.any_of, self.arithmetic.all_of
        by_card = [rule for rule in self.active if rule.scope is not Scope.ALWAYS]
        holders: dict[str, list[Condition]] = {rule.key: [] for rule in by_card}
        for seat in self._seats:
            for _, group in groupby(sorted(by_card, key=lambda rule: (rule.effect, rule.position)), lambda r: r.effect):
                rules = list(group)
                if self._are_alike(rules):
                    holders[rules[0].key].append(seat.deck.any_handed_in(tuple(rule.card for rule in rules)))
                    for rule in rules[1:]:
                        holders[rule.key].append(False)
                    continue
                earlier: list[Condition] = []
                for rule in rules:
                    held = seat.deck.any_handed_in((rule.card,))
                    holders[rule.key].append(all_of((held, *(negated(other) for other in earlier))))
                    earlier.append(held)
        for rule in self.active:
            for index, seat in enumerate(self._seats):
                if rule.scope is Scope.ALWAYS:
                    seat.acting[rule.key] = True
                elif rule.scope is Scope.HOLDER:
                    seat.acting[rule.key] = holders[rule.key][index]
                else:
                    seat.acting[rule.key] = any_of(holders[rule.key])

    def _choose_cancels(self) -> None:
        """Let every hand choose the rules that it cancels: the deck freely, other hands as they have done."""
        arithmetic, edition = self.arithmetic, self.edition
        for hand, seat in zip(self._space.others, self._seats[1:], strict=True):
            seat.chosen = dict.fromkeys(hand.cancels, True)
        rules = cancelling_rules(edition, self._space.active)
        targets = sorted(set().union(*(rule.touches for rule in rules)) & set(self._space.active))
        by_effect: dict[str, list[Rule]] = {}
        for rule in rules:
            by_effect.setdefault(rule.effect, []).append(rule)
        held = {effect: self._any_held(same) for effect, same in by_effect.items()}
        for key in targets:
            card = edition.rule_of[key].card
            in_play = arithmetic.any_of(seat.deck.any_handed_in((card,)) for seat in self._seats)
            able = arithmetic.any_of(
                held[rule.effect]
                if self._are_alike(by_effect[rule.effect])
                else self._me.deck.any_handed_in((rule.card,))
                for rule in rules
                if key in rule.touches
            )
            chosen = self._me.chosen[key] = arithmetic.literal()
            arithmetic.require(arithmetic.any_of((negated(chosen), arithmetic.all_of((in_play, able)))))
        if targets:
            number = arithmetic.total(map(as_number, self._me.chosen.values()))
            arithmetic.require(arithmetic.at_most(number, arithmetic.total(map(as_number, held.values()))))

    def _any_held(self, rules: Sequence[Rule]) -> Condition:
        if self._are_alike(rules):
            return self._me.deck.any_handed_in(tuple(rule.card for rule in rules))
        return self.arithmetic.any_of(self._me.deck.any_handed_in((rule.card,)) for rule in rules)

    def _are_alike(self, rules: Sequence[Rule]) -> bool:
        """Return whether rules with the same effect differ only in their cards."""
        first, *others = rules
        touched = frozenset().union(*(rule.touches for rule in self.active))
        return all(
            rule.scope is Scope.HOLDER and rule.key not in touched and rule.settings == first.settings for rule in rules
        ) and all(
            other.numbers == first.numbers and other.lists == first.lists and _stated(other) == _stated(first)
            for other in others
        )

    # Phases

    def _count_points(self) -> Number:
        counted = False
        for phase in self.edition.phases:
            if phase in POINTS_PHASES:
                if not counted:
                    self._value_cards()
                    counted = True
                self._before = self._sum(self._me.awards)
            for seat in self._seats:
                for rule, step in self._steps[phase]:
                    acting = [seat.acting[rule.key]]
                    if not step.always:
                        acting += [negated(off) for off in seat.off.get(rule.key, [])]
                    condition = self.arithmetic.all_of(acting)
                    stated = _stated_step(rule, step)
                    if condition is not False and (seat is self._me or _reaches_others(stated.frame, phase)):
                        points = self._points_so_far if seat is self._me else _unknown_points
                        RuleEffects(self.arithmetic, self._seats, seat, rule, stated, points).run(condition)
            self._end(phase)
        return self._sum(self._me.awards)

    def _end(self, phase: Phase) -> None:
        if phase is Phase.ELIMINATE:
            self._eliminate()
        elif phase is Phase.REMOVE:
            self._remove()
        elif phase is Phase.CANCEL:
            for seat in self._seats:
                seat.off = seat.cancelled
        elif phase is Phase.ADJUST:
            for seat in self._seats:
                for (rule, name), moves in seat.moved.items():
                    seat.numbers[rule][name] = self.arithmetic.total([seat.numbers[rule][name], *moves])
        elif phase is Phase.DOUBLE:
            self._double()
        elif phase is Phase.SHIELD:
            self._void()

    def _eliminate(self) -> None:
        """Leave only decks that are not eliminated, and only other hands that are not."""
        out = [self.arithmetic.any_of(seat.eliminated) for seat in self._seats]
        if any(not isinstance(eliminated, bool) for eliminated in out[1:]):
            raise UnsupportedRuleError("a deck that may eliminate other hands")
        self.arithmetic.require(negated(out[0]))
        self._seats = [seat for seat, eliminated in zip(self._seats, out, strict=True) if eliminated is not True]
        if self._me not in self._seats:
            self._seats.insert(0, self._me)
        for seat in self._seats:
            seat.functions.seat([other.deck for other in self._seats if other is not seat])

    def _remove(self) -> None:
        for seat in self._seats:
            for category, limits in seat.limits.items():
                if len(limits) > 1:
                    raise UnsupportedRuleError("several rules that keep cards of a category")
                (rule, limit, prefer, condition), size = limits[0], seat.deck.size(category)
                excess = self.arithmetic.maximum([ZERO, self.arithmetic.subtract(size, limit)])
                order = self._order_of_draw(rule.key, seat.deck.player, prefer)
                seat.deck.remove(category, self.arithmetic.gated(condition, excess), order)
            seat.functions.forget()
        for seat in self._seats:
            seat.functions.forget()

    def _order_of_draw(self, rule: str, player: str, prefer: str) -> Callable[[dict[str, int]], list[tuple[str, int]]]:
        worths = preferences(self.edition, prefer)
        return lambda copies: [
            (draw.kind, draw.copy) for draw in sorted(draws(self.seed, rule, player, copies, worths))
        ]

    # Points

    def _value_cards(self) -> None:
        """Add up the worth of the cards, with factors and minimum worths."""
        me, arithmetic = self._me, self.arithmetic
        if me.factors and self.edition.factors_multiply:
            raise UnsupportedRuleError("factors that multiply each other")
        extra = {kind for kind, *_ in me.factors} | me.floors.keys()
        alike: dict[str, list[Number]] = {}
        points: list[Number] = []
        for category in sorted(self.edition.valued):
            for kind in me.deck.kinds(category):
                number = me.deck.has(kind)
                if number.high == 0:
                    continue
                count = arithmetic.minimum([number, *me.caps[kind]]) if kind in me.caps else number
                self._kinds[kind] = count
                value = (self.edition.worths.get(kind, 0), me.worths.get(kind), me.zeroes.get(kind))
                if kind in extra:
                    points.append(self._with_extra(kind, number, count))
                else:
                    alike.setdefault(str(value), []).append(count)
                    self._first.setdefault(str(value), kind)
        for key, counts in alike.items():
            points.append(self._value(self._first[key], me.deck.limited(arithmetic.total(counts))))
        me.cards = arithmetic.total(points)

    def _live(self, kind: str, count: Number) -> Number:
        """Return a number of cards of a kind, or 0 if they are worth nothing."""
        return self.arithmetic.gated(negated(self.arithmetic.any_of(self._me.zeroes.get(kind, []))), count)

    def _with_extra(self, kind: str, number: Number, count: Number) -> Number:
        """Return the points of a kind with factors or minimum worths."""
        me, arithmetic = self._me, self.arithmetic
        worth = self._worth(kind)
        scoring = self._live(kind, count)
        plain = self._value(kind, count)
        for name, factor, cards, condition in me.factors:
            if name == kind:
                gain = arithmetic.multiply(arithmetic.subtract(factor, ONE), worth)
                share = arithmetic.gated(condition, arithmetic.minimum([cards, scoring]))
                plain = arithmetic.add(plain, arithmetic.multiply(share, gain))
        for least, condition in me.floors.get(kind, []):
            applies = arithmetic.all_of((condition, arithmetic.positive(number)))
            gain = arithmetic.maximum([ZERO, arithmetic.subtract(least, plain)])
            if plain.low >= 0 and least.low >= 0:
                arithmetic.require(arithmetic.at_most(gain, least))  # follows, but shortens the proof
            plain = arithmetic.add(plain, arithmetic.gated(applies, gain))
        return plain

    def _value(self, kind: str, count: Number) -> Number:
        """Return the points of a number of cards that are worth as much as this kind."""
        arithmetic = self.arithmetic
        live = self._live(kind, count)
        plain = self.edition.worths.get(kind, 0)
        found = [(amount.constant, condition) for amount, condition in self._me.worths.get(kind, [])]
        values = {amount for amount, _ in found if amount is not None}
        if any(amount is None or amount < plain for amount, _ in found):
            return arithmetic.multiply(live, self._worth(kind))
        # The worth step by step, which the solver can bound better than a product.
        points, before = [arithmetic.multiply(live, constant(plain))], plain
        for value in sorted(values - {plain}):
            reached = arithmetic.any_of(
                condition for amount, condition in found if amount is not None and amount >= value
            )
            points.append(arithmetic.multiply(arithmetic.gated(reached, live), constant(value - before)))
            before = value
        return arithmetic.total(points)

    def _worth(self, kind: str) -> Number:
        """Return the worth of a card: the highest that a rule sets, or the stated one."""
        arithmetic = self.arithmetic
        plain = constant(self.edition.worths.get(kind, 0))
        found = self._me.worths.get(kind, [])
        if not found:
            return plain
        sure = [amount for amount, condition in found if condition is True]
        lowest = sure[0] if sure else constant(min(0, *(amount.low // amount.scale for amount, _ in found)) - 1)
        highest = arithmetic.maximum([arithmetic.choose(condition, amount, lowest) for amount, condition in found])
        return arithmetic.choose(arithmetic.any_of(condition for _, condition in found), highest, plain)

    def _sum(self, awards: Sequence[Award]) -> Number:
        live = (self.arithmetic.gated(award.live, award.amount) for award in awards)
        return self.arithmetic.total([self._me.cards, *live])

    def _points_so_far(self) -> tuple[Number, Mapping[str, Number]]:
        scoring = {kind: self._live(kind, count) for kind, count in self._kinds.items()}
        return self._before, scoring

    def _double(self) -> None:
        """Add the share of each factor."""
        if not self._me.doubled:
            return
        before = self._sum(self._me.awards)
        for rule, factor, condition in self._me.doubled:
            gain = self.arithmetic.multiply(self.arithmetic.subtract(factor, ONE), before)
            self._me.awards.append(Award(rule, gain, condition))
            if self.edition.factors_multiply:
                before = self.arithmetic.add(before, self.arithmetic.gated(condition, gain))

    def _void(self) -> None:
        """Void whole rules, then deductions, the largest first."""
        arithmetic, me = self.arithmetic, self._me
        if me.voids and (me.factors or me.floors):
            raise UnsupportedRuleError("void beside factors or minimum worths of cards")
        for award in me.awards:
            voids = [negated(condition) for rules, condition in me.voids if award.rule.key in rules]
            award.live = arithmetic.all_of((award.live, *voids))
        for _, rules, lines in sorted(me.shields, key=lambda shield: shield[0].position):
            found = [award for award in me.awards if award.deduction and award.rule.key in rules]
            amounts = [award.amount.constant for award in found]
            if None in amounts:
                raise UnsupportedRuleError("a shield from deductions that depend on the deck")
            order = sorted(
                (amount, award.rule.position, award.author, index)
                for index, (amount, award) in enumerate(zip(amounts, found, strict=True))
                if amount is not None and amount < 0
            )
            before = ZERO
            for *_, index in order:
                award = found[index]
                open_line = award.live
                award.live = arithmetic.all_of((open_line, arithmetic.at_most(lines, before)))
                before = arithmetic.add(before, as_number(open_line))


def _stated(rule: Rule) -> list[StatedStep]:
    return [_stated_step(rule, step) for step in rule.steps]


def _stated_step(rule: Rule, step: Step) -> StatedStep:
    if not isinstance(step.stated, StatedStep):
        raise UnsupportedRuleError(f"rule {rule.key}, which is a function")
    return step.stated


def _unknown_points() -> tuple[Number, Mapping[str, Number]]:
    raise UnsupportedRuleError("a rule that compares the points of other hands")


def _reaches_others(frame: FramePart, phase: Phase) -> bool:
    """Return whether an effect of another hand can matter."""
    return phase not in _ABOUT_OWN_CARDS and any(
        not part.verb or part.verb in _REACHING for part in [frame, *frame.case]
    )
