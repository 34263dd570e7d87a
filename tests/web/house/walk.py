"""What must hold on every screen, and pictures of all of them where they are asked for."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image

from tests.web.axe import problems
from tests.web.conftest import PHONE
from tests.web.house.conftest import DESKTOP
from tests.web.house.screens import open_screen, settle
from tests.web.house.zoomed import ZOOMED, covered, space_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.screens import Screen
    from tests.web.house.stage import Stage

WIDTHS = (320, 390, 768, 1280, 1920, 2560)
"""Of windows; the narrowest and a usual one are looked at in every run, the others in thorough ones."""
SHIFT = 0.02
"""How much of the screen may move by itself while it fills, as browsers measure it; 0.1 is what they call good."""
_SHIFTS = """() => new Promise((resolve) => {
  let sum = 0;
  const moved = new Set();
  const name = (node) => (node ? `${node.nodeName} ${node.className ?? ""}` : "something gone");
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter((entry) => !entry.hadRecentInput)) {
      sum += entry.value;
      for (const { node } of entry.sources) moved.add(name(node));
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve([sum, [...moved]]), 100);
})"""
_WIDE = """() => {
  const limit = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= limit) return [];
  const inner = (element) => {
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(up).overflowX)) return true;
    }
    return false;
  };
  return [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > limit + 1 && !inner(element))
    .map((element) => `${element.tagName} ${element.className}`).slice(0, 5);
}"""

_DARK_INK = """() => {
  const [red, green, blue] = getComputedStyle(document.body).color.match(/[0-9.]+/g).map(Number);
  return red + green + blue < 1.5 * 255;
}"""


def walk(opened: Callable[..., Page], stage: Stage, screen: Screen, *, thorough: bool) -> None:
    """Open a screen and look: nothing moves by itself, nothing is too wide or covered, and axe finds nothing."""
    page = open_screen(opened, stage, screen, locale=stage.language)
    shifted, moved = page.evaluate(_SHIFTS)
    assert shifted <= SHIFT, moved
    narrow = page.viewport_size
    for width in WIDTHS if thorough else WIDTHS[::3]:
        page.set_viewport_size({"width": width, "height": 800})
        settle(page)
        assert page.evaluate(_WIDE) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
    assert narrow
    page.set_viewport_size(narrow)
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        _colour(page, scheme)
        found = problems(page)
        assert not found, f"{scheme}: {found}"
        keep(page, f"{screen.name}-{scheme}")
    if os.environ.get("HAGGLE_SCREENSHOTS_OTHER"):
        page.set_viewport_size(PHONE if narrow["width"] > PHONE["width"] else DESKTOP)
        settle(page)
        keep(page, f"{screen.name}-other")
    _look_zoomed(page, thorough=thorough)


def _colour(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Show a page in light or in dark colours. The big screen has a button for that, whatever the device prefers."""
    page.emulate_media(color_scheme=scheme)
    button = page.locator(".controls-hall").first
    if button.count() and page.locator("html.light").count() != (scheme == "light"):
        button.dispatch_event("click")
    assert page.evaluate(_DARK_INK) == (scheme == "light")


def _look_zoomed(page: Page, *, thorough: bool) -> None:
    """Look at a page as people have it who make it larger, or its text wider. It is scrolled afterwards."""
    page.set_viewport_size({"width": WIDTHS[0], "height": 800})
    space_out(page)
    assert page.evaluate(_WIDE) == [], "text is spaced out"
    space_out(page, spaced=False)
    for zoomed in ZOOMED if thorough else ZOOMED[:1]:
        page.set_viewport_size(zoomed)
        settle(page)
        hidden = covered(page)
        assert not hidden, f"{zoomed}: {hidden}"


def keep(page: Page, name: str) -> None:
    """Keep a picture of a page, if the variable HAGGLE_SCREENSHOTS names a folder for them."""
    folder = os.environ.get("HAGGLE_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        shot = Image.open(io.BytesIO(page.screenshot()))
        shot.convert("RGB").save(Path(folder) / f"{name}.webp", quality=82, method=6)
