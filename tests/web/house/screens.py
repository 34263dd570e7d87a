"""Every main screen of the app: where it is, what must stand on it, and how one gets there."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.web.steps import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.stage import Stage

_STILL = """() => !document.querySelector("[aria-busy=true]")
  && [...document.images].every((image) => image.complete || image.loading === "lazy")"""


@dataclass(frozen=True)
class Screen:
    """A main screen. `path` leads to it, `shows` is what stands on it when all has come, `then` are further steps.

    An organiser's and a `large` one is for a desktop. `envelope` names the player who has opened a label's link before,
    as (game of the stage, number).
    """

    name: str
    path: Callable[[Stage], str]
    shows: str
    organiser: bool = False
    large: bool = False
    envelope: tuple[str, int] | None = None
    then: Callable[[Page], None] | None = None


def _deck(number: int) -> Callable[[Stage], str]:
    def path(stage: Stage) -> str:
        decks = stage.call("GET", "/me/decks", (stage.open, number))["decks"]
        return f"/p/deck/{decks[0]['id']}"

    return path


def _tab(game: str, tab: str) -> Callable[[Stage], str]:
    return lambda stage: f"/desk/games/{getattr(stage, game)}/{tab}"


def _ceremony(stage: Stage) -> str:
    return stage.hall.screen(stage.published)


def _reveal(slide: str) -> Callable[[Page], None]:
    """Go on in a reveal, one step after the other, until a step shows a slide."""

    def go(page: Page) -> None:
        step = 0
        page.locator("[data-step='0']").wait_for()
        while not page.locator(slide).count():
            page.keyboard.press("ArrowRight")
            step += 1
            page.locator(f"[data-step='{step}']").wait_for()

    return go


def _press(place: str) -> Callable[[Page], None]:
    """Press what stands at a place."""
    return lambda page: page.locator(place).first.click()


PLAYERS = (
    Screen("no-envelope", lambda _: "/", ".view-no-envelope"),
    Screen("welcome", lambda stage: stage.hall.link(stage.empty, 7), ".view-welcome"),
    Screen("home", lambda _: "/", ".view-home", envelope=("open", 1)),
    Screen("deck", _deck(1), ".outlines .tag", envelope=("open", 1)),
    Screen("score", _deck(2), ".lines .line", envelope=("open", 2)),
    Screen("closer", _deck(1), ".picture-open", envelope=("open", 1), then=_press(".picture-open")),
    Screen("hand-in", _deck(2), ".lines .line", envelope=("open", 2), then=_press(".deck-end .action")),
    Screen("receipt", lambda _: "/", ".view-home", envelope=("open", 3)),
    Screen("my-result", lambda _: "/p/result", ".lines .line", envelope=("published", 1)),
)
DESK = (
    Screen("sign-in", lambda _: "/desk", ".view-sign-in", large=True),
    Screen("games", lambda stage: "/desk" if stage.open else "", ".view-games a", organiser=True),
    Screen("new-game", lambda _: "/desk/games/new", ".view-new-game form", organiser=True),
    Screen("overview", _tab("open", "overview"), ".view-overview", organiser=True),
    Screen("settings", _tab("empty", "settings"), ".view-settings form", organiser=True),
    Screen("print", _tab("open", "print"), ".view-print", organiser=True),
    Screen("print-setup", _tab("open", "print"), ".runs", organiser=True, then=_press(".print-setup button")),
    Screen("deal", _tab("open", "print"), ".runs", organiser=True, then=_press(".print-actions .action")),
    Screen("envelopes", _tab("open", "envelopes"), ".view-envelopes", organiser=True),
    Screen("give-out", _tab("open", "envelopes"), ".chips", organiser=True, then=_press(".envelopes-head .action")),
    Screen("pictures", _tab("closed", "pictures"), ".view-pictures .board", organiser=True),
    Screen("queue", _tab("closed", "queue"), ".view-queue img", organiser=True),
    Screen("results-open", _tab("closed", "results"), ".view-results", organiser=True),
    Screen("results", _tab("frozen", "results"), ".view-results table", organiser=True),
    Screen("record", _tab("closed", "audit"), ".view-audit", organiser=True),
)
BIG = (
    Screen("screen-countdown", lambda stage: stage.hall.screen(stage.open), "main", large=True),
    Screen("screen-place", _ceremony, "main", large=True, then=_reveal(".difference")),
    Screen("screen-podium", _ceremony, "main", large=True, then=_reveal(".stand-1.stand-taken")),
    Screen("screen-board", _ceremony, "main", large=True, then=_reveal(".slide-board")),
)


def open_screen(opened: Callable[..., Page], stage: Stage, screen: Screen, **options: object) -> Page:
    """Open a screen in a browser of its own, and wait until everything on it has come."""
    who: dict[str, object] = {"organiser": "Olga"} if screen.organiser else {}
    if screen.large:
        who["viewport"] = {"width": 1280, "height": 720}
    elif not screen.organiser and os.environ.get("HAGGLE_SCREENSHOTS"):
        # Without the scroll bars that no phone has.
        who["is_mobile"] = True
    if screen.envelope:
        game, number = screen.envelope
        page = opened(stage.hall.link(getattr(stage, game), number), **who, **options)
        # The page takes the token out of the address when it has it.
        page.wait_for_url(lambda url: "#" not in url)
        page.goto(screen.path(stage))
    else:
        page = opened(screen.path(stage), **who, **options)
    page.locator(screen.shows).first.wait_for()
    if screen.then:
        screen.then(page)
    settle(page)
    return page


def settle(page: Page) -> None:
    """Wait until nothing on the page is still to come: no skeleton, no picture, no font."""
    end = time.monotonic() + PATIENCE
    # Not by `wait_for_function`: it evaluates text in the page, which the page's policy forbids.
    while not page.evaluate(_STILL):
        assert time.monotonic() < end, "something on the page never comes"
        page.wait_for_timeout(50)
    page.evaluate("document.fonts.ready.then(() => null)")
