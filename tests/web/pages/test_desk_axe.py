"""What stands above the desk's screens, or in their place, suits everybody: dialogs, refusals, a lost session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.games.lifecycle.states import State
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.web.axe import problems
from tests.web.pages.conftest import DESKTOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.conftest import Hall

    Opened = Callable[..., Page]

NARROW = {"width": 320, "height": 700}


def suits(page: Page) -> None:
    """Check what stands above the page: axe finds nothing by day and by night, and it fits a narrow phone."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert problems(page) == [], scheme
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for dialog in page.get_by_role("dialog").all():
        assert dialog.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.set_viewport_size(DESKTOP)


def press(page: Page, name: str, dialog: str = "") -> None:
    """Press a button of the page, or of a dialog by its title."""
    within = page.get_by_role("dialog", name=dialog) if dialog else page
    within.get_by_role("button", name=name, exact=True).first.click()


def away(page: Page) -> None:
    """Close the uppermost dialog."""
    count = page.get_by_role("dialog").count()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(count - 1)


def test_above_all_games(opened: Opened, hall: Hall) -> None:
    """Deleting without the letters, a short password and a wrong one, a file that is no game, a server that fails."""
    hall.game(State.PRINTED, name="Above the list")
    page = opened("/desk", organiser="Olga")
    page.get_by_label("More for Above the list").click()
    press(page, "Delete the game")
    press(page, "Delete the game", "Delete “Above the list”?")
    page.get_by_text("exactly so.").wait_for()
    suits(page)
    away(page)
    page.get_by_label("Olga: keys, password, sign out").click()
    press(page, "Change the password")
    press(page, "Change it")
    page.get_by_text("At least 10 characters.").last.wait_for()
    suits(page)
    page.get_by_label("The password until now").fill("not this one")
    page.get_by_label("The new password").fill("not this one either")
    press(page, "Change it")
    page.get_by_text("This password is wrong").wait_for()
    suits(page)
    away(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Take in a game").click()
    chooser.value.set_files([{"name": "no.zip", "mimeType": "application/zip", "buffer": b"no game"}])
    page.get_by_role("alert").wait_for()
    suits(page)
    page.route("**/api/v1/games", lambda route: route.fulfill(status=503))
    page.reload()
    page.get_by_role("button", name="Try again").wait_for()
    suits(page)


def test_above_an_open_game(opened: Opened, hall: Hall) -> None:
    """One envelope's dialogs, many at once, giving out, lost cards."""
    game = hall.game(name="Above it", players=3)
    add_photo(hall.context, game, reading(dealt(hall.context, game, 2)[:3], [2]), batch="one")
    page = opened(f"/desk/games/{game}/envelopes/2", organiser="Olga")
    press(page, "Show the label")
    page.locator("img[alt='Label of envelope 2']").wait_for()
    suits(page)
    press(page, "New link")
    page.get_by_role("dialog", name="A new link for envelope 2?").wait_for()
    suits(page)
    away(page)
    press(page, "Seal it")
    press(page, "Seal it", "Seal envelope 2?")
    page.get_by_text("3 of its cards").wait_for()
    suits(page)
    away(page)
    away(page)
    for number in (1, 2):
        page.get_by_label(f"Choose envelope {number}").check()
    press(page, "Seal them")
    suits(page)
    press(page, "Seal them", "Seal 2 envelopes?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_text("Envelope 2: Somebody plays with it").wait_for()
    suits(page)
    press(page, "Give out envelopes")
    page.get_by_label("Envelope", exact=True).fill("77")
    page.keyboard.press("Enter")
    page.get_by_text("There is no envelope 77").wait_for()
    suits(page)
    away(page)
    page.goto(f"/desk/games/{game}/print")
    press(page, "Replace lost cards")
    press(page, "Replace")
    page.get_by_label("Envelope, card or short code").fill("3")
    page.get_by_role("checkbox").first.check()
    suits(page)


def test_above_every_part(opened: Opened, hall: Hall) -> None:
    """A question before the next state, the list of keys, and a session that has ended."""
    page = opened(f"/desk/games/{hall.game()}", organiser="Olga")
    press(page, "Close the game")
    page.get_by_role("dialog", name="Close the game now?").wait_for()
    suits(page)
    away(page)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    suits(page)
    away(page)
    page.evaluate("dispatchEvent(new Event('haggle-signed-out'))")
    page.get_by_role("dialog", name="Sign in again").wait_for()
    suits(page)
    away(page)
    page.get_by_role("alert").filter(has_text="signed out").wait_for()
    suits(page)


def test_above_pictures(opened: Opened, hall: Hall) -> None:
    """A picture with its outlines, setting it aside, and a part of the desk that cannot be had."""
    game = hall.game(State.CLOSED, players=2)
    add_photo(hall.context, game, reading(dealt(hall.context, game, 2)[:3], [2]), batch="one")
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.locator(".shot-open").first.press("Enter")
    page.get_by_role("dialog").wait_for()
    suits(page)
    page.route("**/audit?*", lambda route: route.fulfill(status=503))
    page.goto(f"/desk/games/{game}/audit")
    page.get_by_role("button", name="Try again").wait_for()
    suits(page)
