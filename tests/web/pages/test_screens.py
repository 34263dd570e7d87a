"""Layout, stability and accessibility of all main screens; with `--all` at every width and zoom, and in dark mode."""

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
from tests.web.axe import axe_problems
from tests.web.conftest import PHONE
from tests.web.pages.conftest import DESKTOP, OpenPage
from tests.web.pages.example_games import ExampleGames
from tests.web.pages.screens import MORE_VISITS, VISITS, Screen, go_to, start_visit, wait_for_content
from tests.web.steps import WIDTHS, scrolls_horizontally

FOLDER = os.environ.get("HAGGLE_SCREENSHOTS")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MAX_SHIFT = 0.02
"""Maximal cumulative layout shift while a screen is loaded; browsers call 0.1 good."""
ZOOMED_SIZES = ({"width": 320, "height": 256}, {"width": 640, "height": 512})
"""A window of 1280 by 1024 pixels at a zoom of 400 % and of 200 %: WCAG 1.4.10 and 1.4.4."""
SIZES = (PHONE, {"width": 320, "height": 640}, DESKTOP, {"width": 1920, "height": 1080})
"""Sizes of further screenshots, with `HAGGLE_SCREENSHOTS_OTHER`."""
MEASURE_SHIFTS = """() => new Promise((resolve) => {
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
TOO_WIDE = """() => {
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
TEXT_IS_DARK = """() => {
  const [red, green, blue] = getComputedStyle(document.body).color.match(/[0-9.]+/g).map(Number);
  return red + green + blue < 1.5 * 255;
}"""
SET_TEXT_SPACING = """(spaced) => {
  const sheet = new CSSStyleSheet();
  // The spacing of WCAG 1.4.12.
  sheet.replaceSync(`* {
    line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important
  } p { margin-bottom: 2em !important }`);
  if (spaced) document.adoptedStyleSheets.push(sheet);
  else document.adoptedStyleSheets.pop();
}"""
# Elements that are covered or outside of the window when they have the focus: WCAG 2.4.11.
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
def test_screens_are_stable_accessible_and_fit(
    open_page: OpenPage, example_games: ExampleGames, name: str, request: pytest.FixtureRequest
) -> None:
    """Nothing moves while loading, nothing is wider than the screen or covered, and axe finds no problem.

    The page is loaded for the first screen of each visit, and with `--all` for all of them.
    """
    page = start_visit(open_page, example_games, VISITS[name], locale=example_games.language)
    usual = page.viewport_size
    assert usual
    thorough = bool(request.config.getoption("all"))
    for number, screen in enumerate(VISITS[name].screens):
        load = thorough or bool(FOLDER) or number == 0
        moved_before = 0 if screen.path else page.evaluate(MEASURE_SHIFTS)[0]
        go_to(page, example_games, screen, load=load)
        # Another screen replaces the one before, so it is stable only if it is loaded or a dialog.
        if load or not screen.path:
            shifted, moved = page.evaluate(MEASURE_SHIFTS)
            assert shifted - moved_before <= MAX_SHIFT, (screen.name, moved)
        check_screen(page, screen, thorough=thorough)
        assert page.evaluate("window.violations") == [], screen.name
        page.set_viewport_size(usual)
        page.emulate_media(color_scheme="light")


def check_screen(page: Page, screen: Screen, *, thorough: bool) -> None:
    """Check a screen, also zoomed; if `thorough`, at all widths, in both colour schemes and with wider text."""
    usual = page.viewport_size
    assert usual
    for width in WIDTHS[1:] if thorough else ():
        page.set_viewport_size({"width": width, "height": 800})
        wait_for_content(page)
        assert page.evaluate(TOO_WIDE) == [], (screen.name, width)
        assert not scrolls_horizontally(page), (screen.name, width)
    page.set_viewport_size(usual)
    for scheme in SCHEMES if thorough or FOLDER else SCHEMES[:1]:
        page.emulate_media(color_scheme=scheme)
        # The big screen has a button for its colour scheme.
        button = page.locator(".controls-light").first
        if button.count() and page.locator("html.light").count() != (scheme == "light"):
            button.dispatch_event("click")
        assert page.evaluate(TEXT_IS_DARK) == (scheme == "light")
        found = axe_problems(page, colours_only=scheme == "dark")
        assert not found, (screen.name, scheme, found)
        if FOLDER and not page.locator("dialog[open]").count():
            # The documentation describes what its screenshots show.
            expect(page.locator(screen.shows).first).to_be_in_viewport()
        save_screenshot(page, f"{screen.name}-{scheme}")
    save_sizes(page, screen.name)

    for zoomed in ZOOMED_SIZES if thorough else ZOOMED_SIZES[:1]:
        page.set_viewport_size(zoomed)
        wait_for_content(page)
        assert page.evaluate(COVERED) == [], (screen.name, zoomed)
        assert page.evaluate(TOO_WIDE) == [], (screen.name, zoomed)
        assert not scrolls_horizontally(page), (screen.name, zoomed)
        if thorough:
            page.evaluate(SET_TEXT_SPACING, True)
            assert page.evaluate(TOO_WIDE) == [], (screen.name, zoomed, "text is spaced out")
            page.evaluate(SET_TEXT_SPACING, False)


def save_screenshot(page: Page, name: str) -> None:
    if FOLDER:
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        shot = Image.open(io.BytesIO(page.screenshot()))
        shot.convert("RGB").save(Path(FOLDER) / f"{name}.webp", quality=82, method=4)


def save_screenshots(page: Page, name: str) -> None:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        save_screenshot(page, f"{name}-{scheme}")
    save_sizes(page, name)


def save_sizes(page: Page, name: str) -> None:
    if os.environ.get("HAGGLE_SCREENSHOTS_OTHER"):
        page.emulate_media(color_scheme="light")
        for size in SIZES:
            page.set_viewport_size(size)
            wait_for_content(page)
            save_screenshot(page, f"{name}-{size['width']}")


if FOLDER:

    @pytest.mark.parametrize("name", MORE_VISITS)
    def test_more_screenshots(open_page: OpenPage, example_games: ExampleGames, name: str) -> None:
        """These screens are only photographed."""
        page = start_visit(open_page, example_games, MORE_VISITS[name], locale=example_games.language)
        for screen in MORE_VISITS[name].screens:
            go_to(page, example_games, screen)
            save_screenshots(page, screen.name)
            page.set_viewport_size(DESKTOP)

    def test_screenshots_of_the_demo(browser: Browser, example_games: ExampleGames, tmp_path: Path) -> None:
        """The demo's page and the three that it opens."""
        with DemoProcess(tmp_path / "log", "--data", tmp_path / "data") as demo:
            demo.wait()
            page = browser.new_page(locale=example_games.language, reduced_motion="reduce", viewport=DESKTOP)
            page.goto(demo.url)
            page.locator(".entrance").first.wait_for()
            doors = page.locator(".entrance a").all()
            for number, address in enumerate([demo.url, *(door.get_attribute("href") or "" for door in doors)]):
                page.goto("about:blank")
                page.goto(urljoin(demo.url, address))
                page.locator("h1, main").first.wait_for()
                wait_for_content(page)
                save_screenshots(page, f"demo-{number}")
            page.close()


def test_axe_finds_a_button_without_a_name(open_page: OpenPage) -> None:
    """So the check of all screens can fail."""
    page = open_page("/")
    page.get_by_role("heading", level=1).first.wait_for()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    [found] = axe_problems(page)
    assert found.startswith("button-name")
