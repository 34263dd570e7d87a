"""The desk's frame: who may come in, who is there, where one is, and whether changes reach the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.api.auth import COOKIE
from server.games.lifecycle.states import State
from server.games.server_config import new_setup_code
from server.web_app.factory import AppConfig, open_context
from tests.game_server import GameServer
from tests.web.axe import problems
from tests.web.pages.conftest import DESKTOP, PASSWORD, Hall, fresh

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page


def sign_in(page: Page, name: str, password: str) -> None:
    """Type a name and a password, and send them."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label("The organisers").fill(password)
    page.keyboard.press("Enter")


def test_the_first_organiser_chooses_the_password(browser: Browser, tmp_path: Path) -> None:
    """With the code from the server's window; a wrong code is said in words. Then the password lets others in."""
    context = open_context(AppConfig(tmp_path / "data"))
    with GameServer(tmp_path / "data") as server:
        code = new_setup_code(context)
        assert code
        page = browser.new_context(base_url=server.url, viewport=DESKTOP).new_page()
        page.goto("/desk")
        page.get_by_role("heading", name="A new server").wait_for()
        page.get_by_role("button", name="Set up").click()
        expect(page.get_by_text("This is still empty.")).to_have_count(3)
        page.get_by_label("The code from").fill("WRONG")
        page.get_by_label("Your name").fill("Olga")
        page.get_by_label("A password for all").fill("short")
        page.get_by_role("button", name="Set up").click()
        page.get_by_text("At least 10 characters.", exact=True).wait_for()
        page.get_by_label("A password for all").fill("three plain words")
        page.get_by_role("button", name="Set up").click()
        page.get_by_text("This code is not valid").wait_for()
        page.get_by_label("The code from").fill(code.lower())
        page.get_by_role("button", name="Set up").click()
        page.get_by_role("heading", name="No game yet").wait_for()

        other = browser.new_context(base_url=server.url).new_page()
        other.goto("/desk")
        sign_in(other, "Otto", "three plain word")
        other.get_by_text("This password is wrong").wait_for()
        sign_in(other, "Otto", "three plain words")
        other.get_by_role("heading", name="No game yet").wait_for()

        page.get_by_label("Olga: keys, password, sign out").click()
        page.get_by_role("button", name="Change the password").click()
        page.get_by_label("The password until now").fill("three plain words")
        page.get_by_label("The new password").fill("three other words")
        page.get_by_role("button", name="Change it").click()
        page.get_by_text("The password is changed.").wait_for()
        other.reload()
        other.get_by_role("heading", name="Sign in").wait_for()
        for one in (page, other):
            one.context.close()
    context.database.close()


def test_somebody_who_signs_out_sees_nothing_any_more(opened: Callable[..., Page]) -> None:
    """The desk asks for the password, and the address of a game shows nothing either."""
    page = opened("/desk", organiser="Olga")
    page.get_by_label("Olga: keys, password, sign out").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    page.goto("/desk/games/new")
    page.get_by_role("heading", name="Sign in").wait_for()


def test_a_lost_session_asks_for_the_password_and_loses_nothing(opened: Callable[..., Page], hall: Hall) -> None:
    """Signing in happens above the form; what was typed is there and goes through then, and live news go on."""
    game = hall.game(State.DRAFT, name="Lost session")
    page = opened(f"/desk/games/{game}/settings", organiser="Olga")
    name = fresh("Renamed")
    page.get_by_label("Name", exact=True).fill(name)
    page.context.clear_cookies(name=COOKIE)
    # Not as a mouse does it: the page may have noticed before, by itself, and ask already.
    page.get_by_role("button", name="Save", include_hidden=True).evaluate("button => button.click()")
    dialog = page.get_by_role("dialog", name="Sign in again")
    dialog.wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("You are signed out. What you see").wait_for()
    page.get_by_role("button", name="Sign in").click()
    sign_in(page, "Olga", PASSWORD)
    expect(dialog).to_have_count(0)
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.", exact=True).wait_for()
    page.get_by_text(name, exact=True).wait_for()


def test_the_keyboard_leads_everywhere(opened: Callable[..., Page], hall: Hall) -> None:
    """Past the frame to the content, to each part by two keys, and to the list of all keys."""
    game = hall.game(name="By keys")
    page = opened(f"/desk/games/{game}", organiser="Olga")
    page.get_by_role("heading", name="Overview").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    for keys, title in (("ge", "Envelopes"), ("gp", "Print"), ("gs", "Settings"), ("go", "Overview")):
        page.keyboard.type(keys)
        heading = page.get_by_role("heading", name=title, exact=True)
        heading.wait_for()
        expect(heading).to_be_focused()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.get_by_text("Envelopes")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.type("gg")
    page.get_by_role("heading", name="Games", exact=True).wait_for()


def test_the_page_says_whether_changes_reach_it(opened: Callable[..., Page], hall: Hall) -> None:
    """In words; and it comes back by itself."""
    game = hall.game(name="Wires")
    page = opened(f"/desk/games/{game}", organiser="Olga")
    page.get_by_text("live", exact=True).wait_for()
    page.context.set_offline(offline=True)
    # What is open already stays open, so the stream is cut by starting anew.
    page.evaluate("dispatchEvent(new Event('haggle-signed-in'))")
    page.get_by_text("not connected: trying again").wait_for()
    page.context.set_offline(offline=False)
    page.get_by_text("live", exact=True).wait_for()


def test_tabs_say_how_much_is_to_be_done(opened: Callable[..., Page], hall: Hall) -> None:
    """In a closed game missing envelopes are told once, and are no doubts; their pictures come before the count."""
    game = hall.game(State.CLOSED, name="Counted tabs", players=4)
    page = opened(f"/desk/games/{game}", organiser="Olga")
    tabs = page.get_by_role("navigation", name="Counted tabs")
    tabs.get_by_role("link", name="Envelopes 4 envelopes missing").wait_for()
    expect(tabs.get_by_role("link", name="Doubts", exact=True)).to_be_visible()
    expect(tabs).to_have_css("background-attachment", "local, local, scroll, scroll")
    page.get_by_role("link", name="Drop the pictures").wait_for()
    page.get_by_role("link", name="Count", exact=True).wait_for()


def test_a_closed_game_suits_everybody(opened: Callable[..., Page], hall: Hall) -> None:
    """Axe finds nothing, and a long name is not wider than a phone; test_screens looks at all other screens."""
    game = hall.game(State.CLOSED, name="Ein Spiel mit einem ausgesprochen langen Namen", players=3)
    narrow = {"width": 320, "height": 800}
    page = opened("/desk", organiser="Olga", viewport=narrow, locale="de-DE", color_scheme="dark")
    for part in ("overview", "envelopes"):
        page.goto(f"/desk/games/{game}/{part}")
        page.get_by_role("heading", level=1).wait_for()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert problems(page) == [], part
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), part


def test_axe_finds_nothing_in_a_menu_or_above_the_page(opened: Callable[..., Page], hall: Hall) -> None:
    """While they are open."""
    game = hall.game(name="Above the page", players=2)
    page = opened(f"/desk/games/{game}/envelopes", organiser="Olga")
    page.get_by_role("heading", name="Envelopes").wait_for()
    page.get_by_label("Olga: keys, password, sign out").click()
    assert problems(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Envelope 2").click()
    page.get_by_role("button", name="Seal it").click()
    page.get_by_role("dialog", name="Seal envelope 2?").wait_for()
    assert problems(page) == []
