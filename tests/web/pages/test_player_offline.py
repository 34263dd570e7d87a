"""The installed player page: it opens without network, receives shared pictures, and is updated."""

from __future__ import annotations

import base64
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from server.db.models import Envelope, Photo
from server.games.lifecycle.envelopes import rename_envelope
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from tests.context import ORGANISER
from tests.players import set_game
from tests.scan_jobs import png
from tests.server_process import kill_group
from tests.web.pages.conftest import LiveServer, OpenPage
from tests.web.pages.outbox_steps import add_pictures, await_empty, outbox_items
from tests.web.pages.player_steps import change_state_of
from tests.web.steps import file

pytestmark = pytest.mark.service_worker

SHARE = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const form = new FormData();
  form.append("photo", new File([bytes], "from the gallery.png", { type: "image/png" }));
  const answer = await fetch("/share", { method: "POST", body: form });
  return answer.url;
}"""
# The page of another site, which submits 22 files, one of them no picture.
FOREIGN_SITE = """<form action="%s/share" method="post" enctype="multipart/form-data">
  <input type="file" name="photo" multiple>
</form>
<script>
  const files = new DataTransfer();
  files.items.add(new File(["no picture"], "a.txt", { type: "text/plain" }));
  for (let at = 0; at < 21; at++) files.items.add(new File(["of another site"], at + ".png", { type: "image/png" }));
  document.querySelector("input").files = files.files;
  document.querySelector("form").submit();
</script>"""
CACHED = """async () => {
  const all = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      all[request.url.slice(location.origin.length)] = await (await cache.match(request)).text();
    }
  }
  return all;
}"""
# For the browser another URL is another version.
UPGRADE = """async () => {
  const workers = navigator.serviceWorker;
  const changed = new Promise((resolve) => workers.addEventListener("controllerchange", resolve));
  await workers.register("/sw.js?next");
  await changed;
}"""
FULL = "void (IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError'); })"
ONLINE = "dispatchEvent(new Event('online'))"
CACHED_BY_WORKER = "() => navigator.serviceWorker.controller?.state === 'activated'"
NONE_SHARED = "async () => !(await caches.has('haggle-shared'))"


@pytest.fixture(scope="module")
def live_server(stoppable_server: LiveServer) -> LiveServer:
    """Return a server that tests may stop."""
    return stoppable_server


def open_installed_page(open_page: OpenPage, live_server: LiveServer, game: str) -> Page:
    page = open_page(live_server.link(game, 1).removeprefix(live_server.url))
    page.locator(".view-welcome button, .welcome button").last.click()
    page.locator(".view-home").wait_for()
    page.wait_for_function(CACHED_BY_WORKER)
    return page


def share(page: Page, number: int) -> None:
    assert page.evaluate(SHARE, base64.b64encode(png(number)).decode()).endswith("/?shared")


@contextmanager
def server_killed(live_server: LiveServer) -> Iterator[None]:
    """Kill the server, and start it again after the block."""
    assert live_server.server.process
    kill_group(live_server.server.process.pid)
    live_server.server.stop(signal.SIGKILL)
    try:
        yield
    finally:
        live_server.server.start()


def token_of(live_server: LiveServer, game: str) -> str:
    return live_server.link(game, 1).partition("#")[2]


def photos(live_server: LiveServer, game: str) -> tuple[int, int]:
    with live_server.context.database.reading() as session:
        count = select(func.count(Photo.id), func.count(Photo.deck.distinct())).where(Photo.game == game)
        pictures, decks = session.execute(count).one()
        return pictures, decks


def test_the_page_opens_without_network(open_page: OpenPage, live_server: LiveServer) -> None:
    """Without the server a player sees the last known state, and takes a picture that is sent later."""
    game = live_server.new_game(name="Far away", mode="inventory")
    page = open_installed_page(open_page, live_server, game)
    with server_killed(live_server):
        page.reload()
        page.locator(".view-home").wait_for()
        expect(page.get_by_text("Far away").first).to_be_visible()
        expect(page.locator(".outbox-status")).to_contain_text("Offline.")
        assert page.evaluate("fetch('/manifest.webmanifest').then(({ status }) => status)") == 200
        page.goto("/p/result")
        page.locator("main h1, main h2").first.wait_for()
        page.goto("/")
        page.locator("input[type=file][multiple]").first.set_input_files(file(png(1), "deck.png", "image/png"))
        page.get_by_text("Waiting: 1 picture").first.wait_for()
        page.goto("/")
        page.get_by_text("Waiting: 1 picture").first.wait_for()
    page.evaluate(ONLINE)
    page.get_by_text("Waiting: 1 picture").first.wait_for(state="detached")
    assert photos(live_server, game) == (1, 1)


def test_the_cache_has_no_personal_data(open_page: OpenPage, live_server: LiveServer) -> None:
    """It has only public files, and of older versions only the previous one."""
    game = live_server.new_game(mode="inventory")
    with live_server.context.database.writing() as session:
        rename_envelope(session, load_game(session, game), 1, "Wilhelmina", ORGANISER, datetime.now(UTC))
    page = open_page("/")
    page.evaluate("(async () => { for (const old of ['1', '2']) await caches.open(`haggle-shell-${old}`); })()")
    page.wait_for_function(CACHED_BY_WORKER)
    names = page.evaluate("caches.keys()")
    assert "haggle-shell-1" not in names
    assert "haggle-shell-2" in names
    for path in (live_server.link(game, 1).removeprefix(live_server.url), "/?again", "/p/result"):
        with page.expect_response("**/api/v1/me") as response:
            page.goto(path)
        assert response.value.ok
        page.locator("main h1, main h2").first.wait_for()
    kept = page.evaluate(CACHED)
    assert "/" in kept
    assert all(path in {"/", "/manifest.webmanifest"} or path.startswith("/assets/") for path in kept)
    assert not any("zxing" in path or "/desk" in path for path in kept)
    secret = token_of(live_server, game)
    player = page.request.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert "Wilhelmina" in player.text()
    assert [path for path, text in kept.items() if "Wilhelmina" in text or secret in text] == []


def test_a_shared_picture_is_added_to_the_newest_open_deck(open_page: OpenPage, live_server: LiveServer) -> None:
    """So is the next one; other files, and files shared before the app was installed, are refused."""
    desk = open_page("/desk")
    reply = desk.request.post("/share", multipart={"photo": file(png(1), "a.png", "image/png")})
    assert (reply.url, reply.status) == (f"{live_server.url}/?shared=lost", 200)

    game = live_server.new_game(mode="inventory")
    page = open_installed_page(open_page, live_server, game)
    for number in (1, 2):
        share(page, number)
        page.goto("/?shared")
        page.get_by_role("dialog").get_by_role("button", name="Add").click()
        page.wait_for_url("**/p/deck/**")
        page.wait_for_function("(count) => document.querySelectorAll('.picture').length >= count", arg=number)
    await_empty(page, token_of(live_server, game))
    assert photos(live_server, game) == (2, 1)

    assert page.evaluate(SHARE.replace("image/png", "text/plain"), "").endswith("/?shared=lost")
    page.goto("/?shared=lost")
    dialog = page.get_by_role("dialog", name="The shared picture did not arrive")
    dialog.wait_for()
    assert page.url == f"{live_server.url}/"
    dialog.get_by_text("Close").click()
    dialog.wait_for(state="detached")
    # The app's shortcut.
    page.goto("/?photograph")
    expect(page.get_by_role("button", name="Photograph another deck")).to_be_focused()
    assert page.url == f"{live_server.url}/"


def test_pictures_from_another_site_need_confirmation(open_page: OpenPage, live_server: LiveServer) -> None:
    """A form that another site submits leads to a question, also later; after "Cancel" nothing is sent."""
    game = live_server.new_game(mode="inventory")
    other = open_installed_page(open_page, live_server, game).context.new_page()
    other.route(
        "http://elsewhere.example/",
        lambda route: route.fulfill(body=FOREIGN_SITE % live_server.url, content_type="text/html"),
    )
    other.goto("http://elsewhere.example/")
    other.wait_for_url(f"{live_server.url}/")
    other.get_by_text("Some files are left out").wait_for()
    other.goto("/p/result")
    other.goto("/")
    question = other.get_by_role("dialog", name="Add 20 shared pictures?")
    expect(question.get_by_text("Some files are left out")).to_be_visible()
    expect(question.get_by_text("If you didn’t share it, cancel.")).to_be_visible()
    question.get_by_role("button", name="Cancel").click()
    question.wait_for(state="detached")
    other.wait_for_function(NONE_SHARED)
    await_empty(other, token_of(live_server, game))
    assert other.url == f"{live_server.url}/"
    assert photos(live_server, game) == (0, 0)


@pytest.mark.thorough
def test_a_shared_picture_is_dropped_if_no_deck_takes_it(open_page: OpenPage, live_server: LiveServer) -> None:
    """If no deck takes pictures the page says so and keeps nothing, unless this is only known from the cache."""
    game = live_server.new_game(State.PRINTED, mode="inventory")
    page = open_installed_page(open_page, live_server, game)
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).opened = live_server.context.clock()
    for state, mode in ((State.OPEN, "off"), (State.FROZEN, "inventory"), (State.PRINTED, "inventory")):
        set_game(live_server.context, game, state=state, mode=mode)
        share(page, 1)
        page.goto("/?shared")
        dialog = page.get_by_role("dialog", name="The shared picture can’t be added now")
        dialog.get_by_text("Close").click()
        dialog.wait_for(state="detached")
        page.wait_for_function(NONE_SHARED)
    share(page, 1)
    with server_killed(live_server):
        change_state_of(live_server, game, Act.OPEN)
        page.goto("/?shared")
        page.get_by_text("The shared picture is kept").wait_for()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.evaluate("caches.has('haggle-shared')")
    page.evaluate(ONLINE)
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    page.wait_for_url("**/p/deck/**")
    await_empty(page, token_of(live_server, game))
    assert photos(live_server, game) == (1, 1)


def test_a_new_version_is_offered_once_all_pictures_are_sent(open_page: OpenPage, live_server: LiveServer) -> None:
    """The first version is not offered; a later one is loaded when the player confirms."""
    game = live_server.new_game(mode="inventory")
    page = open_installed_page(open_page, live_server, game)
    offer = page.get_by_text("This page has a new version.")
    expect(offer).to_have_count(0)
    page.route("**/api/v1/me/decks**", lambda route: route.abort())
    page.evaluate(FULL)
    add_pictures(page, token_of(live_server, game), [1])
    page.get_by_text("Waiting: 1 picture").first.wait_for()
    assert [item["unkept"] for item in outbox_items(page, token_of(live_server, game))] == [True]
    page.evaluate("window.before = true")
    page.evaluate(UPGRADE)
    expect(offer).to_have_count(0)
    page.unroute("**/api/v1/me/decks**")
    page.evaluate(ONLINE)
    offer.wait_for()
    assert photos(live_server, game) == (1, 1)
    assert page.evaluate("window.before")
    page.get_by_role("button", name="Reload").click()
    page.wait_for_function("() => !window.before")
    page.locator(".view-home").wait_for()


def test_a_page_that_stays_open_checks_for_new_versions(open_page: OpenPage, live_server: LiveServer) -> None:
    """It checks when the player returns to the page, but at most once in ten minutes."""
    page = open_page("about:blank")
    page.clock.install()
    page.add_init_script(
        "window.looks = 0; ServiceWorkerRegistration.prototype.update = async () => void (window.looks += 1);"
    )
    page.goto(f"{live_server.url}/")
    page.wait_for_function(CACHED_BY_WORKER)
    for minutes, looks in ((1, 0), (11, 1), (1, 1), (11, 2)):
        page.clock.fast_forward(minutes * 60_000)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        assert page.evaluate("window.looks") == looks


@pytest.mark.whole_browser
def test_the_page_can_be_installed(open_page: OpenPage) -> None:
    """The browser finds no problem in the manifest, icons and address."""
    page = open_page("/")
    session = page.context.new_cdp_session(page)
    errors = [error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert errors == ["in-incognito"], "the only problem is the private window of the test"
    assert session.send("Page.getAppManifest")["errors"] == []
