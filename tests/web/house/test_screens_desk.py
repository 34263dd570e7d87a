"""Every main screen of the organisers' desk: steady, never too wide, and for everybody."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.web.house.screens import DESK, Screen
from tests.web.house.stage import Stage
from tests.web.house.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.web.house.conftest import Hall

LANGUAGE = os.environ.get("HAGGLE_SCREENSHOTS_LANGUAGE", "de")
"""The longest of the three, but for pictures in another."""


@pytest.fixture(scope="module")
def stage(hall: Hall, browser: Browser) -> Iterator[Stage]:
    """Set up games in which something can be seen."""
    context = browser.new_context()
    yield Stage(hall, context.request, LANGUAGE)
    context.close()


@pytest.mark.parametrize("screen", DESK, ids=lambda screen: screen.name)
def test_a_screen_suits_everybody(opened: Callable[..., Page], stage: Stage, screen: Screen) -> None:
    """Nothing moves by itself, nothing is wider than the screen, and axe finds nothing, by day and by night."""
    walk(opened, stage, screen)
