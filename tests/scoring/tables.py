"""What the tests of rules that look at all hands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring import Hand, Numbers, Phase, Rulebook, Seat, score

if TYPE_CHECKING:
    from server.scoring import Edition, HandResult, Result


def game(edition: Edition, *gold: int, **more: object) -> Result:
    """Score hands of players a, b, c… with so many gold coins each, as a final game."""
    hands = [Hand(chr(ord("a") + place), {"gold": count}) for place, count in enumerate(gold)]
    return score(edition, hands, provisional=False, **more)  # type: ignore[arg-type]  # settings


def by_player(result: Result) -> dict[str, HandResult]:
    """Return the results by player."""
    return {hand.hand.player: hand for hand in result.hands}


def scores(result: Result) -> dict[str, int]:
    """Return the scores by player."""
    return {name: int(hand.score) for name, hand in by_player(result).items()}


def attack_book(fines: dict[str, int], shields: int = 0) -> Rulebook:
    """Return rules by which each hand with gold takes points from all others, and a shield for hands with tin."""
    book = Rulebook()
    for name, fine in fines.items():

        @book.rule(name, Phase.DEDUCT)
        def attack(me: Seat, _n: Numbers, fine: int = fine) -> None:
            if me.has("gold"):
                for other in me.table.others(me):
                    other_fine = -fine
                    me.points_for(other, other_fine)

    if shields:

        @book.rule("shield", Phase.SHIELD, touches=list(fines))
        def shield(me: Seat, _n: Numbers) -> None:
            if me.has("tin"):
                me.shield(list(fines), shields)

    return book
