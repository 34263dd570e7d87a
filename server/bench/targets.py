"""What the scanner is to reach, beside what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scanner.budget import DECODES, FLOOR_PIXELS, SECONDS
from server.bench.judge import Tally
from server.bench.measuring import middle, slow
from server.bench.readers import OURS
from server.studio import HARD, ORDINARY, SCENES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from server.bench.measuring import Row

BEYOND = ("blur_radius1",)
"""Hard profiles that are outside of what is asked: a blur of two modules across."""
SHARP = "sharp15"
"""The profile of 1.5 to 2 pixels a module, which has an aim of its own."""
_SLOWEST = f"x decode, slowest of those of {FLOOR_PIXELS / 1e6:g} MP or more"
# Smaller pictures take next to nothing to decode.


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
        """Whether the aim is reached."""
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
    known = [row for row in own if row.of.game]
    tally = sum((row.tally for row in known), Tally())
    if known:
        photos = sum(row.photos for row in known)
        if tally.unread:
            named = tally.named / tally.unread
            found.append(Target("unread cards named", f"{tally.unread} cards", 0.9, named, percent=True))
        found.append(Target("false doubts a photo", f"{photos} photos", 0.1, tally.false_doubts / photos, at_most=True))
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
