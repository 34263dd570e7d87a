"""`haggle bench score`: hands scored per second, with and without the texts of the breakdown."""

from __future__ import annotations

import json
import time
import timeit
from typing import TYPE_CHECKING, NamedTuple

import click

from benchmarks.tables import printed
from server.editions import edition_names, load_edition
from server.optimizer.simulation import SeededRandom, deal_hands
from server.scoring import Hand, Scorer
from server.scoring.errors import EditionError
from tests.editions.rules_as_functions import BOOKS, with_functions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.scoring import Edition

_REPEATS = 3


class Row(NamedTuple):
    """One variant. `ratio` compares its time for a hand with that of the variant `beside`."""

    edition: str
    way: str
    hands: int
    rules: int
    per_second: float
    ratio: float
    beside: str


@click.command(name="score")
@click.option("--hands", type=click.IntRange(10, 100_000), default=2000, show_default=True, help="Hands to score.")
@click.option("--edition", "chosen", metavar="EDITION", help="One edition. Default: all.")
@click.option("--seed", default="bench", show_default=True, help="Any text; it decides the hands.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each way of scoring.")
def command(hands: int, chosen: str | None, seed: str, *, as_json: bool) -> None:
    """Score starting hands in one thread, in several variants.

    The variants are: hands one by one, all as one game, a quarter of the hands, half of the rules, with the texts of
    breakdowns, and with functions instead of formulas. If the time is linear, a hand takes as long in a small game as
    in a large one, and half of the rules take about half of the time.
    """
    rows: list[Row] = []
    try:
        for name in [chosen] if chosen else edition_names():
            rows += _rows(load_edition(name), hands, seed)
    except EditionError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        for row in rows:
            click.echo(json.dumps(row._asdict()))
        return
    heads = ("Edition", "Way", "Hands", "Rules", "Hands/s", "Time", "beside")
    cells = ((*row[:4], f"{row.per_second:,.0f}", f"x {row.ratio:.2f}", row.beside) for row in rows)
    printed("Scoring on one thread; time a hand, beside another way", heads, cells, words=2)


def _rows(edition: Edition, number: int, seed: str) -> list[Row]:
    chance = SeededRandom(f"{seed}/{edition.slug}")
    cards: list[dict[str, int]] = []
    while len(cards) < number:
        cards += [dict(hand) for hand in deal_hands(edition, edition.players_max, chance)]
    hands = [Hand(f"Player {index}", held) for index, held in enumerate(cards[:number])]
    keys = list(edition.rule_of)
    scorer, half = Scorer(edition), Scorer(edition, active_rules=keys[::2])
    quarter = hands[: max(number // 4, 1)]

    def score(hands: Sequence[Hand], by: Scorer = scorer, *, texts: bool = False) -> object:
        scored = by.score(hands, provisional=False).hands
        if texts:
            for hand in scored:
                _ = hand.lines
        return scored

    ways: list[tuple[str, str, Sequence[Hand], Callable[[], object]]] = [
        ("alone", "alone", hands, lambda: [score([hand]) for hand in hands]),
        ("alone, texts", "alone", hands, lambda: [score([hand], texts=True) for hand in hands]),
        ("game", "game", hands, lambda: score(hands)),
        ("game, texts", "game", hands, lambda: score(hands, texts=True)),
        ("quarter", "game", quarter, lambda: score(quarter)),
        ("half the rules", "game", hands, lambda: score(hands, half)),
    ]
    if book := BOOKS.get(edition.slug):
        functions = Scorer(with_functions(edition.slug, book))
        ways.append(("functions", "game", hands, lambda: score(hands, functions)))
    speed = {way: len(scored) / _seconds(work) for way, _, scored, work in ways}
    return [
        Row(
            edition.slug,
            way,
            len(scored),
            len(keys[::2]) if way == "half the rules" else len(keys),
            speed[way],
            speed[beside] / speed[way],
            beside,
        )
        for way, beside, scored, _ in ways
    ]


def _seconds(work: Callable[[], object]) -> float:
    """Return the shortest CPU time of several runs, without garbage collection, as `timeit` does."""
    return min(timeit.repeat(work, timer=time.thread_time, number=1, repeat=_REPEATS))
