"""Games at the desk: created, configured by several organisers, opened and closed, exported and deleted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.games.lifecycle.states import State
from tests.web.conftest import PHONE
from tests.web.pages.conftest import unique_name
from tests.web.pages.organiser_steps import Keyboard, button, check_accessibility, stored_game, switch_to_german
from tests.web.steps import file, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import FilePayload

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage


def test_a_game_can_be_created_by_keyboard_alone(open_page: OpenPage, live_server: LiveServer) -> None:  # noqa: PLR0915 - a long form
    """The edition follows from the number of players; deadlines are in the game's time zone; errors are at fields.

    Then the dialog to deal opens, with the focus on its title, so that a second Enter deals nothing.
    """
    page = open_page("/desk", organiser="Olga", timezone_id="America/New_York")
    page.get_by_role("heading", name="Games").wait_for()
    page.keyboard.press("n")
    page.get_by_role("heading", name="New game").wait_for()
    make = page.get_by_role("button", name="Create the game")
    make.focus()
    page.keyboard.press("Enter")
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    page.get_by_text("Enter a name of visible characters.").wait_for()
    title = unique_name("Keys only")
    page.keyboard.type(title)
    page.keyboard.press("Tab")
    expect(page.get_by_label("Players", exact=True)).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("12")
    expect(page.get_by_role("radio", name="Sackson")).to_be_checked()
    page.locator("summary", has_text="More").press("Enter")
    expect(page.get_by_label("Time zone")).to_have_value("America/New_York")
    page.get_by_label("Time zone").fill("Europe/Nowhere")
    page.get_by_text("Choose a time zone").wait_for()
    page.get_by_label("Time zone").fill("Europe/Berlin")
    page.get_by_label("Deadline").fill("2099-03-29T02:30")
    page.get_by_text("Clocks change then").wait_for()
    page.get_by_label("Deadline").fill("2020-03-27T12:00")
    page.get_by_text("The deadline has passed.").wait_for()
    page.get_by_label("Deadline").fill("2029-07-27T12:00")
    page.get_by_role("radio", name="A player\u2019s own rules").focus()
    page.keyboard.press("ArrowDown")
    tries = page.get_by_label("Tries per player")
    tries.fill("1000")
    page.get_by_text("A whole number from 0 to 100.").wait_for()
    tries.fill("2")
    page.get_by_label("Pause between tries").fill("5")
    page.get_by_text("Choose rules").focus()
    page.keyboard.press("Enter")
    page.get_by_role("checkbox", name="1 The worth of orange").focus()
    page.keyboard.press("Space")
    page.get_by_text("14 of 15 rules count.").wait_for()
    page.get_by_text("Without rule 1, some cards are worth nothing.").wait_for()
    make.focus()
    for _ in range(2):
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Deal and print")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("button", name="Deal")).to_be_enabled()
    expect(page.get_by_role("heading", name="Deal and print")).to_be_focused()
    page.get_by_text("12:00").first.wait_for()
    row = stored_game(live_server, page.url.split("/")[-3])
    assert (row.name, row.edition, row.players, row.timezone) == (title, "sackson-1969", 12, "Europe/Berlin")
    assert str(row.deadline) == "2029-07-27 10:00:00+00:00"
    assert (row.mode, row.tries, row.pause) == ("total", 2, 300)
    assert row.active_rules == [str(key) for key in range(2, 16)]


def test_conflicting_changes_of_settings_are_resolved_by_choice(open_page: OpenPage, live_server: LiveServer) -> None:
    """If two organisers changed the same setting, one of them chooses, also when live events were missed."""
    game = live_server.new_game(State.DRAFT, name="Two at once", players=30)
    olga, otto = (open_page(f"/desk/games/{game}/settings", organiser=name) for name in ("Olga", "Otto"))
    players = olga.get_by_label("Players", exact=True)
    players.fill("35")
    olga.get_by_label("Name", exact=True).fill("Name by Olga")
    otto.get_by_label("Players", exact=True).fill("40")
    otto.get_by_label("Time zone").fill("Europe/Paris")
    otto.get_by_role("button", name="Save").click()
    expect(olga.get_by_label("Time zone")).to_have_value("Europe/Paris")
    theirs = olga.get_by_role("alert").filter(has_text="Somebody else has changed this, too")
    theirs.get_by_text("theirs is 40, yours 35").wait_for()
    expect(players).to_have_value("35")
    expect(olga.get_by_label("Name", exact=True)).to_have_value("Name by Olga")
    theirs.get_by_role("button", name="Take theirs").click()
    expect(players).to_have_value("40")
    olga.get_by_role("button", name="Save").click()
    olga.get_by_text("Saved.", exact=True).wait_for()
    otto.get_by_role("main").get_by_text("Name by Olga").first.wait_for()
    expect(otto.get_by_label("Name", exact=True)).to_have_value("Name by Olga")
    row = stored_game(live_server, game)
    assert (row.name, row.players, row.timezone) == ("Name by Olga", 40, "Europe/Paris")

    olga.route(f"**/api/v1/games/{game}/events", lambda route: route.abort())
    olga.reload()
    players.fill("50")
    otto.get_by_label("Players", exact=True).fill("45")
    otto.get_by_role("button", name="Save").click()
    wait_until(otto, lambda: stored_game(live_server, game).players == 45)
    olga.get_by_role("button", name="Save").click()
    olga.get_by_text("This has changed in the meantime").wait_for()
    olga.get_by_text("theirs is 45, yours 50").wait_for()
    assert stored_game(live_server, game).players == 45
    olga.get_by_role("button", name="Keep mine").click()
    olga.get_by_role("button", name="Save").click()
    olga.get_by_text("Saved.", exact=True).wait_for()
    assert stored_game(live_server, game).players == 50


def test_unsaved_input_is_kept_when_the_tab_is_left(open_page: OpenPage, live_server: LiveServer) -> None:
    """In a game's settings and in the form of a new game. Rejected values are reported in the page's language."""
    game = live_server.new_game(State.DRAFT, name="Looked elsewhere")
    page = open_page(f"/desk/games/{game}/settings", organiser="Olga")
    page.get_by_label("Players", exact=True).fill("77")
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="Deal and print").wait_for()
    page.locator(".tabs").get_by_role("link", name="Settings").click()
    expect(page.get_by_label("Players", exact=True)).to_have_value("77")
    page.get_by_text("Not saved: Players").wait_for()
    page.get_by_role("button", name="Undo my changes").click()
    expect(page.get_by_label("Players", exact=True)).to_have_value("6")
    page.get_by_role("link", name="Games:").click()
    page.get_by_role("link", name="New game").click()
    page.get_by_label("Name", exact=True).fill("Half a game")
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Half a game")

    refusal = {"type": "/problems/wrong-setting", "title": "No", "detail": "No", "why": "far", "days": 3660}
    page.route(
        re.compile(r"/api/v1/games/\w+$"),
        lambda route: (
            route.fulfill(status=422, content_type="application/problem+json", json=refusal)
            if route.request.method == "PATCH"
            else route.continue_()
        ),
    )
    page.goto(f"/desk/games/{game}/settings")
    switch_to_german(page)
    page.get_by_label("Name", exact=True).fill("Anders")
    page.get_by_role("button", name="Speichern").click()
    page.get_by_text("Abgabeschluss: in höchstens 3660 Tagen.").wait_for()


def test_the_overview_changes_the_state_of_a_game(open_page: OpenPage, live_server: LiveServer) -> None:
    """A large button leads to the next state, and a menu to the one before; other organisers see the change live.

    Without access to the clipboard, over plain http, the big screen's address is selected in a field.
    """
    game = live_server.new_game(State.PRINTED, name="On its way", players=3)
    page = open_page(f"/desk/games/{game}", organiser="Olga")
    other = open_page(f"/desk/games/{game}", organiser="Otto", viewport=PHONE)
    keys = Keyboard(page)
    keys.press(button(page, "Open the game"))
    dialog = page.get_by_role("dialog", name="Open the game")
    dialog.get_by_text("All cards count, except those in spare envelopes.").wait_for()
    keys.press(button(dialog, "Open the game"))
    page.get_by_text("On its way: Open").wait_for()
    other.get_by_role("link", name="Give out envelopes").wait_for()
    assert stored_game(live_server, game).state == "open"
    button(other, "Close the game").click()
    other.get_by_text("3 envelopes missing.").wait_for()
    check_accessibility(other)
    button(other.get_by_role("dialog"), "Close the game").click()
    page.get_by_text("Still open:").wait_for()
    keys.press(page.get_by_role("link", name="1 value to confirm"))
    expect(page.get_by_label("1 is right")).to_be_focused()
    page.go_back()
    page.get_by_text("3 missing envelopes").wait_for()
    expect(page.get_by_role("link", name="Count", exact=True)).to_be_visible()
    keys.press(page.locator("summary", has_text="A step back"))
    keys.press(button(page, "Open again"))
    keys.press(button(page.get_by_role("dialog"), "Open again"))
    other.get_by_role("link", name="Give out envelopes").wait_for()
    assert stored_game(live_server, game).state == "open"
    for tab in ("overview", "results"):
        page.goto(f"/desk/games/{game}/{tab}")
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        button(page, "Copy the link").click()
        address = page.get_by_role("textbox", name="Address of the big screen")
        expect(address).to_have_value(live_server.screen_link(game))
        expect(address).to_be_focused()
        chosen = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
        assert address.evaluate(chosen) == live_server.screen_link(game), tab


def test_settings_of_a_counted_game_change_only_with_a_reason(open_page: OpenPage, live_server: LiveServer) -> None:
    """The number of players cannot be changed any more."""
    game = live_server.new_game(State.FROZEN, name="Counted")
    page = open_page(f"/desk/games/{game}/settings", organiser="Olga")
    expect(page.get_by_label("Players", exact=True)).to_be_disabled()
    page.get_by_label("Base value of blue").fill("7")
    page.get_by_label("7 is right").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Give a reason").wait_for()
    assert stored_game(live_server, game).settings == {"blue_base": 1}
    page.get_by_label("Reason").fill("looked at the figure again")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.", exact=True).wait_for()
    row = stored_game(live_server, game)
    assert (row.settings, row.confirmed) == ({"blue_base": 7}, ["blue_base"])


def test_the_menu_of_a_running_game_says_when_it_can_be_deleted(open_page: OpenPage, live_server: LiveServer) -> None:
    name = unique_name("Running")
    live_server.new_game(name=name)
    page = open_page("/desk", organiser="Olga")
    page.get_by_label(f"More for {name}").click()
    expect(button(page, "Delete the game")).to_be_disabled()
    page.get_by_text("Possible once its results are published.").locator("visible=true").wait_for()


def test_a_game_can_be_exported_deleted_and_imported(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path
) -> None:
    """Deleting needs the game's id; the exported file restores the game, once; other files are refused."""
    name = unique_name("Saved")
    game = live_server.new_game(State.PRINTED, name=name)
    page = open_page("/desk", organiser="Olga")
    keys = Keyboard(page)
    menu = page.get_by_label(f"More for {name}")

    def import_game(chosen: FilePayload | Path) -> None:
        with page.expect_file_chooser() as chooser:
            keys.press(button(page, "Import a game"))
        chooser.value.set_files(chosen)

    keys.press(menu)
    with page.expect_download() as download:
        keys.press(page.get_by_role("link", name="Export without pictures"))
    download.value.save_as(tmp_path / "game.zip")
    keys.press(menu)
    keys.press(button(page, "Delete the game"))
    dialog = page.get_by_role("dialog", name=f"Delete “{name}”?")
    keys.press(button(dialog, "Delete the game"))
    dialog.get_by_text(f"Type exactly: {game}").wait_for()
    check_accessibility(page)
    keys.type(dialog.get_by_label("To confirm, type"), game)
    keys.press(button(dialog, "Delete the game"))
    expect(menu).to_have_count(0)
    keys.expect_focus()
    import_game(file(b"no game", "no.zip", "application/zip"))
    page.get_by_role("alert").wait_for()
    import_game(tmp_path / "game.zip")
    page.wait_for_url(re.compile(rf"/desk/games/{game}$"))
    page.goto("/desk")
    import_game(tmp_path / "game.zip")
    page.get_by_text("This game is here already").wait_for()
    page.route("**/api/v1/games", lambda route: route.fulfill(status=503))
    page.reload()
    button(page, "Try again").wait_for()
