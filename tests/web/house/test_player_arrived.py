"""What has arrived at the server does not look lost on the phone, whatever becomes of the network just then."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.players import dealt
from tests.web.house.player_steps import phone, photograph
from tests.web.steps import comes_to, served

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.web.house.conftest import Hall


def test_a_picture_that_arrived_before_the_network_broke_stays_in_view(opened: Callable[..., Page], hall: Hall) -> None:
    """It goes on standing in its deck, and the deck among the others, also after a look at another screen."""
    game = hall.game(mode="inventory")
    cards = dealt(hall.house, game, 1)[:3]
    page = phone(hall, opened, game)
    broken = [True]

    def only_out(route: Route) -> None:
        """Let everything out, and tell nothing of what the server says when it is asked."""
        if broken[0] and route.request.method == "GET":
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/api/v1/me**", only_out)
    page.route("**/api/v1/me/**", only_out)
    photograph(page, hall.picture(game, cards))
    reading = page.get_by_role("article", name="Picture 1").get_by_text("Being read")
    reading.wait_for()
    expect(page.locator(".waiting")).to_contain_text("No network")
    expect(page.get_by_role("heading", name="Reading your picture")).to_be_visible()
    page.get_by_role("link", name="All decks").click()
    page.locator(".deck-row").click()
    reading.wait_for()

    broken[0] = False
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("heading", name="3 cards", exact=True).wait_for()
    page.get_by_role("link", name="All decks").click()
    expect(page.locator(".deck-row")).to_have_count(1)


def test_a_picture_on_its_way_is_being_sent_and_then_read(opened: Callable[..., Page], hall: Hall) -> None:
    """As long as it is not on the server nothing says that it is read; the share that is sent stands there."""
    game = hall.game(mode="inventory")
    cards = dealt(hall.house, game, 1)[:3]
    page = phone(hall, opened, game)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/me/decks/*/photos", hold)
    photograph(page, hall.picture(game, cards))
    page.get_by_role("heading", name="Sending your picture").wait_for()
    page.locator(".list-note").get_by_text(re.compile(r"^1 picture is being sent: \d+ %\.$")).wait_for()
    expect(page.get_by_text("being read")).to_have_count(0)
    expect(page.get_by_role("heading", name="Reading your picture")).to_have_count(0)
    comes_to(page, lambda: bool(held))
    held[0].continue_()
    page.get_by_role("heading", name="3 cards", exact=True).wait_for()
    expect(page.get_by_text("being sent")).to_have_count(0)


def test_what_is_kept_stays_as_old_as_the_server_told_it(opened: Callable[..., Page], hall: Hall) -> None:
    """What a phone adds by itself makes the rest no newer; where nothing was kept, it is of now."""
    page = phone(hall, opened, hall.game(mode="inventory"))
    told = page.evaluate(
        served("""async () => {
        const { amend, orKept } = await import("/assets/app/player/outbox/kept.js");
        const away = () => Promise.reject(Object.assign(new Error(), { passing: true }));
        await orKept("old", async () => ({ deadline: "10:00" }));
        const before = (await orKept("old", away)).asOf;
        await new Promise((go) => setTimeout(go, 20));
        const amended = new Date().toISOString();
        await amend("old", (data) => ({ ...data, more: true }));
        await amend("new", () => ({ more: true }));
        return { before, amended, old: await orKept("old", away), fresh: await orKept("new", away) };
    }""")
    )
    assert told["old"] == {"deadline": "10:00", "more": True, "asOf": told["before"]}
    assert told["before"] < told["amended"] <= told["fresh"]["asOf"]
