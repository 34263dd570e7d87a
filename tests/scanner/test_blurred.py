"""Reading blurred codes like ours where no game is known, by error correction alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scanner.blurred import ENOUGH, blurred_symbols
from scanner.budget import Budget
from scanner.pixels import smooth
from scanner.readers import ZXING, Found
from scanner.search import Search
from tests.scanner.shots import GAME, page

TEXTS = ["H0123ABCDEFGHJKMNPQR", "H0123BBCDEFGHJKMNPQR", "H0123CBCDEFGHJKMNPQR", "H0123DBCDEFGHJKMNPQR"]
MODULE = 5
SIDE = 21 * MODULE
PLACES = [(20, 20), (320, 30), (40, 330), (330, 320)]
PLACED = [(text, *place) for text, place in zip(TEXTS, PLACES, strict=True)]
PICTURE = smooth(page(*PLACED, size=(560, 560), module=MODULE), 3.2)


def located(number: int, version: int | None = 1) -> Search:
    """Return a search in which a reader located so many of the codes, each a bit off, and read none."""
    square = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], dtype=np.float64)
    off = np.array([4 * MODULE + 6, 4 * MODULE - 5])
    quads = [square + place + off for place in PLACES[:number]]
    return Search(
        PICTURE,
        Budget.of(PICTURE.size, seconds=60.0, decodes=480.0),
        unread=[Found(None, quad, version) for quad in quads],
    )


@pytest.mark.parametrize("version", [1, None])
def test_all_codes_of_the_size_of_those_located_are_read(version: int | None) -> None:
    """In a blur in which a reader reads nothing, all codes of one size are read, also such as were not located."""
    assert not any(one.text for one in ZXING(PICTURE))
    search = located(ENOUGH, version)
    blurred_symbols(search)
    assert sorted(one.text or "" for one in search.codes) == TEXTS
    for one in search.codes:
        x, y = PLACES[TEXTS.index(one.text or "")]
        assert np.abs(one.quad[0] - (x + 4 * MODULE, y + 4 * MODULE)).max() < MODULE


@pytest.mark.parametrize(
    "search",
    [
        located(ENOUGH - 1),
        located(ENOUGH, 2),
        replace(located(ENOUGH), game=GAME),
    ],
)
def test_without_a_size_or_with_a_game_nothing_is_done(search: Search) -> None:
    """Too few places, codes of another version, or a game, whose cards are told in a better way: nothing is read."""
    blurred_symbols(search)
    assert search.codes == []
