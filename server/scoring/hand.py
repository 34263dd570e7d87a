"""A hand: the deck that a player hands in, its labelled parts, and the choice of cancelled rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from server.scoring.errors import EditionError, format_value
from server.scoring.rules import Phase, Scope

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from server.scoring.edition import Edition
    from server.scoring.rules import Rule


V = TypeVar("V")


class ReadOnly(dict[str, V]):
    """A read-only dictionary. It is as fast to read as a plain one, unlike a proxy."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise EditionError("what a player handed in can only be read; change a copy of it, which dict(…) makes")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class Adjustment(NamedTuple):
    """Points that the organisers give a hand, or take if negative, such as 5 for the best costume."""

    points: int
    reason: str


@dataclass(frozen=True)
class Hand:
    """A deck as handed in: the number of cards of each kind (by slug), and the time (with a time zone) if it is known.

    `cancels` are the keys of the rules that the player cancels with cards that allow it. `facts` are the values that
    the organiser entered, by name. For an edition whose decks have labelled parts, `parts` gives the cards in each of
    them; other cards belong only to the deck. Rules see all of this, so dictionaries are copied and read-only.
    `named` are the players that facts name, by the fact; `adjustments` are added after all rules.
    """

    player: str
    cards: Mapping[str, int] = field(default_factory=dict)
    handed_in: datetime | None = None
    cancels: tuple[str, ...] = ()
    facts: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    adjustments: tuple[Adjustment, ...] = ()

    def __post_init__(self) -> None:
        # The optimizer passes mappings of its own, which record what is read.
        if type(self.parts) is dict:
            object.__setattr__(self, "parts", ReadOnly({part: ReadOnly(cards) for part, cards in self.parts.items()}))
        for name in ("cards", "facts", "named"):
            if type(entered := getattr(self, name)) is dict:
                object.__setattr__(self, name, ReadOnly(entered))


def cancelling_rules(edition: Edition, active: Collection[str]) -> list[Rule]:
    """Return the active rules whose holders may cancel other rules."""
    return [
        rule
        for rule in edition.rules
        if rule.key in active and rule.scope is Scope.HOLDER and Phase.CANCEL in rule.phases
    ]


def cards_in_play(hands: Mapping[str, Mapping[str, int]]) -> frozenset[str]:
    """Return the kinds of card that any player handed in. `hands` are the cards by player."""
    return frozenset(kind for cards in hands.values() for kind, number in cards.items() if number)


def choice_mistakes(
    edition: Edition,
    active: Collection[str],
    hands: Mapping[str, Mapping[str, int]],
    player: str,
    choices: Iterable[str],
    in_play: Collection[str] | None = None,
) -> Iterator[str]:
    """Yield a sentence for each mistake in a player's choices. `hands` are the cards of all players by name.

    Pass `in_play`, the result of `cards_in_play`, to avoid going through all hands each time.
    """
    chosen = list(choices)
    cards = hands.get(player)
    if cards is None:
        yield "no hand has this player's name"
        return
    if not chosen:
        return
    held = [rule for rule in cancelling_rules(edition, active) if cards.get(rule.card, 0)]
    if not held:
        yield "this player handed in no card that cancels a rule"
        return
    most = len({rule.effect for rule in held})
    if len(chosen) > most:
        yield f"names {len(chosen)} rules, but may cancel at most {most}"
    touched = edition.rule_of.keys() & set().union(*(rule.touches for rule in held))
    targets = sorted(touched, key=lambda key: edition.rule_of[key].position)
    present = cards_in_play(hands) if in_play is None else in_play
    for key in chosen:
        sentence = _choice_mistake(edition, active, present, targets, key)
        if sentence:
            yield sentence


def _choice_mistake(
    edition: Edition, active: Collection[str], in_play: Collection[str], targets: Sequence[str], key: str
) -> str | None:
    """Return why a rule cannot be cancelled, or None."""
    if key not in edition.rule_of:
        return f"{edition.slug} has no rule {format_value(key)}"
    if key not in targets:
        return f"rule {key} cannot be cancelled (these can: {', '.join(targets)})"
    if key not in active:
        return f"rule {key} is not active in this game"
    if edition.rule_of[key].card not in in_play:
        return f"rule {key} is not in play: nobody handed in its card"
    return None


class DeckPartCards:
    """The cards in one part of a player's deck. Rules get it from `me.part`."""

    def __init__(self, edition: Edition, cards: Mapping[str, int]) -> None:
        self._edition = edition
        self._cards = cards

    def has(self, name: str) -> int:
        """Return the number of cards of a kind, a group or a category in this part."""
        group = self._edition.group_of.get(name)
        if group:
            return sum(self._cards.get(kind, 0) for kind in group.kinds)
        return self._cards.get(name, 0) + sum(self.counts(name).values())

    def counts(self, category: str) -> dict[str, int]:
        """Return the number of cards of each kind of a category in this part, in the edition's order, without zeros."""
        kinds = (kind.slug for kind in self._edition.kinds if kind.category == category)
        return {kind: self._cards[kind] for kind in kinds if self._cards.get(kind)}


def part_mistakes(edition: Edition, hand: Hand) -> Iterator[tuple[str, str, str]]:
    """Yield part, kind ("" for none) and a sentence for each mistake in the parts of a hand."""
    known = ", ".join(part.slug for part in edition.parts)
    named = {part.slug for part in edition.parts}
    counts: dict[str, int] = {}
    for slug, cards in hand.parts.items():
        if slug not in named:
            yield slug, "", f"has no such part (it has {known})" if named else "has decks without parts"
            continue
        for kind, number in cards.items():
            counts[kind] = counts.get(kind, 0) + number
            if number < 0:
                yield slug, kind, f"has {number} cards; the number must not be negative"
            elif counts[kind] > (most := hand.cards.get(kind, 0)):
                yield slug, kind, f"is in parts {_times(counts[kind])}, but in the deck {_times(most)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
