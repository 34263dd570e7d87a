"""The demo's landing page in a browser, and all that it links to, in a demo that runs as people start it."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from server.demo.seed import NAMED, ORGANISERS, PLAYERS
from tests.demo_process import DemoProcess
from tests.web.axe import problems
from tests.web.conftest import NOTE_VIOLATIONS, PHONE, Watched
from tests.web.pages.player_steps import hold, photograph
from tests.web.steps import PATIENCE, WIDTHS, comes_to, scrolls_sideways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

DESKTOP = {"width": 1280, "height": 800}
FIRST_LOAD = 40_000
"""Bytes of script and style that the demo's page may cost before it can be used."""
TITLES = {
    "en-GB": "Play a whole game of Haggle",
    "de-AT": "Ein ganzes Spiel Haggle ausprobieren",
    "fr-FR": "Une partie entière de Haggle à essayer",
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoProcess]:
    """Run a demo that lets in phones."""
    folder = tmp_path_factory.mktemp("demo")
    arguments = ("--data", folder / "data", "--host", "0.0.0.0")  # noqa: S104 - as phones need
    with DemoProcess(folder / "log", *arguments) as running:
        yield running.wait()


@pytest.fixture
def opened(browser: Browser, demo: DemoProcess) -> Iterator[Callable[..., Page]]:
    """Open the demo's page, each time in a new browser; afterwards nothing may have gone wrong in what was watched."""
    contexts: list[BrowserContext] = []
    watched: list[Watched] = []

    def begin(url: str = "", *, watch: bool = True, **options: Any) -> Page:  # noqa: ANN401 - of a context
        origin = url or demo.url
        context = browser.new_context(
            **{
                "viewport": DESKTOP,
                "reduced_motion": "reduce",
                "service_workers": "block",
                "locale": "en-GB",
                **options,
            }
        )
        context.set_default_timeout(1000 * PATIENCE)
        # A new tab starts before the test can watch it.
        context.add_init_script(NOTE_VIOLATIONS)
        if watch:
            context.on("page", lambda page: watched.append(Watched(page, origin)))
        contexts.append(context)
        page = context.new_page()
        page.goto(origin)
        page.locator(".entrance").first.wait_for()
        return page

    yield begin
    verdicts = [one.verdict() for one in watched if not one.page.is_closed()]
    for context in contexts:
        context.close()
    assert verdicts == [[] for _ in verdicts]


def through(page: Page, door: str) -> Page:
    """Press a door; return the page that opens beside."""
    with page.context.expect_page() as beside:
        page.get_by_role("link", name=door, exact=True).click()
    return beside.value


def test_it_speaks_three_languages_and_fits_every_screen(opened: Callable[..., Page]) -> None:
    """The bare address leads to it. Axe finds nothing."""
    for locale, title in TITLES.items():
        page = opened(locale=locale, viewport=PHONE)
        assert page.evaluate("location.pathname") == "/demo"
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert not scrolls_sideways(page), (locale, width)
    page.emulate_media(color_scheme="dark")
    assert problems(page) == []


def test_the_printed_addresses_lead_to_the_page_after_an_envelope_was_opened(
    opened: Callable[..., Page], demo: DemoProcess
) -> None:
    """It shows how far the game is; a language that is chosen by hand is the doors' too."""
    page = opened()
    expect(page.locator(".demo-state")).to_contain_text("The Friday night trade")
    expect(page.locator(".demo-state")).to_contain_text("of 12 envelopes are in")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["de-AT"])
    through(page, "Umschlag öffnen").get_by_role("heading", name="Willkommen!").wait_for()
    printed = re.findall(r"(?:The demo|On your phone): +(\S+)", demo.output)
    assert len(printed) == 2
    for address in printed:
        page.goto(urlsplit(address)._replace(netloc=urlsplit(demo.url).netloc).geturl())
        expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["de-AT"])


def test_the_first_load_is_small(browser: Browser, demo: DemoProcess) -> None:
    """Script and style of the page, packed."""
    page = browser.new_page(base_url=demo.url)
    sizes: list[int] = []
    kinds = {"document", "script", "stylesheet"}
    page.on(
        "response",
        lambda answer: (
            sizes.append(answer.request.sizes()["responseBodySize"]) if answer.request.resource_type in kinds else None
        ),
    )
    page.goto(f"{demo.url}/demo")
    page.locator(".entrance").first.wait_for()
    page.close()
    assert len(sizes) > 4
    assert sum(sizes) <= FIRST_LOAD


def test_a_sample_is_scored_like_any_picture(opened: Callable[..., Page], demo: DemoProcess) -> None:
    """In an envelope of one's own, each sample a deck of its own; every line of the score, and the hand-in."""
    page = opened(viewport=PHONE, has_touch=True)
    for name, cards in (("Three colours", 15), ("Pink and red", 12)):
        page.goto(f"{demo.url}/demo")
        page.locator("a.sample", has_text=name).click()
        if cards == 15:
            page.get_by_label("Name or nickname").fill("Zoe")
            page.get_by_role("button", name="Join").click()
            assert NAMED < int(page.locator(".envelope-short").inner_text()) <= PLAYERS
        expect(page.get_by_role("dialog")).to_contain_text("You chose it on the demo")
        page.get_by_role("button", name="Yes, add it").click()
        page.get_by_role("button", name=f"Yes, {cards} cards").wait_for()
    page.get_by_role("button", name="Yes, 12 cards").click()
    expect(page.locator(".lines .line").first).to_be_visible()
    page.get_by_role("button", name="Hand in this deck").click()
    hold(page, page.get_by_role("button", name="Hold to hand in"))
    expect(page.locator(".receipt")).to_be_visible()
    page.goto(f"{demo.url}/demo")
    expect(through(page, "Open an envelope").locator(".receipt")).to_be_visible()


def test_a_sample_can_be_downloaded_and_chosen(opened: Callable[..., Page]) -> None:
    """Where the browser keeps no files for pages, as on a phone over plain http."""
    page = opened(watch=False)
    page.add_init_script("delete window.caches; delete Window.prototype.caches")
    page.reload()
    with page.expect_download() as taken:
        page.locator("a.sample", has_text="Pink and red").click()
    picture = taken.value.path().read_bytes()
    player = through(page, "Open an envelope")
    player.get_by_label("Name or nickname").fill("Yves")
    player.get_by_role("button", name="Join").click()
    expect(player.get_by_role("link", name="Score one of the demo")).to_have_attribute("href", "/demo#demo-decks")
    photograph(player, picture)
    expect(player.get_by_role("button", name="Yes, 12 cards")).to_be_visible()


def test_every_door_leads_where_it_says(opened: Callable[..., Page], demo: DemoProcess) -> None:
    """A published result, the countdown and the ceremony; the desk without a password, after signing out too.

    There both games lie with doubts, a code that is only noticed, and unseen envelopes.
    """
    page = opened()
    player = through(page, "See a result")
    player.get_by_role("link", name="of 11").click()
    expect(player.locator(".lines .line").first).to_be_visible()
    expect(through(page, "Show the countdown").get_by_role("timer")).to_be_visible()
    wall = through(page, "Begin the ceremony")
    expect(wall.get_by_text("Last Friday").first).to_be_visible()
    before = wall.locator("main").inner_text()
    wall.keyboard.press("ArrowRight")
    expect(wall.locator("main")).not_to_have_text(before)

    first = through(page, "Open the desk")
    first.get_by_label("Demo: keys, password, sign out").click()
    first.get_by_role("button", name="Sign out").click()
    expect(first.get_by_role("heading", name="Sign in")).to_be_visible()
    desk = through(page, "Open the desk")
    desk.get_by_role("link", name="The Friday night trade").click()
    expect(desk.get_by_role("button", name="Close the game")).to_be_visible()
    game = f"{demo.url}/api/v1/games/{desk.url.split('/')[5]}"

    def told(of: str) -> dict[str, Any]:
        answer: dict[str, Any] = desk.context.request.get(f"{game}/{of}").json()
        return answer

    comes_to(desk, lambda: told("photos")["states"]["done"] == len(ORGANISERS))
    assert told("photos")["states"]["failed"] == 0
    found = {(item["kind"], item["standing"]) for item in told("queue?standing=all")["items"]}
    assert found >= {("no-label", "open"), ("two-decks", "open"), ("count", "open"), ("other-game", "settled")}
    assert "foreign" not in {kind for kind, _ in found}
    assert 4 <= sum(seat["received"] is None for seat in told("envelopes")["envelopes"]) < PLAYERS
    desk.goto(f"{desk.url}/queue")
    expect(desk.locator(".view-queue img").first).to_be_visible()


def test_no_page_of_another_site_opens_the_desk(opened: Callable[..., Page], demo: DemoProcess) -> None:
    """It leads to the landing page, and signs nobody in."""
    page = opened()
    page.goto("about:blank")
    with page.context.expect_page() as beside:
        page.evaluate("url => { window.open(url, '_blank'); }", f"{demo.url}/demo/desk")
    expect(beside.value.get_by_role("link", name="Open the desk")).to_be_visible()
    page.goto(f"{demo.url}/desk")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_phone_finds_the_page_by_its_code_and_no_desk(opened: Callable[..., Page], demo: DemoProcess) -> None:
    """The code says the network's address. There the page is the same, but says where else the desk is to be opened."""
    phone = demo.info()["phone"]
    if phone is None:
        pytest.skip("this machine has no address in a network")
    page = opened()
    code = page.get_by_role("img", name=f"QR code with the address {phone}")
    code.scroll_into_view_if_needed()
    expect(code).to_have_js_property("complete", value=True)
    (read,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
    assert read.text == phone
    # Browsers complain of every page over plain http that is not of their own machine.
    there = opened(phone.removesuffix("/demo"), watch=False, viewport=PHONE, has_touch=True)
    expect(there.locator(".entrance-desk")).to_contain_text(f"at {demo.url.replace('127.0.0.1', 'localhost')}/demo")
    expect(there.get_by_role("link", name="Open the desk")).to_have_count(0)
    there.goto(f"{phone}/desk")
    expect(there.get_by_role("status")).to_contain_text("on the computer that runs the demo")
