"""Fixtures for tests with Chromium and a running server. Every test also fails on the errors of `CheckedPage`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, ConsoleMessage, Page, expect, sync_playwright

from tests.browser_support import browser_path
from tests.game_server import GameServer
from tests.web.steps import TIMEOUT

# In milliseconds. The limit is generous, since a busy machine must not fail a test.
expect.set_options(timeout=1000 * TIMEOUT)

PHONE = {"width": 390, "height": 844}
# Chromium uses only the last such argument, so Playwright's own features are repeated here. The others belong to the
# popup of the address bar, which is a page of its own in every window and takes as much time as the page under test.
_DISABLED_FEATURES = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
BROWSER_ARGUMENTS = (
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# The browser itself logs these if a response is an error, the server is stopped, or service workers are blocked.
_EXPECTED_MESSAGES = (
    "Failed to load resource",
    "An unknown error occurred when fetching the script",
    "Service Worker registration blocked by Playwright",
)
RECORD_VIOLATIONS = (
    "window.violations = [];"
    "document.addEventListener('securitypolicyviolation', e => window.violations.push(e.violatedDirective));"
)
# Two effects would be drawn again in each frame while a test waits: the loading indicator, whose animation runs even
# with reduced motion, and the blurred backdrop of a dialog, in which a caret blinks.
_STOP_ANIMATIONS = """
    const styles = new CSSStyleSheet();
    styles.replaceSync(`
        [aria-busy=true]::before { background-image: none !important }
        dialog { backdrop-filter: none !important }
    `);
    document.adoptedStyleSheets = [styles];
"""


class CheckedPage:
    """A page whose console messages, exceptions and requests to other origins are recorded as errors."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self._recorded: list[str] = []
        page.add_init_script(RECORD_VIOLATIONS)
        page.add_init_script(_STOP_ANIMATIONS)
        page.on("console", self._record)
        page.on("pageerror", lambda error: self._recorded.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((origin, "blob:", "data:"))
                else self._recorded.append(f"request: {request.url}")
            ),
        )

    def errors(self) -> list[str]:
        """Return all recorded errors, including violations of the content security policy."""
        return self._recorded + [f"violation: {name}" for name in self.page.evaluate("window.violations")]

    def _record(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(_EXPECTED_MESSAGES):
            self._recorded.append(f"{message.type}: {message.text}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the headless shell of Chromium, or Chromium; the shell is four times as fast."""
    with sync_playwright() as playwright, launch_browser(playwright.chromium, whole=False) as browser:
        yield browser


@pytest.fixture(scope="session")
def whole_browser(browser: Browser) -> Iterator[Browser]:
    """Start a complete Chromium."""
    with launch_browser(browser.browser_type) as complete:
        yield complete


@pytest.fixture
def selected_browser(request: pytest.FixtureRequest) -> Browser:
    """Return the browser of a test; a marker chooses the complete one."""
    fixture = "whole_browser" if request.node.get_closest_marker("whole_browser") else "browser"
    found: Browser = request.getfixturevalue(fixture)
    return found


def launch_browser(chromium: BrowserType, *, whole: bool = True, more: Sequence[str] = (), **options: Any) -> Browser:  # noqa: ANN401 - Playwright's
    """Start a browser for tests; `whole` is that of `browser_path`, `more` are further arguments."""
    return chromium.launch(executable_path=browser_path(whole=whole), args=browser_arguments(more), **options)


def browser_arguments(more: Sequence[str] = ()) -> list[str]:
    """Return the arguments of all browsers of the tests, and more."""
    return [*BROWSER_ARGUMENTS, *more, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """Start a server without games, for tests that need only its pages."""
    with GameServer(tmp_path_factory.mktemp("web") / "data", scan_workers=0) as running:
        yield running


@pytest.fixture
def context(selected_browser: Browser, server: GameServer) -> Iterator[BrowserContext]:
    """Open the browser of a phone that has nothing stored."""
    context = selected_browser.new_context(
        base_url=server.url, viewport=PHONE, has_touch=True, reduced_motion="reduce", service_workers="block"
    )
    context.set_default_timeout(1000 * TIMEOUT)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, server: GameServer) -> Iterator[Page]:
    """Open the players' page, and check it for errors after the test."""
    checked = CheckedPage(context.new_page(), server.url)
    checked.page.goto("/")
    checked.page.locator("h1").wait_for()
    yield checked.page
    assert checked.errors() == []
