"""Looking closer at places that were only located."""

from __future__ import annotations

import time

import numpy as np
import pytest

from scanner.budget import Budget, decode_seconds
from scanner.closeups import GLANCED, GLANCES, LEGIBLE, MODULE_WANTED, ZBAR, second_glance
from scanner.readers import Found, available
from scanner.search import Search
from tests.scanner.shots import page

UNIT = 84.0 * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
NUMBER = 2 * GLANCES
PLACED = [(f"CODE {index}", 30 + 150 * (index % 4), 30 + 150 * (index // 4)) for index in range(NUMBER)]


def located() -> Search:
    """Return a search in which all codes of a page were located, and none was read."""
    quads = [np.array([(x, y), (x + 84, y), (x + 84, y + 84), (x, y + 84)], dtype=float) for _, x, y in PLACED]
    grey = page(*((text, x - 16, y - 16) for text, x, y in PLACED), size=(500, 640))
    return Search(grey, Budget(time.monotonic() + 60), unread=[Found(None, quad, 1) for quad in quads])


@pytest.mark.skipif("pyzbar" not in available(), reason="this machine lacks the second reader")
def test_the_other_reader_goes_on_where_a_glance_succeeds() -> None:
    """Where nothing was read the other reader has a few places, and all others once it read one of them."""
    search = located()
    second_glance(search)
    assert {one.text for one in search.codes} == {text for text, _, _ in PLACED}
    assert search.unread == []


def test_a_glance_at_hopeless_places_is_short() -> None:
    """Where the other reader reads nothing either, only a few places are looked at."""
    search = located()
    search.grey[:] = 255
    second_glance(search)
    assert search.codes == []
    assert len(search.tried["second opinion"]) == GLANCES


def test_a_large_place_is_left_for_later() -> None:
    """A cut-out that would take most of the time is not looked at now, but may be when there is time."""
    search = located()
    search.unread = [Found(None, 4.5 * UNIT, 20)]
    seconds = decode_seconds(round(ZBAR * (1.6 * 4.5 * 84 * MODULE_WANTED / search.module) ** 2))
    for share, tried in ((0.5, 0), (2.0, 1)):
        search.budget = search.whole = Budget(time.monotonic() + 60, time.thread_time() + share * seconds / GLANCED)
        second_glance(search)
        assert len(search.tried["second opinion"]) == tried


def test_there_is_no_glance_at_small_modules() -> None:
    """What neither reader can read costs no time."""
    search = located()
    search.unread = [Found(None, one.quad * (0.98 * LEGIBLE / one.module), 1) for one in search.unread]
    second_glance(search)
    assert search.codes == []
    assert not search.tried.get("second opinion")


def test_there_is_no_glance_where_something_was_read() -> None:
    """Once a code was read, cheaper ways come first."""
    search = located()
    search.add([Found("CODE 0", search.unread[0].quad, 1)])
    second_glance(search)
    assert [one.text for one in search.codes] == ["CODE 0"]
