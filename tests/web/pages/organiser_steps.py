"""Organisers at the desk: what they press, whether it suits everybody, and what the server then has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.games.review.evidence import load_evidence
from server.games.review.reconcile import reconcile
from tests.web.axe import problems
from tests.web.pages.conftest import DESKTOP
from tests.web.steps import scrolls_sideways

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from server.db.models import Game
    from server.games.review.reconcile import Reconciliation
    from tests.web.pages.conftest import Hall

    Opened = Callable[..., Page]

MOST = 120
"""Presses of Tab within which anything on a page is reached."""
NARROW = {"width": 320, "height": 700}
_HERE = "element => element.matches(':focus-visible') || (element.isConnected ? false : null)"


class Keys:
    """The keyboard before a page: what is pressed has been reached by keys, and shows that it has the focus."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, target: Locator, key: str = "Enter") -> None:
        """Go to something and press it."""
        self._to(target)
        self._page.keyboard.press(key)

    def type(self, field: Locator, text: str) -> None:
        """Go to a field and replace its content."""
        self._to(field)
        self._page.keyboard.press("Control+A")
        self._page.keyboard.type(text)

    def choose(self, select: Locator, option: str) -> None:
        """Go to a list of choices, and to one of them by its name."""
        self._to(select)
        self._page.keyboard.type(option)

    def stay(self) -> None:
        """Check that the focus is still somewhere on the page, where the next key goes on."""
        expect(self._page.locator(":focus")).to_have_count(1)

    def _to(self, target: Locator) -> None:
        # Finding an element by its role and name takes longer than a press of Tab, so it is done again only if the page
        # has replaced it.
        element = target.element_handle()
        for _ in range(MOST):
            here = element.evaluate(_HERE)
            if here:
                return
            if here is None:
                element = target.element_handle()
            else:
                self._page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {target}")


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


def away(page: Page) -> None:
    """Close the uppermost dialog."""
    count = page.get_by_role("dialog").count()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(count - 1)


def saved(page: Page, link: Locator, file: Path) -> bytes:
    """Download what a link leads to, by keyboard; return its bytes."""
    with page.expect_download() as download:
        link.press("Enter")
    download.value.save_as(file)
    return file.read_bytes()


def kept(hall: Hall, game: str) -> Game:
    """Return a game's row."""
    with hall.context.database.reading() as session:
        row = load_game(session, game)
        session.expunge(row)
        return row


def seat(hall: Hall, game: str, number: int) -> Envelope:
    """Return an envelope's row."""
    with hall.context.database.reading() as session:
        row = session.get_one(Envelope, (game, number))
        session.expunge(row)
        return row


def whole(hall: Hall, game: str) -> Reconciliation:
    """Return the hands and the queue as the server has them."""
    with hall.context.database.reading() as session:
        return reconcile(load_evidence(session, load_game(session, game)))


def hands(hall: Hall, game: str) -> dict[int, set[str]]:
    """Return the cards of each envelope that counts and has some."""
    return {number: set(hand.cards) for number, hand in whole(hall, game).hands.items() if hand.counts and hand.cards}
