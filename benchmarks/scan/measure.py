"""Runs readers over sets of pictures, one thread and one picture at a time, and judges what they read."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, fields
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import cv2
import numpy as np

from benchmarks.scan.readers import OURS, decode_seconds, warm_up
from cardgen.payload import without_token
from scanner import PhotoError
from scanner.geometry import centre, contains
from scanner.image import load
from scanner.scan import warm_up as make_ready
from scanner.time_budget import FLOOR_ANY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from benchmarks.scan.pictures import Picture, PictureSet, TrueCode
    from benchmarks.scan.readers import Reader
    from cardgen.cards import PrintedGame
    from scanner.result import Quad, ScanResult

    Reads = Sequence[tuple[str, Quad]]

IN_SIGHT = 1 / 4
"""Share of a card that must be in sight before it is to be named as a doubt, unless one of its codes is whole."""

# ASCII characters of a text that tell it from others.
_ENOUGH = 8


@dataclass(frozen=True)
class Tally:
    """The contents of a picture and what was read of them.

    `codes` lie whole in the picture, `cards` have a whole code of enough pixels a module. `false` counts texts that
    nothing in the picture says. `unread` cards are a quarter in sight or more, or show a whole code, and were not read;
    `named` are those of them that have a doubt of their own, `silent` the others. `false_doubts` are left over: they
    lie on no card that was not read, or on one that another doubt names. These only count for our own scan of cards.
    """

    codes: int = 0
    codes_read: int = 0
    cards: int = 0
    cards_read: int = 0
    false: int = 0
    unread: int = 0
    named: int = 0
    false_doubts: int = 0

    @property
    def silent(self) -> int:
        """Unread cards in sight without a doubt: nothing tells the player that they are missing."""
        return self.unread - self.named

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})


@dataclass(frozen=True)
class Judgement:
    """A tally, whether each code of known size was read (by its pixels a module), and the cards that were missed."""

    tally: Tally
    modules: tuple[tuple[float, bool], ...]
    missed: tuple[str, ...]


def plain(text: str) -> str:
    """Return a text as it is compared: without control characters, and with one space for any white ones.

    Readers guess differently in which character set a text is; where enough of it is ASCII only that counts. Addresses
    end at their `#`, since our scanner cuts them there: a secret token may follow.
    """
    text = without_token(text)
    ascii_only = "".join(sign for sign in text if sign.isascii() and (sign.isprintable() or sign.isspace()))
    known = ascii_only if len(ascii_only) >= _ENOUGH else text
    return " ".join("".join(sign for sign in known if sign.isprintable() or sign.isspace()).split())


def settled(picture: Picture, reads: Iterable[Reads]) -> Picture:
    """Return a picture with one code for each line of its text, if any reader read a line as a text of its own."""
    said = {plain(text) for read in reads for text, _ in read}
    if not said & {plain(line) for line in picture.lines}:
        return picture
    return picture.by_lines()


def judge(picture: Picture, reads: Reads, least: float, result: ScanResult | None = None) -> Judgement:
    """Judge what was read of a picture. Cards count from `least` pixels a module on."""
    found = [(plain(text), quad) for text, quad in reads]
    said = {text for text, _ in found}
    times = Counter(text for text, _ in found)
    got = []
    for code in picture.codes:
        got.append(_is_read(code, found, times))
        # Of two codes of one text whose places are not known, one read is one of them.
        times[plain(code.text)] -= 1
    wanted = [card for card in picture.cards if card.module is not None and card.module >= least]
    missed = tuple(card.name for card in wanted if plain(card.text) not in said)
    unread, named, false_doubts = (0, 0, 0) if result is None or not picture.cards else _doubts(picture, said, result)
    tally = Tally(
        codes=len(picture.codes),
        codes_read=sum(got),
        cards=len(wanted),
        cards_read=len(wanted) - len(missed),
        false=len(said - {plain(text) for text in picture.texts}),
        unread=unread,
        named=named,
        false_doubts=false_doubts,
    )
    sizes = tuple((code.module, read) for code, read in zip(picture.codes, got, strict=True) if code.module)
    return Judgement(tally, sizes, missed)


def _is_read(code: TrueCode, found: Reads, times: Counter[str]) -> bool:
    text = plain(code.text)
    if code.quad is None:
        return times[text] > 0
    return any(text == expected and contains(code.quad, centre(quad)) for expected, quad in found)


def _doubts(picture: Picture, said: set[str], result: ScanResult) -> tuple[int, int, int]:
    """Count unread cards, those that are named, and false doubts.

    Each doubt names one card on which its middle lies, and each card has one doubt: as many of those in sight as can
    be, then as many of the others.
    """
    missing = [card for card in picture.cards if plain(card.text) not in said]
    in_sight = [card for card in missing if card.visible >= IN_SIGHT or card.module is not None]
    hidden = [card for card in missing if card not in in_sight]
    middles = [centre(np.array(doubt.quad)) for doubt in result.doubts]
    on = [[at for at, middle in enumerate(middles) if contains(card.outline, middle)] for card in (*in_sight, *hidden)]
    named_by: dict[int, int] = {}
    named = sum(_has_doubt(card, on, named_by, set()) for card in range(len(in_sight)))
    for card in range(len(in_sight), len(missing)):
        _has_doubt(card, on, named_by, set())
    return len(in_sight), named, len(middles) - len(named_by)


def _has_doubt(card: int, on: Sequence[Sequence[int]], named_by: dict[int, int], tried: set[int]) -> bool:
    """Give a card one of the doubts that lie on it, if need be by giving others another; return whether it has one.

    `on` says for each card which doubts lie on it, `named_by` for each doubt that is taken which card it names.
    """
    for doubt in on[card]:
        if doubt not in tried:
            tried.add(doubt)
            if doubt not in named_by or _has_doubt(named_by[doubt], on, named_by, tried):
                named_by[doubt] = card
                return True
    return False


_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")

# Bytes of a pixel in colour.
_CHANNELS = 3

# Pixels.
_SMALLEST = 1_000_000


def memory_ratio(data: bytes, game: PrintedGame | None) -> float | None:
    """Return the memory that scanning a file takes at its peak, as a multiple of its pixels' bytes in colour.

    None where the system does not tell (other than Linux), where the process fails, and for small pictures: what the
    readers take for any picture is then all there is.
    """
    if not _STATUS.exists():
        return None
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(_peak, data, game).result()
        except (BrokenProcessPool, OSError, RuntimeError):
            return None


def _peak(data: bytes, game: PrintedGame | None) -> float | None:
    from scanner import scan_photo  # noqa: PLC0415 - the process that only asks has its own

    blank = cv2.imencode(".jpg", np.full((600, 800), 128, dtype=np.uint8))[1].tobytes()
    # What any scan loads and keeps is no cost of this one.
    scan_photo(blank, game)
    _RESET.write_text("5", encoding="ascii")
    before = _kilobytes("VmRSS")
    result = scan_photo(data, game)
    if result.width * result.height < _SMALLEST:
        return None
    used = (_kilobytes("VmHWM") - before) * 1024 + len(data)
    return used / (result.width * result.height * _CHANNELS)


def _kilobytes(name: str) -> int:
    lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


@dataclass
class Row:
    """One reader on one set.

    Times are the processor's. `searches` (reading decoded pixels) and `totals` (from the file's bytes to the codes) are
    multiples of OpenCV's time for decoding the same file to colour, one for each picture of which that is known.
    `large` are those totals of pictures that have no fixed bound in seconds, `small` the seconds of the others.
    `modules` holds for each code of known size its pixels a module and whether it was read. `passes` are the
    processor's milliseconds of each step of our own scan, for each picture in which it ran.
    """

    of: PictureSet
    reader: str
    tally: Tally = field(default_factory=Tally)
    seconds: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)
    totals: list[float] = field(default_factory=list)
    large: list[float] = field(default_factory=list)
    small: list[float] = field(default_factory=list)
    modules: list[tuple[float, bool]] = field(default_factory=list)
    passes: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    cut_short: int = 0
    memory: float | None = None

    @property
    def photos(self) -> int:
        """Pictures that were read."""
        return len(self.seconds)


def measure(
    chosen: PictureSet,
    readers: Mapping[str, Reader],
    *,
    memory: bool,
    tell: Callable[[str], None],
    seen: Callable[[Picture, tuple[str, ...]], None],
) -> list[Row]:
    """Return a row for each reader. `tell` is given lines for people, `seen` each picture and the cards we missed."""
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
            if memory and not number and OURS in rows:
                rows[OURS].memory = memory_ratio(picture.data, chosen.game)
            seen(picture, missed)
    finally:
        cv2.setNumThreads(threads)
    return list(rows.values())


def _measure_one(
    picture: Picture, chosen: PictureSet, readers: Mapping[str, Reader], rows: Mapping[str, Row]
) -> tuple[str, ...]:
    """Let every reader read one picture, add that to their rows, and return the cards that we missed."""
    began = time.process_time()
    grey = load.load(picture.data)
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
        if grey.size < FLOOR_ANY:
            row.small.append(total)
        elif decoding:
            row.large.append(total / decoding)
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


# Of the picture around a card, as a share of the card.
_MARGIN = 0.15

# Pixels of the longer side of a cut-out; smaller ones are enlarged by whole numbers, so that pixels are to be seen.
_SIDE = 480


def cut_out(picture: Picture, missed: Sequence[str], folder: Path) -> None:
    """Write a PNG of each card that was missed into a folder."""
    cards = [card for card in picture.cards if card.name in missed]
    grey = load.load(picture.data) if cards else None
    for card in cards:
        low, high = card.outline.min(axis=0), card.outline.max(axis=0)
        margin = _MARGIN * (high - low)
        left, top = np.maximum(low - margin, 0).astype(int)
        right, bottom = np.ceil(high + margin).astype(int)
        part = np.asarray(grey)[top:bottom, left:right]
        larger = max(_SIDE // max(part.shape), 1)
        shown = cv2.resize(part, None, fx=larger, fy=larger, interpolation=cv2.INTER_NEAREST)
        path = folder / f"{picture.name.rpartition('.')[0]}-{card.name}.png"
        path.write_bytes(cv2.imencode(".png", shown)[1].tobytes())
