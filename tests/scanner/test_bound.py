"""The time of a photograph is bounded; what was found by then is returned."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from scanner import read_codes, scan_photo
from scanner.budget import decode_seconds
from scanner.photo import DEFAULT_LIMITS
from tests.scanner.shots import GAME, code, judged, page, shot


def hopeless() -> np.ndarray:
    """Return 5 megapixels that look like corner patterns everywhere."""
    checks = np.kron(np.indices((250, 300)).sum(axis=0) % 2, np.ones((8, 8))).astype(np.uint8) * 200 + 20
    checks += np.random.default_rng(3).integers(0, 30, checks.shape, dtype=np.uint8)
    return checks


def test_hard_pictures_end_within_the_budget() -> None:
    """A picture full of things that look like codes ends at the multiple of decoding it that was asked for."""
    checks = hopeless()
    began = time.thread_time()
    read_codes(checks, decodes=6)
    taken = time.thread_time() - began
    # Without a bound it takes seconds. A core shared with other work may be several times slower than at its best.
    assert taken < 4 * 6 * decode_seconds(checks.size)


def test_a_photograph_that_is_cut_short_says_so() -> None:
    """Where the time ends the search while cards are unread, the result is not complete."""
    photo = shot("sharp15", 20)
    result = scan_photo(photo.jpeg, GAME, limits=replace(DEFAULT_LIMITS, decodes=1, seconds=0.1))
    assert not result.complete
    assert judged(result, photo).cards_read < 20


def test_what_is_read_at_once_is_returned_however_late_it_is() -> None:
    """The plain look is taken whatever it costs, as on a machine that is busy with other things."""
    grey = page(("ONE", 30, 30))
    assert [one.text for one in read_codes(grey, decodes=0)] == ["ONE"]
    photo = shot("nominal", 20)
    assert judged(scan_photo(photo.jpeg, GAME, limits=replace(DEFAULT_LIMITS, seconds=0.01)), photo).false == 0


def test_a_page_of_a_thousand_codes_is_read() -> None:
    """Of a thousand tiny codes on one page nearly all are read."""
    rows = [np.hstack([code(f"T{row * 32 + one}", 2, 2) for one in range(32)]) for row in range(32)]
    texts = {one.text for one in read_codes(np.vstack(rows), decodes=1000)}
    assert len(texts) >= 1010
    assert texts <= {f"T{number}" for number in range(32 * 32)}
