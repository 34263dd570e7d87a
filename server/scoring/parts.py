"""A labelled part of a deck: what rules may read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.scoring.edition import Edition
    from server.scoring.hand import Hand


class Part:
    """The cards that a player laid into one part of the deck. Rules get it from `me.part`."""

    def __init__(self, edition: Edition, cards: Mapping[str, int]) -> None:
        self._edition = edition
        self._cards = cards

    def has(self, name: str) -> int:
        """Return how many cards of a kind, a group or a category lie in this part."""
        group = self._edition.group_of.get(name)
        if group:
            return sum(self._cards.get(kind, 0) for kind in group.kinds)
        return self._cards.get(name, 0) + sum(self.counts(name).values())

    def counts(self, category: str) -> dict[str, int]:
        """Return how many cards of each kind of a category lie here, in the edition's order; others are left out."""
        kinds = (kind.slug for kind in self._edition.kinds if kind.category == category)
        return {kind: self._cards[kind] for kind in kinds if self._cards.get(kind)}


def part_mistakes(edition: Edition, hand: Hand) -> Iterator[tuple[str, str, str]]:
    """Yield part, kind and a sentence for each mistake in what a hand says of its parts; "" for no kind."""
    known = ", ".join(part.slug for part in edition.parts)
    named = {part.slug for part in edition.parts}
    laid: dict[str, int] = {}
    for slug, cards in hand.parts.items():
        if slug not in named:
            yield slug, "", f"has no such part (it has {known})" if named else "has decks without parts"
            continue
        for kind, number in cards.items():
            laid[kind] = laid.get(kind, 0) + number
            if number < 0:
                yield slug, kind, f"counts {number} cards, which cannot be"
            elif laid[kind] > (most := hand.cards.get(kind, 0)):
                yield slug, kind, f"lies in parts {_times(laid[kind])}, but is in the deck {_times(most)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
