"""Collects the items while hands are put together, and gives each ruling its effect once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from server.play.items import Kind, Standing, mistake_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.play.items import Choice, Decision, Item, Ruled

# Earlier versions asked about strange codes and unreadable pictures. Nothing followed from the decisions.
_NOT_ASKED = ("code:", "failed:")


class Docket:
    """The items found so far, and the rulings that had an effect."""

    def __init__(self, rulings: Mapping[str, Ruled], envelopes: Sequence[int], cards: Mapping[str, int]) -> None:
        self.rulings = rulings
        self._envelopes = envelopes
        self._cards = cards
        self._effective: set[str] = set()
        self._items: dict[str, Item] = {}

    def ruled(self, key: str, choices: Sequence[Choice]) -> Decision | None:
        """Return what was decided on an item, if that is (still) one of the choices. It counts as effective then."""
        ruling = self.rulings.get(key)
        if ruling is None or mistake_in(ruling.decision, choices, self._envelopes, self._cards):
            return None
        self._effective.add(key)
        return ruling.decision

    def add(self, item: Item) -> None:
        """Keep an item; an effective ruling shows in it, and else what settled it."""
        if item.key in self._effective:
            item = replace(item, standing=Standing.RULED, ruling=self.rulings[item.key])
        elif item.settled:
            item = replace(item, standing=Standing.SETTLED)
        self._items[item.key] = item

    def items(self) -> tuple[Item, ...]:
        """Return all items, those that settle others first, then as the pictures came."""
        kinds = {kind: place for place, kind in enumerate(Kind)}
        return tuple(sorted(self._items.values(), key=lambda item: (kinds[item.kind], item.order, item.key)))

    def without_effect(self) -> tuple[str, ...]:
        """Return the keys of the rulings that had no effect: what they were about is no more."""
        lost = self.rulings.keys() - self._effective
        return tuple(sorted(key for key in lost if not key.startswith(_NOT_ASKED)))
