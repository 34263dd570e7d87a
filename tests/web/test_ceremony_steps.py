"""In which steps a ceremony tells the places that come before the top ten."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PLAN = Path(__file__).parents[2] / "web" / "app" / "screen" / "plan.js"
SIZES = """(places) => {
  %s
  const reveal = Array.from({ length: places }, (_, at) => ({ rank: places - at }));
  return plan(reveal).filter(({ kind }) => kind === "group").map(({ places }) => places.length);
}"""


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (10, []),
        (11, [1]),
        (13, [3]),
        (20, [10]),
        (21, [6, 5]),
        (23, [7, 6]),
        (24, [4, 10]),
        (61, [6, 5, 10, 10, 10, 10]),
        (140, [10] * 13),
    ],
)
def test_the_last_place_of_a_large_game_is_no_step_of_its_own(browser: Browser, players: int, sizes: list[int]) -> None:
    """Tens from the top; one to three who are left over share with the ten above them."""
    page = browser.new_page()
    try:
        assert page.evaluate(SIZES % PLAN.read_text().replace("export function", "function"), players) == sizes
    finally:
        page.close()
