"""The players' page as an app: it opens without network, takes shared pictures, and can be installed."""

from __future__ import annotations

import base64
import re
import signal
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import func, select

from server.play.envelopes import open_envelope, rename_envelope
from server.play.games import move
from server.play.house import game_row
from server.play.states import Act, State
from server.store.tables import Photo
from tests.house import ORGANISER
from tests.jobs.scan_jobs import png
from tests.server_process import kill_group
from tests.web.house.test_outbox import add, await_empty

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.conftest import Hall

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
WORDS = {"en-GB": "No network.", "de-DE": "Kein Netz.", "fr-FR": "Pas de réseau."}


@pytest.fixture(scope="module")
def hall(own_hall: Hall) -> Hall:
    """Serve games by a server that tests may end."""
    return own_hall


def begin(opened: Callable[..., Page], hall: Hall, game: str, **options: Any) -> Page:  # noqa: ANN401 - of a context
    """Open envelope 1 of a game on a phone, and wait until the page is kept there."""
    page = opened(hall.link(game, 1).removeprefix(hall.url), **options)
    page.locator(".view-welcome button, .welcome button").last.click()
    page.locator(".view-home").wait_for()
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    return page


@pytest.mark.parametrize(
    "locale", ["de-DE", *(pytest.param(other, marks=pytest.mark.thorough) for other in ("en-GB", "fr-FR"))]
)
def test_the_page_opens_without_network(opened: Callable[..., Page], hall: Hall, locale: str) -> None:
    """With the server gone a player sees the own place as of the last time, in words, and all screens still open."""
    game = hall.game(name="Far away", mode="inventory")
    page = begin(opened, hall, game, locale=locale)
    take_down(hall)
    try:
        page.reload()
        page.locator(".view-home").wait_for()
        expect(page.get_by_text("Far away").first).to_be_visible()
        expect(page.locator(".waiting")).to_have_text(re.compile(f"^{re.escape(WORDS[locale])}"))
        assert page.evaluate("fetch('/manifest.webmanifest').then(({ status }) => status)") == 200
        page.goto("/p/result")
        page.locator("main h1, main h2").first.wait_for()
    finally:
        hall.server.start()


def test_a_picture_taken_without_network_goes_when_there_is_one(opened: Callable[..., Page], hall: Hall) -> None:
    """A page that was opened without network takes a picture, keeps it over a reload, and sends it once it can."""
    game = hall.game(mode="inventory")
    page = begin(opened, hall, game)
    take_down(hall)
    try:
        page.reload()
        page.locator(".view-home").wait_for()
        chosen = {"name": "deck.png", "mimeType": "image/png", "buffer": png(1)}
        page.locator("input[type=file][multiple]").first.set_input_files(chosen)
        page.get_by_text("1 picture waiting").first.wait_for()
        page.goto("/")
        page.get_by_text("1 picture waiting").first.wait_for()
    finally:
        hall.server.start()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_text("1 picture waiting").first.wait_for(state="detached")
    assert photos(hall, game) == 1


def test_nothing_of_a_person_lies_in_the_kept_page(opened: Callable[..., Page], hall: Hall) -> None:
    """What is kept of a player's page are files that everybody gets; of versions before only the last one stays."""
    game = hall.game(mode="inventory")
    with hall.house.database.writing() as session:
        rename_envelope(session, game_row(session, game), 1, "Wilhelmina", ORGANISER, datetime.now(UTC))
    page = opened("/")
    page.evaluate("(async () => { for (const old of ['1', '2']) await caches.open(`haggle-shell-${old}`); })()")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    names = page.evaluate("caches.keys()")
    assert "haggle-shell-1" not in names
    assert "haggle-shell-2" in names
    link = hall.link(game, 1)
    for path in (link.removeprefix(hall.url), "/?again", "/p/result"):
        with page.expect_response("**/api/v1/me") as told:
            page.goto(path)
        assert told.value.ok
        page.locator("main h1, main h2").first.wait_for()
    kept = page.evaluate(
        """async () => {
          const all = {};
          for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const request of await cache.keys()) {
              all[request.url.slice(location.origin.length)] = await (await cache.match(request)).text();
            }
          }
          return all;
        }"""
    )
    assert "/" in kept
    assert all(path in {"/", "/manifest.webmanifest"} or path.startswith("/assets/") for path in kept)
    assert not any("zxing" in path or "/desk" in path for path in kept)
    secret = link.partition("#")[2]
    told_name = page.request.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert "Wilhelmina" in told_name.text()
    assert [path for path, text in kept.items() if "Wilhelmina" in text or secret in text] == []


def test_a_shared_picture_lands_in_the_newest_open_deck(opened: Callable[..., Page], hall: Hall) -> None:
    """A picture shared from the gallery begins a deck, and the next one goes into the same deck."""
    game = hall.game(mode="inventory")
    page = begin(opened, hall, game)
    for number in (1, 2):
        assert page.evaluate(SHARE, base64.b64encode(png(number)).decode()).endswith("/?shared")
        page.goto("/?shared")
        page.get_by_role("button", name="Yes, put it in").click()
        page.wait_for_url("**/p/deck/**")
        page.wait_for_function("(count) => document.querySelectorAll('.picture').length >= count", arg=number)
    await_empty(page, hall.link(game, 1).partition("#")[2])
    assert photos(hall, game) == 2
    with hall.house.database.reading() as session:
        assert session.scalar(select(func.count(Photo.deck.distinct())).where(Photo.game == game)) == 1


def test_another_site_puts_no_picture_into_a_deck(opened: Callable[..., Page], hall: Hall) -> None:
    """A form that another site sends by itself leads to a question; after the no nothing is there, nor sent.

    What it leaves out is said also on a page that is opened later.
    """
    game = hall.game(mode="inventory")
    page = begin(opened, hall, game)
    other = page.context.new_page()
    other.route(
        "http://elsewhere.example/", lambda route: route.fulfill(body=FORM % hall.url, content_type="text/html")
    )
    other.goto("http://elsewhere.example/")
    other.wait_for_url(f"{hall.url}/")
    other.get_by_text("Not all that was shared is here").wait_for()
    other.goto("/p/result")
    other.goto("/")
    question = other.get_by_role("dialog", name="Put the 20 shared pictures into your deck?")
    expect(question.get_by_text("Not all that was shared is here")).to_be_visible()
    question.get_by_role("button", name="No").click()
    question.wait_for(state="detached")
    other.wait_for_function("async () => !(await caches.has('haggle-shared'))")
    await_empty(other, hall.link(game, 1).partition("#")[2])
    assert other.url == f"{hall.url}/"
    assert photos(hall, game) == 0


def test_what_is_shared_and_no_picture_is_told(opened: Callable[..., Page], hall: Hall) -> None:
    """A file that is no picture is not kept; the page says so until that is closed, the address does no longer."""
    page = begin(opened, hall, hall.game(mode="inventory"))
    assert page.evaluate(SHARE.replace("image/png", "text/plain"), "").endswith("/?shared=lost")
    page.goto("/?shared=lost")
    told = page.get_by_role("dialog", name="The shared picture did not arrive")
    told.wait_for()
    assert page.url == f"{hall.url}/"
    told.get_by_text("Close").click()
    told.wait_for(state="detached")


@pytest.mark.parametrize(
    ("state", "mode"), [(State.PRINTED, "inventory"), (State.OPEN, "off"), (State.FROZEN, "inventory")]
)
def test_a_shared_picture_waits_for_no_refusal(
    opened: Callable[..., Page], hall: Hall, state: State, mode: str
) -> None:
    """Where no picture can go into a deck nobody is asked: it is said until that is closed; then nothing is left."""
    page = begin(opened, hall, hall.game(state, mode=mode))
    assert page.evaluate(SHARE, base64.b64encode(png(1)).decode()).endswith("/?shared")
    page.goto("/?shared")
    told = page.get_by_role("dialog", name="The shared picture was not taken")
    told.get_by_text("Close").click()
    told.wait_for(state="detached")
    page.wait_for_function("async () => !(await caches.has('haggle-shared'))")


def test_a_shared_picture_is_not_judged_by_what_was_known_before(opened: Callable[..., Page], hall: Hall) -> None:
    """A game may open while a phone has no network: a picture shared then is kept, and asked for once it has."""
    game = hall.game(State.PRINTED, mode="inventory")
    page = begin(opened, hall, game)
    assert page.evaluate(SHARE, base64.b64encode(png(1)).decode()).endswith("/?shared")
    take_down(hall)
    try:
        with hall.house.database.writing() as session:
            move(session, game_row(session, game), Act.OPEN, ORGANISER, hall.house.clock())
            open_envelope(session, game_row(session, game), 1, ORGANISER, hall.house.clock())
        page.goto("/?shared")
        page.get_by_text("The shared picture is kept.").wait_for()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.evaluate("caches.has('haggle-shared')")
    finally:
        hall.server.start()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("button", name="Yes, put it in").click()
    page.wait_for_url("**/p/deck/**")
    await_empty(page, hall.link(game, 1).partition("#")[2])
    assert photos(hall, game) == 1


def test_the_apps_shortcut_leads_to_the_camera(opened: Callable[..., Page], hall: Hall) -> None:
    """The shortcut "Photograph my deck" opens the first screen with that button in focus; a reload is none."""
    page = begin(opened, hall, hall.game(mode="inventory"))
    page.goto("/?photograph")
    expect(page.get_by_role("button", name="Photograph my deck")).to_be_focused()
    assert page.url == f"{hall.url}/"


def test_without_the_app_sharing_leads_to_the_page(opened: Callable[..., Page], hall: Hall) -> None:
    """If the page is not kept yet, a shared picture is not taken, and the page says what to do."""
    page = opened("/desk")
    reply = page.request.post(
        "/share", multipart={"photo": {"name": "a.png", "mimeType": "image/png", "buffer": png(1)}}
    )
    assert reply.url == f"{hall.url}/?shared=lost"
    assert reply.status == 200


def test_a_new_version_is_offered_while_the_page_is_open(opened: Callable[..., Page], hall: Hall) -> None:
    """The first one is not; the page of a later one is loaded when the player says so, and not before."""
    page = begin(opened, hall, hall.game(mode="inventory"))
    offer = page.get_by_text("There is a new version of this page.")
    expect(offer).to_have_count(0)
    page.evaluate("window.before = true")
    # To the browser another address is another version.
    page.evaluate("navigator.serviceWorker.register('/sw.js?next')")
    offer.wait_for()
    assert page.evaluate("window.before")
    page.get_by_role("button", name="Load it").click()
    page.wait_for_function("() => !window.before")
    page.locator(".view-home").wait_for()


def test_no_new_version_is_loaded_over_pictures_that_nothing_keeps(opened: Callable[..., Page], hall: Hall) -> None:
    """A picture for which the browser had no room would go with the page: the version is offered once it is sent."""
    game = hall.game(mode="inventory")
    page = begin(opened, hall, game)
    token = hall.link(game, 1).partition("#")[2]
    page.route("**/api/v1/me/decks**", lambda route: route.abort())
    page.evaluate(
        "void (IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError'); })"
    )
    add(page, token, [1])
    page.get_by_text("1 picture waiting").first.wait_for()
    page.evaluate(
        """async () => {
          const workers = navigator.serviceWorker;
          const changed = new Promise((resolve) => workers.addEventListener("controllerchange", resolve));
          await workers.register("/sw.js?next");
          await changed;
        }"""
    )
    offer = page.get_by_text("There is a new version of this page.")
    expect(offer).to_have_count(0)
    page.unroute("**/api/v1/me/decks**")
    page.evaluate("dispatchEvent(new Event('online'))")
    offer.wait_for()
    assert photos(hall, game) == 1


def test_a_page_that_is_left_open_looks_for_new_versions(opened: Callable[..., Page], hall: Hall) -> None:
    """Whoever comes back to the page after a while has it look whether there is a newer one, and not each time."""
    page = opened("about:blank")
    page.clock.install()
    page.add_init_script(
        "window.looks = 0; ServiceWorkerRegistration.prototype.update = async () => void (window.looks += 1);"
    )
    page.goto(f"{hall.url}/")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    for minutes, looks in ((1, 0), (11, 1), (1, 1), (11, 2)):
        page.clock.fast_forward(minutes * 60_000)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        assert page.evaluate("window.looks") == looks


@pytest.mark.whole_browser
def test_phones_may_install_the_page(opened: Callable[..., Page]) -> None:
    """The browser finds nothing that speaks against installing: manifest, icons and address are right."""
    page = opened("/")
    line = page.context.new_cdp_session(page)
    errors = [error["errorId"] for error in line.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert errors == ["in-incognito"], "the tests' browsers are such, phones are not"
    manifest = line.send("Page.getAppManifest")
    assert manifest["errors"] == []


def take_down(hall: Hall) -> None:
    """End the server at once."""
    assert hall.server.process
    kill_group(hall.server.process.pid)
    hall.server.stop(signal.SIGKILL)


def photos(hall: Hall, game: str) -> int:
    """Return how many pictures of a game the server has."""
    with hall.house.database.reading() as session:
        return session.scalar(select(func.count(Photo.id)).where(Photo.game == game)) or 0
