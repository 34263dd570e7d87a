"""What an organiser's evening is made of: a server that starts anew, doubts and pictures that go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.games.lifecycle.states import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.conftest import Hall


def test_pictures_go_on_as_soon_as_the_server_is_there(opened: Callable[..., Page], hall: Hall) -> None:
    """Not only when the next try would be due: the live connection says that it is there again."""
    game = hall.game(State.CLOSED, players=3)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_text("live", exact=True).wait_for()
    page.route("**/photos?batch=*", lambda route: route.fulfill(status=503, headers={"Retry-After": "600"}))
    page.locator("input[type=file]").first.set_input_files(
        [{"name": "one.jpg", "mimeType": "image/jpeg", "buffer": b"of no matter here"}]
    )
    page.get_by_role("button", name="Try now").wait_for()
    page.unroute("**/photos?batch=*")
    with page.expect_response("**/photos?batch=*"):
        page.evaluate("dispatchEvent(new Event('haggle-signed-in'))")


def test_the_page_has_one_scroll_bar_and_the_wall_none(opened: Callable[..., Page], hall: Hall) -> None:
    """Its place is part of the page, so the dark header and what lies behind a dialog reach the edge."""
    page = opened("/desk", color_scheme="light")
    language = page.get_by_role("banner").get_by_label("Language")
    # The words on the dark header are light, those of the opened list dark.
    assert language.evaluate("(field) => getComputedStyle(field).color") == "rgb(251, 244, 228)"
    style = (
        "(({ overflowY, scrollbarGutter }) => [overflowY, scrollbarGutter])(getComputedStyle(document.documentElement))"
    )
    assert page.evaluate(style) == ["scroll", "auto"]
    page.goto(hall.screen(hall.game(State.OPEN)))
    page.get_by_role("heading").first.wait_for()
    assert page.evaluate(style) == ["auto", "auto"]
