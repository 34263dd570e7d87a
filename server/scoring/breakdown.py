"""The breakdown of a score: lines that explain it to the player, made from the journal of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Self

from server.scoring.errors import EditionError
from server.scoring.rules import (
    AWARDS,
    PlayerGroup,
    PlayerName,
    RuleKey,
    Scope,
    ShownValue,
    Verb,
    Verbatim,
    effective,
    printed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from server.scoring.count import Count
    from server.scoring.edition import Edition
    from server.scoring.rules import Entry, Numbers, Points, Value
    from server.scoring.table import Seat


ADJUSTMENT = "±"
"""The `rule` of lines with points of the organisers; no rule has this key."""
_MAX_NAMED = 6
"""Most hands that one line names."""
_SILENT_WITHOUT_TARGET = (Verb.ADJUST, Verb.CANCEL)
_SILENT_WITHOUT_EFFECT = (Verb.VOID, Verb.SHIELD)
_SILENT_WITHOUT_GAIN = (Verb.MULTIPLY, Verb.FLOOR)

_COMMON_VALUES = frozenset({"gain", "rule", "author"})
"""Values that the engine adds to all sentences."""
_VALUES_OF_VERBS = {
    "keep": frozenset({"removed", "seed"}),
    "multiply": frozenset({"factor", "cards"}),
    "at_least": frozenset({"floor", "plain"}),
    "double": frozenset({"factor", "before"}),
    "adjust": frozenset({"moves"}),
    "cancel": frozenset({"authors", "times"}),
    "points_for_others": frozenset({"authors", "times", "each"}),
}


@dataclass(frozen=True)
class Line:
    """One line of a breakdown.

    `rule` is the rule's key, ADJUSTMENT for points of the organisers, or None for the plain worth of one kind of card.

    A void line keeps the points that it would have brought; `voided_by` is the key of the rule that voided it, the
    first in the edition if there are several (`text` names all). An `open` line says what other hands may still
    change; the player may not know its rule. `kind` is the slug of the kind whose plain worth a line states. The points
    of an `unknown` line of a `partial` edition follow from rules that are not in it; they are given as 0.
    """

    rule: str | None
    points: Fraction
    text: str
    void: bool = False
    voided_by: str | None = None
    open: bool = False
    kind: str | None = None
    unknown: bool = False


def breakdown_lines(
    edition: Edition, seat: Seat, count: Count, *, eliminated: bool, called: Mapping[str, str] | None = None
) -> tuple[Line, ...]:
    """Return the breakdown of a counted hand: the cards by kind, the rules by their place in the edition, adjustments.

    Entries of one rule by several authors are ordered by the authors' names. `called` maps players to names to show.
    """
    wording = Wording(edition, seat, called)
    unset = _unset(edition, seat, count)
    written = [
        (entry.rule.position, entry.author, line)
        for index, entry in enumerate(seat.journal)
        if (line := _rule_line(index, entry, count, wording, unset))
    ]
    if not eliminated:
        written += _puzzle_lines(edition, wording, {line.rule for *_, line in written})
        written += _idle_lines(edition, seat, count, wording, {line.rule for *_, line in written})
    written.sort(key=lambda placed: placed[:2])
    cards = () if eliminated else _card_lines(edition, seat, count, wording, unset)
    adjusted = () if eliminated else seat.hand.adjustments
    return (
        *cards,
        *(line for *_, line in written),
        *(Line(ADJUSTMENT, Fraction(points), reason) for points, reason in adjusted),
    )


def _card_lines(edition: Edition, seat: Seat, count: Count, wording: Wording, unset: frozenset[str]) -> Iterator[Line]:
    """Yield a line for the cards of each kind that has a worth of its own."""
    for kind in edition.kinds:
        if kind.category not in edition.valued or not seat.handed_in(kind.slug):
            continue
        number = count.scoring(seat, kind.slug, kind.category)
        worth, zeroes = count.worths.get(kind.slug), count.zeroes.get(kind.slug, [])
        by = _keys(zeroes)
        voided_by = by[0] if by else None
        if worth is None and kind.slug not in edition.worths:
            text = wording.phrase("cards_unknown" if edition.partial else "cards_unset", kind=kind.slug, count=number)
            if by and edition.partial:
                text = f"{text} {wording.phrase('worth_void', rules=wording.rules(by))}"
            unknown = kind.slug in unset
            yield Line(None, Fraction(0), text, bool(by), voided_by, kind=kind.slug, unknown=unknown)
            continue
        each = edition.worths[kind.slug] if worth is None else worth.amount
        points = number * each
        sentences = [wording.phrase("cards", kind=kind.slug, count=number, worth=each, points=points)]
        if worth is not None:
            sentences.append(wording.sentence(worth))
        if by:
            sentences.append(wording.phrase("worth_void", rules=wording.rules(by)))
        yield Line(None, Fraction(points), " ".join(sentences), void=bool(by), voided_by=voided_by, kind=kind.slug)


def _unset(edition: Edition, seat: Seat, count: Count) -> frozenset[str]:
    """Return the kinds whose points are unknown in a partial edition, the cards of puzzles included."""
    if not edition.partial:
        return frozenset()
    return frozenset(rule.card for rule in edition.rules if rule.puzzle) | frozenset(
        kind
        for category in edition.valued
        for kind in seat.counts(category)
        if kind not in edition.worths and kind not in count.worths and kind not in count.zeroes
        if count.scoring(seat, kind, category)
    )


def _rule_line(index: int, entry: Entry, count: Count, wording: Wording, unset: frozenset[str]) -> Line | None:
    """Return the line of an entry; None for a worth, which the line of the cards explains, and for no effect."""
    key, verb = entry.rule.key, entry.verb
    if index not in count.voids and (
        (verb in _SILENT_WITHOUT_GAIN and unset.intersection(entry.targets)) or (verb is Verb.DOUBLE and unset)
    ):
        return Line(key, Fraction(0), wording.phrase("gain_unknown"), unknown=True)
    if verb is Verb.SET or _is_silent(entry, count):
        return None
    if verb is Verb.IDLE:
        return Line(key, Fraction(0), wording.phrase("idle", **entry.values), void=True, voided_by=entry.targets[0])
    if verb is Verb.OPEN:
        return Line(key, Fraction(0), wording.phrase("open"), open=True)
    text = wording.sentence(entry)
    by = _keys(count.voids.get(index, []))
    if by:
        text = f"{text} {wording.phrase('points_void', rules=wording.rules(by))}"
    points = Fraction(entry.amount) if verb in AWARDS else Fraction(0)
    return Line(key, points, text, bool(by), by[0] if by else None, open=verb is Verb.UNKNOWN)


def _is_silent(entry: Entry, count: Count) -> bool:
    """Return whether an entry had no effect."""
    if entry.verb in _SILENT_WITHOUT_TARGET:
        return not entry.targets
    if entry.verb in _SILENT_WITHOUT_GAIN:
        return not entry.amount
    return entry.verb in _SILENT_WITHOUT_EFFECT and not any(entry in voids for voids in count.voids.values())


def _puzzle_lines(edition: Edition, wording: Wording, explained: set[str | None]) -> Iterator[tuple[int, str, Line]]:
    """Yield a line for each puzzle of a partial edition, which cannot act."""
    for rule in edition.rules:
        if edition.partial and rule.puzzle and rule.key not in explained:
            yield rule.position, "", Line(rule.key, Fraction(0), wording.phrase("puzzle"), unknown=True)


def _idle_lines(
    edition: Edition, seat: Seat, count: Count, wording: Wording, explained: set[str | None]
) -> Iterator[tuple[int, str, Line]]:
    """Yield a line for each rule card of this hand that no other line mentions: outbid by another worth, or useless."""
    worths = {kind: entry for kind, entry in count.worths.items() if seat.handed_in(kind)}
    explained = explained | {entry.rule.key for entry in worths.values()}
    for rule in edition.rules:
        if rule.scope is not Scope.HOLDER or rule.key in explained or not seat.handed_in(rule.card):
            continue
        if rule.key not in seat.numbers:
            continue
        outbid = [entry.targets[0] for entry in seat.journal if entry.rule.key == rule.key and entry.verb is Verb.SET]
        by = list(dict.fromkeys(worths[kind].rule.key for kind in outbid if kind in worths))
        text = wording.phrase("outbid", rules=wording.rules(by)) if by else wording.phrase("no_effect")
        yield rule.position, "", Line(rule.key, Fraction(0), text, void=bool(by), voided_by=by[0] if by else None)


def _keys(entries: list[Entry]) -> list[str]:
    """Return the keys of the rules that wrote the entries, each once."""
    return list(dict.fromkeys(entry.rule.key for entry in entries))


_SEVERAL = 2
"""The least number that is more than one in French."""


class FilledValue(str):
    """The text of a value in a sentence. That of a number can choose a form: `{cards:card|cards}`."""

    __slots__ = ("_singular",)
    _singular: bool | None

    def __new__(cls, text: str, *, singular: bool | None = None) -> Self:
        """Return the text; `singular` is None if it is not that of a number."""
        filled = super().__new__(cls, text)
        filled._singular = singular
        return filled

    @classmethod
    def of_number(cls, text: str, number: Points, language: str) -> FilledValue:
        """Return the text of a number, with the form of words that it needs in a language."""
        return cls(text, singular=number in {1, -1} or (language == "fr" and -_SEVERAL < number < _SEVERAL))

    def __format__(self, forms: str) -> str:
        """Return the text, or the first or second of two forms."""
        if not forms:
            return str(self)
        one, bar, many = forms.partition("|")
        if not bar or self._singular is None:
            raise ValueError(forms)
        return one if self._singular else many


class Wording:
    """The sentences of a hand's breakdown, in the language of `edition`. `called` maps players to the names to show."""

    def __init__(self, edition: Edition, seat: Seat, called: Mapping[str, str] | None = None) -> None:
        self._edition = edition
        self._called = called or {}
        self._player = self._name(seat.hand.player)
        self._numbers = seat.numbers

    def phrase(self, name: str, **values: Value) -> str:
        """Fill in one of the sentences that all editions share."""
        return self._edition.phrases[name].format_map({key: self.show(value) for key, value in values.items()})

    def rules(self, keys: Iterable[str]) -> Verbatim:
        """List rules, such as "rule 1, rule 12"."""
        return Verbatim(", ".join(self.phrase("rule", key=Verbatim(self._rule(key))) for key in keys))

    def _rule(self, key: str) -> str:
        """Return the number of a rule, or its title where it has none."""
        return key if key.isdigit() else self._edition.rule_of[key].name

    def show(self, value: Value) -> str:
        """Format a value: numbers exactly, slugs of kinds and groups as their names, kinds with their counts."""
        if isinstance(value, Verbatim):
            return self._verbatim(value)
        if isinstance(value, str):
            return self._edition.name_of[value]
        if isinstance(value, bool):
            return self._edition.phrases["yes" if value else "no"]
        if isinstance(value, (tuple, Mapping, PlayerGroup)):
            return self._list(value)
        if isinstance(value, ShownValue):
            return value.text(self.show)
        return number_text(value, self._edition.phrases)

    def _verbatim(self, value: Verbatim) -> str:
        if isinstance(value, PlayerName):
            return self._name(value) if value else self._edition.phrases["nobody"]
        return self._rule(value) if isinstance(value, RuleKey) else str(value)

    def _list(self, value: tuple[str, ...] | Mapping[str, int] | PlayerGroup) -> str:
        if isinstance(value, tuple):
            return ", ".join(self.show(slug) for slug in value)
        if isinstance(value, Mapping):
            return ", ".join(self.phrase("counted", kind=kind, count=number) for kind, number in value.items())
        return self._authors(value)

    def _authors(self, group: PlayerGroup) -> str:
        """List the hands that made a rule act; if there are many, the first few and the number of the others."""
        named = len(group) if len(group) <= _MAX_NAMED else _MAX_NAMED - 1
        names = ", ".join(
            self._name(player) if number is None else self.phrase("author", player=self._name(player), number=number)
            for player, number in group.first(named)
        )
        return names if named == len(group) else self.phrase("more", names=Verbatim(names), count=len(group) - named)

    def _name(self, player: str) -> Verbatim:
        return Verbatim(self._called.get(player, player))

    def sentence(self, entry: Entry) -> str:
        """Fill in the sentence that a rule chose for an entry.

        Placeholders are the rule's numbers (an adjusted number shows its printed value too), the entry's own values,
        `rule` (its number or title), `gain` (points or worth), `author` (the player whose hand made the rule act, or
        the first of the `authors`) and `moves` (the numbers that an adjustment changed, with both values).
        """
        filling = {name: self._number(entry.numbers, name) for name in printed(entry.numbers)}
        filling["gain"] = self._filled(self.show(entry.amount), entry.amount)
        filling["rule"] = FilledValue(self._rule(entry.rule.key))
        filling["author"] = FilledValue(self._name(entry.author) if entry.author else self._player)
        if entry.verb is Verb.ADJUST:
            filling["moves"] = FilledValue(", ".join(self._move(rule, entry.number) for rule in entry.targets))
        for key, value in entry.values.items():
            filling[key] = self._filled(self._value(entry, key, value), value)
        says = self._edition.rule_of[entry.rule.key].says
        try:
            return says[entry.say].format_map(filling)
        except (KeyError, ValueError, IndexError, AttributeError) as error:
            lacks = "value for" if entry.say in says else "sentence"
            name = error if isinstance(error, KeyError) else repr(says[entry.say])
            place = f"{self._edition.slug}: rules.{entry.rule.key}.says.{entry.say}"
            raise EditionError(f"{place}: the rule has no {lacks} {name}") from None

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

    def _filled(self, text: str, value: Value) -> FilledValue:
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return FilledValue.of_number(text, value, self._edition.language)
        return FilledValue(text)

    def _number(self, numbers: Numbers, name: str) -> FilledValue:
        now, before = effective(numbers)[name], printed(numbers)[name]
        text = self.show(now) if now == before else self.phrase("moved", now=now, before=before)
        return self._filled(text, now)

    def _move(self, rule: str, number: str) -> str:
        numbers = self._numbers[rule]
        now, before = effective(numbers)[number], printed(numbers)[number]
        return self.phrase("move", rule=self.rules([rule]), now=now, before=before)


def engine_values(verb: str) -> frozenset[str]:
    """Return the values that the engine adds to the sentence of a line, by the method of `Seat` that writes it."""
    return _COMMON_VALUES | _VALUES_OF_VERBS.get(verb, frozenset())


def number_text(points: Points, phrases: Mapping[str, str]) -> str:
    """Format a number exactly, with the decimal mark of a language: "27.5" or "27,5"."""
    return decimal(points).replace(".", phrases["decimal_mark"])


def decimal(points: Points) -> str:
    """Format points exactly: "42", "27.5", "-3", or a fraction such as "1/3" where no decimal is exact."""
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
