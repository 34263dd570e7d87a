"""The readers behind their interface, with and without ZBar."""

from __future__ import annotations

import numpy as np
import pytest

from scanner import read_codes, readers
from scanner.readers import Pyzbar, available
from tests.scanner.shots import code, page

needs_zbar = pytest.mark.skipif("pyzbar" not in available(), reason="this machine has no libzbar")


@needs_zbar
@pytest.mark.parametrize("turns", range(4))
def test_zbar_gives_corners_in_the_order_of_the_code(turns: int) -> None:
    """ZBar's hull of corners is brought into the code's own order, as zxing-cpp gives it."""
    picture = np.ascontiguousarray(np.rot90(page(("ONE", 100, 60), size=(300, 300)), -turns))
    (found,) = Pyzbar()(picture)
    (expected,) = read_codes(picture)
    assert found.text == expected.text == "ONE"
    assert np.allclose(found.quad, expected.quad, atol=4)


def test_without_zbar_the_scanner_runs_on_zxing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where libzbar is missing, the second reader finds nothing and everything else works."""
    monkeypatch.setattr(readers, "pyzbar", None)
    assert available() == ("zxing-cpp",)
    assert Pyzbar()(code("ONE")) == []
    assert [found.text for found in read_codes(code("ONE"))] == ["ONE"]


@needs_zbar
def test_both_readers_are_named() -> None:
    """Where libzbar is there, both readers are named."""
    assert available() == ("zxing-cpp", "pyzbar")
