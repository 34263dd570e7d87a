"""`haggle bench score`: how many hands a second the engine scores, with and without the texts of the breakdown."""

from __future__ import annotations

import gc
import json
import time
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich import box
from rich.console import Console
from rich.table import Table

from server.editions import EditionError, edition_names, load_edition
from server.scoring import Hand, Scorer
from server.search.chance import Chance
from server.search.games import dealt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from server.scoring import Edition

_COLOURS = ("red", "blue", "green", "orange", "yellow", "pink")
_BIG, _FEW, _SPAN, _LONE = 19, 3, 9, 7
_LIMIT, _RED_LIMIT, _RULE_LIMIT, _RULE_LIMIT_RED = 6, 4, 5, 7
_FOUR = 4


def plain_score(cards: Mapping[str, int], blue: int = 1) -> int:
    """Return the score of a EuroCG hand, with the base value of blue."""
    counts = [cards.get(colour, 0) for colour in _COLOURS]
    held = sorted(count for count in counts if count)
    total, top = sum(cards.values()), max(counts)
    numbers = [int(kind[5:]) for kind, number in cards.items() if kind.startswith("rule-") for _ in range(number)]
    return (
        _of_cards(counts, total, top, blue, few=len(held) == _FEW)
        + _of_rule_cards(numbers, top, red_first=0 < counts[0] == top)
        + _of_blue(counts[1], held)
        + (5 if len(held) == 1 else 3 * len(held) * (len(set(held)) == len(held)))
        + 5 * (total % 5 == 1)
        + 12 * (len(held) == len(_COLOURS))
        + 13 * (total > 1 and all(total % divisor for divisor in range(2, isqrt(total) + 1)))
        + 8 * (held.count(_FOUR) == 1)
        + 11 * (bool(held) and held[0] == len(held))
    )


def _of_cards(counts: list[int], total: int, top: int, blue: int, *, few: bool) -> int:
    red, blues, green, orange, _, _ = counts
    worths = (2, blue, 3, 3, abs(green - orange), abs(red - blues) % 4)
    limits = (_RED_LIMIT + few, total, *[_LIMIT + few] * 4)
    return sum(
        count * worth
        for count, worth, limit in zip(counts, worths, limits, strict=True)
        if count <= limit and not (total > _BIG and count == top)
    )


def _of_rule_cards(numbers: list[int], top: int, *, red_first: bool) -> int:
    held = len(numbers)
    if held > (_RULE_LIMIT_RED if red_first else _RULE_LIMIT):
        return 0
    if held == 1:
        return numbers[0] % (top or _LONE)
    return (max(numbers) - min(numbers)) % _SPAN if held % 2 else held


def _of_blue(blue: int, held: list[int]) -> int:
    if not blue or blue > held[0]:
        return 0
    return 11 if held.count(blue) == 1 else 2


_PEER = "eurocg-2026"
_REPEATS = 3


class Row(NamedTuple):
    """One way of scoring. `ratio` compares its time for a hand with that of the way that `beside` names."""

    edition: str
    way: str
    hands: int
    rules: int
    per_second: float
    ratio: float
    beside: str

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return self._asdict() | {"per_second": round(self.per_second), "ratio": round(self.ratio, 3)}


@click.command(name="score")
@click.option("--hands", type=click.IntRange(10, 100_000), default=2000, show_default=True, help="Hands to score.")
@click.option("--edition", "chosen", metavar="EDITION", help="One edition. Default: all.")
@click.option("--seed", default="bench", show_default=True, help="Any text; it decides the hands.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each way of scoring.")
def command(hands: int, chosen: str | None, seed: str, *, as_json: bool) -> None:
    """Score starting hands, on one thread, and compare.

    Hands are scored one by one, and all as one game, also with a quarter of the hands and with half of the rules, and
    with the texts of their breakdowns: where the time is linear, a hand takes as long in a small game as in a large
    one, and half the rules take about half of the time. Beside EuroCG stands a plain function that explains nothing.
    """
    rows: list[Row] = []
    try:
        for name in [chosen] if chosen else edition_names():
            rows += _rows(load_edition(name), hands, seed)
    except EditionError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        for row in rows:
            click.echo(json.dumps(row.as_json()))
    else:
        Console().print(_table(rows))


def _rows(edition: Edition, number: int, seed: str) -> list[Row]:
    cards = _hands(edition, number, seed)
    hands = [Hand(f"Player {place}", held) for place, held in enumerate(cards)]
    scorer = Scorer(edition)
    keys = list(edition.rule_of)
    half = Scorer(edition, active_rules=keys[::2])
    quarter = hands[: max(number // 4, 1)]

    def alone() -> None:
        for hand in hands:
            scorer.score([hand], provisional=False)

    def alone_told() -> None:
        for hand in hands:
            _tell(scorer, [hand])

    one, one_told = _seconds(alone), _seconds(alone_told)
    game = _seconds(lambda: scorer.score(hands, provisional=False))
    game_told = _seconds(lambda: _tell(scorer, hands))
    times = len(hands) / len(quarter)
    part = _seconds(lambda: scorer.score(quarter, provisional=False)) * times
    part_told = _seconds(lambda: _tell(scorer, quarter)) * times
    fewer = _seconds(lambda: half.score(hands, provisional=False))
    rules = len(keys)

    def row(way: str, seconds: float, other: float, beside: str, counted: tuple[int, int] = (number, rules)) -> Row:
        return Row(edition.slug, way, *counted, number / seconds, seconds / other, beside)

    rows = [
        row("alone", one, one, "itself"),
        row("alone, texts", one_told, one, "alone"),
        row("game", game, game, "itself"),
        row("game, texts", game_told, game, "game"),
        row("quarter", part, game, "game", (len(quarter), rules)),
        row("quarter, texts", part_told, game_told, "game, texts", (len(quarter), rules)),
        row("half the rules", fewer, game, "game", (number, len(keys[::2]))),
    ]
    if edition.slug == _PEER:
        for held, hand in zip(cards, hands, strict=True):
            if scorer.score([hand], provisional=False).hands[0].score != plain_score(held):
                raise click.ClickException(f"the plain function disagrees on {dict(held)}; report this deck")
        plain = _seconds(lambda: [plain_score(held) for held in cards])
        rows.append(row("plain function", plain, one, "alone"))
    return rows


def _tell(scorer: Scorer, hands: Sequence[Hand]) -> None:
    """Score the hands of a game with the texts of all breakdowns."""
    for hand in scorer.score(hands, provisional=False).hands:
        _ = hand.lines


def _hands(edition: Edition, number: int, seed: str) -> Sequence[dict[str, int]]:
    """Return starting hands of as many games as are needed."""
    chance = Chance(f"{seed}/{edition.slug}")
    hands: list[dict[str, int]] = []
    while len(hands) < number:
        hands += [dict(hand) for hand in dealt(edition, edition.players_max, chance)]
    return hands[:number]


def _seconds(work: Callable[[], object]) -> float:
    """Return the shortest of a few times of the processor, with the collector of cyclic garbage off as in `timeit`."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        times = []
        for _ in range(_REPEATS):
            began = time.thread_time()
            work()
            times.append(time.thread_time() - began)
    finally:
        if collecting:
            gc.enable()
    return min(times)


def _table(rows: Sequence[Row]) -> Table:
    table = Table(title="Scoring on one thread; time a hand, beside another way", box=box.SIMPLE, padding=(0, 1, 0, 0))
    for heading in ("Edition", "Way"):
        table.add_column(heading, no_wrap=True)
    for heading in ("Hands", "Rules", "Hands/s", "Time", "beside"):
        table.add_column(heading, justify="right", no_wrap=True)
    for before, row in zip((None, *rows), rows, strict=False):
        if before and before.edition != row.edition:
            table.add_section()
        ratio = f"x {row.ratio:.2f}"
        speed = f"{row.per_second:,.0f}"
        table.add_row(row.edition, row.way, str(row.hands), str(row.rules), speed, ratio, row.beside)
    return table
