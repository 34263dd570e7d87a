"""Actions on pages, and waiting for their effects."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import FilePayload, Page

PATIENCE = 60.0
"""Seconds within which a page does what it does, also on a machine that is ten times as busy as ours."""

WIDTHS = (320, 390, 768, 1280, 1920, 2560)
"""Of windows, from a small phone to a wall; where few are looked at, they are the first and the fourth."""


def served(script: str) -> str:
    """Return a script in which `import("/web/NAME")` is the page's own module `web/NAME`; see `web/test-modules.js`."""
    return re.sub(
        r"""import\((["`])/web/(.*?)\1\)""", r'(await import("/assets/test-modules.js")).load(\1\2\1)', script
    )


def file(data: bytes, name: str = "deck.jpg", media_type: str = "image/jpeg") -> FilePayload:
    return {"name": name, "mimeType": media_type, "buffer": data}


def comes_to(page: Page, true: Callable[[], bool]) -> None:
    """Wait until something becomes true that the page does by itself: a busy machine takes its time for it."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never comes to that"
        page.wait_for_timeout(20)


def scrolls_sideways(page: Page) -> bool:
    wider: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wider
