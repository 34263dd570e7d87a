"""Every main screen: steady, never too wide, and for everybody. With `--all` at every width and zoom, and by night."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.demo_process import DemoProcess
from tests.web.axe import problems
from tests.web.conftest import PHONE
from tests.web.pages.conftest import DESKTOP, Open
from tests.web.pages.screens import MORE_VISITS, VISITS, Screen, begin, go_to, settle
from tests.web.pages.stage import Stage
from tests.web.steps import WIDTHS, scrolls_sideways

FOLDER = os.environ.get("HAGGLE_SCREENSHOTS")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SHIFT = 0.02
"""How much of the screen may move by itself while it fills, as browsers measure it; they call 0.1 good."""
ZOOMED = ({"width": 320, "height": 256}, {"width": 640, "height": 512})
"""A window of 1280 by 1024 that is zoomed four times, and twice: WCAG 1.4.10 and 1.4.4."""
SIZES = (PHONE, {"width": 320, "height": 640}, DESKTOP, {"width": 1920, "height": 1080})
"""What screenshots of all screens are taken in, with `HAGGLE_SCREENSHOTS_OTHER`."""
SHIFTS = """() => new Promise((resolve) => {
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
WIDE = """() => {
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
DARK_INK = """() => {
  const [red, green, blue] = getComputedStyle(document.body).color.match(/[0-9.]+/g).map(Number);
  return red + green + blue < 1.5 * 255;
}"""
SPACED = """(spaced) => {
  const sheet = new CSSStyleSheet();
  // What WCAG 1.4.12 lets people set.
  sheet.replaceSync(`* {
    line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important
  } p { margin-bottom: 2em !important }`);
  if (spaced) document.adoptedStyleSheets.push(sheet);
  else document.adoptedStyleSheets.pop();
}"""
# Elements that cannot be seen when they have the focus: covered, or outside the window.
COVERED = """() => {
  const seen = (element) => element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  const hidden = ":disabled, .visually-hidden, .visually-hidden *, [inert], [inert] *";
  const usable = (element) => seen(element) && !element.matches(hidden);
  const top = [...document.querySelectorAll("dialog[open]")].pop() ?? document.body;
  const found = [];
  for (const element of [...top.querySelectorAll("a[href], button, input, select, textarea, summary")].filter(usable)) {
    element.focus();
    if (element !== document.activeElement) continue;
    const { left, right, top: high, width, height } = element.getBoundingClientRect();
    const middle = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    if (width < 2 || height < 2 || getComputedStyle(element).opacity === "0") continue;
    const at = [0.15, 0.5, 0.85].map((share) => document.elementFromPoint(middle, high + height * share));
    const label = (one) => one.closest("label")?.control === element;
    const itself = (one) => one && (element.contains(one) || one.contains(element) || label(one));
    if (!at.some(itself)) found.push(`${element.outerHTML.slice(0, 80)} behind ${at[1]?.className}`);
  }
  document.activeElement.blur();
  return found;
}"""


@pytest.mark.parametrize("name", VISITS)
def test_screens_suit_everybody(opened: Open, stage: Stage, name: str, request: pytest.FixtureRequest) -> None:
    """Nothing moves by itself, nothing is wider than the screen or covered, and axe finds nothing."""
    page = begin(opened, stage, VISITS[name], locale=stage.language)
    usual = page.viewport_size
    assert usual
    for screen in VISITS[name].screens:
        moved_before = 0 if screen.path else page.evaluate(SHIFTS)[0]
        go_to(page, stage, screen)
        shifted, moved = page.evaluate(SHIFTS)
        assert shifted - moved_before <= SHIFT, (screen.name, moved)
        look(page, screen, thorough=request.config.getoption("all"))
        assert page.evaluate("window.violations") == [], screen.name
        page.set_viewport_size(usual)
        page.emulate_media(color_scheme="light")


def look(page: Page, screen: Screen, *, thorough: bool) -> None:
    """Look at a screen at several widths, in both schemes of colours, zoomed, and with wider text."""
    usual = page.viewport_size
    assert usual
    for width in WIDTHS[1:] if thorough else ():
        page.set_viewport_size({"width": width, "height": 800})
        settle(page)
        assert page.evaluate(WIDE) == [], (screen.name, width)
        assert not scrolls_sideways(page), (screen.name, width)
    page.set_viewport_size(usual)
    for scheme in SCHEMES if thorough or FOLDER else SCHEMES[:1]:
        page.emulate_media(color_scheme=scheme)
        # The big screen has a button for that, whatever the device prefers.
        button = page.locator(".controls-light").first
        if button.count() and page.locator("html.light").count() != (scheme == "light"):
            button.dispatch_event("click")
        assert page.evaluate(DARK_INK) == (scheme == "light")
        found = problems(page, colours_only=scheme == "dark")
        assert not found, (screen.name, scheme, found)
        if FOLDER and not page.locator("dialog[open]").count():
            # The documentation says what its pictures show.
            expect(page.locator(screen.shows).first).to_be_in_viewport()
        keep(page, f"{screen.name}-{scheme}")
    keep_sizes(page, screen.name)

    for zoomed in ZOOMED if thorough else ZOOMED[:1]:
        page.set_viewport_size(zoomed)
        settle(page)
        assert page.evaluate(COVERED) == [], (screen.name, zoomed)
        assert page.evaluate(WIDE) == [], (screen.name, zoomed)
        assert not scrolls_sideways(page), (screen.name, zoomed)
        page.evaluate(SPACED, True)
        assert page.evaluate(WIDE) == [], (screen.name, zoomed, "text is spaced out")
        page.evaluate(SPACED, False)


def keep(page: Page, name: str) -> None:
    if FOLDER:
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        shot = Image.open(io.BytesIO(page.screenshot()))
        shot.convert("RGB").save(Path(FOLDER) / f"{name}.webp", quality=82, method=4)


def keep_all(page: Page, name: str) -> None:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        keep(page, f"{name}-{scheme}")
    keep_sizes(page, name)


def keep_sizes(page: Page, name: str) -> None:
    if os.environ.get("HAGGLE_SCREENSHOTS_OTHER"):
        page.emulate_media(color_scheme="light")
        for size in SIZES:
            page.set_viewport_size(size)
            settle(page)
            keep(page, f"{name}-{size['width']}")


if FOLDER:

    @pytest.mark.parametrize("name", MORE_VISITS)
    def test_more_screens(opened: Open, stage: Stage, name: str) -> None:
        """They are only looked at."""
        page = begin(opened, stage, MORE_VISITS[name], locale=stage.language)
        for screen in MORE_VISITS[name].screens:
            go_to(page, stage, screen)
            keep_all(page, screen.name)
            page.set_viewport_size(DESKTOP)

    def test_screens_of_the_demo(browser: Browser, stage: Stage, tmp_path: Path) -> None:
        """The demo's page and the three that it opens, to be looked at."""
        with DemoProcess(tmp_path / "log", "--data", tmp_path / "data") as demo:
            demo.wait()
            page = browser.new_page(locale=stage.language, reduced_motion="reduce", viewport=DESKTOP)
            page.goto(demo.url)
            page.locator(".entrance").first.wait_for()
            doors = page.locator(".entrance a").all()
            for number, address in enumerate([demo.url, *(door.get_attribute("href") or "" for door in doors)]):
                page.goto("about:blank")
                page.goto(urljoin(demo.url, address))
                page.locator("h1, main").first.wait_for()
                settle(page)
                keep_all(page, f"demo-{number}")
            page.close()


def test_axe_would_find_a_button_without_a_name(opened: Open) -> None:
    """The check of every screen can fail."""
    page = opened("/")
    page.get_by_role("heading", level=1).first.wait_for()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    [found] = problems(page)
    assert found.startswith("button-name")
