"""Targets of the scanner, and what was measured as tables for people and as plain data."""

from __future__ import annotations

import platform
from dataclasses import asdict
from importlib.metadata import version
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

import cv2

from benchmarks.scan.measure import Tally, bins, middle, slow
from benchmarks.scan.readers import OURS
from benchmarks.tables import printed
from devtools.photo_simulator.profiles import HARD, HOPELESS, ORDINARY, SCENES
from scanner.time_budget import DECODES, FLOOR_ANY, FLOOR_PIXELS, SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.scan.measure import Row

BEYOND = ("blur_radius1",)
"""Hard profiles that are outside of what is asked: a blur of two modules across."""
SHARP = "sharp15"
"""The profile of 1.5 to 2 pixels a module, which has an aim of its own."""

# Smaller pictures have a bound in milliseconds instead.
_SLOWEST = f"x decode, slowest of those of {FLOOR_PIXELS / 1e6:g} MP or more"
_MEAN = f"x decode without a game, mean of those of {FLOOR_ANY / 1e6:g} MP or more"
_SMALL = "seconds without a game, slowest smaller one"


class Target(NamedTuple):
    """One aim: what is measured, over how much, what is wanted, and what came out. `met` compares the two."""

    name: str
    over: str
    wanted: float
    measured: float
    at_most: bool = False
    percent: bool = False

    @property
    def met(self) -> bool:
        """True if the aim is reached."""
        return self.measured <= self.wanted if self.at_most else self.measured >= self.wanted


def targets(rows: Sequence[Row]) -> list[Target]:
    """Return every aim that these rows say something about."""
    own = [row for row in rows if row.reader == OURS and row.photos]
    made = [row for row in own if row.of.kind == "profile"]
    hard = [row for row in made if row.of.group in HARD and row.of.group not in (*BEYOND, SHARP)]
    found = [
        _recall("cards read, ordinary", 0.995, [row for row in made if row.of.group in ORDINARY]),
        _recall("cards read, hard", 0.97, hard),
        _recall("cards read, sharp, 1.5 to 2 pixels a module", 0.95, [row for row in made if row.of.group == SHARP]),
        _most("false reads", 0, own, lambda row: row.tally.false, sum),
    ]
    for deck, most in ((20, 2.5), (40, 3.0)):
        nominal = [row for row in made if row.of.group == "nominal" and row.of.deck == deck]
        found.append(_most(f"x decode, {deck} nominal cards", most, nominal, lambda row: middle(row.totals), max))
    found += [
        _most(_SLOWEST, DECODES, [row for row in made if _is_large(row)], lambda row: slow(row.totals, 1.0), max),
        _most("seconds, slowest of all", SECONDS, own, lambda row: slow(row.seconds, 1.0), max),
        _most("memory, x the pixels' bytes", 8, own, lambda row: row.memory, max),
    ]
    large = [one for row in own if not row.of.game for one in row.large]
    small = [one for row in own if not row.of.game for one in row.small]
    if large:
        found.append(Target(_MEAN, f"{len(large)} photos", 6, mean(large), at_most=True))
    if small:
        found.append(Target(_SMALL, f"{len(small)} photos", 0.14, max(small), at_most=True))
    known = [row for row in own if row.of.game]
    for name, wanted, hopeless in (("unread cards named", 0.95, False), ("the same, hopeless photographs", 0.8, True)):
        tally = sum((row.tally for row in known if (row.of.group in HOPELESS) is hopeless), Tally())
        if tally.unread:
            found.append(Target(name, f"{tally.unread} cards", wanted, tally.named / tally.unread, percent=True))
    if known:
        photos, false = sum(row.photos for row in known), sum(row.tally.false_doubts for row in known)
        found.append(Target("false doubts a photo", f"{photos} photos", 0.1, false / photos, at_most=True))
    return [one for one in found if one is not None]


def _recall(name: str, wanted: float, rows: Sequence[Row]) -> Target | None:
    tally = sum((row.tally for row in rows), Tally())
    if not tally.cards:
        return None
    return Target(name, f"{tally.cards} cards", wanted, tally.cards_read / tally.cards, percent=True)


def _most(
    name: str,
    wanted: float,
    rows: Sequence[Row],
    value: Callable[[Row], float | None],
    joined: Callable[[Iterable[float]], float],
) -> Target | None:
    values = [one for one in map(value, rows) if one is not None]
    if not values:
        return None
    return Target(name, f"{sum(row.photos for row in rows)} photos", wanted, joined(values), at_most=True)


def _is_large(row: Row) -> bool:
    scene = SCENES[row.of.group]
    return scene.width * scene.height >= FLOOR_PIXELS


# Steps of our search that take a smaller share of its time are summed up.
_SHOWN = 0.02


def show(rows: Sequence[Row]) -> None:
    """Print tables: a row for each set and reader; the doubts, memory and steps of our own scan; and the aims."""
    results = []
    for before, row in zip((None, *rows), rows, strict=False):
        tally = row.tally
        results.append(
            (
                row.of.name if before is None or before.of is not row.of else "",
                row.reader,
                row.photos,
                share(tally.codes_read, tally.codes),
                share(tally.cards_read, tally.cards),
                tally.false,
                _time(middle(row.seconds)),
                _time(slow(row.seconds)),
                f"{middle(row.totals):.1f}" if row.totals else "",
            )
        )
    title = "Recall, false reads and time of the processor for opening and reading; x dec.: beside decoding by OpenCV"
    heads = ("Set", "Reader", "Photos", "Codes", "Cards", "False", "Time", "p95", "x dec.")
    printed(title, heads, results, words=2)
    ours = [row for row in rows if row.reader == OURS]
    if not ours:
        return
    own = []
    for row in ours:
        doubts = (row.tally.unread, row.tally.silent, row.tally.false_doubts) if row.of.game else ("", "", "")
        own.append((row.of.name, _steps(row), *doubts, "" if row.memory is None else f"{row.memory:.1f}"))
    title = "Haggle: unread cards, those without a doubt, false doubts, memory (x the pixels' bytes in colour)"
    printed(title, ("Set", "Milliseconds a photo", "Unread", "silent", "false", "Memory"), own, words=2)
    aims = []
    for one in targets(rows):
        write = _percent if one.percent else _number
        sign = "≤" if one.at_most else "≥"
        met = "yes" if one.met else "NO"
        aims.append((one.name, one.over, f"{sign} {write(one.wanted)}", write(one.measured), met))
    printed("Aims of the scanner", ("Aim", "measured over", "wanted", "measured", "met"), aims, words=2)


def document(rows: Sequence[Row], missing: Mapping[str, str], seed: str) -> dict[str, Any]:
    """Return everything as plain data. Shares are left to the reader: numbers of codes and cards are given."""
    libraries = {"zxing-cpp": version("zxing-cpp"), "opencv": cv2.__version__, "pyzbar": version("pyzbar")}
    return {
        "seed": seed,
        "machine": {"system": platform.system(), "processor": platform.machine(), "python": platform.python_version()},
        "libraries": libraries,
        "left_out": dict(missing),
        "rows": [_row(row) for row in rows],
        "aims": [one._asdict() | {"met": one.met} for one in targets(rows)],
        "modules": [
            {"reader": reader, "from": low, "to": high, "codes": codes, "codes_read": read}
            for reader, low, high, codes, read in bins(rows)
        ],
    }


def share(part: int, whole: int) -> str:
    """Return a share for people; never 100 % where something is missing, and nothing of nothing."""
    if not whole:
        return ""
    tenths = 1000 * part // whole if part < whole else 1000
    return "100 %" if tenths == 1000 else f"{tenths / 10:.1f} %"  # noqa: PLR2004 - all of it


def _percent(part: float) -> str:
    """Write a share with two decimals, rounded down."""
    return f"{int(part * 10000) / 100:g} %"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _row(row: Row) -> dict[str, Any]:
    data: dict[str, Any] = {
        "set": row.of.name,
        "kind": row.of.kind,
        "group": row.of.group,
        "value": row.of.value,
        "cards_a_photo": row.of.deck,
        "least_module": row.of.least,
        "reader": row.reader,
        "photos": row.photos,
        **asdict(row.tally),
        "silent": row.tally.silent,
        "milliseconds": round(1000 * middle(row.seconds), 2),
        "milliseconds_p95": round(1000 * slow(row.seconds), 2),
        "search_x_decode": round(middle(row.searches), 3),
        "total_x_decode": round(middle(row.totals), 3),
        "total_x_decode_slowest": round(slow(row.totals, 1.0), 3),
    }
    if row.reader == OURS:
        data |= {"cut_short": row.cut_short, "memory_x_pixels": row.memory, "passes": _means(row)}
    return data


def _means(row: Row) -> dict[str, float]:
    return {name: round(sum(times) / max(row.photos, 1), 2) for name, times in row.passes.items()}


def _steps(row: Row) -> str:
    """Name the steps that take most of the time, with their mean over all photographs."""
    means = _means(row)
    whole = sum(means.values())
    large = {name: mean for name, mean in means.items() if mean >= _SHOWN * whole}
    rest = whole - sum(large.values())
    named = [f"{name.replace('_', ' ')} {mean:.0f}" for name, mean in large.items()]
    return ", ".join([*named, f"others {rest:.0f}"] if len(large) < len(means) else named)


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
