"""Every main screen of the app: its path, what it must show, and how to get there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.editions.starter import edition_toml
from server.games.audit import Actor
from server.games.uploaded_editions import CheckedEdition, add_version
from tests.players import dealt
from tests.web.pages.fake_camera import camera_script
from tests.web.steps import comes_to

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.stage import Stage

_STILL = """() => !document.querySelector("[aria-busy=true]")
  && [...document.images].every((image) => image.complete || image.loading === "lazy")"""


@dataclass(frozen=True)
class Screen:
    """A main screen. `path` leads to it, or the screen before does; `shows` is there when all has come, then `then`."""

    name: str
    path: Callable[[Stage], str] | None
    shows: str
    then: Callable[[Page], None] | None = None


@dataclass(frozen=True)
class Visit:
    """Screens that one browser shows one after the other.

    An organiser's and a `large` one is for a desktop. `envelope` names the player who has opened a label's link before,
    as (game of the stage, number). With a `camera`, the page sees an envelope's cards.
    """

    screens: tuple[Screen, ...]
    organiser: bool = False
    large: bool = False
    envelope: tuple[str, int] | None = None
    camera: bool = False


def _deck(number: int) -> Callable[[Stage], str]:
    return lambda stage: f"/p/deck/{stage.call('GET', '/me/decks', (stage.open, number))['decks'][0]['id']}"


def _tab(game: str, tab: str) -> Callable[[Stage], str]:
    return lambda stage: f"/desk/games/{getattr(stage, game)}/{tab}"


def _ceremony(stage: Stage) -> str:
    return stage.hall.screen(stage.published)


def _home(_: Stage) -> str:
    return "/"


def _reveal(slide: str) -> Callable[[Page], None]:
    """Go on in a reveal, one step after the other, until a step shows a slide."""

    def go(page: Page) -> None:
        page.locator("[data-step]").first.wait_for()
        while not page.locator(slide).count():
            step = int(page.locator("[data-step]").first.get_attribute("data-step") or 0)
            page.keyboard.press("ArrowRight")
            page.locator(f"[data-step='{step + 1}']").wait_for()

    return go


def _press(place: str) -> Callable[[Page], None]:
    return lambda page: page.locator(place).first.click()


def _edition(stage: Stage) -> str:
    """Store the example of an edition, and return the path of its editor."""
    found = CheckedEdition("garden", "Garden", {"edition.toml": edition_toml("garden", "Garden")}, ())
    with stage.hall.context.database.writing() as session:
        add_version(session, found, Actor("organiser", "Olga"), stage.hall.context.clock())
    return "/desk/editions/garden"


def _rule(page: Page) -> None:
    """Open a rule, and put some cards into the deck to try."""
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
    "stranger": Visit(
        (
            Screen("no-envelope", _home, ".view-no-envelope"),
            Screen("welcome", lambda stage: stage.hall.link(stage.empty, 7), ".view-welcome"),
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
            Screen("games", lambda stage: "/desk" if stage.open else "", ".view-games a"),
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
            Screen("screen-countdown", lambda stage: stage.hall.screen(stage.open), "main"),
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
"""Screens that are only looked at, in screenshots: others test that they work."""


def begin(opened: Callable[..., Page], stage: Stage, visit: Visit, **options: Any) -> Page:  # noqa: ANN401 - of a context
    who: dict[str, object] = {"organiser": "Olga"} if visit.organiser else {}
    if visit.large:
        who["viewport"] = {"width": 1280, "height": 720}
    elif not visit.organiser and os.environ.get("HAGGLE_SCREENSHOTS"):
        # Without the scroll bars that no phone has.
        who["is_mobile"] = True
    if not visit.envelope:
        page = opened("about:blank", **who, **options)
        if visit.camera:
            cards = dealt(stage.hall.context, stage.open, 4)[:9]
            script = camera_script(stage.hall.picture(stage.open, cards, 4))
            page.add_init_script(f"if (navigator.mediaDevices) {{ {script} }}")
        return page
    game, number = visit.envelope
    page = opened(stage.hall.link(getattr(stage, game), number), **who, **options)
    # The page takes the token out of the address when it has it.
    page.wait_for_url(lambda url: "#" not in url)
    return page


def go_to(page: Page, stage: Stage, screen: Screen) -> None:
    """Go to a screen, and wait until everything on it has come."""
    if screen.path:
        page.goto("about:blank")
        page.goto(stage.hall.url + screen.path(stage).removeprefix(stage.hall.url))
    else:
        page.evaluate("scrollTo(0, 0)")
    page.locator(screen.shows).first.wait_for()
    if screen.then:
        screen.then(page)
    settle(page)


def settle(page: Page) -> None:
    # Not by `wait_for_function`: it evaluates text in the page, which the page's policy forbids.
    comes_to(page, lambda: page.evaluate(_STILL))
    page.evaluate("document.fonts.ready.then(() => null)")
