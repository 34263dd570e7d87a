"""Tables in the terminal, and statistics of measured times."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Times(NamedTuple):
    """Seconds that one kind of request took, over a number of requests; `refused` of them were to come back later."""

    what: str
    calls: int
    refused: int
    median: float
    p95: float
    p99: float
    most: float


def spread(what: str, seconds: Iterable[float], refused: int = 0) -> Times:
    """Return the row of times; zeros if there are none."""
    ordered = sorted(seconds)
    at = [ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0 for part in (0.5, 0.95, 0.99, 1)]
    return Times(what, len(ordered), refused, *at)


def printed(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]], *, words: int = 1) -> None:
    """Print a table whose first `words` columns contain text and the others numbers."""
    table = Table(title=title, box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for index, head in enumerate(heads):
        if index < words:
            table.add_column(head, overflow="fold")
        else:
            table.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(str, row))
    Console(markup=False, emoji=False, highlight=False).print(table)


def times_table(title: str, rows: Iterable[Times]) -> None:
    """Print times in milliseconds."""
    heads = ("Asked", "Times", "Refused", "Median ms", "95 %", "99 %", "Most")
    cells = (
        [row.what, f"{row.calls:,}", row.refused or "", *(f"{seconds * 1000:,.0f}" for seconds in row[3:])]
        for row in rows
    )
    printed(title, heads, cells)
