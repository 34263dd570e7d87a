"""Actions of organisers on their pages, checks of these pages, and the data that the server has afterwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.games.review.evidence import load_evidence
from server.games.review.reconcile import reconcile
from tests.web.axe import axe_problems
from tests.web.pages.conftest import DESKTOP
from tests.web.steps import scrolls_horizontally

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from server.db.models import Game
    from server.games.review.reconcile import Reconciliation
    from tests.web.pages.conftest import LiveServer

    OpenPage = Callable[..., Page]

MAX_TABS = 120
"""Presses of Tab after which every element of a page was reached."""
NARROW = {"width": 320, "height": 700}
_HERE = "element => element.matches(':focus-visible') || (element.isConnected ? false : null)"


class Keyboard:
    """The keyboard of a page: elements are reached with the Tab key and must show that they have the focus."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, target: Locator, key: str = "Enter") -> None:
        """Go to an element and press a key on it."""
        self._to(target)
        self._page.keyboard.press(key)

    def type(self, field: Locator, text: str) -> None:
        """Go to a field and replace its content."""
        self._to(field)
        self._page.keyboard.press("Control+A")
        self._page.keyboard.type(text)

    def choose(self, select: Locator, option: str) -> None:
        """Go to a list of options and choose one by its name."""
        self._to(select)
        self._page.keyboard.type(option)

    def expect_focus(self) -> None:
        """Check that an element of the page still has the focus."""
        expect(self._page.locator(":focus")).to_have_count(1)

    def _to(self, target: Locator) -> None:
        # Finding an element by its role and name takes longer than a press of Tab, so it is repeated only after the
        # page has replaced the element.
        element = target.element_handle()
        for _ in range(MAX_TABS):
            here = element.evaluate(_HERE)
            if here:
                return
            if here is None:
                element = target.element_handle()
            else:
                self._page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {target}")


def button(within: Page | Locator, name: str) -> Locator:
    """Return the first button whose name begins with these words."""
    return within.get_by_role("button", name=re.compile(rf"^{re.escape(name)}(?!\w)")).first


def check_accessibility(page: Page) -> None:
    """Check a page and its dialogs: axe finds nothing in both colour schemes, and all fits on a narrow phone."""
    page.emulate_media(color_scheme="dark")
    assert axe_problems(page) == []
    page.emulate_media(color_scheme="light")
    assert axe_problems(page, colours_only=True) == []
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    assert not scrolls_horizontally(page)
    for dialog in page.get_by_role("dialog").all():
        assert dialog.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})


def switch_to_german(page: Page) -> None:
    """Switch the page to German."""
    page.locator("summary", has_text="Olga").click()
    page.get_by_role("banner").get_by_label("Language").select_option("de")
    page.locator("html[lang=de]").wait_for(state="attached")


def close_dialog(page: Page) -> None:
    """Close the uppermost dialog."""
    count = page.get_by_role("dialog").count()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(count - 1)


def download_link(page: Page, link: Locator, file: Path) -> bytes:
    """Download the file of a link by keyboard; return its bytes."""
    with page.expect_download() as download:
        link.press("Enter")
    download.value.save_as(file)
    return file.read_bytes()


def stored_game(live_server: LiveServer, game: str) -> Game:
    """Return a game's row."""
    with live_server.context.database.reading() as session:
        row = load_game(session, game)
        session.expunge(row)
        return row


def stored_envelope(live_server: LiveServer, game: str, number: int) -> Envelope:
    """Return an envelope's row."""
    with live_server.context.database.reading() as session:
        row = session.get_one(Envelope, (game, number))
        session.expunge(row)
        return row


def reconciled(live_server: LiveServer, game: str) -> Reconciliation:
    """Return the hands and the doubts that the server has."""
    with live_server.context.database.reading() as session:
        return reconcile(load_evidence(session, load_game(session, game)))


def hands(live_server: LiveServer, game: str) -> dict[int, set[str]]:
    """Return the cards of each envelope that counts and has any."""
    return {
        number: set(hand.cards)
        for number, hand in reconciled(live_server, game).hands.items()
        if hand.counts and hand.cards
    }
