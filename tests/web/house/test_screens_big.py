"""Every main screen of the big screen: steady, never too wide, and for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.house.screens import BIG, Screen
from tests.web.house.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.stage import Stage


@pytest.mark.parametrize("screen", BIG, ids=lambda screen: screen.name)
def test_a_screen_suits_everybody(opened: Callable[..., Page], stage: Stage, screen: Screen) -> None:
    """Nothing moves by itself, nothing is wider than the screen, and axe finds nothing, by day and by night."""
    walk(opened, stage, screen)
