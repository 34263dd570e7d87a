"""Runs readers over sets of pictures, one thread and one picture at a time, and sums up what came of it."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

import cv2

from scanner import PhotoError, photo
from scanner.warming import warm_up as make_ready
from server.bench.judge import Tally, judge, settled
from server.bench.memory import memory_ratio
from server.bench.readers import OURS, decode_seconds, warm_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.bench.pictures import Picture, PictureSet
    from server.bench.readers import Reader


@dataclass
class Row:
    """One reader on one set.

    Times are the processor's. `searches` (reading decoded pixels) and `totals` (from the file's bytes to the codes) are
    multiples of OpenCV's time for decoding the same file to colour, one for each picture of which that is known.
    `modules` holds for each code of known size its pixels a module and whether it was read. `passes` are the
    processor's milliseconds of each step of our own scan, for each picture in which it ran.
    """

    of: PictureSet
    reader: str
    tally: Tally = field(default_factory=Tally)
    seconds: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)
    totals: list[float] = field(default_factory=list)
    modules: list[tuple[float, bool]] = field(default_factory=list)
    passes: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    cut_short: int = 0
    memory: float | None = None

    @property
    def photos(self) -> int:
        """Pictures that were read."""
        return len(self.seconds)


@dataclass(frozen=True)
class Missed:
    """A picture in which we did not read every card, and the names of those."""

    picture: Picture
    cards: tuple[str, ...]


def measure(
    chosen: PictureSet,
    readers: Mapping[str, Reader],
    *,
    memory: bool,
    tell: Callable[[str], None],
    step: Callable[[], None],
    seen: Callable[[Missed], None],
) -> list[Row]:
    """Return a row for each reader. `tell` is given a line for people, `seen` each picture, `step` says one is done."""
    rows = {name: Row(chosen, name) for name in readers}
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        warm_up(readers)
        if chosen.game is not None and OURS in readers:
            make_ready(chosen.game)
        for number, picture in enumerate(chosen.pictures()):
            try:
                missed = _measure_one(picture, chosen, readers, rows)
            except PhotoError as error:
                tell(f"left out: {chosen.name}, {picture.name}: {error}")
                continue
            seen(Missed(picture, missed))
            if memory and not number and OURS in rows:
                rows[OURS].memory = memory_ratio(picture.data, chosen.game)
            step()
    finally:
        cv2.setNumThreads(threads)
    return list(rows.values())


def _measure_one(
    picture: Picture, chosen: PictureSet, readers: Mapping[str, Reader], rows: Mapping[str, Row]
) -> tuple[str, ...]:
    """Let every reader read one picture, add that to their rows, and return the cards that we missed."""
    began = time.process_time()
    grey = photo.load(picture.data)
    loading = time.process_time() - began
    decoding = decode_seconds(picture.data)
    outcomes = {name: reader(picture.data, grey, chosen.game) for name, reader in readers.items()}
    truth = settled(picture, [outcome.reads for outcome in outcomes.values()])
    missed: tuple[str, ...] = ()
    for name, outcome in outcomes.items():
        row = rows[name]
        opened = name == OURS
        search = max(outcome.seconds - loading, 0.0) if opened else outcome.seconds
        total = outcome.seconds if opened else outcome.seconds + loading
        judgement = judge(truth, outcome.reads, chosen.least, outcome.result if chosen.game else None)
        row.tally += judgement.tally
        row.modules += judgement.modules
        row.seconds.append(total)
        if decoding:
            row.searches.append(search / decoding)
            row.totals.append(total / decoding)
        if outcome.result is not None:
            row.cut_short += not outcome.result.complete
            steps = outcome.result.timings
            # They come from the clock on the wall, which runs on while the machine does other things.
            unit = outcome.seconds * 1000 / (sum(steps.values()) or 1)
            for step, milliseconds in steps.items():
                row.passes[step].append(milliseconds * unit)
            missed = judgement.missed
    return missed


def middle(values: Sequence[float]) -> float:
    """Return the median; 0 of nothing."""
    return median(values) if values else 0.0


def slow(values: Sequence[float], share: float = 0.95) -> float:
    """Return the value that so large a share of the values does not exceed; of few values that is the largest."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def bins(rows: Sequence[Row]) -> Iterator[tuple[str, float, float, int, int]]:
    """Yield reader, least and largest pixels a module, codes of that size and how many were read, sorted."""
    for name in dict.fromkeys(row.reader for row in rows):
        sizes = [one for row in rows if row.reader == name for one in row.modules]
        for low, high in pairwise(EDGES):
            inside = [read for module, read in sizes if low <= module < high]
            if inside:
                yield name, low, high, len(inside), sum(inside)


EDGES = (0.0, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.25, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 12.0, 100.0)
"""Pixels a module between which codes are counted together."""
