"""Live events of pages that nobody looks at, and of servers that fall silent."""

from __future__ import annotations

import os
import signal
from datetime import UTC, datetime

from playwright.sync_api import Browser, Page

from server.games.lifecycle.envelopes import rename_envelope
from server.games.lifecycle.repository import load_game
from tests.context import ORGANISER
from tests.web.conftest import started
from tests.web.pages.conftest import DESKTOP, Hall
from tests.web.steps import PATIENCE

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
NOTE_STREAMS = """
addEventListener("pageshow", (event) => { window.kept = event.persisted; });
window.streams = [];
const plain = fetch;
window.fetch = (path, options) => {
  if (`${path.url ?? path}`.endsWith("/events")) streams.push(options);
  return plain(path, options);
};
"""


def opened(browser: Browser, hall: Hall) -> Page:
    context = browser.new_context(base_url=hall.url, viewport=DESKTOP)
    context.set_default_timeout(1000 * PATIENCE)
    hall.sign_in(context)
    return context.new_page()


def test_pages_that_nobody_sees_hold_no_connection(browser: Browser, hall: Hall) -> None:
    """A browser opens six to a server without https: pages left behind give theirs back, and go on when seen again."""
    game = hall.game()
    with started(browser.browser_type, ignore_default_args=["--disable-back-forward-cache"]) as own:
        page = opened(own, hall)
        page.add_init_script(NOTE_STREAMS)
        for left in range(7):
            page.goto(f"/desk/games/{game}/envelopes?left={left}", wait_until="commit")
            page.get_by_text("live", exact=True).wait_for()
        page.go_back(wait_until="commit")
        page.wait_for_function("window.kept && streams.length === 2 && streams[0].signal.aborted")

        page.evaluate(HIDE, True)
        page.wait_for_function("streams[1].signal.aborted")
        with hall.context.database.writing() as session:
            rename_envelope(session, load_game(session, game), 1, "Ada", ORGANISER, datetime.now(UTC))
        assert page.evaluate("streams.length") == 2
        page.evaluate(HIDE, False)
        page.get_by_role("cell", name="Ada").wait_for()


def test_a_stream_that_falls_silent_is_opened_again(browser: Browser, own_hall: Hall) -> None:
    """A server that loses its power closes no connection: after 45 s of silence the page notices."""
    page = opened(browser, own_hall)
    page.clock.install()
    page.goto(f"/desk/games/{own_hall.game()}/envelopes")
    live = page.get_by_text("live", exact=True)
    live.wait_for()
    assert own_hall.server.process
    leader = own_hall.server.process.pid
    os.killpg(leader, signal.SIGSTOP)
    try:
        page.clock.fast_forward(40_000)
        live.wait_for()
        page.clock.fast_forward(6_000)
        live.wait_for(state="hidden")
    finally:
        os.killpg(leader, signal.SIGCONT)
    page.clock.fast_forward(60_000)
    live.wait_for()
    page.context.close()
