"""Helpers to write decks briefly and to build small editions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from server.editions import load_edition
from server.scoring import Edition, Hand, Kind, Phase, Rulebook, score
from server.scoring.edition import Deal, Setting
from server.scoring.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.scoring import HandResult, Line, Numbers, Result, Seat

EUROCG = load_edition("eurocg-2026")


def deck(rules: Iterable[int] = (), specials: int = 0, player: str = "Ada", **colours: int) -> Hand:
    """Return a EuroCG hand: the numbers of its rule cards, how many extra specials, and its colours."""
    cards = dict(colours) | {f"rule-{number}": copies for number, copies in Counter(rules).items()}
    return Hand(player, cards | ({"special-3": specials} if specials else {}))


def scored(hand: Hand, settings: Mapping[str, int] | None = None, active: Iterable[int] | None = None) -> HandResult:
    """Score a single EuroCG hand."""
    return score(EUROCG, [hand], settings, active).hands[0]


def by_rule(result: HandResult, rule: int | str | None) -> list[Line]:
    """Return the lines of one rule, or with None those of the cards."""
    return [line for line in result.lines if line.rule == (None if rule is None else str(rule))]


def toy(*rules: tuple[Any, ...], numbers: Mapping[str, Mapping[str, int]] | None = None, **more: Any) -> Edition:  # noqa: ANN401 - fields of an edition
    """Return a tiny edition: coins of gold and tin, a rule card, a setting `luck`, and the rules given.

    A rule is its key, its phase, its function, and the keys of the rules that it touches.
    """
    book = Rulebook()
    for key, phase, act, *touches in rules:
        book.rule(key, phase, touches=touches)(act)
    made = [
        Rule(
            key=key,
            position=index,
            name=key,
            text=key,
            numbers=(numbers or {}).get(key, {}),
            says={"line": f"Rule {key} acted.", "worth": f"Worth by {key}."},
            touches=code.touches,
            steps=code.steps,
            effect=key,
        )
        for index, (key, code) in enumerate(book.rules.items())
    ]
    values: dict[str, Any] = {
        "slug": "toy",
        "language": "en",
        "title": "Toy",
        "summary": "",
        "players_min": 1,
        "players_max": 9,
        "kinds": (Kind("gold", "coin", "Gold"), Kind("tin", "coin", "Tin"), Kind("rule-1", "rule", "One", number=1)),
        "deal": (Deal("coin", "Coins", 2, different=False), Deal("rule", "Rules", 1, different=True)),
        "valued": frozenset({"coin"}),
        "settings": (Setting("luck", "Luck", "", 0, 10, 3, confirm=False),),
        "rules": tuple(made),
        "rulings": (),
        "ties": (),
        "phrases": EUROCG.phrases,
    }
    return Edition(**(values | more))


def game(edition: Edition, *gold: int) -> Result:
    """Score hands of players a, b, c… with the given numbers of gold coins, as a final game."""
    hands = [Hand(chr(ord("a") + index), {"gold": count}) for index, count in enumerate(gold)]
    return score(edition, hands, provisional=False)


def by_player(result: Result) -> dict[str, HandResult]:
    """Return the results by player."""
    return {hand.hand.player: hand for hand in result.hands}


def scores(result: Result) -> dict[str, int]:
    """Return the scores by player."""
    return {name: int(hand.score) for name, hand in by_player(result).items()}


def attack(key: str, fine: int) -> tuple[Any, ...]:
    """Return a rule by which each hand with gold takes points from all others, one by one."""

    def act(me: Seat, _n: Numbers) -> None:
        for other in me.table.others(me) if me.has("gold") else ():
            me.points_for(other, -fine)

    return key, Phase.DEDUCT, act


def shield(lines: int, *rules: str, key: str = "shield") -> tuple[Any, ...]:
    """Return a rule by which hands with tin void a number of deductions."""
    return key, Phase.SHIELD, lambda me, _n: me.has("tin") and me.shield(list(rules), lines), *rules
