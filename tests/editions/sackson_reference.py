"""An independent reference implementation of Sackson's game, in the order of the rules.

It shares no code with the engine, so that both would need the same bug to agree on a wrong score.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

VALUE = {"yellow": 1, "blue": 2, "red": 3, "orange": 4, "white": 5}


def remaining_cards(seed: str, player: str, cards: Mapping[str, int]) -> dict[str, int]:
    """Return the 13 remaining cards of a hand: those with the largest digests."""
    pile = [(colour, copy) for colour in VALUE for copy in range(1, cards.get(colour, 0) + 1)]
    pile.sort(key=lambda card: hashlib.sha256(f"{seed}/15/{player}/{card[0]}/{card[1]}".encode()).hexdigest())
    left = pile[max(len(pile) - 13, 0) :]
    return {colour: sum(card[0] == colour for card in left) for colour in VALUE}


def reference(  # noqa: C901 - plain on purpose
    hands: Mapping[str, Mapping[str, int]], seed: str, rules: Collection[int]
) -> dict[str, int | None]:
    """Return the score of each player; None for those who are eliminated. `hands` are counts of colours by player."""
    full = {player: {colour: cards.get(colour, 0) for colour in VALUE} for player, cards in hands.items()}
    out = {player for player, cards in full.items() if 9 in rules and max(cards.values()) > 6}
    table = {
        player: remaining_cards(seed, player, cards) if 15 in rules else cards
        for player, cards in full.items()
        if player not in out
    }

    reds = [cards["red"] for cards in table.values()]
    yellows = [cards["yellow"] for cards in table.values()]
    once = [count for count in yellows if count and yellows.count(count) == 1]
    blue_hands = [player for player, cards in table.items() if cards["blue"] > 4]

    scores: dict[str, int | None] = dict.fromkeys(out)
    for player, cards in table.items():
        total = cards["yellow"] + 2 * cards["blue"] + 3 * cards["red"]
        if 12 in rules and cards["red"] > 0 and cards["red"] == max(reds) and reds.count(cards["red"]) == 1:
            total += 3 * cards["red"]
        oranges = min(cards["orange"], cards["blue"]) if 5 in rules else cards["orange"]
        for index in range(oranges):
            total += 16 if 14 in rules and 3 * (index + 1) <= cards["blue"] else 4
        if not (4 in rules and cards["white"] > 3):
            for index in range(cards["white"]):
                total += 10 if 13 in rules and 2 * (index + 1) <= cards["yellow"] else 5
        if 10 in rules:
            total += 10 * min(cards.values())
        if 8 in rules and once and cards["yellow"] == max(once):
            total += cards["yellow"] * cards["yellow"]
        if 11 in rules and sorted(cards.values()) == [0, 1, 2, 3, 4]:
            total *= 2
        if 6 in rules:
            attacks = len([other for other in blue_hands if other != player])
            if 7 in rules:
                attacks = max(0, attacks - cards["red"] // 3)
            total -= 10 * attacks
        scores[player] = total
    return scores
