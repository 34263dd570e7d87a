"""A result as tables in the terminal. Readable without colour and at 80 columns."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from server.scoring import decimal

if TYPE_CHECKING:
    from server.scoring import HandResult, Line, Result

_VOID = "dim strike"


def show(result: Result) -> None:
    """Print the ranking, then the breakdown of every hand, then what the organiser must confirm."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character still gets its table
    # Markup and emoji codes stay off: names are shown as they are.
    console = Console(markup=False, emoji=False, highlight=False)
    console.print(Text(result.edition.title, style="bold"))
    if not result.hands:
        console.print("No hands.")
    else:
        console.print(_ranking(result))
    for hand in result.hands:
        console.print()
        console.print(Text(f"{hand.hand.player}: {decimal(hand.score)}", style="bold"))
        console.print(_breakdown(hand))
    for setting in result.edition.settings:
        if setting.confirm:
            value = result.settings[setting.name]
            console.print()
            console.print(Text(f"{setting.label}: {value}. {setting.text}", style="yellow"))


def _ranking(result: Result) -> Table:
    labels = {tie.name: tie.label for tie in result.edition.ties}
    table = Table(box=None, pad_edge=False)
    table.add_column("Rank", justify="right")
    table.add_column("Player", overflow="fold")
    table.add_column("Score", justify="right")
    ties = any(hand.decided_by for hand in result.hands)
    if ties:
        table.add_column("Tie decided by")
    for hand in result.hands:
        row = [Text(str(hand.rank)), Text(hand.hand.player), Text(decimal(hand.score), style="bold")]
        if ties:
            row.append(Text(labels[hand.decided_by] if hand.decided_by else ""))
        table.add_row(*row)
    return table


def _breakdown(hand: HandResult) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("Rule", justify="right")
    table.add_column("Points", justify="right")
    table.add_column("Why", overflow="fold")
    for line in hand.lines:
        table.add_row(*_row(line))
    if not hand.lines:
        table.add_row("", "", "Nothing counts for this deck.")
    return table


def _row(line: Line) -> tuple[Text, Text, Text]:
    """Return the cells of a line; a void one shows the word instead of its points, and is struck through."""
    rule = Text("cards" if line.rule is None else line.rule)
    if line.void:
        return rule, Text("void"), Text(line.text, style=_VOID)
    return rule, Text(f"{'+' if line.points > 0 else ''}{decimal(line.points)}"), Text(line.text)
