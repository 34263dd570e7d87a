"""The figures of a rush: how long answers took, by what was asked, and all else that is counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from server.bench.rush.laws import late
from server.bench.rush.notes import REFUSALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from server.bench.rush.notes import Call
    from server.bench.rush.run import Outcome

LAST = 60.0
"""Seconds before the deadline that are looked at by themselves."""


class Row(NamedTuple):
    """How long one kind of request took, in seconds, over so many; `refused` of them were to come back later."""

    what: str
    calls: int
    refused: int
    median: float
    p95: float
    p99: float
    most: float


def spread(what: str, seconds: Iterable[float], refused: int = 0) -> Row:
    """Return the row of so many times; zeros where there are none."""
    ordered = sorted(seconds)
    return Row(what, len(ordered), refused, *(_at(ordered, share) for share in (0.5, 0.95, 0.99, 1.0)))


def rows(calls: Iterable[Call]) -> list[Row]:
    """Return a row for each kind of request, and one for all."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    refused: Counter[str] = Counter()
    for call in calls:
        for what in (call.what, "all"):
            times[what].append(call.seconds)
            refused[what] += call.status in REFUSALS
    return [spread(what, times[what], refused[what]) for what in sorted(times, key=lambda one: (one == "all", one))]


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as plain data."""
    wanted, notes = outcome.rush, outcome.notes
    busiest = [call for call in notes.calls if 0 <= wanted.haste.seconds - call.at <= LAST]
    return {
        "players": wanted.players,
        "streams": wanted.streams,
        "seconds": wanted.haste.seconds,
        "seed": wanted.seed,
        "cores": outcome.cores,
        "held": outcome.held,
        "laws": [law._asdict() for law in outcome.laws],
        "calls": [_rounded(row) for row in rows(notes.calls)],
        "calls_in_last_minute": len(busiest),
        "picture_to_reading": _rounded(spread("read", outcome.waits)),
        "picture_to_list_on_phone": _rounded(spread("seen", (took for one in notes.promises for took in one.seconds))),
        "streams_told": dict(notes.streams),
        "retries": dict(notes.retried),
        "desk": dict(notes.desk),
        "photos": len(outcome.waits),
        "hand_ins": sum(bool(one.receipt) for one in notes.promises),
        "late": late(notes.promises),
        "scores": sum(one.checks for one in notes.promises),
        "usage": {
            role: {"peak_mb": round(used.peak / 1e6, 1), "cpu_seconds": round(used.processor, 1)}
            for role, used in outcome.usage.items()
        },
        "load_cpu_seconds": round(notes.processor, 1),
        "run_seconds": round(outcome.seconds, 1),
    }


def _rounded(row: Row) -> dict[str, Any]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in row._asdict().items()}


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
