"""Small tables of hands for a rule: generated, compared with their neighbours, and made smaller."""

from __future__ import annotations

import hashlib
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from server.scoring import Hand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from server.scoring.edition import Edition

_MOST_CARDS = 30
"""Most cards of a kind in a generated hand."""
_COMPARED = 4
"""Most values that are compared with those of other hands in every order."""
MOST_HANDS = 3
"""Hands of a table for a rule that compares them."""
_SMALL = 6
_RANDOM = 240
"""The number of random tables."""


class Variable(NamedTuple):
    """A value of a table: the number of cards of a kind in a hand (maybe in a part of its deck), or a fact.

    A choice of a rule to cancel is 1 or 0. A player is given by the number of hands after this one, 0 for nobody.
    """

    hand: int
    what: str
    name: str
    part: str = ""


Table = tuple[tuple[Variable, int], ...]
"""The values of a table other than 0, in order."""


class Room(NamedTuple):
    """The tables that matter for a rule: their variables, the values to try, and values that are always there.

    `shapes` are values to try together, one for each of the first variables.
    """

    hands: int
    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    fixed: tuple[tuple[Variable, int], ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()


def table_of(values: dict[Variable, int]) -> Table:
    """Return the table with these values."""
    return tuple(sorted((variable, value) for variable, value in values.items() if value))


def hands_of(edition: Edition, table: Table, number: int) -> list[Hand]:
    """Return the hands of a table."""
    cards: list[dict[str, int]] = [{} for _ in range(number)]
    facts: list[dict[str, int]] = [{} for _ in range(number)]
    named: list[dict[str, str]] = [{} for _ in range(number)]
    parts: list[dict[str, dict[str, int]]] = [{} for _ in range(number)]
    cancels: list[list[str]] = [[] for _ in range(number)]
    for (hand, what, name, part), value in table:
        if what == "card":
            cards[hand][name] = cards[hand].get(name, 0) + value
            if part:
                parts[hand].setdefault(part, {})[name] = value
        elif what == "fact":
            facts[hand][name] = bool(value) if edition.fact_of[name].yes_no else value
        elif what == "player":
            named[hand][name] = _player((hand + value) % number)
        elif value:
            cancels[hand].append(name)
    return [
        Hand(
            _player(hand),
            cards[hand],
            facts=facts[hand],
            named=named[hand],
            parts=parts[hand],
            cancels=tuple(cancels[hand]),
        )
        for hand in range(number)
    ]


def _player(hand: int) -> str:
    return ("Ada", "Bob", "Cleo")[hand]


def generated(edition: Edition, room: Room) -> Iterator[Table]:
    """Yield tables from small to large: one value alone, one beside one of each, and then random ones."""
    yield table_of(dict(room.fixed))
    own = [variable for variable in room.variables if variable.hand == 0]
    beside: list[dict[Variable, int]] = [{}, dict.fromkeys(room.variables, 1)]
    for others in beside:
        for value in room.values:
            for variable in own:
                yield _allowed(edition, {**others, **dict(room.fixed), variable: value})
    cards = [variable for variable in own if variable not in dict(room.fixed)]
    for shape in room.shapes:
        yield _allowed(edition, {**dict(room.fixed), **dict(zip(cards, shape, strict=False))})
    for variable in cards[:_COMPARED] if room.hands > 1 else ():
        for numbers in product(range(room.hands), repeat=room.hands):  # such as a tie of the two highest of three
            others = {variable._replace(hand=hand): value for hand, value in enumerate(numbers)}
            yield _allowed(edition, {**dict(room.fixed), **others})
    for number in range(_RANDOM if room.variables else 0):
        yield _allowed(edition, _few_values(room, number) if number % 3 == 0 else _random_values(room, number))


def _few_values(room: Room, number: int) -> dict[Variable, int]:
    """Return two or three random values."""
    values = dict(room.fixed)
    for place in range(2 + number % 2):
        variable = room.variables[_choice(len(room.variables), number, place)]
        values[variable] = (1, *room.values)[_choice(1 + len(room.values), number, place, "value")]
    return values


def _random_values(room: Room, number: int) -> dict[Variable, int]:
    """Return random values for half or for a quarter of the variables; some are equal to others, for ties."""
    values = dict(room.fixed)
    for variable in room.variables:
        if _choice(2 + number % 2 * 2, number, variable):
            values[variable] = 0
        elif variable.what != "card" or _choice(4, number, variable, "any"):
            values[variable] = room.values[_choice(len(room.values), number, variable, "value")]
        else:
            values[variable] = _choice(_SMALL, number, variable, "small")
    for before, variable in pairwise(room.variables) if number % 2 else ():
        if not _choice(2, number, variable, "level"):
            like = variable._replace(hand=_choice(variable.hand, number, variable)) if variable.hand else before
            values[variable] = values.get(like, 0)
    return values


def _allowed(edition: Edition, values: dict[Variable, int]) -> Table:
    """Return the table with values that can be handed in."""
    allowed = {}
    for variable, value in values.items():
        if variable.what == "card":
            allowed[variable] = min(max(value, 0), _MOST_CARDS)
        elif variable.what == "fact":
            fact = edition.fact_of[variable.name]
            allowed[variable] = value % 2 if fact.yes_no else min(max(value, fact.minimum), fact.maximum)
        elif variable.what == "player":
            allowed[variable] = value % MOST_HANDS
        else:
            allowed[variable] = value % 2
    return table_of(_with_cards_that_cancel(allowed))


def _with_cards_that_cancel(values: dict[Variable, int]) -> dict[Variable, int]:
    """Keep one choice of a hand at most."""
    seen: set[int] = set()
    for variable, value in values.items():
        if variable.what == "cancel" and value:
            if variable.hand in seen:
                values[variable] = 0
            seen.add(variable.hand)
    return values


def neighbours(edition: Edition, room: Room, table: Table) -> Iterator[Table]:
    """Yield the tables that differ in one card, one step of a fact, or one choice."""
    values = dict(table)
    for variable in room.variables:
        for step in (1, -1):
            other = _allowed(edition, {**values, variable: values.get(variable, 0) + step})
            if other != table:
                yield other


def shrunk(edition: Edition, room: Room, table: Table, wanted: Callable[[Table], bool]) -> Table:
    """Return a smaller table that is still wanted: without values, then with smaller ones, down to a local minimum."""
    while True:
        smaller = next((other for other in _smaller(edition, room, table) if wanted(other)), None)
        if smaller is None:
            return table
        table = smaller


def _smaller(edition: Edition, room: Room, table: Table) -> Iterator[Table]:
    values, fixed = dict(table), dict(room.fixed)
    last = max((variable.hand for variable in values), default=0)
    if last:
        yield table_of({variable: value for variable, value in values.items() if variable.hand != last})
    for variable in values:
        if variable not in fixed:
            yield _allowed(edition, {**values, variable: 0})
    for variable, value in table:
        if variable not in fixed:
            for less in dict.fromkeys((value // 2, value - 1)):
                if 0 < less < value:
                    yield _allowed(edition, {**values, variable: less})
                    level = {other: less for other, number in table if number == value and other not in fixed}
                    yield _allowed(edition, {**values, **level})


def size(table: Table) -> int:
    """Return the size of a table: its cards, and a card more for each kind and each hand."""
    return sum(min(value, _MOST_CARDS) + 1 for _, value in table) + 2 * len({variable.hand for variable, _ in table})


def _choice(choices: int, *what: object) -> int:
    digest = hashlib.blake2b("/".join(map(str, what)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % choices


def evenly(names: Sequence[str], number: int) -> list[str]:
    """Return a few of the names, evenly spaced."""
    if len(names) <= number:
        return list(names)
    return [names[index * (len(names) - 1) // (number - 1)] for index in range(number)]
