"""The frame of the desk: sign-in, navigation, and the state of the connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.api.auth import COOKIE
from server.games.lifecycle.states import State
from server.games.server_config import new_setup_code
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.game_server import GameServer
from tests.web.axe import axe_problems
from tests.web.pages.conftest import DESKTOP, PASSWORD, unique_name
from tests.web.pages.organiser_steps import (
    NARROW,
    Keyboard,
    button,
    check_accessibility,
    close_dialog,
    switch_to_german,
)
from tests.web.steps import TIMEOUT, scrolls_horizontally

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage

MENU = "summary:has-text('Olga')"


def sign_in(page: Page, name: str, password: str) -> None:
    """Sign in with a name and a password."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label("The organisers").fill(password)
    page.keyboard.press("Enter")


def test_the_first_organiser_sets_the_password_and_can_change_it(browser: Browser, tmp_path: Path) -> None:
    """The set-up code protects the choice; others sign in with the password, and changing it signs them out."""
    context = open_context(AppConfig(tmp_path / "data"))
    with GameServer(tmp_path / "data", scan_workers=0) as server:
        code = new_setup_code(context)
        assert code
        seen = {"base_url": server.url, "viewport": DESKTOP, "reduced_motion": "reduce"}
        page, other = (browser.new_context(**seen).new_page() for _ in range(2))
        for one in (page, other):
            one.set_default_timeout(1000 * TIMEOUT)
        page.goto("/desk")
        page.get_by_role("heading", name="A new server").wait_for()
        button(page, "Set up").click()
        expect(page.get_by_text("Fill this in.")).to_have_count(3)
        page.get_by_label("Server code").fill("WRONG")
        page.get_by_label("Your name").fill("Olga")
        page.get_by_label("New password for all").fill("short")
        button(page, "Set up").click()
        page.locator(".wrong", has_text="At least 10 characters").wait_for()
        page.get_by_label("New password for all").fill("three plain words")
        button(page, "Set up").click()
        page.get_by_text("Wrong code").wait_for()
        page.get_by_label("Server code").fill(code.lower())
        button(page, "Set up").click()
        page.get_by_role("heading", name="No game yet").wait_for()

        other.goto("/desk")
        sign_in(other, "Otto", "three plain word")
        other.get_by_text("Wrong password").wait_for()
        sign_in(other, "Otto", "three plain words")
        other.get_by_role("heading", name="No game yet").wait_for()

        keys = Keyboard(page)
        keys.press(page.locator(MENU))
        assert axe_problems(page) == []
        keys.press(button(page, "Change the password"))
        asked = page.get_by_role("dialog", name="Change the password")
        keys.press(button(asked, "Change"))
        asked.locator(".wrong", has_text="At least 10 characters").wait_for()
        keys.type(asked.get_by_label("Current password"), "not this one")
        keys.type(asked.get_by_label("New password"), "three other words")
        page.keyboard.press("Enter")
        asked.get_by_text("Wrong password").wait_for()
        check_accessibility(page)
        keys.type(asked.get_by_label("Current password"), "three plain words")
        page.keyboard.press("Enter")
        page.get_by_text("Password changed.").wait_for()
        expect(asked).to_have_count(0)
        keys.expect_focus()
        other.reload()
        other.get_by_role("heading", name="Sign in").wait_for()
        for one in (page, other):
            one.context.close()
    context.database.close()


def test_unsaved_input_is_kept_when_the_session_ends(open_page: OpenPage, live_server: LiveServer) -> None:
    """The sign-in dialog opens above the form, which can then be saved. After signing out, no page shows anything."""
    game = live_server.new_game(State.DRAFT, name="Lost session")
    page = open_page(f"/desk/games/{game}/settings", organiser="Olga")
    name = unique_name("Renamed")
    page.get_by_label("Name", exact=True).fill(name)
    page.context.clear_cookies(name=COOKIE)
    # Not with the mouse, since the page may have noticed already and show the dialog.
    page.get_by_role("button", name="Save", include_hidden=True).evaluate("button => button.click()")
    dialog = page.get_by_role("dialog", name="You are signed out")
    dialog.wait_for()
    check_accessibility(page)
    close_dialog(page)
    page.locator("p[role=alert]", has_text="You are signed out").wait_for()
    button(page, "Sign in").click()
    sign_in(page, "Olga", PASSWORD)
    expect(dialog).to_have_count(0)
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.", exact=True).wait_for()
    page.get_by_text(name, exact=True).wait_for()
    page.locator(MENU).click()
    button(page, "Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    page.goto("/desk/games/new")
    page.get_by_role("heading", name="Sign in").wait_for()


def test_keys_open_every_tab_and_the_state_of_the_connection_is_shown(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """Keys skip to the content and list all keys; a lost connection is restored automatically."""
    page = open_page(f"/desk/games/{live_server.new_game(name='By keys')}", organiser="Olga")
    page.get_by_role("heading", name="Overview").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    for keys, title in (("ge", "Envelopes"), ("gp", "Print"), ("gs", "Settings"), ("go", "Overview")):
        page.keyboard.type(keys)
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts").get_by_text("Envelopes")).to_be_visible()
    check_accessibility(page)
    close_dialog(page)
    page.get_by_text("live", exact=True).wait_for()
    page.context.set_offline(offline=True)
    # Playwright does not close open streams, so restart the stream.
    page.evaluate("dispatchEvent(new Event('haggle-signed-in'))")
    page.get_by_text("not connected").wait_for()
    page.context.set_offline(offline=False)
    page.get_by_text("live", exact=True).wait_for()
    page.keyboard.type("gg")
    page.get_by_role("heading", name="Games", exact=True).wait_for()
    for path in ("/desk/nowhere", "/desk/games/ABCD/nowhere"):
        page.goto(path)
        page.get_by_text("The address is wrong or outdated.").wait_for()


def test_tabs_of_a_closed_game_show_what_is_left_to_do(open_page: OpenPage, live_server: LiveServer) -> None:
    """Missing envelopes count as doubts; pictures come before the count; a long name fits on a phone."""
    name = "Ein Spiel mit einem ausgesprochen langen Namen"
    game = live_server.new_game(State.CLOSED, name=name, players=4)
    page = open_page(f"/desk/games/{game}", organiser="Olga")
    tabs = page.get_by_role("navigation", name=name)
    tabs.get_by_role("link", name="Envelopes 4 envelopes missing").wait_for()
    tabs.get_by_role("link", name="Doubts 4 open doubts").wait_for()
    page.get_by_role("link", name="4 missing envelopes", exact=True).wait_for()
    expect(tabs).to_have_css("background-attachment", "local, local, scroll, scroll")
    page.get_by_role("link", name="Add pictures").wait_for()
    page.get_by_role("link", name="Count", exact=True).wait_for()
    camera = page.get_by_role("link", name="Count envelopes")
    expect(camera).to_have_attribute("href", f"/desk/games/{game}/pictures/count")
    switch_to_german(page)
    page.get_by_role("heading", level=1).wait_for()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert axe_problems(page) == []
    assert not scrolls_horizontally(page)


def test_the_desk_has_one_scroll_bar_and_the_big_screen_none(open_page: OpenPage, live_server: LiveServer) -> None:
    """The scroll bar is part of the page, so that the header and dialogs' backdrops reach the edge."""
    page = open_page("/desk", organiser="Olga", color_scheme="light")
    # Texts on the dark header are light, those in its menu dark.
    expect(page.locator(MENU)).to_have_css("color", "rgb(251, 244, 228)")
    expect(page.get_by_role("banner").get_by_label("Language")).to_have_css("color", "rgb(32, 38, 58)")
    style = (
        "(({ overflowY, scrollbarGutter }) => [overflowY, scrollbarGutter])(getComputedStyle(document.documentElement))"
    )
    assert page.evaluate(style) == ["scroll", "auto"]
    page.goto(live_server.screen_link(live_server.new_game(State.OPEN)))
    page.get_by_role("heading").first.wait_for()
    assert page.evaluate(style) == ["auto", "auto"]
