"""Every main screen: steady, never too wide, and for everybody. With `--all` at every width and zoom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.house.screens import BIG, DESK, PLAYERS, Screen
from tests.web.house.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.stage import Stage


@pytest.mark.parametrize("screen", [*PLAYERS, *DESK, *BIG], ids=lambda screen: screen.name)
def test_a_screen_suits_everybody(
    opened: Callable[..., Page], stage: Stage, screen: Screen, request: pytest.FixtureRequest
) -> None:
    """Nothing moves by itself, nothing is wider than the screen, and axe finds nothing, by day and by night."""
    walk(opened, stage, screen, thorough=request.config.getoption("all"))
