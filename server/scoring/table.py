"""The table: all hands of a game together, and how they compare."""

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


class Table:
    """The hands that are in the game. Rules get it as `me.table`; comparisons read the cards still scoring.

    `name` is always a kind, a group or a category. Nobody has most of what nobody has.
    """

    def __init__(self, edition: Edition, seed: str, *, provisional: bool) -> None:
        self.edition = edition
        self.seed = seed
        self.provisional = provisional
        """Whether other hands are still unknown: rules then say what those may change."""
        self.seats: Sequence[Seat] = ()
        """All hands that are not eliminated."""
        self.groups: Mapping[str, tuple[str, ...]] = {group.slug: group.kinds for group in edition.groups}
        self.shared: list[SharedEntry] = []
        """What hands have written for all others in the phase that runs."""
        self._standings: dict[str, dict[int, list[Seat]]] = {}

    def seat(self, seats: Sequence[Seat]) -> None:
        """Let these hands take part, with the cards that they have now; whoever was there before has left."""
        self.seats = seats
        self._standings = {}

    def others(self, me: Seat) -> list[Seat]:
        """Return all other hands."""
        return [seat for seat in self.seats if seat is not me]

    def all_most(self, name: str) -> list[Seat]:
        """Return the hands with most of something: all that tie."""
        return next(iter(self._of(name).values()), [])

    def has_most(self, me: Seat, name: str) -> bool:
        """Tell whether no hand has more of something than this one, which has some; others may have as much."""
        return me.has(name) == next(iter(self._of(name)), None)

    def sole_most(self, name: str) -> Seat | None:
        """Return the one hand with most of something; None where hands tie."""
        most = self.all_most(name)
        return most[0] if len(most) == 1 else None

    def next_sole_most(self, name: str) -> Seat | None:
        """Return the hand with most of something; hands that tie are passed over, and the next number is tried."""
        return next((seats[0] for seats in self._of(name).values() if len(seats) == 1), None)

    def is_level(self, me: Seat, name: str) -> bool:
        """Tell whether another hand has as much of something as this one, and not nothing."""
        return len(self._of(name).get(me.has(name), ())) > 1

    def _of(self, name: str) -> dict[int, list[Seat]]:
        """Return the hands by how much they have of something, most first; those with nothing are left out."""
        if name not in self._standings:
            found: dict[int, list[Seat]] = {}
            for seat in self.seats:
                found.setdefault(seat.has(name), []).append(seat)
            found.pop(0, None)
            self._standings[name] = dict(sorted(found.items(), reverse=True))
        return self._standings[name]


class SharedEntry(NamedTuple):
    """An entry that a hand wrote for every hand: with `own` for itself too, and with the number that made it act."""

    seat: Seat
    entry: Entry
    number: int | None
    own: bool


def combined_entry(entry: Entry, crowd: PlayerGroup) -> Entry:
    """Return what a crowd did to a hand, as one entry. `entry` is what each of them did."""
    values = {**entry.values, "authors": crowd, "times": len(crowd), "each": entry.amount}
    author = Verbatim(crowd.first(1)[0].player)
    return entry._replace(amount=entry.amount * len(crowd), values=values, author=author)


def distribute_shared(table: Table) -> None:
    """End a phase: write into every journal what others wrote for all, one entry for those that wrote the same."""
    groups: dict[str, list[SharedEntry]] = {}
    for shared in table.shared:
        groups.setdefault(_likeness(shared), []).append(shared)
    table.shared.clear()
    for key in sorted(groups):
        group = sorted(groups[key], key=lambda shared: (shared.entry.author, shared.number or 0))
        authors = [RuleAuthor(shared.entry.author, shared.number) for shared in group]
        entry, own = group[0].entry, group[0].own
        places = {} if own else {shared.seat: place for place, shared in enumerate(group)}
        for seat in table.seats:
            crowd = PlayerGroup(authors, places.get(seat))
            if crowd:
                seat.journal.append(combined_entry(entry, crowd))


def _likeness(shared: SharedEntry) -> str:
    """Return what is the same for entries that one line can tell."""
    entry = shared.entry
    values = sorted(entry.values.items())
    moved = _numbers(entry.numbers)
    what = (entry.rule.place, entry.verb.name, entry.targets, entry.amount, entry.say, values, moved, shared.own)
    return repr(what)


def _numbers(numbers: Numbers) -> list[tuple[str, object, object]]:
    before = printed(numbers)
    return [(name, now, before[name]) for name, now in effective(numbers).items()]


_EXACT = (int, Fraction)


class Seat:
    """A hand while it is counted. Rules get it as `me`.

    Reading never sees what was written in the same phase: numbers move, cards leave and hands are eliminated when the
    phase has ended. The verbs (from `eliminate` on) append to the journal; their keyword arguments fill the sentence
    `say` of the rule, besides the rule's own numbers.
    """

    __slots__ = ("_allowed", "_counts", "_rule", "_serials", "hand", "journal", "numbers", "off", "table", "total")

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
        """All cards handed in, of any kind."""
        self.journal: list[Entry] = []
        self.numbers = numbers
        """The numbers of every active rule, by the rule's key, as they count for this hand."""
        self.off: frozenset[str] = frozenset()
        """The keys of the rules that are switched off for this hand."""
        self._counts = counts
        self._serials = serials
        self._rule: Rule
        self._allowed: tuple[Verb, ...]

    # ------------------------------------------------------------------ what the engine does

    def run(self, phase: Phase, steps: Iterable[tuple[Rule, Step]]) -> None:
        """Let rules of a phase look at this hand and write."""
        numbers, off = self.numbers, self.off
        self._allowed = WRITES[phase]
        for rule, step in steps:
            if rule.key in off and not step.always:
                continue
            self._rule = rule
            try:
                step.act(self, numbers[rule.key])
            except (Exception, SystemExit) as error:  # noqa: BLE001 - an author's function can fail in any way
                raise rule_failure(f"rule {rule.key}", step.act, error) from None

    def lose(self, category: str, removed: Mapping[str, int]) -> None:
        """Take cards out of what scores."""
        left = {kind: number - removed.get(kind, 0) for kind, number in self._counts[category].items()}
        self._counts = {**self._counts, category: ReadOnly({kind: n for kind, n in left.items() if n})}

    # ------------------------------------------------------------------ what rules read

    @property
    def rule(self) -> Rule:
        """The rule that acts: its `lists` tell members of a family apart."""
        return self._rule

    def handed_in(self, kind: str) -> int:
        """Return how many cards of a kind the player handed in, whether they score or not."""
        return self.hand.cards.get(kind, 0)

    def has(self, name: str) -> int:
        """Return how many cards of a kind, a group or a category still score."""
        if name in self._counts:
            return sum(self._counts[name].values())
        kinds = self.table.groups.get(name, (name,))
        return sum(counts[kind] for counts in self._counts.values() for kind in kinds if kind in counts)

    def kinds(self, name: str) -> tuple[str, ...]:
        """Return the kinds of a group (or the kind itself) of which cards still score."""
        return tuple(kind for kind in self.table.groups.get(name, (name,)) if self.has(kind))

    def holds_card(self) -> bool:
        """Tell whether the player handed in a card of the rule that acts."""
        return self.handed_in(self._rule.card) > 0

    def counts(self, category: str) -> Mapping[str, int]:
        """Return how many cards of each kind of a category still score; kinds without a card are left out."""
        return self._counts[category]

    def size(self, category: str) -> int:
        """Return how many cards of a category still score, copies counted."""
        return sum(self._counts[category].values())

    def highest(self, category: str) -> int:
        """Return the count of the most frequent kind of a category; 0 if there is none."""
        return max(self._counts[category].values(), default=0)

    def most(self, category: str) -> tuple[str, ...]:
        """Return the most frequent kinds of a category, all that tie; none if there is no card."""
        highest = self.highest(category)
        return tuple(kind for kind, count in self._counts[category].items() if count == highest)

    def serials(self, category: str) -> tuple[int, ...]:
        """Return the printed numbers of a category's cards as handed in, each number once."""
        return self._serials[category]

    def fact(self, name: str) -> int:
        """Return what the organiser entered for this hand: a whole number, or True or False."""
        facts = self.table.edition.fact_of
        if name not in facts:
            raise EditionError(f"the edition asks for no fact '{name}' (it asks for {', '.join(facts) or 'none'})")
        return self.hand.facts.get(name, facts[name].default)

    def part(self, slug: str) -> DeckPartCards:
        """Return a labelled part of the deck, as handed in."""
        slugs = [part.slug for part in self.table.edition.parts]
        if slug not in slugs:
            raise EditionError(f"decks of the edition have no part '{slug}' (they have {', '.join(slugs) or 'none'})")
        return DeckPartCards(self.table.edition, self.hand.parts.get(slug, {}))

    # ------------------------------------------------------------------ what rules write

    def eliminate(self, say: str = "line", /, **values: Value) -> None:
        """Take this hand out of the game: it has no score and does nothing to others."""
        self.journal.append(self._entry(Verb.ELIMINATE, (), say, values))

    def keep(self, category: str, limit: int, say: str = "line", /, **values: Value) -> None:
        """Let at most `limit` cards of a category score; the engine draws which leave (`removed`, by the `seed`)."""
        require_category(self.table.edition, category, "keep")
        if self.has(category) > limit:
            self.journal.append(self._entry(Verb.REMOVE, (category,), say, values, limit))

    def cancel(self, rules: Iterable[int | str], say: str = "line", /, *, everyone: bool, **values: Value) -> None:
        """Switch other rules off, which the rule declares in `touches`: for this hand, or for `everyone`."""
        targets = self._touched(rules, "cancel")
        if everyone:
            self._write_for_all(self._entry(Verb.CANCEL, targets, say, values), None, own=True)
        else:
            self.journal.append(self._entry(Verb.CANCEL, targets, say, values, author=self.hand.player))

    def adjust(self, rules: Iterable[int | str], number: str, by: int, say: str = "line", /, **values: Value) -> None:
        """Move a number of other rules, which the rule declares in `touches`. Movements add up."""
        touched = self._touched(rules, "adjust")
        for rule in touched:
            require_number(rule, self.numbers[rule], number)
        self.journal.append(self._entry(Verb.ADJUST, touched, say, values, by, number))

    def worth(self, kind: str, worth: Points, say: str = "worth", /, **values: Value) -> None:
        """Set what each card of a kind is worth. If several rules do, the highest worth counts."""
        require_valued(self.table.edition, kind)
        self.journal.append(self._entry(Verb.SET, (kind,), say, values, worth))

    def cap(self, kind: str, limit: int, say: str = "line", /, **values: Value) -> None:
        """Let at most `limit` cards of a kind bring points. The smallest limit counts; below 0 it is 0."""
        require_kind(self.table.edition, kind, "cap")
        if self.has(kind) > limit:
            self.journal.append(self._entry(Verb.CAP, (kind,), say, values, max(limit, 0)))

    def zero(self, kinds: Iterable[str], say: str = "line", /, **values: Value) -> None:
        """Make kinds of cards worth nothing, whatever rule set or multiplied their worth."""
        require_list(kinds, "zero")
        held = []
        for kind in kinds:
            require_kind(self.table.edition, kind, "zero")
            if self.handed_in(kind):
                held.append(kind)
        if held:
            self.journal.append(self._entry(Verb.ZERO, tuple(held), say, values))

    def multiply(self, kind: str, factor: int, cards: int, say: str = "line", /, **values: Value) -> None:
        """Make that many cards of a kind, of those that score, worth `factor` times their worth.

        Several multipliers add up: each brings its extra worth, counted from the plain worth.
        """
        require_kind(self.table.edition, kind, "multiply")
        require_whole(cards, "the number of cards for me.multiply")
        if cards > 0 and self.has(kind):
            values |= {"factor": factor, "cards": min(cards, self.has(kind))}
            self.journal.append(self._entry(Verb.MULTIPLY, (kind,), say, values, factor))

    def at_least(self, kind: str, points: Points, say: str = "line", /, **values: Value) -> None:
        """Let the cards of a kind together bring at least so many points, whatever makes them worth nothing."""
        require_kind(self.table.edition, kind, "at_least")
        if self.has(kind):
            self.journal.append(self._entry(Verb.FLOOR, (kind,), say, values, points))

    def points(self, points: Points, say: str = "line", /, **values: Value) -> None:
        """Give points, or take them if negative. Points of 0 leave no line."""
        if points:
            self.journal.append(self._entry(Verb.POINTS, (), say, values, points))

    def points_for(self, other: Seat, points: Points, say: str = "line", /, **values: Value) -> None:
        """Give another hand points, or take them; the sentence may name the `author`, whose hand this is."""
        if not isinstance(other, Seat):
            raise EditionError(f"me.points_for takes a hand of the table, not {other!r}")
        if points:
            other.journal.append(self._entry(Verb.POINTS, (), say, values, points, author=self.hand.player))

    def points_for_others(
        self, points: Points, say: str = "line", /, *, number: int | None = None, **values: Value
    ) -> None:
        """Give all other hands points, or take them. Hands that write the same stand in one line of a breakdown.

        Its sentence may name the `authors`, each with the `number` that made it act; `times` says how many they are,
        and `each` what each of them gives.
        """
        if number is not None:
            require_whole(number, "the number for me.points_for_others")
        if points:
            self._write_for_all(self._entry(Verb.POINTS, (), say, values, points), number, own=False)

    def double(self, factor: int, say: str = "line", /, **values: Value) -> None:
        """Multiply all points of the phases before. Several factors add up, each counted from the same points."""
        self.journal.append(self._entry(Verb.DOUBLE, (), say, values, factor))

    def void(self, rules: Iterable[int | str], say: str = "line", /, **values: Value) -> None:
        """Void the points that other rules gave, which the rule declares in `touches`."""
        self.journal.append(self._entry(Verb.VOID, self._touched(rules, "void"), say, values))

    def shield(self, rules: Iterable[int | str], lines: int, say: str = "line", /, **values: Value) -> None:
        """Void so many deductions by other rules, declared in `touches`: the largest first, then by their author."""
        if lines > 0:
            self.journal.append(self._entry(Verb.SHIELD, self._touched(rules, "shield"), say, values, lines))

    def note(self, say: str, /, **values: Value) -> None:
        """Leave a line without points."""
        self.journal.append(self._entry(Verb.NOTE, (), say, values))

    def unknown(self, say: str = "unknown", /, **values: Value) -> None:
        """Leave a line about what other hands may change; nothing once all hands are on the table."""
        if self.table.provisional:
            self.journal.append(self._entry(Verb.UNKNOWN, (), say, values))

    def _touched(self, rules: Iterable[int | str], verb: str) -> tuple[str, ...]:
        """Return the keys of those rules that are active; refuse a rule that was not declared."""
        require_list(rules, verb)
        keys = tuple(str(rule) for rule in rules)
        for key in keys:
            if key not in self._rule.touches:
                raise EditionError(f"rule {self._rule.key} touches rule {key} without declaring it")
        return tuple(key for key in keys if key in self.numbers)

    def _write_for_all(self, entry: Entry, number: int | None, *, own: bool) -> None:
        """Write for every hand, with `own` for this one too; it reaches the journals when the phase ends."""
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
        """Return an entry by the rule that acts; refuse what it may not write."""
        rule = self._rule
        if verb not in self._allowed and verb not in ALWAYS:
            phase = next(step.phase for step in rule.steps if WRITES[step.phase] is self._allowed)
            raise EditionError(f"rule {rule.key} acts in phase {phase.name}, where no rule may {verb.value}")
        if not isinstance(amount, _EXACT):
            raise EditionError(f"rule {rule.key} writes {amount!r}; points are whole numbers or exact fractions")
        if not isinstance(say, str):
            raise EditionError(f"rule {rule.key} names its sentence by {say!r}; give the name of one of its says")
        return Entry(rule, verb, targets, number, amount, say, values, self.numbers[rule.key], author)
