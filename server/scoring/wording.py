"""Fills the templates of sentences, in the language of an edition. Every template is a whole sentence by itself."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from server.scoring.crowd import Crowd
from server.scoring.edition import EditionError
from server.scoring.journal import Verbatim
from server.scoring.numbers import effective, printed
from server.scoring.phases import Verb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.scoring.edition import Edition
    from server.scoring.journal import Entry, Points, Value
    from server.scoring.numbers import Numbers
    from server.scoring.seat import Seat

_NAMED = 6
# Of more hands than these not all are named, so that a line stays a line. One hand is never "more".


def decimal(points: Points) -> str:
    """Write points exactly: "42", "27.5", "-3"; as a fraction such as "1/3" where no decimal is exact."""
    exact = Fraction(points)
    digits = 0
    while exact.denominator != 1 and 10**digits % exact.denominator and digits < exact.denominator.bit_length():
        digits += 1
    scaled = exact * 10**digits
    if scaled.denominator != 1:
        return str(exact)
    if not digits:
        return str(scaled.numerator)
    whole, rest = divmod(abs(scaled.numerator), 10**digits)
    return f"{'-' if exact < 0 else ''}{whole}.{rest:0{digits}d}"


def number_text(points: Points, phrases: Mapping[str, str]) -> str:
    """Write a number exactly as people of a language do: "27.5" or "27,5"."""
    return decimal(points).replace(".", phrases["decimal_mark"])


class Wording:
    """The sentences of a hand's breakdown, in the language of `edition`. `called` has other names for some players."""

    def __init__(self, edition: Edition, seat: Seat, called: Mapping[str, str] | None = None) -> None:
        self._edition = edition
        self._called = called or {}
        self._player = self._name(seat.hand.player)
        self._numbers = seat.numbers

    def phrase(self, name: str, **values: Value) -> str:
        """Fill one of the sentences that all editions share."""
        return self._edition.phrases[name].format_map({key: self.show(value) for key, value in values.items()})

    def rules(self, keys: Iterable[str]) -> Verbatim:
        """Name rules in a list, such as "rule 1, rule 12"."""
        return Verbatim(", ".join(self.phrase("rule", key=Verbatim(self._rule(key))) for key in keys))

    def _rule(self, key: str) -> str:
        """Return the number of a rule, or its title where it has none."""
        return key if key.isdigit() else self._edition.rule_of[key].name

    def show(self, value: Value) -> str:
        """Write a value: numbers exactly, slugs of kinds and groups as their names, kinds with their counts."""
        if isinstance(value, Verbatim):
            return str(value)
        if isinstance(value, str):
            return self._edition.name_of[value]
        if isinstance(value, bool):
            return self._edition.phrases["yes" if value else "no"]
        if isinstance(value, (tuple, Mapping, Crowd)):
            return self._list(value)
        return number_text(value, self._edition.phrases)

    def _list(self, value: tuple[str, ...] | Mapping[str, int] | Crowd) -> str:
        if isinstance(value, tuple):
            return ", ".join(self.show(slug) for slug in value)
        if isinstance(value, Mapping):
            return ", ".join(self.phrase("counted", kind=kind, count=number) for kind, number in value.items())
        return self._authors(value)

    def _authors(self, crowd: Crowd) -> str:
        """Name the hands that made a rule act; of many the first few, and how many more there are."""
        named = len(crowd) if len(crowd) <= _NAMED else _NAMED - 1
        names = ", ".join(
            self._name(player) if number is None else self.phrase("author", player=self._name(player), number=number)
            for player, number in crowd.first(named)
        )
        return names if named == len(crowd) else self.phrase("more", names=Verbatim(names), count=len(crowd) - named)

    def _name(self, player: str) -> Verbatim:
        """Return the name by which this reader knows a player."""
        return Verbatim(self._called.get(player, player))

    def sentence(self, entry: Entry) -> str:
        """Fill the sentence that a rule chose for an entry.

        It may use the rule's numbers (one that was moved shows its printed value too), the entry's own values, `rule`
        (its key), `gain` (points or worth), `author` (whose hand made the rule act; the first of the `authors` where
        several did) and `moves` (what an adjustment moved, from where to where).
        """
        filling = {name: self._number(entry.numbers, name) for name in printed(entry.numbers)}
        filling["gain"] = self.show(entry.amount)
        filling["rule"] = entry.rule.key
        filling["author"] = self._name(entry.author) if entry.author else str(self._player)
        if entry.verb is Verb.ADJUST:
            filling["moves"] = ", ".join(self._move(rule, entry.number) for rule in entry.targets)
        filling |= {name: self._value(entry, name, value) for name, value in entry.values.items()}
        says = self._edition.rule_of[entry.rule.key].says
        try:
            return says[entry.say].format_map(filling)
        except (KeyError, ValueError, IndexError, AttributeError) as error:
            lacks = "a value for" if entry.say in says else "the sentence"
            name = error if isinstance(error, KeyError) else repr(says[entry.say])
            place = f"{self._edition.slug}: rules.{entry.rule.key}.says.{entry.say}"
            raise EditionError(f"{place}: the rule has not {lacks} {name}") from None

    def _value(self, entry: Entry, name: str, value: Value) -> str:
        try:
            return self.show(value)
        except KeyError as error:
            where = f"{self._edition.slug}: rule {entry.rule.key}"
            raise EditionError(f"{where}: there is no card, group or part {error} to show as '{name}'") from None
        except (TypeError, ValueError, OverflowError):
            where = f"{self._edition.slug}: rule {entry.rule.key}"
            what = "pass a number, the name of a card, or a tuple of names"
            raise EditionError(f"{where}: {value!r} cannot be shown as '{name}'; {what}") from None

    def _number(self, numbers: Numbers, name: str) -> str:
        now, before = effective(numbers)[name], printed(numbers)[name]
        return self.show(now) if now == before else self.phrase("moved", now=now, before=before)

    def _move(self, rule: str, number: str) -> str:
        numbers = self._numbers[rule]
        now, before = effective(numbers)[number], printed(numbers)[number]
        return self.phrase("move", rule=self.rules([rule]), now=now, before=before)
