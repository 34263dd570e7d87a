"""A real Chromium before a real server. Every test also fails for what no page may do: see `Watched`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, ConsoleMessage, Page, expect, sync_playwright

from tests.browser_support import browser_path
from tests.game_server import GameServer
from tests.web.steps import PATIENCE

expect.set_options(timeout=1000 * PATIENCE)  # milliseconds: what waits says nothing of how busy the machine may be

PHONE = {"width": 390, "height": 844}
# The last list that a browser gets counts, so Playwright's own is here too. The others are of the address bar:
# its popup is a page of its own in every window, which no test sees, and takes as long as a page of ours.
_OFF = (
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
SWITCHES = (
    f"--disable-features={','.join(_OFF)}",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Written by the browser itself when an answer is an error, the server is gone, or no service worker is wanted.
_EXPECTED = (
    "Failed to load resource",
    "An unknown error occurred when fetching the script",
    "Service Worker registration blocked by Playwright",
)
NOTE_VIOLATIONS = (
    "window.violations = [];"
    "document.addEventListener('securitypolicyviolation', e => window.violations.push(e.violatedDirective));"
)
# Two effects would be computed again in each frame, as long as a test waits: the sign that a page waits, a picture that
# moves for ever, also where people want no motion; and the blur of what is behind a dialog, where a caret blinks.
CHEAP = """
    const cheap = new CSSStyleSheet();
    cheap.replaceSync(`
        [aria-busy=true]::before { background-image: none !important }
        dialog { backdrop-filter: none !important }
    `);
    document.adoptedStyleSheets = [cheap];
"""


class Watched:
    """A page under watch: what it logs, throws, and asks of other origins."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.wrong: list[str] = []
        page.add_init_script(NOTE_VIOLATIONS)
        page.add_init_script(CHEAP)
        page.on("console", self._logged)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((origin, "blob:", "data:"))
                else self.wrong.append(f"request: {request.url}")
            ),
        )

    def verdict(self) -> list[str]:
        """Return all that went wrong, violations of the content security policy included."""
        return self.wrong + [f"violation: {name}" for name in self.page.evaluate("window.violations")]

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(_EXPECTED):
            self.wrong.append(f"{message.type}: {message.text}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start a Chromium for all tests, without windows where there is one: it is four times as quick."""
    with sync_playwright() as playwright, started(playwright.chromium, whole=False) as browser:
        yield browser


@pytest.fixture(scope="session")
def whole_browser(browser: Browser) -> Iterator[Browser]:
    """Start a Chromium with all that people have."""
    with started(browser.browser_type, whole=True) as one:
        yield one


@pytest.fixture
def chosen(request: pytest.FixtureRequest, browser: Browser) -> Browser:
    """Return the browser that a test wants: a whole one where it is marked so."""
    one: Browser = (
        request.getfixturevalue("whole_browser") if request.node.get_closest_marker("whole_browser") else browser
    )
    return one


def started(chromium: BrowserType, *, whole: bool = True, more: Sequence[str] = (), **options: Any) -> Browser:  # noqa: ANN401 - Playwright's
    """Start a browser of the tests; `whole` as for `browser_path`, `more` are switches."""
    return chromium.launch(executable_path=browser_path(whole=whole), args=switches(more), **options)


def switches(more: Sequence[str] = ()) -> list[str]:
    """Return the switches of all browsers of the tests, and more."""
    return [*SWITCHES, *more, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """Serve no game yet, for tests that need a page and nothing else."""
    with GameServer(tmp_path_factory.mktemp("web") / "data", scan_workers=0) as running:
        yield running


@pytest.fixture
def context(chosen: Browser, server: GameServer) -> Iterator[BrowserContext]:
    """Open a phone with nothing stored."""
    context = chosen.new_context(
        base_url=server.url, viewport=PHONE, has_touch=True, reduced_motion="reduce", service_workers="block"
    )
    context.set_default_timeout(1000 * PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, server: GameServer) -> Iterator[Page]:
    """Open the players' page; afterwards nothing may have gone wrong in it."""
    watched = Watched(context.new_page(), server.url)
    watched.page.goto("/")
    watched.page.locator("h1").wait_for()
    yield watched.page
    assert watched.verdict() == []
