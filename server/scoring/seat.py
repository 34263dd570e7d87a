"""One hand at the table: what its rules may read, and the verbs with which they write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import EditionError
from server.scoring.journal import Entry, Points, Value
from server.scoring.phases import WRITES, Verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.scoring.edition import Rule
    from server.scoring.hand import Hand
    from server.scoring.numbers import Numbers


class Seat:
    """A hand while it is counted. Rules get it as `me`.

    Reading never sees what was written in the same phase: numbers move when the phase has ended, and the cards
    never change. The verbs (`adjust`, `worth`, `zero`, `points`, `void`, `note`) append to the journal; their
    keyword arguments fill the sentence `say` of the rule, besides the rule's own numbers.
    """

    __slots__ = ("_counts", "_rule", "_serials", "hand", "journal", "numbers", "total")

    def __init__(
        self,
        hand: Hand,
        counts: Mapping[str, Mapping[str, int]],
        serials: Mapping[str, tuple[int, ...]],
        numbers: Mapping[str, Numbers],
    ) -> None:
        self.hand = hand
        self.total = sum(sum(kinds.values()) for kinds in counts.values())
        """All cards handed in, of any kind."""
        self.journal: list[Entry] = []
        self.numbers = numbers
        """The numbers of every active rule, by the rule's key, as they count for this hand."""
        self._counts = counts
        self._serials = serials
        self._rule: Rule

    # ------------------------------------------------------------------ what the engine does

    def run(self, rule: Rule) -> None:
        """Let a rule that acts look at this hand and write."""
        if rule.act is None:
            raise EditionError(f"rule {rule.key} has no function to run")
        self._rule = rule
        rule.act(self, self.numbers[rule.key])

    # ------------------------------------------------------------------ what rules read

    def handed_in(self, kind: str) -> int:
        """Return how many cards of a kind the player handed in."""
        return self.hand.cards.get(kind, 0)

    def counts(self, category: str) -> Mapping[str, int]:
        """Return how many cards of each kind of a category were handed in; kinds without a card are left out."""
        return self._counts[category]

    def size(self, category: str) -> int:
        """Return how many cards of a category were handed in, copies counted."""
        return sum(self._counts[category].values())

    def highest(self, category: str) -> int:
        """Return the count of the most frequent kind of a category; 0 if none was handed in."""
        return max(self._counts[category].values(), default=0)

    def most(self, category: str) -> tuple[str, ...]:
        """Return the kinds of a category handed in most often, all that tie; none if none was handed in."""
        highest = self.highest(category)
        return tuple(kind for kind, count in self._counts[category].items() if count == highest)

    def serials(self, category: str) -> tuple[int, ...]:
        """Return the printed numbers of a category's cards, each number once."""
        return self._serials[category]

    # ------------------------------------------------------------------ what rules write

    def adjust(self, rules: Iterable[int | str], number: str, by: int, say: str = "line", /, **values: Value) -> None:
        """Move a number of other rules, which the rule declares in `touches`. Movements add up."""
        self._write(Verb.ADJUST, self._touched(rules), say, values, by, number)

    def worth(self, kind: str, worth: Points, say: str = "worth", /, **values: Value) -> None:
        """Set what each card of a kind is worth. If several rules do, the highest worth counts."""
        self._write(Verb.SET, (kind,), say, values, worth)

    def zero(self, kinds: Iterable[str], say: str = "line", /, **values: Value) -> None:
        """Make kinds of cards worth nothing, whatever rule set their worth."""
        held = tuple(kind for kind in kinds if self.handed_in(kind))
        if held:
            self._write(Verb.ZERO, held, say, values)

    def points(self, points: Points, say: str = "line", /, **values: Value) -> None:
        """Give points, or take them if negative. Points of 0 leave no line."""
        if points:
            self._write(Verb.POINTS, (), say, values, points)

    def void(self, rules: Iterable[int | str], say: str = "line", /, **values: Value) -> None:
        """Void the points that other rules gave, which the rule declares in `touches`."""
        self._write(Verb.VOID, self._touched(rules), say, values)

    def note(self, say: str, /, **values: Value) -> None:
        """Leave a line without points."""
        self._write(Verb.NOTE, (), say, values)

    def _touched(self, rules: Iterable[int | str]) -> tuple[str, ...]:
        """Return the keys of those rules that are active; refuse a rule that was not declared."""
        keys = tuple(str(rule) for rule in rules)
        for key in keys:
            if key not in self._rule.touches:
                raise EditionError(f"rule {self._rule.key} touches rule {key} without declaring it")
        return tuple(key for key in keys if key in self.numbers)

    def _write(
        self,
        verb: Verb,
        targets: tuple[str, ...],
        say: str,
        values: Mapping[str, Value],
        amount: Points = 0,
        number: str = "",
    ) -> None:
        rule = self._rule
        if verb is not Verb.NOTE and rule.phase is not None and verb is not WRITES[rule.phase]:
            raise EditionError(f"rule {rule.key} acts in phase {rule.phase.name}, where no rule may {verb.value}")
        self.journal.append(Entry(rule, verb, targets, number, amount, say, values, self.numbers[rule.key]))
