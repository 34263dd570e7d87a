"""What the tests of scoring share: decks in few words, and small editions made on the spot."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from server.editions import load_edition
from server.scoring import Edition, Hand, Kind, Rulebook, score
from server.scoring.deal import Deal
from server.scoring.edition import Rule, Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.scoring import HandResult, Line

EUROCG = load_edition("eurocg-2026")


def deck(rules: Iterable[int] = (), specials: int = 0, player: str = "Ada", **colours: int) -> Hand:
    """Return a EuroCG hand: the numbers of its rule cards, how many extra specials, and its colours."""
    cards = dict(colours) | {f"rule-{number}": copies for number, copies in Counter(rules).items()}
    return Hand(player, cards | ({"special-3": specials} if specials else {}))


def scored(hand: Hand, settings: Mapping[str, int] | None = None, active: Iterable[int] | None = None) -> HandResult:
    """Score one EuroCG hand by itself."""
    return score(EUROCG, [hand], settings, active).hands[0]


def by_rule(result: HandResult, rule: int | None) -> list[Line]:
    """Return the lines of one rule, or with None those of the cards."""
    return [line for line in result.lines if line.rule == (None if rule is None else str(rule))]


def points(result: HandResult, rule: int | None) -> int:
    """Return what one rule (None: the cards) brought, void lines left out."""
    return int(sum(line.points for line in by_rule(result, rule) if not line.void))


def toy(book: Rulebook, numbers: Mapping[str, Mapping[str, int]] | None = None, **more: object) -> Edition:
    """Return a tiny edition whose rules are those of `book`: coins of gold and tin, rule cards, a setting `luck`.

    Every rule has the sentences `line` and `worth`, and the numbers given for its key.
    """
    rules = [
        Rule(
            key=key,
            place=place,
            name=key,
            text=key,
            numbers=(numbers or {}).get(key, {}),
            says={"line": f"Rule {key} acted.", "worth": f"Worth by {key}."},
            touches=code.touches,
            steps=code.steps,
            effect=key,
        )
        for place, (key, code) in enumerate(book.rules.items())
    ]
    values: dict[str, object] = {
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
        "rules": tuple(rules),
        "rulings": (),
        "ties": (),
        "phrases": EUROCG.phrases,
    }
    return Edition(**(values | more))  # type: ignore[arg-type]  # values are checked by what the tests expect
