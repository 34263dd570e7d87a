"""Codes are told apart by their places, quickly where there are thousands; crowded pages are read in parts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner import crowds
from scanner.budget import Budget
from scanner.places import Places
from scanner.readers import Found
from scanner.search import Search, Signs
from tests.scanner.shots import GAME, code

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scanner.result import Grey

QUADS = st.tuples(st.floats(-50, 900), st.floats(-50, 900), st.floats(1, 300))


def square(x: float, y: float, side: float) -> Found:
    """Return a code with its upper left corner at a place."""
    return Found("A", np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)]))


@settings(max_examples=200, deadline=None)
@given(st.lists(QUADS, max_size=30), QUADS)
def test_places_answer_as_comparing_with_each_code_would(
    placed: list[tuple[float, ...]], asked: tuple[float, ...]
) -> None:
    """A set of places finds a code at the same place just where one by one comparison does."""
    codes = [square(*one) for one in placed]
    one = square(*asked)
    assert Places(codes).any_at(one) == any(one.is_at(other) for other in codes)


def crowd(rows: int) -> npt.NDArray[np.uint8]:
    """Return a page with so many rows of so many small codes, all different."""
    return np.vstack([np.hstack([code(f"T{row * rows + one}", 2, 2) for one in range(rows)]) for row in range(rows)])


def test_a_page_of_a_thousand_codes_is_read() -> None:
    """Of a thousand tiny codes on one page nearly all are read, by tiles."""
    pixels = crowd(32)
    search = Search(pixels, Budget(time.monotonic() + 60))
    crowds.read_parts(search, 0, 0, *pixels.shape[::-1])
    assert len(search.codes) >= 1010
    assert {one.text for one in search.codes} <= {f"T{number}" for number in range(32 * 32)}
    assert not search.cut_short


def test_a_crowded_page_is_known_before_it_is_read_whole() -> None:
    """A large page full of codes is told from its middle; a page with some large codes is not taken for one."""
    page = np.tile(crowd(20), (3, 3))
    assert crowds.is_crowded(Search(page, Budget(time.monotonic() + 60)))
    large = np.kron(crowd(5), np.ones((9, 9), dtype=np.uint8))
    assert large.size > crowds.PROBED
    assert not crowds.is_crowded(Search(large, Budget(time.monotonic() + 60)))


@pytest.mark.parametrize("parts", [1, 4])
def test_reading_a_crowd_ends_by_the_clock(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    """What was read by then is kept, no other part is begun, and the search says that it was cut short."""
    search = Search(crowd(36), Budget(time.monotonic() + 600))
    read, sizes = crowds.ZXING, []

    def reading(part: Grey) -> list[Found]:
        sizes.append(part.size)
        if len(sizes) == parts:
            search.budget.deadline = 0.0
        return read(part)

    monkeypatch.setattr(crowds, "ZXING", reading)
    crowds.read_parts(search, 0, 0, *search.grey.shape[::-1])
    assert search.cut_short
    assert 0 < len(search.codes) < 36 * 36
    assert len(sizes) == parts


class Halved(Signs):
    """Say of any codes that others may be missing."""

    def halved(self, _found: Sequence[Found]) -> bool:
        """Tell whether there may be more of them: always."""
        return True


def test_no_part_is_read_where_all_twins_are_there() -> None:
    """When the codes that were read say that none is missing, a crowded page is read but once."""
    pixels = crowd(18)
    once = Search(pixels, Budget(time.monotonic() + 60), game=GAME)
    crowds.read_parts(once, 0, 0, *pixels.shape[::-1])
    more = Search(pixels, Budget(time.monotonic() + 60), Halved(), GAME)
    crowds.read_parts(more, 0, 0, *pixels.shape[::-1])
    assert len(once.codes) < 150
    assert len(more.codes) > 300
