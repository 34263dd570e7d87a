"""The functions of formulas. Their docstrings are their help in the editor and in docs/editions-reference.md.

A function gets the hand, then its arguments as its signature says: cards (`Cards`, or the kinds that another function
returns), numbers, or a part of the deck. The names of functions in formulas are those of the functions here.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from server.editions.translations import Sentence
from server.scoring.partition import best_sets as _best_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from server.editions.formulas.calculation import Exact
    from server.scoring.rules import Points
    from server.scoring.table import Seat


NUMBER, CONDITION, CARDS = Sentence("a number"), Sentence("a condition"), Sentence("cards")
KINDS, COUNTS = Sentence("kinds"), Sentence("counts of kinds")
"""The types of values. Cards are named in the edition; kinds are found in a hand."""
NAMED, NAME, CATEGORY = Sentence("cards by name"), Sentence("a single name of cards"), Sentence("a category")
"""Parameters that take only some cards; those with CARDS also take kinds."""
PART, RULE, PLAYER = Sentence("a part of the deck"), Sentence("a rule"), Sentence("a fact that names a player")

F = TypeVar("F", bound="Callable[..., object]")


class Cards(NamedTuple):
    """Cards that a formula names: a kind, a group, a category, or a list of such names.

    `members` are what functions distinguish: the kinds of a group or category, or the names in a list; `kinds` are the
    single kinds of all of them. `category` is set for a whole category.
    """

    names: tuple[str, ...]
    members: tuple[str, ...]
    kinds: tuple[str, ...]
    category: str = ""
    is_list: bool = False


class Function(NamedTuple):
    """A function of formulas: the types of its parameters and of its result.

    The last `repeated` parameters may occur several times. If it `compares`, it looks at other hands; if it
    `reads_points`, at the points of earlier phases.
    """

    act: Callable[..., object]
    parameters: tuple[str, ...]
    result: str
    repeated: int = 0
    compares: bool = False
    reads_points: bool = False


FUNCTIONS: dict[str, Function] = {}


def _function(
    *parameters: str, gives: str = NUMBER, repeated: int = 0, compares: bool = False, reads_points: bool = False
) -> Callable[[F], F]:
    def register(act: F) -> F:
        FUNCTIONS[act.__name__] = Function(act, parameters, gives, repeated, compares, reads_points)
        return act

    return register


def held(me: Seat, cards: Cards | tuple[str, ...]) -> Mapping[str, int]:
    """Return the number of cards of each kind, without zeros."""
    if isinstance(cards, Cards):
        if cards.category:
            return me.counts(cards.category)
        cards = cards.members
    return {name: count for name in cards if (count := me.has(name))}


# == Counting ==


@_function(CARDS)
def count(me: Seat, cards: Cards | tuple[str, ...]) -> int:
    """Return the number of cards in the hand; their name alone means the same."""
    return sum(map(me.has, cards.names if isinstance(cards, Cards) else cards))


@_function(CARDS)
def kinds(me: Seat, cards: Cards | tuple[str, ...]) -> int:
    """Return the number of different kinds."""
    return len(held(me, cards))


@_function(NAMED)
def handed_in(me: Seat, cards: Cards) -> int:
    """Return the number of cards handed in, even if chance has removed some."""
    return sum(map(me.handed_in, cards.kinds))


@_function(CARDS)
def highest(me: Seat, cards: Cards | tuple[str, ...]) -> int:
    """Return the number of cards of the most frequent kind, or 0."""
    if isinstance(cards, Cards) and cards.category:
        return me.highest(cards.category)
    return max(held(me, cards).values(), default=0)


@_function(CARDS)
def lowest(me: Seat, cards: Cards | tuple[str, ...]) -> int:
    """Return the number of cards of the rarest kind in the hand, or 0."""
    return min(held(me, cards).values(), default=0)


@_function(CARDS, reads_points=True)
def scoring(me: Seat, cards: Cards | tuple[str, ...]) -> int:
    """Return the number of cards that bring points, after caps and zeros."""
    return sum(map(me.scoring, cards.kinds if isinstance(cards, Cards) else cards))


@_function(NAMED)
def sets(me: Seat, cards: Cards) -> int:
    """Return the number of complete sets, with one card of each kind or listed name."""
    return min(map(me.has, cards.members), default=0)


@_function(CARDS, NUMBER)
def equal_sets(me: Seat, cards: Cards | tuple[str, ...], number: Exact) -> int:
    """Return the number of sets of this many equal cards."""
    return sum(int(count // number) for count in held(me, cards).values()) if number > 0 else 0


# == Kinds ==


@_function(CARDS, gives=KINDS)
def most(me: Seat, cards: Cards | tuple[str, ...]) -> tuple[str, ...]:
    """Return the most frequent kinds, all that tie."""
    if isinstance(cards, Cards) and cards.category:
        return me.most(cards.category)
    counts = held(me, cards)
    return _with_count(counts, max(counts.values(), default=0))


@_function(CARDS, gives=KINDS)
def least(me: Seat, cards: Cards | tuple[str, ...]) -> tuple[str, ...]:
    """Return the rarest kinds in the hand, all that tie."""
    counts = held(me, cards)
    return _with_count(counts, min(counts.values(), default=0))


@_function(CARDS, gives=KINDS)
def only_most(me: Seat, cards: Cards | tuple[str, ...]) -> tuple[str, ...]:
    """Return the most frequent kind, none if several tie."""
    found = most(me, cards)
    return found if len(found) == 1 else ()


@_function(CARDS, gives=KINDS)
def only_least(me: Seat, cards: Cards | tuple[str, ...]) -> tuple[str, ...]:
    """Return the rarest kind in the hand, none if several tie."""
    found = least(me, cards)
    return found if len(found) == 1 else ()


@_function(CARDS, gives=KINDS)
def next_most(me: Seat, cards: Cards | tuple[str, ...]) -> tuple[str, ...]:
    """Return the most frequent kind that ties with no other."""
    return _next(held(me, cards), max)


@_function(CARDS, gives=KINDS)
def next_least(me: Seat, cards: Cards | tuple[str, ...]) -> tuple[str, ...]:
    """Return the rarest kind that ties with no other."""
    return _next(held(me, cards), min)


@_function(CARDS, NUMBER, gives=KINDS)
def exactly(me: Seat, cards: Cards | tuple[str, ...], number: Exact) -> tuple[str, ...]:
    """Return the kinds with exactly this many cards."""
    return _with_count(held(me, cards), number)


@_function(CARDS, NUMBER, gives=KINDS)
def above(me: Seat, cards: Cards | tuple[str, ...], number: Exact) -> tuple[str, ...]:
    """Return the kinds with more cards than this."""
    return tuple(kind for kind, count in held(me, cards).items() if count > number)


@_function(CARDS, NUMBER, gives=KINDS)
def below(me: Seat, cards: Cards | tuple[str, ...], number: Exact) -> tuple[str, ...]:
    """Return the kinds with fewer cards than this, but at least one."""
    return tuple(kind for kind, count in held(me, cards).items() if count < number)


@_function(CARDS, gives=KINDS)
def names(_me: Seat, cards: Cards | tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the cards, for sentences."""
    return cards.names if isinstance(cards, Cards) else cards


@_function(CARDS, gives=COUNTS)
def counts(me: Seat, cards: Cards | tuple[str, ...]) -> Mapping[str, int]:
    """Return the names of the cards with their numbers, for sentences."""
    return {name: me.has(name) for name in (cards.names if isinstance(cards, Cards) else cards)}


def _with_count(counts: Mapping[str, int], number: Exact) -> tuple[str, ...]:
    return tuple(kind for kind, count in counts.items() if count == number)


def _next(counts: Mapping[str, int], choose: Callable[[Iterable[int]], int]) -> tuple[str, ...]:
    alone = [count for count, number in Counter(counts.values()).items() if number == 1]
    return _with_count(counts, choose(alone)) if alone else ()


# == The shape of a hand ==


@_function(CARDS, gives=CONDITION)
def all_different(me: Seat, cards: Cards | tuple[str, ...]) -> bool:
    """Return whether no two kinds have the same number of cards."""
    numbers = sorted(held(me, cards).values())
    return all(low < high for low, high in pairwise(numbers))


@_function(CARDS, NUMBER, gives=CONDITION, repeated=1)
def is_shape(me: Seat, cards: Cards | tuple[str, ...], *numbers: Exact) -> bool:
    """Return whether the kinds have these numbers of cards, in any order: `is_shape(colour, 3, 2, 2)`."""
    return sorted(held(me, cards).values()) == sorted(numbers)


@_function(NAMED, NUMBER)
def runs(me: Seat, cards: Cards, length: Exact) -> int:
    """Return the most runs of this length in the order of the list or group; each card is in one."""
    # Starting each run as low as possible is best: of two runs that need the same card, the lower one leaves more.
    if length < 1 or length != length // 1:
        return 0
    left = [me.has(name) for name in cards.members]
    length = int(length)
    found = 0
    for start in range(len(left) - length + 1):
        here = min(left[start : start + length], default=0)
        found += here
        for index in range(start, start + length if here else 0):
            left[index] -= here
    return found


@_function(NAMED)
def longest_run(me: Seat, cards: Cards) -> int:
    """Return the length of the longest run without a gap in the order of the list or group."""
    longest = here = 0
    for name in cards.members:
        here = here + 1 if me.has(name) else 0
        longest = max(longest, here)
    return longest


@_function(NAMED, NUMBER, repeated=2)
def best_sets(me: Seat, *lists: Cards | Exact) -> Exact:
    """Return the most points from sets with a card of each name, for 5 and 3 points: `best_sets(suits, 5, numbers, 3)`.

    Each list is followed by the points of a set. A card is in one set at most.
    """
    members = [row.members for row in lists[::2] if isinstance(row, Cards)]
    points = [row for row in lists[1::2] if not isinstance(row, Cards)]
    rows = [row for row in zip(members, points, strict=True) if row[1] > 0]
    times = _best_sets({kind: me.has(kind) for kinds, _ in rows for kind in kinds}, rows, me.table.tries_left)
    return sum(number * points for number, (_, points) in zip(times, rows, strict=True))


# == Numbers on cards ==


@_function(CATEGORY)
def number(me: Seat, cards: Cards) -> int:
    """Return the only number on the cards; 0 if there are several or none."""
    found = me.serials(cards.category)
    return found[0] if len(found) == 1 else 0


@_function(CATEGORY)
def highest_number(me: Seat, cards: Cards) -> int:
    """Return the highest number on the cards handed in, or 0."""
    return max(me.serials(cards.category), default=0)


@_function(CATEGORY)
def lowest_number(me: Seat, cards: Cards) -> int:
    """Return the lowest number on the cards handed in, or 0."""
    return min(me.serials(cards.category), default=0)


@_function(CATEGORY)
def sum_of_numbers(me: Seat, cards: Cards) -> int:
    """Return the sum of the different numbers on the cards handed in."""
    return sum(me.serials(cards.category))


# == Other hands ==


@_function(NAME, gives=CONDITION, compares=True)
def has_most(me: Seat, cards: Cards) -> bool:
    """Return whether no hand has more of these cards, and this one has some."""
    return me.table.has_most(me, cards.names[0])


@_function(NAME, gives=CONDITION, compares=True)
def only_has_most(me: Seat, cards: Cards) -> bool:
    """Return whether all other hands have fewer of these cards."""
    return me.table.sole_most(cards.names[0]) is me


@_function(NAME, gives=CONDITION, compares=True)
def next_has_most(me: Seat, cards: Cards) -> bool:
    """Return whether this hand has the highest number of these cards that no hands share."""
    return me.table.next_sole_most(cards.names[0]) is me


@_function(NAME, compares=True)
def next_most_of_hands(me: Seat, cards: Cards) -> int:
    """Return the highest number of these cards that only one hand has, or 0."""
    hand = me.table.next_sole_most(cards.names[0])
    return hand.has(cards.names[0]) if hand else 0


@_function(NAME, gives=CONDITION, compares=True)
def is_level(me: Seat, cards: Cards) -> bool:
    """Return whether another hand has as many of these cards, above 0."""
    return me.table.is_level(me, cards.names[0])


@_function(NAMED, compares=True)
def most_of_others(me: Seat, cards: Cards) -> int:
    """Return the highest number of these cards in another hand."""
    return max((count(other, cards) for other in me.table.others(me)), default=0)


@_function(NAMED, compares=True)
def sum_of_others(me: Seat, cards: Cards) -> int:
    """Return the number of these cards in all other hands together."""
    return sum(count(other, cards) for other in me.table.others(me))


# == Players that facts name ==


@_function(PLAYER, NAMED, compares=True)
def count_of(me: Seat, player: str, cards: Cards) -> int:
    """Return the number of these cards in the hand of the named player: `count_of(friend, plate)`."""
    other = me.player(player)
    return count(other, cards) if other else 0


@_function(PLAYER, NAMED, compares=True)
def kinds_of(me: Seat, player: str, cards: Cards) -> int:
    """Return the number of different kinds in the hand of the named player."""
    other = me.player(player)
    return kinds(other, cards) if other else 0


@_function(PLAYER, compares=True, reads_points=True)
def points_of(me: Seat, player: str) -> Points:
    """Return the points of the named player so far; 0 for nobody."""
    other = me.player(player)
    return other.points_so_far() if other else 0


@_function(PLAYER, gives=CONDITION, compares=True)
def is_named(me: Seat, player: str) -> bool:
    """Return whether a player is named whose hand counts."""
    return me.player(player) is not None


@_function(PLAYER, gives=CONDITION, compares=True)
def is_mutual(me: Seat, player: str) -> bool:
    """Return whether the named player has named this one, too."""
    other = me.player(player)
    return other is not None and other.player(player) is me


# == Parts of the deck, and rules ==


@_function(PART, NAMED)
def in_part(me: Seat, part: str, cards: Cards) -> int:
    """Return the number of these cards in a part of the deck, as handed in: `in_part(basket, plate)`."""
    deck = me.part(part)
    return sum(map(deck.has, cards.names))


@_function(PART, NAMED)
def kinds_in_part(me: Seat, part: str, cards: Cards) -> int:
    """Return the number of different kinds in a part of the deck."""
    deck = me.part(part)
    return sum(deck.has(kind) > 0 for kind in cards.kinds)


@_function(PART, NAMED, compares=True)
def most_of_others_in_part(me: Seat, part: str, cards: Cards) -> int:
    """Return the highest number of these cards in that part of another deck."""
    return max((in_part(other, part, cards) for other in me.table.others(me)), default=0)


@_function(RULE, gives=CONDITION, repeated=1)
def is_active(me: Seat, *rules: str) -> bool:
    """Return whether one of these rules is active: `is_active(6)`."""
    return any(rule in me.numbers for rule in rules)
