"""Turns a hand's journal into lines that a player can check."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from server.scoring.phases import Verb
from server.scoring.wording import Wording, decimal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring.count import Count
    from server.scoring.edition import Edition
    from server.scoring.journal import Entry
    from server.scoring.seat import Seat


@dataclass(frozen=True)
class Line:
    """One line of a breakdown. `rule` is the rule's key, or None for the plain worth of one kind of card.

    A void line stays with the points that it would have had; `voided_by` is the key of the rule that voided it
    (of several the first in the edition; `text` names all).
    """

    rule: str | None
    points: Fraction
    text: str
    void: bool = False
    voided_by: str | None = None


def lines(edition: Edition, seat: Seat, count: Count) -> tuple[Line, ...]:
    """Return the breakdown of a counted hand: the cards by kind, then the rules by their place in the edition."""
    wording = Wording(edition, seat.numbers)
    written = [(entry.rule.place, line) for entry in seat.journal if (line := _rule_line(entry, seat, count, wording))]
    written.sort(key=lambda placed: placed[0])
    return (*_card_lines(edition, seat, count, wording), *(line for _, line in written))


def _card_lines(edition: Edition, seat: Seat, count: Count, wording: Wording) -> Iterator[Line]:
    """Say what the cards of each kind with a worth of its own bring."""
    for kind in edition.kinds:
        number = seat.handed_in(kind.slug)
        if kind.category not in edition.valued or not number:
            continue
        worth, zeroes = count.worths.get(kind.slug), count.zeroes.get(kind.slug, [])
        by = _keys(zeroes)
        voided_by = by[0] if by else None
        if worth is None:
            text = wording.phrase("cards_unset", kind=wording.show(kind.slug), count=str(number))
            yield Line(None, Fraction(0), text, void=bool(by), voided_by=voided_by)
            continue
        points = number * worth.amount
        sentences = [
            wording.phrase(
                "cards",
                kind=wording.show(kind.slug),
                count=str(number),
                worth=decimal(worth.amount),
                points=decimal(points),
            ),
            wording.sentence(worth),
        ]
        if by:
            sentences.append(wording.phrase("worth_void", rules=wording.rules(by)))
        yield Line(None, Fraction(points), " ".join(sentences), void=bool(by), voided_by=voided_by)


def _rule_line(entry: Entry, seat: Seat, count: Count, wording: Wording) -> Line | None:
    """Return the line of an entry; None where it is told elsewhere (a worth) or has touched nothing."""
    key = entry.rule.key
    if entry.verb is Verb.POINTS:
        by = _keys(count.voids.get(key, []))
        text = wording.sentence(entry)
        if by:
            text = f"{text} {wording.phrase('points_void', rules=wording.rules(by))}"
        return Line(key, Fraction(entry.amount), text, void=bool(by), voided_by=by[0] if by else None)
    if entry.verb is Verb.SET:
        return None
    if entry.verb is Verb.ADJUST and not entry.targets:
        return None
    if entry.verb is Verb.VOID and not any(
        other.verb is Verb.POINTS and other.rule.key in entry.targets for other in seat.journal
    ):
        return None
    return Line(key, Fraction(0), wording.sentence(entry))


def _keys(entries: list[Entry]) -> list[str]:
    """Return the keys of the rules that wrote the entries, each once."""
    return list(dict.fromkeys(entry.rule.key for entry in entries))
