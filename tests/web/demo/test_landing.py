"""The demo's landing page and all pages that it links to, in a demo that is started by the command."""

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
from tests.web.axe import axe_problems
from tests.web.conftest import PHONE, RECORD_VIOLATIONS, CheckedPage
from tests.web.pages.player_steps import photograph, press_and_hold
from tests.web.steps import TIMEOUT, WIDTHS, scrolls_horizontally, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

DESKTOP = {"width": 1280, "height": 800}
FIRST_LOAD = 40_000
"""Bytes of the document, scripts and styles that the demo's page may load."""
TITLES = {
    "en-GB": "Play a whole game of Haggle",
    "de-AT": "Ein ganzes Spiel Haggle ausprobieren",
    "fr-FR": "Une partie entière de Haggle à essayer",
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoProcess]:
    """Run a demo that phones can open."""
    folder = tmp_path_factory.mktemp("demo")
    arguments = ("--data", folder / "data", "--host", "0.0.0.0")  # noqa: S104 - as phones need
    with DemoProcess(folder / "log", *arguments) as running:
        yield running.wait()


@pytest.fixture
def open_page(browser: Browser, demo: DemoProcess) -> Iterator[Callable[..., Page]]:
    """Open the demo's page in a new browser context, and check it for errors, unless `watch` is false."""
    contexts: list[BrowserContext] = []
    checked: list[CheckedPage] = []

    def new_page(url: str = "", *, watch: bool = True, **options: Any) -> Page:  # noqa: ANN401 - of a context
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
        context.set_default_timeout(1000 * TIMEOUT)
        # A new tab loads before the test can add listeners.
        context.add_init_script(RECORD_VIOLATIONS)
        if watch:
            context.on("page", lambda page: checked.append(CheckedPage(page, origin)))
        contexts.append(context)
        page = context.new_page()
        page.goto(origin)
        page.locator(".entrance").first.wait_for()
        return page

    yield new_page
    errors = [one.errors() for one in checked if not one.page.is_closed()]
    for context in contexts:
        context.close()
    assert errors == [[] for _ in errors]


def follow_link(page: Page, link: str) -> Page:
    """Click a link; return the new tab."""
    with page.context.expect_page() as tab:
        page.get_by_role("link", name=link, exact=True).click()
    return tab.value


@pytest.mark.parametrize(
    "locale", ["de-AT", *(pytest.param(other, marks=pytest.mark.thorough) for other in ("en-GB", "fr-FR"))]
)
def test_the_landing_page_is_translated_and_fits_every_width(open_page: Callable[..., Page], locale: str) -> None:
    """Also, axe finds no problem in it, and the bare address redirects to it."""
    page = open_page(locale=locale, viewport=PHONE)
    assert page.evaluate("location.pathname") == "/demo"
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[locale])
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert not scrolls_horizontally(page), width
    page.emulate_media(color_scheme="dark")
    assert axe_problems(page) == []


def test_printed_addresses_open_the_landing_page_after_an_envelope_was_opened(
    open_page: Callable[..., Page], demo: DemoProcess
) -> None:
    """The page shows the game's progress; a language that was chosen by hand applies to the linked pages, too."""
    page = open_page()
    expect(page.locator(".demo-state")).to_contain_text("The Friday night trade")
    expect(page.locator(".demo-state")).to_contain_text("of 12 envelopes are in")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["de-AT"])
    follow_link(page, "Umschlag öffnen").get_by_role("heading", name="Willkommen!").wait_for()
    printed = re.findall(r"(?:The demo|On your phone): +(\S+)", demo.output)
    assert len(printed) == 2
    for address in printed:
        page.goto(urlsplit(address)._replace(netloc=urlsplit(demo.url).netloc).geturl())
        expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["de-AT"])


def test_the_first_load_is_small(browser: Browser, demo: DemoProcess) -> None:
    """Compressed bytes of the document, scripts and styles."""
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


def test_a_sample_picture_is_scored_and_handed_in(open_page: Callable[..., Page], demo: DemoProcess) -> None:
    """It becomes a deck of the visitor's own envelope, with every line of its score."""
    page = open_page(viewport=PHONE, has_touch=True)
    page.locator("a.sample", has_text="Three colours").click()
    page.get_by_label("Name or nickname").fill("Zoe")
    page.get_by_role("button", name="Join").click()
    assert NAMED < int(page.locator(".envelope-short").inner_text()) <= PLAYERS
    question = page.get_by_role("dialog", name="Add the shared picture?")
    expect(question.get_by_text("If you didn’t share it")).to_have_count(0)
    question.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Yes, 15 cards").click()
    expect(page.locator(".lines .line").first).to_be_visible()
    page.get_by_role("button", name="Hand in this deck").click()
    press_and_hold(page, page.get_by_role("button", name="Hold to hand in"))
    expect(page.locator(".receipt")).to_be_visible()
    page.goto(f"{demo.url}/demo")
    expect(follow_link(page, "Open an envelope").locator(".receipt")).to_be_visible()


def test_a_sample_picture_can_be_downloaded_and_uploaded(open_page: Callable[..., Page]) -> None:
    """Needed in browsers without a cache for pages, as on a phone over plain http."""
    page = open_page(watch=False)
    page.add_init_script("delete window.caches; delete Window.prototype.caches")
    page.reload()
    with page.expect_download() as taken:
        page.locator("a.sample", has_text="Pink and red").click()
    picture = taken.value.path().read_bytes()
    player = follow_link(page, "Open an envelope")
    player.get_by_label("Name or nickname").fill("Yves")
    player.get_by_role("button", name="Join").click()
    expect(player.get_by_role("link", name="Score a demo deck")).to_have_attribute("href", "/demo#demo-decks")
    photograph(player, picture)
    expect(player.get_by_role("button", name="Yes, 12 cards")).to_be_visible()


def test_every_link_opens_the_page_it_names(open_page: Callable[..., Page], demo: DemoProcess) -> None:
    """A published result, the countdown, the ceremony, and the desk without a password, even after signing out.

    Both games have doubts, a foreign code that is only noted, and missing envelopes.
    """
    page = open_page()
    player = follow_link(page, "See a result")
    player.get_by_role("link", name="of 11").click()
    expect(player.locator(".lines .line").first).to_be_visible()
    expect(follow_link(page, "Show the countdown").get_by_role("timer")).to_be_visible()
    screen = follow_link(page, "Begin the ceremony")
    expect(screen.get_by_text("Last Friday").first).to_be_visible()
    before = screen.locator("main").inner_text()
    screen.keyboard.press("ArrowRight")
    expect(screen.locator("main")).not_to_have_text(before)

    first = follow_link(page, "Open the desk")
    first.locator("summary", has_text="Demo").click()
    first.get_by_role("button", name="Sign out").click()
    expect(first.get_by_role("heading", name="Sign in")).to_be_visible()
    desk = follow_link(page, "Open the desk")
    desk.get_by_role("link", name="The Friday night trade").click()
    expect(desk.get_by_role("button", name="Close the game")).to_be_visible()
    game = f"{demo.url}/api/v1/games/{desk.url.split('/')[5]}"

    def fetch(part: str) -> dict[str, Any]:
        answer: dict[str, Any] = desk.context.request.get(f"{game}/{part}").json()
        return answer

    wait_until(desk, lambda: fetch("photos")["states"]["done"] == len(ORGANISERS))
    assert fetch("photos")["states"]["failed"] == 0
    found = {(item["kind"], item["standing"]) for item in fetch("queue?standing=all")["items"]}
    assert found >= {("no-label", "open"), ("two-decks", "open"), ("count", "open"), ("other-game", "settled")}
    assert "foreign" not in {kind for kind, _ in found}
    assert 4 <= sum(envelope["received"] is None for envelope in fetch("envelopes")["envelopes"]) < PLAYERS
    desk.goto(f"{desk.url}/queue")
    expect(desk.locator(".view-queue img").first).to_be_visible()


def test_another_site_cannot_open_the_desk(open_page: Callable[..., Page], demo: DemoProcess) -> None:
    """A link from elsewhere leads to the landing page and signs nobody in."""
    page = open_page()
    page.goto("about:blank")
    with page.context.expect_page() as tab:
        page.evaluate("url => { window.open(url, '_blank'); }", f"{demo.url}/demo/desk")
    expect(tab.value.get_by_role("link", name="Open the desk")).to_be_visible()
    page.goto(f"{demo.url}/desk")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_phone_opens_the_page_by_its_qr_code_but_not_the_desk(
    open_page: Callable[..., Page], demo: DemoProcess
) -> None:
    """On the network's address, the page names the computer on which the desk can be opened."""
    phone = demo.info()["phone"]
    if phone is None:
        pytest.skip("this machine has no address in a network")
    page = open_page()
    code = page.get_by_role("img", name="QR code")
    code.scroll_into_view_if_needed()
    expect(code).to_have_js_property("complete", value=True)
    (read,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
    assert read.text == phone
    # Browsers warn about pages over plain http from other machines.
    there = open_page(phone.removesuffix("/demo"), watch=False, viewport=PHONE, has_touch=True)
    computer = f"on the demo’s computer: {demo.url.replace('127.0.0.1', 'localhost')}/demo"
    expect(there.locator(".entrance-desk")).to_contain_text(computer)
    expect(there.get_by_role("link", name="Open the desk")).to_have_count(0)
    there.goto(f"{phone}/desk")
    expect(there.locator(".entrance-desk")).to_contain_text(computer)
