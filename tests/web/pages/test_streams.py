"""Event streams of hidden pages, and of servers that stop sending."""

from __future__ import annotations

import os
import signal
from datetime import UTC, datetime

from playwright.sync_api import Browser, Page

from server.games.lifecycle.envelopes import rename_envelope
from server.games.lifecycle.repository import load_game
from tests.context import ORGANISER
from tests.web.conftest import launch_browser
from tests.web.pages.conftest import DESKTOP, LiveServer
from tests.web.steps import TIMEOUT

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


def open_desk(browser: Browser, live_server: LiveServer) -> Page:
    context = browser.new_context(base_url=live_server.url, viewport=DESKTOP)
    context.set_default_timeout(1000 * TIMEOUT)
    live_server.sign_in(context)
    return context.new_page()


def test_hidden_pages_close_their_event_stream(browser: Browser, live_server: LiveServer) -> None:
    """Browsers open six connections to a server without https, so hidden pages close theirs until they are shown."""
    game = live_server.new_game()
    with launch_browser(browser.browser_type, ignore_default_args=["--disable-back-forward-cache"]) as own:
        page = open_desk(own, live_server)
        page.add_init_script(NOTE_STREAMS)
        for left in range(7):
            page.goto(f"/desk/games/{game}/envelopes?left={left}", wait_until="commit")
            page.get_by_text("live", exact=True).wait_for()
        page.go_back(wait_until="commit")
        page.wait_for_function("window.kept && streams.length === 2 && streams[0].signal.aborted")

        page.evaluate(HIDE, True)
        page.wait_for_function("streams[1].signal.aborted")
        with live_server.context.database.writing() as session:
            rename_envelope(session, load_game(session, game), 1, "Ada", ORGANISER, datetime.now(UTC))
        assert page.evaluate("streams.length") == 2
        page.evaluate(HIDE, False)
        page.get_by_role("cell", name="Ada").wait_for()


def test_a_silent_event_stream_is_reopened(browser: Browser, stoppable_server: LiveServer) -> None:
    """A server that loses its power closes no connection: after 45 s of silence the page reconnects."""
    page = open_desk(browser, stoppable_server)
    page.clock.install()
    page.goto(f"/desk/games/{stoppable_server.new_game()}/envelopes")
    live = page.get_by_text("live", exact=True)
    live.wait_for()
    assert stoppable_server.server.process
    leader = stoppable_server.server.process.pid
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
