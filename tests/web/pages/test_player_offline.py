"""The players' page as an app: it opens without network, takes shared pictures, and can be installed."""

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
from tests.web.pages.conftest import Hall, Open
from tests.web.pages.player_steps import act
from tests.web.pages.test_player_upload import add, await_empty, items
from tests.web.steps import file

pytestmark = pytest.mark.service_worker

SHARE = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const form = new FormData();
  form.append("photo", new File([bytes], "from the gallery.png", { type: "image/png" }));
  const answer = await fetch("/share", { method: "POST", body: form });
  return answer.url;
}"""
# Another site's page: 22 files, one of them no picture, sent without a tap.
FORM = """<form action="%s/share" method="post" enctype="multipart/form-data">
  <input type="file" name="photo" multiple>
</form>
<script>
  const files = new DataTransfer();
  files.items.add(new File(["no picture"], "a.txt", { type: "text/plain" }));
  for (let at = 0; at < 21; at++) files.items.add(new File(["of a stranger"], at + ".png", { type: "image/png" }));
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
# To the browser another address is another version.
UPGRADE = """async () => {
  const workers = navigator.serviceWorker;
  const changed = new Promise((resolve) => workers.addEventListener("controllerchange", resolve));
  await workers.register("/sw.js?next");
  await changed;
}"""
FULL = "void (IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError'); })"
ONLINE = "dispatchEvent(new Event('online'))"
KEPT = "() => navigator.serviceWorker.controller?.state === 'activated'"
NONE_SHARED = "async () => !(await caches.has('haggle-shared'))"


@pytest.fixture(scope="module")
def hall(own_hall: Hall) -> Hall:
    """Serve games by a server that tests may end."""
    return own_hall


def begin(opened: Open, hall: Hall, game: str) -> Page:
    page = opened(hall.link(game, 1).removeprefix(hall.url))
    page.locator(".view-welcome button, .welcome button").last.click()
    page.locator(".view-home").wait_for()
    page.wait_for_function(KEPT)
    return page


def share(page: Page, number: int) -> None:
    assert page.evaluate(SHARE, base64.b64encode(png(number)).decode()).endswith("/?shared")


@contextmanager
def taken_down(hall: Hall) -> Iterator[None]:
    """End the server at once; start it afterwards."""
    assert hall.server.process
    kill_group(hall.server.process.pid)
    hall.server.stop(signal.SIGKILL)
    try:
        yield
    finally:
        hall.server.start()


def token_of(hall: Hall, game: str) -> str:
    return hall.link(game, 1).partition("#")[2]


def photos(hall: Hall, game: str) -> tuple[int, int]:
    with hall.context.database.reading() as session:
        count = select(func.count(Photo.id), func.count(Photo.deck.distinct())).where(Photo.game == game)
        pictures, decks = session.execute(count).one()
        return pictures, decks


def test_the_page_opens_without_network(opened: Open, hall: Hall) -> None:
    """With the server gone a player sees the own place as of the last time, and takes a picture that goes later."""
    game = hall.game(name="Far away", mode="inventory")
    page = begin(opened, hall, game)
    with taken_down(hall):
        page.reload()
        page.locator(".view-home").wait_for()
        expect(page.get_by_text("Far away").first).to_be_visible()
        expect(page.locator(".outbox-status")).to_contain_text("No network.")
        assert page.evaluate("fetch('/manifest.webmanifest').then(({ status }) => status)") == 200
        page.goto("/p/result")
        page.locator("main h1, main h2").first.wait_for()
        page.goto("/")
        page.locator("input[type=file][multiple]").first.set_input_files(file(png(1), "deck.png", "image/png"))
        page.get_by_text("1 picture waiting").first.wait_for()
        page.goto("/")
        page.get_by_text("1 picture waiting").first.wait_for()
    page.evaluate(ONLINE)
    page.get_by_text("1 picture waiting").first.wait_for(state="detached")
    assert photos(hall, game) == (1, 1)


def test_nothing_of_a_person_lies_in_the_kept_page(opened: Open, hall: Hall) -> None:
    """The cache has only public files, and of older versions only the previous one."""
    game = hall.game(mode="inventory")
    with hall.context.database.writing() as session:
        rename_envelope(session, load_game(session, game), 1, "Wilhelmina", ORGANISER, datetime.now(UTC))
    page = opened("/")
    page.evaluate("(async () => { for (const old of ['1', '2']) await caches.open(`haggle-shell-${old}`); })()")
    page.wait_for_function(KEPT)
    names = page.evaluate("caches.keys()")
    assert "haggle-shell-1" not in names
    assert "haggle-shell-2" in names
    for path in (hall.link(game, 1).removeprefix(hall.url), "/?again", "/p/result"):
        with page.expect_response("**/api/v1/me") as told:
            page.goto(path)
        assert told.value.ok
        page.locator("main h1, main h2").first.wait_for()
    kept = page.evaluate(CACHED)
    assert "/" in kept
    assert all(path in {"/", "/manifest.webmanifest"} or path.startswith("/assets/") for path in kept)
    assert not any("zxing" in path or "/desk" in path for path in kept)
    secret = token_of(hall, game)
    told_name = page.request.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert "Wilhelmina" in told_name.text()
    assert [path for path, text in kept.items() if "Wilhelmina" in text or secret in text] == []


def test_a_shared_picture_lands_in_the_newest_open_deck(opened: Open, hall: Hall) -> None:
    """The next one goes into the same deck; what is no picture, or comes before the app, is not taken, in words."""
    desk = opened("/desk")
    reply = desk.request.post("/share", multipart={"photo": file(png(1), "a.png", "image/png")})
    assert (reply.url, reply.status) == (f"{hall.url}/?shared=lost", 200)

    game = hall.game(mode="inventory")
    page = begin(opened, hall, game)
    for number in (1, 2):
        share(page, number)
        page.goto("/?shared")
        page.get_by_role("button", name="Yes, add it").click()
        page.wait_for_url("**/p/deck/**")
        page.wait_for_function("(count) => document.querySelectorAll('.picture').length >= count", arg=number)
    await_empty(page, token_of(hall, game))
    assert photos(hall, game) == (2, 1)

    assert page.evaluate(SHARE.replace("image/png", "text/plain"), "").endswith("/?shared=lost")
    page.goto("/?shared=lost")
    told = page.get_by_role("dialog", name="The shared picture did not arrive")
    told.wait_for()
    assert page.url == f"{hall.url}/"
    told.get_by_text("Close").click()
    told.wait_for(state="detached")
    # The app's shortcut.
    page.goto("/?photograph")
    expect(page.get_by_role("button", name="Photograph another deck")).to_be_focused()
    assert page.url == f"{hall.url}/"


def test_another_site_puts_no_picture_into_a_deck(opened: Open, hall: Hall) -> None:
    """A form that another site sends by itself leads to a question, also later; after the no nothing is sent."""
    game = hall.game(mode="inventory")
    other = begin(opened, hall, game).context.new_page()
    other.route(
        "http://elsewhere.example/", lambda route: route.fulfill(body=FORM % hall.url, content_type="text/html")
    )
    other.goto("http://elsewhere.example/")
    other.wait_for_url(f"{hall.url}/")
    other.get_by_text("Some files were left out").wait_for()
    other.goto("/p/result")
    other.goto("/")
    question = other.get_by_role("dialog", name="Add the 20 shared pictures to your deck?")
    expect(question.get_by_text("Some files were left out")).to_be_visible()
    question.get_by_role("button", name="No").click()
    question.wait_for(state="detached")
    other.wait_for_function(NONE_SHARED)
    await_empty(other, token_of(hall, game))
    assert other.url == f"{hall.url}/"
    assert photos(hall, game) == (0, 0)


@pytest.mark.thorough
def test_a_shared_picture_waits_where_none_is_taken(opened: Open, hall: Hall) -> None:
    """Where no picture can go into a deck it is said, and nothing is kept; but not by what was known before."""
    game = hall.game(State.PRINTED, mode="inventory")
    page = begin(opened, hall, game)
    with hall.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).opened = hall.context.clock()
    for state, mode in ((State.OPEN, "off"), (State.FROZEN, "inventory"), (State.PRINTED, "inventory")):
        set_game(hall.context, game, state=state, mode=mode)
        share(page, 1)
        page.goto("/?shared")
        told = page.get_by_role("dialog", name="The shared picture was not added")
        told.get_by_text("Close").click()
        told.wait_for(state="detached")
        page.wait_for_function(NONE_SHARED)
    share(page, 1)
    with taken_down(hall):
        act(hall, game, Act.OPEN)
        page.goto("/?shared")
        page.get_by_text("The shared picture is kept").wait_for()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.evaluate("caches.has('haggle-shared')")
    page.evaluate(ONLINE)
    page.get_by_role("button", name="Yes, add it").click()
    page.wait_for_url("**/p/deck/**")
    await_empty(page, token_of(hall, game))
    assert photos(hall, game) == (1, 1)


def test_a_new_version_is_offered_and_not_over_pictures_that_nothing_keeps(opened: Open, hall: Hall) -> None:
    """The first version is not offered; a later one is once all is sent, and is loaded when the player says so."""
    game = hall.game(mode="inventory")
    page = begin(opened, hall, game)
    offer = page.get_by_text("There is a new version of this page.")
    expect(offer).to_have_count(0)
    page.route("**/api/v1/me/decks**", lambda route: route.abort())
    page.evaluate(FULL)
    add(page, token_of(hall, game), [1])
    page.get_by_text("1 picture waiting").first.wait_for()
    assert [item["unkept"] for item in items(page, token_of(hall, game))] == [True]
    page.evaluate("window.before = true")
    page.evaluate(UPGRADE)
    expect(offer).to_have_count(0)
    page.unroute("**/api/v1/me/decks**")
    page.evaluate(ONLINE)
    offer.wait_for()
    assert photos(hall, game) == (1, 1)
    assert page.evaluate("window.before")
    page.get_by_role("button", name="Load it").click()
    page.wait_for_function("() => !window.before")
    page.locator(".view-home").wait_for()


def test_a_page_that_is_left_open_looks_for_new_versions(opened: Open, hall: Hall) -> None:
    """Whoever comes back to the page after a while has it look whether there is a newer one, and not each time."""
    page = opened("about:blank")
    page.clock.install()
    page.add_init_script(
        "window.looks = 0; ServiceWorkerRegistration.prototype.update = async () => void (window.looks += 1);"
    )
    page.goto(f"{hall.url}/")
    page.wait_for_function(KEPT)
    for minutes, looks in ((1, 0), (11, 1), (1, 1), (11, 2)):
        page.clock.fast_forward(minutes * 60_000)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        assert page.evaluate("window.looks") == looks


@pytest.mark.whole_browser
def test_phones_may_install_the_page(opened: Open) -> None:
    """The browser finds nothing that speaks against installing: manifest, icons and address are right."""
    page = opened("/")
    line = page.context.new_cdp_session(page)
    errors = [error["errorId"] for error in line.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert errors == ["in-incognito"], "the tests' browsers are such, phones are not"
    assert line.send("Page.getAppManifest")["errors"] == []
