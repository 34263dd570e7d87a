"""What a player's page asks for when it is opened at an address of its own, and what it draws of the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.played import counted_game
from tests.web.house.player_steps import phone

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.web.house.conftest import Hall
    from tests.web.house.stage import Stage

ME = "**/api/v1/me"
SOON = 15_000
"""Milliseconds: half of what a page waits for an answer before it shows what it kept."""
# Count the lengths that are measured from now on: only places for tags on a picture take any.
WATCH = """() => {
  const plain = Math.hypot;
  window.lengths = 0;
  Math.hypot = (...sides) => {
    window.lengths += 1;
    return plain(...sides);
  };
}"""


def hold_place(page: Page) -> list[Route]:
    """Let nothing tell the page whose place it is; return what it asks in vain from now on."""
    held: list[Route] = []
    page.route(ME, lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtins
    return held


def let_go(page: Page, held: list[Route]) -> None:
    """Let what was held go on, and all after it."""
    for route in held:
        route.continue_()
    page.unroute(ME)


@pytest.fixture
def deck(opened: Callable[..., Page], hall: Hall, stage: Stage) -> Page:
    """Return the page of a player's deck with a picture, which an earlier page has sent."""
    game = hall.game(mode="full")
    made = stage.photograph(game, 1)["id"]
    page = phone(hall, opened, game, 1, f"/p/deck/{made}")
    page.locator(".picture img").wait_for()
    return page


def test_an_opened_deck_is_asked_for_beside_the_players_place(deck: Page) -> None:
    """It does not wait until it is known whose place it is, and is shown then; its picture comes as a WebP."""
    held = hold_place(deck)
    with deck.expect_response("**/api/v1/me/decks/*", timeout=SOON) as answer:
        deck.reload(wait_until="commit")
    assert answer.value.ok
    assert deck.locator(".picture").count() == 0
    with deck.expect_response("**/image?width=800") as image:
        let_go(deck, held)
    assert image.value.headers["content-type"] == "image/webp"
    deck.locator(".picture img").wait_for()


def test_what_comes_before_the_players_place_is_in_the_deck(deck: Page, stage: Stage) -> None:
    """A picture that another phone has sent after the deck was asked for, and before it is shown, is there."""
    held = hold_place(deck)
    with deck.expect_response("**/api/v1/me/decks/*", timeout=SOON):
        deck.reload(wait_until="commit")
    game = deck.evaluate("() => JSON.parse(localStorage['haggle-seats'])[0].game")
    stage.photograph(game, 1, "another", deck.url.rpartition("/")[2])
    deck.wait_for_timeout(500)
    let_go(deck, held)
    expect(deck.locator(".picture")).to_have_count(2)


def test_an_opened_result_is_asked_for_beside_the_players_place(opened: Callable[..., Page], hall: Hall) -> None:
    """It does not wait until it is known whose place it is, and is shown then."""
    page = phone(hall, opened, counted_game(hall.house, published=True))
    page.locator(".own-place .own-rank").wait_for()
    held = hold_place(page)
    with page.expect_response("**/api/v1/me/result*", timeout=SOON) as answer:
        page.goto("/p/result", wait_until="commit")
    assert answer.value.ok
    assert page.locator(".my-result").count() == 0
    let_go(page, held)
    page.locator(".my-result .score").wait_for()


def test_what_is_told_again_leaves_the_tags_where_they_are(deck: Page) -> None:
    """A look that finds nothing new looks for no places for them; another width of the picture does."""
    deck.locator(".outlines .tag").first.wait_for()
    deck.wait_for_timeout(1000)
    deck.evaluate(WATCH)
    with deck.expect_response("**/api/v1/me/decks/*"), deck.expect_response(ME):
        deck.evaluate("() => dispatchEvent(new Event('online'))")
    # What was told is drawn in the frame after it.
    deck.wait_for_timeout(500)
    assert deck.evaluate("() => window.lengths") == 0
    deck.set_viewport_size({"width": 360, "height": 800})
    deck.wait_for_function("() => window.lengths > 0")
