"""Looking closer at places that were only located."""

from __future__ import annotations

import time

import numpy as np
import pytest

from scanner.budget import Budget
from scanner.closeups import GLANCES, LEGIBLE, second_glance
from scanner.readers import Found, available
from scanner.search import Search
from tests.scanner.shots import page

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
