"""Actions on pages, and waiting for their effects."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import FilePayload, Page

TIMEOUT = 60.0
"""Seconds in which a page must react, also on a machine that is ten times as slow as ours."""

WIDTHS = (320, 390, 768, 1280, 1920, 2560)
"""Widths of windows, from a small phone to a large screen."""


def with_page_modules(script: str) -> str:
    """Return a script in which `import("/web/NAME")` loads a module of the page; see `web/test-modules.js`."""
    return re.sub(
        r"""import\((["`])/web/(.*?)\1\)""", r'(await import("/assets/test-modules.js")).load(\1\2\1)', script
    )


def file(data: bytes, name: str = "deck.jpg", media_type: str = "image/jpeg") -> FilePayload:
    return {"name": name, "mimeType": media_type, "buffer": data}


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait until a condition becomes true."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, "the condition did not become true"
        page.wait_for_timeout(20)


def open_path(page: Page, path: str) -> None:
    """Open another path without loading the page again, as its own links do."""
    page.evaluate("path => { history.pushState(null, '', path); dispatchEvent(new Event('popstate')); }", path)


def scrolls_horizontally(page: Page) -> bool:
    wider: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wider
