"""Organisers at the desk: what they press, whether it suits everybody, and what the server then has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from server.games.lifecycle.repository import load_game
from tests.web.axe import problems
from tests.web.pages.conftest import DESKTOP
from tests.web.steps import scrolls_sideways

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from server.db.models import Game
    from tests.web.pages.conftest import Hall

    Opened = Callable[..., Page]

NARROW = {"width": 320, "height": 700}


def button(within: Page | Locator, name: str) -> Locator:
    """Return the first button whose name begins with these words."""
    return within.get_by_role("button", name=re.compile(rf"^{re.escape(name)}(?!\w)")).first


def suits(page: Page) -> None:
    """Check a page with all above it: axe finds nothing by day and by night, and it fits a narrow phone."""
    page.emulate_media(color_scheme="dark")
    assert problems(page) == []
    page.emulate_media(color_scheme="light")
    assert problems(page, colours_only=True) == []
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    assert not scrolls_sideways(page)
    for dialog in page.get_by_role("dialog").all():
        assert dialog.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})


def speak_german(page: Page) -> None:
    """Choose another language than English."""
    page.get_by_label("Olga: keys, password, sign out").click()
    page.get_by_role("banner").get_by_label("Language").select_option("de")
    page.locator("html[lang=de]").wait_for(state="attached")


def kept(hall: Hall, game: str) -> Game:
    """Return a game's row."""
    with hall.context.database.reading() as session:
        row = load_game(session, game)
        session.expunge(row)
        return row
