"""What a player's page asks for when it is opened at an address of its own, and what it draws of the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.played import counted_game
from tests.web.house.player_steps import phone

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.web.house.conftest import Hall
    from tests.web.house.stage import Stage

ME = "**/api/v1/me"
# Count the lengths that are measured from now on: only places for tags on a picture take any.
WATCH = """() => {
  const plain = Math.hypot;
  window.lengths = 0;
  Math.hypot = (...sides) => {
    window.lengths += 1;
    return plain(...sides);
  };
}"""


@pytest.fixture
def deck(opened: Callable[..., Page], hall: Hall, stage: Stage) -> Page:
    """Return the page of a player's deck with a picture, which an earlier page has sent."""
    game = hall.game(mode="full")
    made = stage.photograph(game, 1)["id"]
    page = phone(hall, opened, game, 1, f"/p/deck/{made}")
    page.locator(".picture img").wait_for()
    return page


def test_an_opened_deck_is_asked_for_beside_the_players_place(deck: Page) -> None:
    """It does not wait until it is known whose place it is; its picture comes as a WebP."""
    held: list[Route] = []
    deck.route(ME, lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtins
    with deck.expect_response("**/api/v1/me/decks/*") as answer:
        deck.reload(wait_until="commit")
    assert answer.value.ok
    assert deck.locator(".picture").count() == 0
    with deck.expect_response("**/image?width=800") as image:
        for route in held:
            route.continue_()
        deck.unroute(ME)
    assert image.value.headers["content-type"] == "image/webp"
    deck.locator(".picture img").wait_for()


def test_an_opened_result_is_asked_for_beside_the_players_place(opened: Callable[..., Page], hall: Hall) -> None:
    """It does not wait until it is known whose place it is."""
    page = phone(hall, opened, counted_game(hall.house, published=True))
    held: list[Route] = []
    page.route(ME, lambda route: held.append(route))  # noqa: PLW0108 - as above
    with page.expect_response("**/api/v1/me/result*") as answer:
        page.goto("/p/result", wait_until="commit")
    assert answer.value.ok
    for route in held:
        route.continue_()
    page.unroute(ME)
    page.locator(".my-result .score").wait_for()


def test_what_is_told_again_leaves_the_tags_where_they_are(deck: Page) -> None:
    """A look that finds nothing new looks for no places for them; another width of the picture does."""
    deck.locator(".outlines .tag").first.wait_for()
    deck.wait_for_timeout(1000)
    deck.evaluate(WATCH)
    with deck.expect_response("**/api/v1/me/decks/*"), deck.expect_response(ME):
        deck.evaluate("() => dispatchEvent(new Event('online'))")
    deck.wait_for_timeout(300)
    assert deck.evaluate("() => window.lengths") == 0
    deck.set_viewport_size({"width": 360, "height": 800})
    deck.wait_for_function("() => window.lengths > 0")
