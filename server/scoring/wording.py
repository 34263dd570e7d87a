"""Fills the templates of sentences, in the language of an edition. Every template is a whole sentence by itself."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from server.scoring.numbers import effective, printed
from server.scoring.phases import Verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.scoring.edition import Edition
    from server.scoring.journal import Entry, Points, Value
    from server.scoring.numbers import Numbers


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


class Wording:
    """The sentences of one hand's breakdown. `numbers` are the rules' numbers as they count for this hand."""

    def __init__(self, edition: Edition, numbers: Mapping[str, Numbers]) -> None:
        self._edition = edition
        self._numbers = numbers

    def phrase(self, name: str, **texts: str) -> str:
        """Fill one of the sentences that all editions share."""
        return self._edition.phrases[name].format_map(texts)

    def rules(self, keys: Iterable[str]) -> str:
        """Name rules in a list, such as "rule 1, rule 12"."""
        return ", ".join(self.phrase("rule", key=key) for key in keys)

    def show(self, value: Value | Points) -> str:
        """Write a value: numbers exactly, slugs of kinds as their names."""
        if isinstance(value, tuple):
            return ", ".join(self.show(slug) for slug in value)
        if isinstance(value, str):
            return self._edition.kind_of[value].name
        return decimal(value)

    def sentence(self, entry: Entry) -> str:
        """Fill the sentence that a rule chose for an entry.

        It may use the rule's numbers (one that was moved shows its printed value too), the entry's own values,
        `gain` (points or worth), and `moves` (what an adjustment moved, from where to where).
        """
        filling = {name: self._number(entry.numbers, name) for name in printed(entry.numbers)}
        filling["gain"] = self.show(entry.amount)
        if entry.verb is Verb.ADJUST:
            filling["moves"] = ", ".join(self._move(rule, entry.number) for rule in entry.targets)
        filling |= {name: self.show(value) for name, value in entry.values.items()}
        template = self._edition.rule_of[entry.rule.key].says[entry.say]
        return template.format_map(filling)

    def _number(self, numbers: Numbers, name: str) -> str:
        now, before = effective(numbers)[name], printed(numbers)[name]
        return str(now) if now == before else self.phrase("moved", now=str(now), before=str(before))

    def _move(self, rule: str, number: str) -> str:
        numbers = self._numbers[rule]
        now, before = effective(numbers)[number], printed(numbers)[number]
        return self.phrase("move", rule=self.rules([rule]), now=str(now), before=str(before))
