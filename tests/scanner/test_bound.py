"""The bound of a whole scan, with a clock that only counts: each step costs what it may cost at worst."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardgen.payload import card_text
from scanner import (
    budget,
    closeups,
    doubts,
    grid,
    lattice,
    looks,
    own,
    passes,
    photo,
    read_codes,
    scan,
    scan_photo,
    spots,
)
from scanner import search as search_module
from scanner.budget import DECODES, FLOOR_ANY, KEPT, KEPT_ANY, PATIENCE, SECONDS, Budget, decode_seconds
from scanner.closeups import FOLLOWING, FOLLOWING_A_MODULE
from scanner.jpegs import JPEG
from scanner.passes import HOPEFUL
from scanner.photo import DEFAULT_LIMITS
from scanner.quads import corners
from scanner.readers import PYZBAR, ZXING, Found, Pyzbar, Zxing
from scanner.reasons import Cause
from scanner.result import Doubt
from scanner.search import PLACES, UNKNOWN, Search, Signs
from scanner.sort import laid_out
from tests.scanner.shots import CARDS, GAME, page

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.cards import Game
    from scanner.result import Grey
    from scanner.sort import Layout

HEIGHT, WIDTH = 2450, 3300
PIXEL = 2e-9
"""Seconds that decoding a pixel takes: 16 ms for the picture."""

DECODE = HEIGHT * WIDTH * PIXEL
GRID_READ = grid.read
STEP = 0.002
"""Seconds between two looks at the clock within a slow step."""


@dataclass
class Counted:
    """Stands in for the module `time`: its time goes on only where work is counted."""

    now: float = 0.0
    share: float = 1.0
    """Processor time for each second on the clock."""
    size: tuple[int, int] = (HEIGHT, WIDTH)
    """Of the picture that is opened."""

    def opens(self, size: tuple[int, int]) -> float:
        """Let pictures have this size, and return the seconds that one takes to decode."""
        self.size = size
        return size[0] * size[1] * PIXEL

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
    for module in (budget, looks, passes, scan, search_module):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(budget, "_a_pixel", lambda: PIXEL)

    def opened(*_arguments: object) -> Grey:
        height, width = clock.size
        # A JPEG of more than 8 megapixels takes a tenth longer to be decoded to colour.
        clock.now += height * width * PIXEL / (1.1 if height * width > 8_000_000 else 1.0)
        return np.full(clock.size, 200, dtype=np.uint8)

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


@pytest.mark.parametrize("size", [(HEIGHT, WIDTH), (1224, 1632)])
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
    size: tuple[int, int],
) -> None:
    """However slow readers are and however much they locate, doubts find their share, and all ends in time."""
    decode = counted.opens(size)
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
    assert left[0] >= (KEPT if known else KEPT_ANY) * DECODES * decode - decode
    # Without a game small pictures may take as long as one of FLOOR_ANY pixels.
    most = decode + (DECODES - 1) * max(decode, 0 if known else FLOOR_ANY * PIXEL)
    assert 0.5 * DECODES * decode * bool(places) <= counted.now <= most + STEP


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


@pytest.mark.parametrize(
    ("share", "ends"), [(1.0, 1.0), (0.5, 2.0), (0.34, 1 / 0.34), (0.2, PATIENCE), (0.05, PATIENCE)]
)
def test_seconds_end_a_scan_later_on_a_busy_machine(
    counted: Counted, monkeypatch: pytest.MonkeyPatch, share: float, ends: float
) -> None:
    """Four seconds of work end a scan; where its thread gets a third of a core or less the clock does, after twelve."""
    counted.share = share
    monkeypatch.setattr(Zxing, "__call__", reading(counted, 0.8, 60))
    monkeypatch.setattr(Pyzbar, "__call__", reading(counted, 8, 60))
    monkeypatch.setattr(scan, "doubts_of", lambda _search, layout, _game: (layout, ()))
    scan_photo(JPEG, GAME, limits=replace(DEFAULT_LIMITS, decodes=1000))
    assert counted.monotonic() <= ends * SECONDS * (1 - KEPT) + 2 * DECODE / share
    assert counted.monotonic() >= 0.5 * ends * SECONDS


def test_what_is_made_once_for_a_game_is_no_work_of_a_picture(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first picture of a game in a process is searched as long as the next ones, however long the game took."""
    made_for: list[Game] = []
    left, run = [], passes.run

    def made(game: Game) -> None:
        made_for.append(game)
        counted.now += 100 * DECODE

    def noted(grey: Grey, budget: Budget, *of: Any) -> tuple[Search, dict[str, float]]:  # noqa: ANN401 - as `run` takes
        assert made_for == [GAME]
        left.append(budget.effort - counted.now)
        return run(grey, budget, *of)

    monkeypatch.setattr(scan, "Codebook", SimpleNamespace(of=made))
    monkeypatch.setattr(passes, "run", noted)
    monkeypatch.setattr(Zxing, "__call__", reading(counted, 0.8, 60))
    monkeypatch.setattr(scan, "doubts_of", lambda _search, layout, _game: (layout, ()))
    scan_photo(JPEG, GAME)
    assert left[0] > DECODE


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


@pytest.mark.parametrize(("work", "taken"), [(3.0, False), (3.5, False), (3.7, True)])
def test_a_look_is_begun_only_if_it_fits(counted: Counted, work: float, taken: bool) -> None:  # noqa: FBT001 - cases
    """A look that would take all that is left, or more, is not begun; how long its reader took before counts."""
    search = Search(np.zeros((9, 9), dtype=np.uint8), Budget(60, counted.now + work), unit=1.0)
    assert search.takes(3) == taken
    search.slower |= {PYZBAR: 2 * UNKNOWN, ZXING: UNKNOWN}
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


def places_of(number: int, side: float = 80.0) -> list[Found]:
    """Return places that look like codes, far from each other."""
    square = side * np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)
    return [Found(None, square + np.array([2 * side * at, 0]), 1) for at in range(number)]


@pytest.mark.parametrize(("lasting", "number"), [(2.5, 3), (3.0, 3), (4.5, 2), (9.0, 1)])
def test_a_place_is_begun_only_if_one_like_the_slowest_before_it_fits(
    counted: Counted, lasting: float, number: int
) -> None:
    """Of a way of looking closer the slowest place of this picture tells what the next may take."""
    search = Search(np.zeros((99, 999), dtype=np.uint8), Budget(99, 10.0), unread=places_of(5))
    tried = 0
    for _ in search.fresh("looked at"):
        counted.now += lasting
        tried += 1
    assert tried == number
    assert search.cut_short
    assert counted.now <= 10.0


@pytest.mark.usefixtures("counted")
def test_a_slow_way_is_begun_only_if_its_first_place_fits() -> None:
    """What a place takes at first is known of the ways that take long."""
    first = decode_seconds(PLACES["module by module"])
    for left, tried in ((0.9, 0), (1.1, 1)):
        search = Search(np.zeros((99, 999), dtype=np.uint8), Budget(99, left * first), unread=places_of(1))
        assert len(list(search.fresh("module by module"))) == tried


@pytest.mark.parametrize(("version", "tried"), [(1, 1), (20, 0)])
@pytest.mark.usefixtures("counted")
def test_a_large_symbol_is_followed_only_if_there_is_time(version: int, tried: int) -> None:
    """Following modules takes longer the more there are, so one of many is left where time is short."""
    place = replace(places_of(1)[0], version=version)
    seconds = decode_seconds(FOLLOWING + 30**2 * FOLLOWING_A_MODULE)
    search = Search(np.zeros((99, 999), dtype=np.uint8), Budget(99, seconds), unread=[place])
    closeups.module_by_module_again(search)
    assert len(search.tried["followed"]) == tried
    assert search.cut_short


def test_what_codes_tell_is_not_asked_when_no_look_fits(counted: Counted) -> None:
    """To tell whether cards are missing takes milliseconds, so that comes after the budget."""

    class Asked(Signs):
        def missing(self, _found: object) -> bool:
            counted.now += 1.0
            return True

    code = replace(places_of(1)[0], text="A")
    search = Search(np.zeros((9, 9), dtype=np.uint8), Budget(99, 3.0), Asked(), codes=[code], unit=1.0)
    assert not search.takes(4)
    assert counted.now == 0
    assert search.takes(1)


@pytest.mark.parametrize("steps", [0, 3, 40])
def test_bending_a_grid_looks_at_the_clock(counted: Counted, monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Each point of the mesh is tried only while there is time; the slowest step ends after one of them."""
    clear = grid._Grid.clear
    seen = []

    def slow(self: grid._Grid, bend: np.ndarray) -> np.ndarray:
        seen.append(counted.now)
        counted.now += 1.0
        return clear(self, bend)

    monkeypatch.setattr(grid._Grid, "clear", slow)
    picture = page(("HELLO", 20, 20), size=(160, 160))
    picture[60:90, 60:90] = 128
    chance = np.random.default_rng(3)
    picture = np.clip(picture // 3 + chance.integers(0, 120, picture.shape), 0, 255).astype(np.uint8)
    place = Found(None, np.array([(36, 36), (120, 36), (120, 120), (36, 120)], dtype=np.float64), 1)
    monkeypatch.setattr(grid, "HOPELESS", 0.0)
    monkeypatch.setattr(grid, "decode", lambda *_: None)
    GRID_READ(picture, place, lambda: counted.now > steps)
    # Four moves of a point, and the beginning.
    assert steps < len(seen) <= steps + 6


@pytest.mark.parametrize(
    ("measured_ones", "others"),
    [(("blur", "blur", "blur"), "blur"), (("glare", "glare", "glare"), "unread"), (("glare", "dim", "dim"), "dim")],
)
def test_causes_are_measured_only_while_there_is_time(
    counted: Counted, monkeypatch: pytest.MonkeyPatch, measured_ones: tuple[str, ...], others: str
) -> None:
    """When time is up doubts have the reason of most that were measured, if it holds all over a picture, else none."""
    causes = iter(measured_ones)

    def measured(*_arguments: object) -> Cause:
        counted.now += 1.0
        return Cause(next(causes))

    monkeypatch.setattr(doubts, "cause_of", measured)
    search = Search(np.full((200, 2000), 99, dtype=np.uint8), Budget(99, 2.5), unread=places_of(6))
    _, found = doubts.doubts_of(search, laid_out((), None), None)
    assert [one.reason for one in found] == [*measured_ones, others, others, others]


@pytest.mark.parametrize(("number", "full"), [(HOPEFUL - 1, False), (HOPEFUL, True)])
@pytest.mark.usefixtures("counted")
def test_many_located_codes_give_the_search_its_full_share(
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    full: bool,  # noqa: FBT001 - a table of cases
) -> None:
    """What a reader located is likely to be read, so the doubts keep back no more than where something was read."""
    monkeypatch.setattr(Zxing, "__call__", lambda _reader, _grey: places_of(number))
    monkeypatch.setattr(passes, "PASSES", (looks.plain,))
    monkeypatch.setattr(passes, "CLOSE_UPS", ())
    budget_ = Budget(99, 10.0, kept=(0.0, 8.0), sighted=4.0)
    search, _ = passes.run(np.zeros((99, 5000), dtype=np.uint8), budget_, game=GAME)
    assert (budget_.sighted == 0) == full
    assert search.budget.effort == pytest.approx(18.0)


def test_located_places_are_looked_at_only_while_there_is_time(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a hundred places beside the cards only those are told for which there is time."""

    def strays(*_arguments: object) -> bool:
        counted.now += 1.0
        return False

    monkeypatch.setattr(doubts, "suspected_cards", lambda *_: ([], []))
    monkeypatch.setattr(doubts, "stray", strays)
    search = Search(np.full((200, 2000), 99, dtype=np.uint8), Budget(99, 2.5), unread=places_of(6), game=GAME)
    _, found = doubts.doubts_of(search, laid_out((), GAME), GAME)
    assert len(found) == 3
    assert search.overlooked


@pytest.mark.parametrize("overlooked", [True, False])
def test_a_scan_that_passed_places_over_is_not_complete(
    counted: Counted,
    monkeypatch: pytest.MonkeyPatch,
    overlooked: bool,  # noqa: FBT001 - a table of cases
) -> None:
    """A card was read and nothing is doubted: it is said all the same that there was no time for all that was seen."""
    quad = np.array([(100, 100), (200, 100), (200, 200), (100, 200)], dtype=np.float64)

    def read(_reader: object, grey: Grey) -> list[Found]:
        counted.now += 0.3 * grey.size * PIXEL
        return [Found(card_text(GAME, CARDS[0]), quad * (np.array(grey.shape[::-1]) / (WIDTH, HEIGHT)), 1)]

    def doubts(search: Search, layout: Layout, _game: object) -> tuple[Layout, tuple[()]]:
        search.overlooked = overlooked
        return layout, ()

    monkeypatch.setattr(Zxing, "__call__", read)
    monkeypatch.setattr(Pyzbar, "__call__", reading(counted, 8, 0))
    monkeypatch.setattr(scan, "doubts_of", doubts)
    assert scan_photo(JPEG, GAME).complete != overlooked
