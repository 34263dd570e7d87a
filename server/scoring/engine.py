"""The engine, which scores all hands of a game. The same hands and settings always give the same result."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from server.scoring.count import Count, add_up, apply_doubling, apply_voids, points_so_far, value_cards
from server.scoring.edition import SEED
from server.scoring.errors import rule_failure
from server.scoring.hand import ReadOnly, cards_in_play, choice_mistakes, part_mistakes
from server.scoring.phase_effects import PHASE_EFFECTS, provisional_seed
from server.scoring.ranking import rank_hands
from server.scoring.result import HandResult, Result
from server.scoring.rules import POINTS_PHASES, Entry, Numbers, Phase, RuleKey, Scope, Verb
from server.scoring.table import Seat, Table, distribute_shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.scoring.edition import Edition, Tie
    from server.scoring.hand import Hand
    from server.scoring.rules import Rule, Step


_POINTS_EFFECTS = {Phase.DOUBLE: apply_doubling, Phase.SHIELD: apply_voids}
"""The function that ends a phase about points, for each hand."""


class ScoringError(ValueError):
    """An unknown or bad card, setting or choice of rules. The message is one line for people."""


class Scorer:
    """An edition with the settings and active rules of a game, ready to score any number of hands.

    `settings` are whole numbers by name, by default those of the edition, and the text `seed` for random draws.
    `active_rules` are keys or numbers of rules; None means all. Other rules do nothing. ScoringError for unknown
    settings and rules.
    """

    def __init__(
        self,
        edition: Edition,
        settings: Mapping[str, int | str] | None = None,
        active_rules: Iterable[int | str] | None = None,
    ) -> None:
        self.edition = edition
        given = dict(settings or {})
        self.seed = str(given.pop(SEED, ""))
        self.settings = _settings(edition, given)
        active = _active(edition, active_rules)
        self._numbers = {
            rule.key: Numbers({**rule.numbers, **{name: self.settings[name] for name in rule.settings}})
            for rule in edition.rules
            if rule.key in active
        }
        self._active = [rule for rule in edition.rules if rule.key in active]
        self._steps: dict[Phase, list[tuple[Rule, Step]]] = {phase: [] for phase in edition.phases}
        for rule in self._active:
            for step in rule.steps:
                self._steps[step.phase].append((rule, step))
        self._common = {
            phase: [(rule, step) for rule, step in steps if rule.scope is Scope.ALWAYS]
            for phase, steps in self._steps.items()
        }
        self._by_card = {rule.card: rule for rule in self._active if rule.scope is not Scope.ALWAYS}
        ties = [tie for tie in edition.ties if tie.rule is None or tie.rule in active]
        self._ties = [tie for tie in ties if not tie.shares]
        self._listing = [tie for tie in ties if tie.shares]
        self._order = {kind.slug: index for index, kind in enumerate(edition.kinds)}
        self._categories = {kind.slug: kind.category for kind in edition.kinds}
        self._serials = {kind.slug: kind.number for kind in edition.kinds if kind.number is not None}

    @property
    def active(self) -> tuple[Rule, ...]:
        """The active rules, in the order of the edition."""
        return tuple(self._active)

    def score(self, hands: Sequence[Hand], *, provisional: bool | None = None) -> Result:
        """Score and rank the hands of one game; ScoringError for an unknown card or choice.

        If `provisional`, the other hands are unknown: each hand is scored by itself, its lines say what other hands
        may change, and random draws use another seed. By default a single hand is provisional, unless it comes with
        cancel choices, which are made when all hands are known.
        """
        if provisional is None:
            provisional = len(hands) == 1 and not hands[0].cancels
        self._check_cancels(hands)
        seed = provisional_seed(self.seed) if provisional else self.seed
        seats: list[Seat] = []
        counts: dict[Seat, Count] = {}
        for party in [[hand] for hand in hands] if provisional else [hands]:
            table = Table(self.edition, seed, provisional=provisional)
            at_table = [self._seat(hand, table) for hand in party]
            table.seat(at_table)
            counts |= self._count(table)
            seats += at_table
        scores = [counts[seat].points if seat in counts else None for seat in seats]
        ranked = rank_hands(
            scores,
            [[_tie_value(tie, seat) for tie in self._ties] for seat in seats],
            [[_tie_value(tie, seat) for tie in self._listing] for seat in seats],
        )
        for seat in seats:
            seat.table.seat(())  # breaks the reference cycles, so that the hands are freed at once
        return Result(
            self.edition,
            self.settings,
            tuple(
                HandResult(
                    edition=self.edition,
                    hand=hands[place.hand],
                    score=Fraction(scores[place.hand] or 0),
                    rank=place.rank,
                    decided_by=None if place.decided_by is None else self._ties[place.decided_by].name,
                    seat=seats[place.hand],
                    count=counts.get(seats[place.hand], Count()),
                    eliminated=scores[place.hand] is None,
                )
                for place in ranked
            ),
            seed,
            provisional,
        )

    def _count(self, table: Table) -> dict[Seat, Count]:
        """Run all phases; return the count of every hand that is not eliminated."""
        held = {seat: self._held(seat) for seat in table.seats} if self._by_card else {}
        counts: dict[Seat, Count] = {}
        for phase in self.edition.phases:
            if not counts and phase in POINTS_PHASES:
                counts = {seat: value_cards(seat, self.edition) for seat in table.seats}
            if not self._steps[phase]:
                continue
            if any(step.reads_points for _, step in self._steps[phase]):
                for seat, count in counts.items():
                    seat.begin_phase(*points_so_far(seat, self.edition, count))
            self._run(phase, table, held)
            if phase in PHASE_EFFECTS:
                PHASE_EFFECTS[phase](table)
            for seat, count in counts.items() if phase in _POINTS_EFFECTS else ():
                _POINTS_EFFECTS[phase](seat, count)
        for seat, count in counts.items():
            add_up(seat, count)
        return counts

    def _run(self, phase: Phase, table: Table, held: Mapping[Seat, list[Rule]]) -> None:
        """Run the rules of a phase for every hand."""
        steps = self._common[phase]
        if held:
            in_play = {rule.key for seat in table.seats for rule in held[seat] if rule.scope is Scope.IN_PLAY}
            steps = steps + [(rule, step) for rule, step in self._steps[phase] if rule.key in in_play]
        for seat in table.seats:
            seat.run(phase, steps)
            if seat in held:
                mine = [rule for rule in held[seat] if rule.scope is Scope.HOLDER]
                seat.run(phase, [(rule, step) for rule in mine for step in rule.steps if step.phase is phase])
        if table.shared:
            distribute_shared(table)

    def _held(self, seat: Seat) -> list[Rule]:
        """Return the rules that act because this hand has their cards, and write a line for each idle card."""
        rules, idle = acting_rules(seat, [self._by_card[kind] for kind in seat.hand.cards if kind in self._by_card])
        for rule, first in idle:
            key = RuleKey(first.key)
            numbers = self._numbers[rule.key]
            seat.journal.append(Entry(rule, Verb.IDLE, (first.key,), "", 0, "idle", {"first": key}, numbers))
        if seat.table.provisional:
            for rule in self._by_card.values():
                if rule.scope is Scope.IN_PLAY and rule not in rules:
                    seat.journal.append(Entry(rule, Verb.OPEN, (), "", 0, "open", {}, self._numbers[rule.key]))
        return rules

    def _seat(self, hand: Hand, table: Table) -> Seat:
        """Group the cards of a hand by category, in the edition's order."""
        counts: dict[str, dict[str, int]] = {deal.category: {} for deal in self.edition.deal}
        serials: dict[str, tuple[int, ...]] = dict.fromkeys(counts, ())
        try:
            kinds = sorted(hand.cards, key=self._order.__getitem__)
        except KeyError as error:
            raise ScoringError(f"{hand.player}: {self.edition.slug} has no card {error}") from None
        for kind in kinds:
            number = hand.cards[kind]
            if number < 0:
                raise ScoringError(f"{hand.player}: {number} cards of kind '{kind}'; the number must not be negative")
            if number:
                category = self._categories[kind]
                counts[category][kind] = number
                if kind in self._serials:
                    serials[category] += (self._serials[kind],)
        if hand.facts or hand.parts or hand.named:
            self._check_entries(hand)
        shown = {category: ReadOnly(held) for category, held in counts.items()}
        return Seat(hand, table, shown, serials, self._numbers)

    def _check_entries(self, hand: Hand) -> None:
        """Raise ScoringError for a bad fact or part of a deck."""
        for name, value in hand.facts.items():
            fact = self.edition.fact_of.get(name)
            if fact is None:
                raise ScoringError(f"{hand.player}: {self.edition.slug} asks for no fact '{name}'")
            if not fact.takes(value):
                raise ScoringError(f"{hand.player}: fact {name} is {value}, but must be {fact.expects}")
        named = {fact.name for fact in self.edition.player_facts}
        for name in hand.named.keys() - named:
            raise ScoringError(f"{hand.player}: {self.edition.slug} asks for no player as '{name}'")
        for part, kind, sentence in part_mistakes(self.edition, hand):
            raise ScoringError(f"{hand.player}: part {part}: {kind or self.edition.slug} {sentence}")

    def _check_cancels(self, hands: Sequence[Hand]) -> None:
        """Raise ScoringError for a bad choice of a rule to cancel."""
        if not any(hand.cancels for hand in hands):
            return
        cards = {hand.player: hand.cards for hand in hands}
        in_play = cards_in_play(cards)
        for hand in hands:
            for mistake in choice_mistakes(self.edition, self._numbers, cards, hand.player, hand.cancels, in_play):
                raise ScoringError(f"{hand.player}: {mistake}")


def score(
    edition: Edition,
    hands: Sequence[Hand],
    settings: Mapping[str, int | str] | None = None,
    active_rules: Iterable[int | str] | None = None,
    *,
    provisional: bool | None = None,
) -> Result:
    """Score and rank the hands of one game. See `Scorer` for settings, active rules and errors."""
    return Scorer(edition, settings, active_rules).score(hands, provisional=provisional)


def acting_rules(seat: Seat, rules: Iterable[Rule]) -> tuple[list[Rule], list[tuple[Rule, Rule]]]:
    """Return the rules that act because a hand has their card, and pairs (idle rule, rule that acts instead).

    Of rules with the same effect the first one acts; a rule whose card is held several times is idle beside itself.
    """
    first: dict[str, Rule] = {}
    idle: list[tuple[Rule, Rule]] = []
    for rule in sorted(rules, key=lambda rule: rule.position):
        copies = seat.handed_in(rule.card) if rule.scope is not Scope.ALWAYS else 0
        if not copies:
            continue
        if rule.effect in first:
            idle.append((rule, first[rule.effect]))
        else:
            first[rule.effect] = rule
            if copies > 1:
                idle.append((rule, rule))
    return list(first.values()), idle


def _tie_value(tie: Tie, seat: Seat) -> object:
    try:
        return tie.key(seat)
    except (Exception, SystemExit) as error:
        raise rule_failure(f"tie-break {tie.name}", tie.key, error) from error


def _settings(edition: Edition, given: Mapping[str, int | str]) -> dict[str, int]:
    known = {setting.name: setting for setting in edition.settings}
    values = {name: setting.default for name, setting in known.items()}
    for name, value in given.items():
        if name not in known:
            raise ScoringError(f"{edition.slug} has no setting '{name}' (it has {', '.join([*known, SEED])})")
        low, high = known[name].minimum, known[name].maximum
        if not isinstance(value, int) or value < low or (high is not None and value > high):
            upper = "" if high is None else f" and at most {high}"
            raise ScoringError(f"setting {name} is {value}, but must be at least {low}{upper}")
        values[name] = value
    return values


def _active(edition: Edition, chosen: Iterable[int | str] | None) -> frozenset[str]:
    if chosen is None:
        return frozenset(edition.rule_of)
    keys = frozenset(str(key) for key in chosen)
    for key in sorted(keys - frozenset(edition.rule_of)):
        raise ScoringError(f"{edition.slug} has no rule '{key}'")
    return keys
