"""Hands that are eliminated, and excess cards that are removed."""

from __future__ import annotations

from server.scoring import Hand, Numbers, Phase, Rulebook, Seat, score
from tests.scoring.support import toy
from tests.scoring.tables import attack_book, by_player, game, scores


def test_an_eliminated_hand_leaves_the_table() -> None:
    """It has no lines but its elimination, does nothing to others, counts in no majority, and ranks last."""
    book = attack_book({"attack": 1})

    @book.rule("out", Phase.ELIMINATE)
    def out(me: Seat, _n: Numbers) -> None:
        if me.has("gold") > 2:
            me.eliminate()

    result = game(toy(book, valued=frozenset()), 3, 1, 4, 0)
    assert [(h.hand.player, h.rank, h.eliminated) for h in result.hands] == [
        ("b", 1, False),
        ("d", 2, False),
        ("a", 3, True),
        ("c", 3, True),
    ]
    assert scores(result)["d"] == -1
    assert [line.rule for line in by_player(result)["a"].lines] == ["out"]


def test_a_game_may_eliminate_everybody() -> None:
    """Then all share the first place, and none has a score."""
    book = Rulebook()
    book.rule("out", Phase.ELIMINATE)(lambda me, _n: me.eliminate())
    result = game(toy(book), 1, 2)
    assert [(h.rank, h.eliminated) for h in result.hands] == [(1, True), (1, True)]


def keep_book(*limits: int) -> Rulebook:
    """Return rules that keep so many coins each, and one that gives a point for each coin left."""
    book = Rulebook()
    for limit in limits:
        book.rule(f"keep-{limit}", Phase.REMOVE)(lambda me, _n, limit=limit: me.keep("coin", limit))
    book.rule("left", Phase.OWN)(lambda me, _n: me.points(me.has("coin")))
    return book


def test_the_smallest_limit_keeps_and_handed_in_stays() -> None:
    """Of limits 5 and 3, three coins are left; `handed_in` still tells what was in the envelope."""
    edition = toy(keep_book(5, 3), valued=frozenset())
    (hand,) = score(edition, [Hand("Ada", {"gold": 4, "tin": 4})]).hands
    assert hand.score == 3
    assert (hand.seat.handed_in("gold"), hand.seat.total) == (4, 8)
    assert by_player(score(edition, [Hand("Ada", {"gold": 3})]))["Ada"].score == 3


def test_a_kind_whose_cards_all_left_keeps_its_line() -> None:
    """The breakdown tells of every kind that was handed in, if only to say that none of it counts."""
    book = keep_book(1)
    edition = toy(book, worths={"gold": 1, "tin": 1})
    (hand,) = score(edition, [Hand("Ada", {"gold": 1, "tin": 1})]).hands
    assert sorted(int(line.points) for line in hand.lines if line.rule is None) == [0, 1]
