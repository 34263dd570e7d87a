"""The table with all hands of a game: a hand as rules read and write it, comparisons, and effects on other hands."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from server.scoring.edition import (
    require_category,
    require_kind,
    require_list,
    require_number,
    require_valued,
    require_whole,
)
from server.scoring.errors import EditionError, rule_failure
from server.scoring.hand import DeckPartCards, ReadOnly
from server.scoring.partition import TriesLeft
from server.scoring.rules import (
    ALWAYS,
    WRITES,
    Entry,
    PlayerGroup,
    Points,
    RuleAuthor,
    Value,
    Verb,
    Verbatim,
    effective,
    printed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.scoring.edition import Edition
    from server.scoring.hand import Hand
    from server.scoring.rules import Numbers, Phase, Rule, Step


_MAX_TRIES = 1_000_000
"""Ways to sort cards into sets that are tried in a game, which takes some seconds."""


class Table:
    """The hands that are in the game. Rules get it as `me.table`; comparisons use the cards that still score.

    `name` is a kind, a group or a category. If nobody has any of it, no hand has the most.
    """

    def __init__(self, edition: Edition, seed: str, *, provisional: bool) -> None:
        self.edition = edition
        self.seed = seed
        self.provisional = provisional
        """True if other hands are unknown; rules then say what those may change."""
        self.seats: Sequence[Seat] = ()
        """All hands that are not eliminated."""
        self.groups: Mapping[str, tuple[str, ...]] = {group.slug: group.kinds for group in edition.groups}
        self.shared: list[SharedEntry] = []
        """Entries that hands have written for all others in the current phase."""
        self.tries_left = TriesLeft(_MAX_TRIES)
        self._by_number: dict[str, dict[int, list[Seat]]] = {}
        self._by_player: dict[str, Seat] = {}

    def seat(self, seats: Sequence[Seat]) -> None:
        """Replace the hands at the table. This also resets comparisons, as cards may have left a hand."""
        self.seats = seats
        self._by_number = {}
        self._by_player = {seat.hand.player: seat for seat in seats}

    def of_player(self, player: str) -> Seat | None:
        """Return the hand of a player; None if there is none, or it is eliminated."""
        return self._by_player.get(player)

    def others(self, me: Seat) -> list[Seat]:
        """Return all other hands."""
        return [seat for seat in self.seats if seat is not me]

    def all_most(self, name: str) -> list[Seat]:
        """Return the hands that have the most of something: all that tie."""
        return next(iter(self._of(name).values()), [])

    def has_most(self, me: Seat, name: str) -> bool:
        """Return whether this hand has the most of something, alone or with others."""
        return me.has(name) == next(iter(self._of(name)), None)

    def sole_most(self, name: str) -> Seat | None:
        """Return the hand that alone has the most of something; None if hands tie."""
        most = self.all_most(name)
        return most[0] if len(most) == 1 else None

    def next_sole_most(self, name: str) -> Seat | None:
        """Return the hand that alone has the largest number of something; numbers that hands share are skipped."""
        return next((seats[0] for seats in self._of(name).values() if len(seats) == 1), None)

    def is_level(self, me: Seat, name: str) -> bool:
        """Return whether another hand has the same number of something as this one, above 0."""
        return len(self._of(name).get(me.has(name), ())) > 1

    def _of(self, name: str) -> dict[int, list[Seat]]:
        """Return the hands by their number of something, the largest first; hands with none are left out."""
        if name not in self._by_number:
            found: dict[int, list[Seat]] = {}
            for seat in self.seats:
                found.setdefault(seat.has(name), []).append(seat)
            found.pop(0, None)
            self._by_number[name] = dict(sorted(found.items(), reverse=True))
        return self._by_number[name]


class SharedEntry(NamedTuple):
    """An entry that a hand wrote for all other hands, or with `own` for itself too; `number` made the rule act."""

    seat: Seat
    entry: Entry
    number: int | None
    own: bool


def combined_entry(entry: Entry, group: PlayerGroup) -> Entry:
    """Return a single entry for a group of hands that all wrote `entry`."""
    values = {**entry.values, "authors": group, "times": len(group), "each": entry.amount}
    author = Verbatim(group.first(1)[0].player)
    return entry._replace(amount=entry.amount * len(group), values=values, author=author)


def distribute_shared(table: Table) -> None:
    """Write shared entries into the journals of all hands at the end of a phase; equal ones are combined into one.

    So breakdowns stay short, and the time for a game grows linearly with the number of hands.
    """
    groups: dict[str, list[SharedEntry]] = {}
    for shared in table.shared:
        groups.setdefault(_shared_key(shared), []).append(shared)
    table.shared.clear()
    for key in sorted(groups):
        members = sorted(groups[key], key=lambda shared: (shared.entry.author, shared.number or 0))
        authors = [RuleAuthor(shared.entry.author, shared.number) for shared in members]
        entry, own = members[0].entry, members[0].own
        places = {} if own else {shared.seat: index for index, shared in enumerate(members)}
        for seat in table.seats:
            group = PlayerGroup(authors, places.get(seat))
            if group:
                seat.journal.append(combined_entry(entry, group))


def _shared_key(shared: SharedEntry) -> str:
    """Return a key that is equal for entries that can be combined."""
    entry = shared.entry
    values = sorted(entry.values.items())
    moved = _numbers(entry.numbers)
    what = (entry.rule.position, entry.verb.name, entry.targets, entry.amount, entry.say, values, moved, shared.own)
    return repr(what)


def _numbers(numbers: Numbers) -> list[tuple[str, object, object]]:
    before = printed(numbers)
    return [(name, now, before[name]) for name, now in effective(numbers).items()]


_EXACT = (int, Fraction)


class Seat:
    """A hand while it is scored. Rules get it as `me`.

    Rules never see what was written in the same phase: numbers change, cards leave and hands are eliminated when the
    phase ends. The verbs (from `eliminate` on) append to the journal; their keyword arguments fill the sentence `say`
    of the rule, besides the rule's own numbers.
    """

    __slots__ = (
        *("_allowed", "_counts", "_rule", "_serials", "_points", "_scoring"),
        *("hand", "journal", "numbers", "off", "table", "total"),
    )

    def __init__(
        self,
        hand: Hand,
        table: Table,
        counts: Mapping[str, Mapping[str, int]],
        serials: Mapping[str, tuple[int, ...]],
        numbers: Mapping[str, Numbers],
    ) -> None:
        self.hand = hand
        self.table = table
        self.total = sum(sum(kinds.values()) for kinds in counts.values())
        """The number of all cards handed in."""
        self.journal: list[Entry] = []
        self.numbers = numbers
        """The numbers of every active rule for this hand, by the rule's key."""
        self.off: frozenset[str] = frozenset()
        """The keys of the rules that are switched off for this hand."""
        self._points: Points = 0
        self._scoring: Mapping[str, int] = {}
        self._counts = counts
        self._serials = serials
        self._rule: Rule
        self._allowed: tuple[Verb, ...]

    # For the engine

    def begin_phase(self, points: Points, scoring: Mapping[str, int]) -> None:
        """Take the points so far and the number of cards that bring points, by kind, for rules that read them."""
        self._points, self._scoring = points, scoring

    def run(self, phase: Phase, steps: Iterable[tuple[Rule, Step]]) -> None:
        """Run rules of a phase for this hand."""
        numbers, off = self.numbers, self.off
        self._allowed = WRITES[phase]
        for rule, step in steps:
            if rule.key in off and not step.always:
                continue
            self._rule = rule
            try:
                step.act(self, numbers[rule.key])
            except (Exception, SystemExit) as error:
                raise rule_failure(f"rule {rule.key}", step.act, error) from error

    def lose(self, category: str, removed: Mapping[str, int]) -> None:
        """Remove cards from those that score."""
        left = {kind: number - removed.get(kind, 0) for kind, number in self._counts[category].items()}
        self._counts = {**self._counts, category: ReadOnly({kind: n for kind, n in left.items() if n})}

    # For rules: reading

    @property
    def rule(self) -> Rule:
        """The current rule. Members of a family differ in its `lists`."""
        return self._rule

    def handed_in(self, kind: str) -> int:
        """Return the number of cards of a kind that the player handed in, even if they do not score."""
        return self.hand.cards.get(kind, 0)

    def has(self, name: str) -> int:
        """Return the number of cards of a kind, a group or a category that still score."""
        if name in self._counts:
            return sum(self._counts[name].values())
        kinds = self.table.groups.get(name)
        if kinds is None:
            for counts in self._counts.values():
                if name in counts:
                    return counts[name]
            return 0
        return sum(counts[kind] for counts in self._counts.values() for kind in kinds if kind in counts)

    def kinds(self, name: str) -> tuple[str, ...]:
        """Return the kinds of a group (or the kind itself) that still score."""
        return tuple(kind for kind in self.table.groups.get(name, (name,)) if self.has(kind))

    def holds_card(self) -> bool:
        """Return whether the player handed in a card of the current rule."""
        return self.handed_in(self._rule.card) > 0

    def counts(self, category: str) -> Mapping[str, int]:
        """Return the number of cards of each kind of a category that still score, without zeros."""
        return self._counts[category]

    def size(self, category: str) -> int:
        """Return the number of cards of a category that still score, copies included."""
        return sum(self._counts[category].values())

    def highest(self, category: str) -> int:
        """Return the count of the most frequent kind of a category; 0 if there is none."""
        return max(self._counts[category].values(), default=0)

    def most(self, category: str) -> tuple[str, ...]:
        """Return the most frequent kinds of a category: all that tie."""
        highest = self.highest(category)
        return tuple(kind for kind, count in self._counts[category].items() if count == highest)

    def serials(self, category: str) -> tuple[int, ...]:
        """Return the printed numbers of the cards of a category as handed in, each once."""
        return self._serials[category]

    def fact(self, name: str) -> int:
        """Return the value that the organiser entered for this hand: a whole number, or True or False."""
        facts = self.table.edition.fact_of
        if name not in facts:
            raise EditionError(f"the edition asks for no fact '{name}' (it asks for {', '.join(facts) or 'none'})")
        return self.hand.facts.get(name, facts[name].default)

    def player(self, name: str) -> Seat | None:
        """Return the hand of the player whom a fact names; None for nobody, and for a hand that is out of the game."""
        facts = [fact.name for fact in self.table.edition.player_facts]
        if name not in facts:
            raise EditionError(
                f"no fact '{name}' of the edition names a player (these do: {', '.join(facts) or 'none'})"
            )
        return self.table.of_player(self.hand.named.get(name, ""))

    def scoring(self, kind: str) -> int:
        """Return the number of cards of a kind that bring points, after all limits; 0 if they are worth nothing."""
        return self._scoring.get(kind, 0)

    def points_so_far(self) -> Points:
        """Return the points of the cards and of earlier phases."""
        return self._points

    def part(self, slug: str) -> DeckPartCards:
        """Return a labelled part of the deck, as handed in."""
        slugs = [part.slug for part in self.table.edition.parts]
        if slug not in slugs:
            raise EditionError(f"decks of the edition have no part '{slug}' (they have {', '.join(slugs) or 'none'})")
        return DeckPartCards(self.table.edition, self.hand.parts.get(slug, {}))

    # For rules: writing

    def eliminate(self, say: str = "line", /, **values: Value) -> None:
        """Eliminate this hand: it has no score and no effect on others."""
        self.journal.append(self._entry(Verb.ELIMINATE, (), say, values))

    def keep(self, category: str, limit: int, say: str = "line", /, *, prefer: str = "", **values: Value) -> None:
        """Let at most `limit` cards of a category score; the engine draws the cards to remove (`removed`, `seed`).

        `prefer` keeps the cards of the "highest" or "lowest" stated worth.
        """
        if prefer not in {"", "highest", "lowest"}:
            raise EditionError(f'me.keep can prefer "highest" or "lowest", not {prefer!r}')
        require_category(self.table.edition, category, "keep")
        if self.has(category) > limit:
            self.journal.append(self._entry(Verb.REMOVE, (category,), say, values, max(limit // 1, 0), prefer))

    def cancel(self, rules: Iterable[int | str], say: str = "line", /, *, everyone: bool, **values: Value) -> None:
        """Cancel other rules, which must be in `touches`, for this hand or for `everyone`."""
        targets = self._touched(rules, "cancel")
        if everyone:
            self._write_for_all(self._entry(Verb.CANCEL, targets, say, values), None, own=True)
        else:
            self.journal.append(self._entry(Verb.CANCEL, targets, say, values, author=self.hand.player))

    def adjust(self, rules: Iterable[int | str], number: str, by: int, say: str = "line", /, **values: Value) -> None:
        """Add to a number of other rules, which must be in `touches`. Several adjustments add up."""
        touched = self._touched(rules, "adjust")
        for rule in touched:
            require_number(rule, self.numbers[rule], number)
        self.journal.append(self._entry(Verb.ADJUST, touched, say, values, by, number))

    def worth(self, kind: str, worth: Points, say: str = "worth", /, **values: Value) -> None:
        """Set the worth of each card of a kind. If several rules do, the highest worth counts."""
        require_valued(self.table.edition, kind)
        self.journal.append(self._entry(Verb.SET, (kind,), say, values, worth))

    def cap(self, kind: str, limit: int, say: str = "line", /, **values: Value) -> None:
        """Let at most `limit` cards of a kind score. The smallest limit counts, rounded down; a negative one is 0."""
        require_kind(self.table.edition, kind, "cap")
        if self.has(kind) > limit:
            self.journal.append(self._entry(Verb.CAP, (kind,), say, values, max(limit // 1, 0)))

    def zero(self, kinds: Iterable[str], say: str = "line", /, **values: Value) -> None:
        """Make kinds of cards worth nothing, even if other rules set or multiply their worth."""
        require_list(kinds, "zero")
        held = []
        for kind in kinds:
            require_kind(self.table.edition, kind, "zero")
            if self.handed_in(kind):
                held.append(kind)
        if held:
            self.journal.append(self._entry(Verb.ZERO, tuple(held), say, values))

    def multiply(self, kind: str, factor: int, cards: int, say: str = "line", /, **values: Value) -> None:
        """Multiply the worth of `cards` cards of a kind, of those that score, by `factor`.

        Several multipliers add up: each adds its extra worth, computed from the plain worth. In an edition whose
        factors multiply, each also applies to what those of earlier rules have added.
        """
        require_kind(self.table.edition, kind, "multiply")
        require_whole(cards, "the number of cards for me.multiply")
        if cards > 0 and self.has(kind):
            values |= {"factor": factor, "cards": min(cards, self.has(kind))}
            self.journal.append(self._entry(Verb.MULTIPLY, (kind,), say, values, factor))

    def at_least(self, kind: str, points: Points, say: str = "line", /, **values: Value) -> None:
        """Let the cards of a kind together bring at least `points`, even if they are worth nothing."""
        require_kind(self.table.edition, kind, "at_least")
        if self.has(kind):
            self.journal.append(self._entry(Verb.FLOOR, (kind,), say, values, points))

    def points(self, points: Points, say: str = "line", /, **values: Value) -> None:
        """Give points, or take them if negative. There is no line for 0 points."""
        if points:
            self.journal.append(self._entry(Verb.POINTS, (), say, values, points))

    def points_for(self, other: Seat, points: Points, say: str = "line", /, **values: Value) -> None:
        """Give another hand points, or take them. The sentence may name the `author`, the player of this hand."""
        if not isinstance(other, Seat):
            raise EditionError(f"me.points_for takes a hand of the table, not {other!r}")
        if points:
            other.journal.append(self._entry(Verb.POINTS, (), say, values, points, author=self.hand.player))

    def points_for_others(
        self, points: Points, say: str = "line", /, *, number: int | None = None, **values: Value
    ) -> None:
        """Give all other hands points, or take them. Equal entries of several hands share a line of a breakdown.

        Its sentence may name the `authors`, each with the `number` that made the rule act, their number as `times`,
        and the points of each as `each`.
        """
        if number is not None:
            require_whole(number, "the number for me.points_for_others")
        if points:
            self._write_for_all(self._entry(Verb.POINTS, (), say, values, points), number, own=False)

    def double(self, factor: int, say: str = "line", /, **values: Value) -> None:
        """Multiply all points of earlier phases. Several factors add up, each computed from the same points."""
        self.journal.append(self._entry(Verb.DOUBLE, (), say, values, factor))

    def void(self, rules: Iterable[int | str], say: str = "line", /, **values: Value) -> None:
        """Void the points that other rules, which must be in `touches`, gave."""
        self.journal.append(self._entry(Verb.VOID, self._touched(rules, "void"), say, values))

    def shield(self, rules: Iterable[int | str], lines: int, say: str = "line", /, **values: Value) -> None:
        """Void a number of deductions by other rules, which must be in `touches`: the largest first, then by author."""
        if lines >= 1:
            self.journal.append(self._entry(Verb.SHIELD, self._touched(rules, "shield"), say, values, lines // 1))

    def note(self, say: str, /, **values: Value) -> None:
        """Write a line without points."""
        self.journal.append(self._entry(Verb.NOTE, (), say, values))

    def unknown(self, say: str = "unknown", /, **values: Value) -> None:
        """Write a line about what other hands may change; only in a provisional score."""
        if self.table.provisional:
            self.journal.append(self._entry(Verb.UNKNOWN, (), say, values))

    def _touched(self, rules: Iterable[int | str], verb: str) -> tuple[str, ...]:
        """Return the keys of the rules that are active; EditionError for a rule that is not in `touches`."""
        require_list(rules, verb)
        keys = tuple(str(rule) for rule in rules)
        for key in keys:
            if key not in self._rule.touches:
                raise EditionError(f"rule {self._rule.key} touches rule {key} without declaring it")
        return tuple(key for key in keys if key in self.numbers)

    def _write_for_all(self, entry: Entry, number: int | None, *, own: bool) -> None:
        """Write for all other hands, or with `own` for this one too, when the phase ends."""
        self.table.shared.append(SharedEntry(self, entry._replace(author=Verbatim(self.hand.player)), number, own))

    def _entry(
        self,
        verb: Verb,
        targets: tuple[str, ...],
        say: str,
        values: Mapping[str, Value],
        amount: Points = 0,
        number: str = "",
        author: str = "",
    ) -> Entry:
        """Return an entry of the current rule; EditionError if the rule may not write it."""
        rule = self._rule
        if verb not in self._allowed and verb not in ALWAYS:
            phase = next(step.phase for step in rule.steps if WRITES[step.phase] is self._allowed)
            raise EditionError(f"rule {rule.key} acts in phase {phase.name}, where no rule may {verb.value}")
        if not isinstance(amount, _EXACT):
            raise EditionError(f"rule {rule.key} writes {amount!r}; points are whole numbers or exact fractions")
        if not isinstance(say, str):
            raise EditionError(f"rule {rule.key} names its sentence by {say!r}; give the name of one of its says")
        return Entry(rule, verb, targets, number, amount, say, values, self.numbers[rule.key], author)
