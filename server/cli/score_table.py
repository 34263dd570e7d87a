"""A result as tables in the terminal. Readable without colour and at 80 columns."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from server.scoring.wording import number_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring import HandResult, Line, Result

_VOID = "dim strike"


def show(result: Result) -> None:
    """Print the ranking, then the breakdown of every hand, then what the organiser must confirm."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character still gets its table
    # Markup and emoji codes stay off: names are shown as they are.
    console = Console(markup=False, emoji=False, highlight=False)
    phrases = result.edition.phrases
    console.print(Text(result.edition.title, style="bold"))
    if not result.hands:
        console.print(phrases["no_hands"])
    else:
        console.print(_ranking(result))
    for hand in result.hands:
        console.print()
        console.print(Text(phrases["hand"].format(player=hand.hand.player, score=_score(hand)), style="bold"))
        console.print(_breakdown(hand))
    if any(line.open for hand in result.hands for line in hand.lines):
        console.print()
        console.print(Text(phrases["provisional"], style="yellow"))
    for setting in result.edition.settings:
        if setting.confirm:
            said = {"label": setting.label, "value": result.settings[setting.name], "text": setting.text}
            console.print()
            console.print(Text(phrases["setting"].format(**said), style="yellow"))


def _ranking(result: Result) -> Table:
    phrases = result.edition.phrases
    labels = {tie.name: tie.label for tie in result.edition.ties}
    table = Table(box=None, pad_edge=False)
    table.add_column(phrases["rank"], justify="right")
    table.add_column(phrases["player"], overflow="fold")
    table.add_column(phrases["score"], justify="right")
    ties = any(hand.decided_by for hand in result.hands)
    if ties:
        table.add_column(phrases["tie"])
    for hand in result.hands:
        row = [Text(str(hand.rank)), Text(hand.hand.player), Text(_score(hand), style="bold")]
        if ties:
            row.append(Text(labels[hand.decided_by] if hand.decided_by else ""))
        table.add_row(*row)
    return table


def _score(hand: HandResult) -> str:
    phrases = hand.edition.phrases
    return phrases["eliminated"] if hand.eliminated else number_text(hand.score, phrases)


def _breakdown(hand: HandResult) -> Table:
    phrases = hand.edition.phrases
    table = Table(box=None, pad_edge=False)
    table.add_column(phrases["rule_column"], justify="right")
    table.add_column(phrases["points_column"], justify="right")
    table.add_column(phrases["why"], overflow="fold")
    for line in hand.lines:
        table.add_row(*_row(line, phrases))
    if not hand.lines:
        table.add_row("", "", phrases["no_lines"])
    return table


def _row(line: Line, phrases: Mapping[str, str]) -> tuple[Text, Text, Text]:
    """Return the cells of a line; a void one shows the word instead of its points, and is struck through."""
    rule = Text(phrases["cards_row"] if line.rule is None else line.rule)
    if line.void:
        return rule, Text(phrases["void"]), Text(line.text, style=_VOID)
    sign = "+" if line.points > 0 else ""
    return rule, Text(f"{sign}{number_text(line.points, phrases)}"), Text(line.text)
