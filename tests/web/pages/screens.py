"""All main screens of the pages: the path of each, an element that it must show, and how to open it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.editions.starter import edition_toml
from server.games.audit import Actor
from server.games.uploaded_editions import CheckedEdition, add_version
from tests.players import dealt
from tests.web.pages.fake_camera import camera_script
from tests.web.steps import open_path, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.example_games import ExampleGames

_IS_LOADED = """() => !document.querySelector("[aria-busy=true]")
  && [...document.images].every((image) => image.complete || image.loading === "lazy")"""


@dataclass(frozen=True)
class Screen:
    """A main screen. Without a `path` it follows the screen before. Once `shows` is there, `then` is called."""

    name: str
    path: Callable[[ExampleGames], str] | None
    shows: str
    then: Callable[[Page], None] | None = None


@dataclass(frozen=True)
class Visit:
    """Screens that are opened one after the other in one browser context.

    Those of an `organiser` and `large` ones are for a desktop. `envelope` is the player who has opened the join link,
    as (example game, number). With a `camera`, the page sees an envelope's cards.
    """

    screens: tuple[Screen, ...]
    organiser: bool = False
    large: bool = False
    envelope: tuple[str, int] | None = None
    camera: bool = False


def _deck(number: int) -> Callable[[ExampleGames], str]:
    return lambda games: f"/p/deck/{games.call('GET', '/me/decks', (games.open, number))['decks'][0]['id']}"


def _tab(game: str, tab: str) -> Callable[[ExampleGames], str]:
    return lambda games: f"/desk/games/{getattr(games, game)}/{tab}"


def _ceremony(games: ExampleGames) -> str:
    return games.live_server.screen_link(games.published)


def _home(_: ExampleGames) -> str:
    return "/"


def _reveal(slide: str) -> Callable[[Page], None]:
    """Continue a ceremony step by step until a slide is shown."""

    def go(page: Page) -> None:
        page.locator("[data-step]").first.wait_for()
        while not page.locator(slide).count():
            step = int(page.locator("[data-step]").first.get_attribute("data-step") or 0)
            page.keyboard.press("ArrowRight")
            page.locator(f"[data-step='{step + 1}']").wait_for()

    return go


def _press(place: str) -> Callable[[Page], None]:
    return lambda page: page.locator(place).first.click()


def _edition(games: ExampleGames) -> str:
    """Store an example edition, and return the path of its editor."""
    found = CheckedEdition("garden", "Garden", {"edition.toml": edition_toml("garden", "Garden")}, ())
    with games.live_server.context.database.writing() as session:
        add_version(session, found, Actor("organiser", "Olga"), games.live_server.context.clock())
    return "/desk/editions/garden"


def _rule(page: Page) -> None:
    """Open a rule, and add cards to the deck of the preview."""
    page.locator(".edition-tab-rules").click()
    page.locator(".edition-items button").nth(1).click()
    for _ in range(6):
        page.locator(".edition-counts .icon-button:last-child").first.click()
    page.locator(".edition-examples").get_by_text("6 \N{MULTIPLICATION SIGN} Red").wait_for()
    page.locator(".edition-score li").first.wait_for()
    page.evaluate("scrollTo(0, 0)")


def _scroll(place: str) -> Callable[[Page], None]:
    return lambda page: page.locator(place).first.evaluate("element => element.scrollIntoView({ block: 'center' })")


VISITS = {
    "new-phone": Visit(
        (
            Screen("no-envelope", _home, ".view-no-envelope"),
            Screen("welcome", lambda games: games.live_server.link(games.empty, 7), ".view-welcome"),
        )
    ),
    "player": Visit(
        (
            Screen("home", _home, ".view-home"),
            Screen("deck", _deck(1), ".outlines .tag", _scroll(".picture-frame")),
            Screen("closer", None, ".picture-open", _press(".picture-open")),
        ),
        envelope=("open", 1),
    ),
    "confirmed": Visit(
        (
            Screen("score", _deck(2), ".lines .line"),
            Screen("hand-in", None, ".lines .line", _press(".deck-end .action")),
        ),
        envelope=("open", 2),
    ),
    "handed-in": Visit((Screen("receipt", _home, ".view-home"),), envelope=("open", 3)),
    "published": Visit((Screen("my-result", lambda _: "/p/result", ".lines .line"),), envelope=("published", 1)),
    "sign-in": Visit((Screen("sign-in", lambda _: "/desk", ".view-sign-in"),), large=True),
    "desk-before": Visit(
        (
            Screen("games", lambda games: "/desk" if games.open else "", ".view-games a"),
            Screen("new-game", lambda _: "/desk/games/new", ".view-new-game form"),
            Screen("overview", _tab("open", "overview"), ".view-overview"),
            Screen("settings", _tab("empty", "settings"), ".view-settings form"),
            Screen("print", _tab("open", "print"), ".view-print"),
            Screen("print-setup", _tab("open", "print"), ".runs", _press(".print-setup button")),
            Screen("deal", _tab("open", "print"), ".runs", _press(".print-actions .action")),
        ),
        organiser=True,
    ),
    "desk-after": Visit(
        (
            Screen("envelopes", _tab("open", "envelopes"), ".view-envelopes"),
            Screen("give-out", None, ".chips", _press(".envelopes-head .action")),
            Screen("pictures", _tab("closed", "pictures"), ".view-pictures .board", _scroll(".group .shot")),
            Screen("queue", _tab("closed", "queue"), ".view-queue img"),
            Screen("results-open", _tab("closed", "results"), ".view-results"),
            Screen("results", _tab("frozen", "results"), ".view-results table", _scroll(".view-results table")),
            Screen("record", _tab("closed", "audit"), ".view-audit"),
        ),
        organiser=True,
    ),
    "big": Visit(
        (
            Screen(
                "screen-countdown",
                lambda games: games.live_server.screen_link(games.open),
                "main",
            ),
            Screen("screen-place", _ceremony, "main", _reveal(".difference")),
            Screen("screen-podium", None, "main", _reveal(".stand-1.stand-taken")),
            Screen("screen-board", None, "main", _reveal(".slide-board")),
        ),
        large=True,
    ),
}
MORE_VISITS = {
    "desk-more": Visit(
        (
            Screen("overview-closed", _tab("closed", "overview"), ".next-open"),
            Screen("doubt-missing", None, ".next-open", _press(".next-open ul ul a")),
            Screen("envelope", _tab("closed", "envelopes/1"), ".envelope-hand img"),
            Screen("by-hand", _tab("closed", "queue/by-hand"), ".view-queue form"),
            Screen("published", _tab("published", "results"), ".view-results table"),
            Screen("overview-published", _tab("published", "overview"), ".view-overview"),
            Screen("count-dialog", _tab("closed", "results"), ".view-results", _press(".next-actions button")),
        ),
        organiser=True,
    ),
    "edition": Visit((Screen("editor", _edition, ".edition-card img", _rule),), organiser=True),
    "count": Visit((Screen("count", _tab("open", "pictures/count"), ".camera-words"),), organiser=True, camera=True),
}
"""Screens that are only photographed; other tests cover them."""


def start_visit(open_page: Callable[..., Page], games: ExampleGames, visit: Visit, **options: Any) -> Page:  # noqa: ANN401 - of a context
    who: dict[str, object] = {"organiser": "Olga"} if visit.organiser else {}
    if visit.large:
        who["viewport"] = {"width": 1280, "height": 720}
    elif not visit.organiser and os.environ.get("HAGGLE_SCREENSHOTS"):
        # Phones have no scroll bars.
        who["is_mobile"] = True
    if not visit.envelope:
        page = open_page("about:blank", **who, **options)
        if visit.camera:
            cards = dealt(games.live_server.context, games.open, 4)[:9]
            script = camera_script(games.live_server.picture(games.open, cards, 4))
            page.add_init_script(f"if (navigator.mediaDevices) {{ {script} }}")
        return page
    game, number = visit.envelope
    page = open_page(games.live_server.link(getattr(games, game), number), **who, **options)
    # The page removes the token from the address.
    page.wait_for_url(lambda url: "#" not in url)
    return page


def go_to(page: Page, games: ExampleGames, screen: Screen, *, load: bool = True) -> None:
    """Open a screen, and wait until it is shown. Without `load` the page stays loaded, as if a link was followed."""
    if screen.path:
        url = games.live_server.url
        path = screen.path(games).removeprefix(url)
        # On the same path a dialog may be open.
        if load or "#" in path or page.url == url + path:
            page.goto("about:blank")
            page.goto(url + path)
        else:
            open_path(page, path)
    else:
        page.evaluate("scrollTo(0, 0)")
    page.locator(screen.shows).first.wait_for()
    if screen.then:
        screen.then(page)
    wait_for_content(page)


def wait_for_content(page: Page) -> None:
    # `wait_for_function` evaluates text in the page, which the content security policy forbids.
    wait_until(page, lambda: page.evaluate(_IS_LOADED))
    page.evaluate("document.fonts.ready.then(() => null)")
