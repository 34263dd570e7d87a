"""Games of made-up hands, on which the rules of an edition are tried. The games are the same each time."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from server.scoring import Hand
from server.scoring.cancels import cancelling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring.edition import Edition

_MOST = 13
"""Most copies of a kind in a made-up hand."""


def made_up(edition: Edition, game: int) -> list[Hand]:
    """Return one to five hands: an empty one, one of everything, and many between."""
    hands = list(_hands(edition, game))
    active = edition.rule_of
    cards = {rule.card: rule.key for rule in edition.rules}
    in_play = {cards[kind] for hand in hands for kind, number in hand.cards.items() if number and kind in cards}
    choosing = cancelling(edition, active)
    for seat, hand in enumerate(hands):
        held = [rule for rule in choosing if hand.cards.get(rule.card)]
        targets = sorted(in_play & set().union(*(rule.touches for rule in held)))
        if targets and len(hands) > 1:
            hands[seat] = replace(hand, cancels=(targets[_drawn(len(targets), game, seat, "cancels")],))
    return hands


def _hands(edition: Edition, game: int) -> Iterator[Hand]:
    for seat in range(1 + game % 5):
        cards = {}
        for kind in edition.kinds:
            most = 1 + (game + seat) % (2 if kind.category == "rule" else _MOST)
            number = _drawn(2 * most + 1, game, seat, kind.slug) - most
            cards[kind.slug] = 1 if (game, seat) == (1, 0) else max(number, 0)
        if (game, seat) == (0, 0):
            cards = {}
        parts: dict[str, dict[str, int]] = {part.slug: {} for part in edition.parts}
        for slug, count in cards.items():
            for copy in range(count if parts else 0):
                part = parts[edition.parts[_drawn(len(parts), game, seat, slug, copy)].slug]
                part[slug] = part.get(slug, 0) + 1
        facts = {
            fact.name: bool(_drawn(2, game, seat, fact.name))
            if fact.yes_no
            else fact.minimum + _drawn(fact.maximum - fact.minimum + 1, game, seat, fact.name)
            for fact in edition.facts
        }
        yield Hand(f"Player {seat + 1}", cards, facts=facts, parts=parts)


def _drawn(choices: int, *what: object) -> int:
    digest = hashlib.sha256("/".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8], "big") % choices
