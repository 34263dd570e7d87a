"""An organiser without a mouse: what is pressed has been reached by keys, and shows that it has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

MOST = 120
"""Presses of Tab within which anything on a page is reached."""
_HERE = "element => element === document.activeElement && element.matches(':focus-visible')"


class Keys:
    """The keyboard before a page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def to(self, target: Locator) -> None:
        """Go on to something with Tab; it must be reached, and be seen to have the focus."""
        target.wait_for()
        for _ in range(MOST):
            if target.evaluate(_HERE):
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {target}")

    def press(self, target: Locator, key: str = "Enter") -> None:
        """Go to something and press it."""
        self.to(target)
        self._page.keyboard.press(key)

    def type(self, field: Locator, text: str) -> None:
        """Go to a field and type, in place of what stands in it."""
        self.to(field)
        self._page.keyboard.press("Control+A")
        self._page.keyboard.type(text)

    def stay(self) -> None:
        """Check that the focus is still somewhere on the page, where the next key goes on."""
        expect(self._page.locator(":focus")).to_have_count(1)

    def choose(self, select: Locator, option: str) -> None:
        """Go to a list of choices, and to one of them by what it is called."""
        self.to(select)
        self._page.keyboard.type(option)
