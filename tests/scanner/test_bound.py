"""The bound of a whole scan, with a clock that only counts: each step costs what it may cost at worst."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardgen.payload import card_text
from scanner import budget, grid, lattice, looks, own, passes, photo, read_codes, scan, scan_photo, spots
from scanner.budget import DECODES, KEPT, SECONDS, Budget
from scanner.jpegs import JPEG
from scanner.photo import DEFAULT_LIMITS
from scanner.quads import corners
from scanner.readers import PYZBAR, ZXING, Found, Pyzbar, Zxing
from scanner.result import Doubt
from scanner.search import Search
from tests.scanner.shots import CARDS, GAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from scanner.result import Grey
    from scanner.sort import Layout

HEIGHT, WIDTH = 2450, 3300
PIXEL = 2e-9
"""Seconds that decoding a pixel takes: 16 ms for the picture."""

DECODE = HEIGHT * WIDTH * PIXEL
STEP = 0.002
"""Seconds between two looks at the clock within a slow step."""


@dataclass
class Counted:
    """Stands in for the module `time`: its time goes on only where work is counted."""

    now: float = 0.0
    share: float = 1.0
    """Processor time for each second on the clock."""

    def thread_time(self) -> float:
        """Return the seconds of work."""
        return self.now

    def monotonic(self) -> float:
        """Return the seconds on the clock."""
        return self.now / self.share

    perf_counter = monotonic


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Count the work of every step: a shared one of the picture's size, and slow ones until they look at the clock."""
    clock = Counted()
    for module in (budget, looks, passes, scan):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(budget, "_a_pixel", lambda: PIXEL)

    def opened(*_arguments: object) -> Grey:
        clock.now += 0.8 * DECODE
        return np.full((HEIGHT, WIDTH), 200, dtype=np.uint8)

    def slow(*arguments: object) -> None:
        is_late = arguments[-1]
        for _ in range(50):
            clock.now += STEP
            if callable(is_late) and is_late():
                return

    def compared(*_arguments: object) -> None:
        clock.now += STEP

    def correlated(part: Grey, _pattern: object) -> None:
        clock.now += part.size * 5 * PIXEL

    monkeypatch.setattr(photo, "load", opened)
    monkeypatch.setattr(lattice, "read", slow)
    monkeypatch.setattr(grid, "read", slow)
    monkeypatch.setattr(own, "read", compared)
    monkeypatch.setattr(spots, "_like", correlated)
    return clock


def reading(clock: Counted, decodes: float, places: int) -> Callable[[object, Grey], list[Found]]:
    """Return a reader that takes as long as so many decodings, and locates codes that nobody can read."""

    def read(_reader: object, grey: Grey) -> list[Found]:
        clock.now += decodes * grey.size * PIXEL
        chance = np.random.default_rng(places)
        corners = np.array([(0, 0), (80, 0), (80, 80), (0, 80)], dtype=np.float64)
        height, width = grey.shape
        return [Found(None, corners + chance.uniform(0, (width, height)), 2) for _ in range(places)]

    return read


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("places", [0, 60])
@pytest.mark.parametrize(("zxing", "zbar"), [(0.3, 3.0), (0.8, 8.0), (2.0, 30.0)])
def test_a_hopeless_photograph_ends_within_twelve_decodings(
    counted: Counted,
    monkeypatch: pytest.MonkeyPatch,
    zxing: float,
    zbar: float,
    places: int,
    known: bool,  # noqa: FBT001 - a table of cases
) -> None:
    """However slow readers are and however much they locate, doubts find their share, and all ends in time."""
    monkeypatch.setattr(Zxing, "__call__", reading(counted, zxing, places))
    monkeypatch.setattr(Pyzbar, "__call__", reading(counted, zbar, places))
    left = []

    def doubts(search: Search, layout: Layout, _game: object) -> tuple[Layout, tuple[()]]:
        left.append(search.budget.effort - counted.now)
        while search.budget.affords(STEP):
            counted.now += STEP
        return layout, ()

    monkeypatch.setattr(scan, "doubts_of", doubts)
    scan_photo(JPEG, GAME if known else None)
    # One look may take longer than expected, before its reader is known to be slow.
    assert left[0] >= KEPT * DECODES * DECODE - DECODE
    assert 0.5 * DECODES * DECODE * bool(places) <= counted.now <= DECODES * DECODE + STEP


@pytest.mark.parametrize(
    ("doubted", "busy", "complete"), [(False, False, True), (True, False, False), (False, True, False)]
)
def test_a_scan_is_incomplete_only_if_something_suspected_is_unread(
    counted: Counted,
    monkeypatch: pytest.MonkeyPatch,
    doubted: bool,  # noqa: FBT001 - a table of cases
    busy: bool,  # noqa: FBT001
    complete: bool,  # noqa: FBT001
) -> None:
    """A search that ran out of time is complete all the same where the doubts had time and found nothing."""
    quad = np.array([(100, 100), (200, 100), (200, 200), (100, 200)], dtype=np.float64)
    places = reading(counted, 0.8, 60)

    def read(reader: object, grey: Grey) -> list[Found]:
        scale = np.array(grey.shape[::-1]) / (WIDTH, HEIGHT)
        return [Found(card_text(GAME, CARDS[0]), quad * scale, 1), *places(reader, grey)]

    def doubts(_search: Search, layout: Layout, _game: object) -> tuple[Layout, tuple[Doubt, ...]]:
        counted.now += 9 if busy else 0
        return layout, (Doubt(corners(quad + 900), "unread"),) if doubted else ()

    monkeypatch.setattr(Zxing, "__call__", read)
    monkeypatch.setattr(Pyzbar, "__call__", reading(counted, 8, 60))
    monkeypatch.setattr(scan, "doubts_of", doubts)
    assert scan_photo(JPEG, GAME, limits=replace(DEFAULT_LIMITS, decodes=2)).complete == complete


@pytest.mark.parametrize("share", [1.0, 0.05])
def test_the_clock_ends_a_scan_on_a_busy_machine(
    counted: Counted, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """Where the processor is shared, four seconds on the clock end a scan before its work is used up."""
    counted.share = share
    monkeypatch.setattr(Zxing, "__call__", reading(counted, 0.8, 60))
    monkeypatch.setattr(Pyzbar, "__call__", reading(counted, 8, 60))
    monkeypatch.setattr(scan, "doubts_of", lambda _search, layout, _game: (layout, ()))
    scan_photo(JPEG, GAME, limits=replace(DEFAULT_LIMITS, decodes=1000))
    assert counted.monotonic() <= SECONDS * (1 - KEPT) + 2 * DECODE / share
    assert counted.monotonic() >= 0.5 * SECONDS


def test_a_clean_picture_of_anything_ends_within_twelve_decodings(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a picture in which nothing is missing the looks take what twelve decodings of it take."""
    quad = np.array([(100, 100), (200, 100), (200, 200), (100, 200)], dtype=np.float64)

    def read(_reader: object, grey: Grey) -> list[Found]:
        counted.now += 0.8 * grey.size * PIXEL
        scale = np.array(grey.shape[::-1]) / (WIDTH, HEIGHT)
        return [Found("ONE", quad * scale, 1)]

    monkeypatch.setattr(Zxing, "__call__", read)
    monkeypatch.setattr(Pyzbar, "__call__", read)
    read_codes(np.full((HEIGHT, WIDTH), 200, dtype=np.uint8))
    assert 6 * DECODE < counted.now <= DECODES * DECODE


@pytest.mark.parametrize(("work", "taken"), [(2.9, False), (3.0, False), (3.1, True)])
def test_a_look_is_begun_only_if_it_fits(counted: Counted, work: float, taken: bool) -> None:  # noqa: FBT001 - cases
    """A look that would take all that is left, or more, is not begun; one that took longer before counts as longer."""
    search = Search(np.zeros((9, 9), dtype=np.uint8), Budget(60, counted.now + work), unit=1.0)
    assert search.takes(3) == taken
    search.slower[PYZBAR] = 2.0
    assert search.takes(1.5, PYZBAR) == taken
    assert search.takes(3, ZXING) == taken


@pytest.mark.parametrize(("late_at", "steps"), [(0.0, 0), (1.0, 1), (2.5, 3)])
def test_tiles_are_searched_until_the_clock_says_enough(
    counted: Counted, monkeypatch: pytest.MonkeyPatch, late_at: float, steps: int
) -> None:
    """The search for corner patterns looks at the clock before each part of the picture."""
    seen = []

    def correlated(part: Grey, _pattern: object) -> None:
        seen.append(part.shape)
        counted.now += 1.0

    monkeypatch.setattr(spots, "_like", correlated)
    stripes = np.tile(np.repeat(np.array([20, 220], dtype=np.uint8), 8), (1024, 64))
    allowed = Budget(60, late_at)
    spots.symbols(stripes, 2.0, None, lambda: allowed.late or (late_at == 0))
    assert len(seen) == (steps if late_at % 1 or not late_at else steps + 1)
