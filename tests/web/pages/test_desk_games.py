"""Games at the desk: made, set up by several people at once, led from state to state, saved and deleted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from tests.web.conftest import PHONE
from tests.web.pages.conftest import fresh

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from server.db.models import Game
    from tests.web.pages.conftest import Hall


def kept(hall: Hall, game: str) -> Game:
    """Return a game's row."""
    with hall.context.database.reading() as session:
        row = load_game(session, game)
        session.expunge(row)
        return row


def made(page: Page) -> str:
    """Return the id of the game whose overview has just come up."""
    page.wait_for_url(re.compile(r"/desk/games/[0-9A-Z]{4}$"))
    return page.url.rpartition("/")[2]


def test_a_game_is_made_by_keyboard_alone(opened: Callable[..., Page], hall: Hall) -> None:
    """From the list of games: what is wrong stands beside its field, and what was chosen is what the server keeps."""
    page = opened("/desk", organiser="Olga", timezone_id="Europe/Berlin")
    page.get_by_role("heading", name="Games").wait_for()
    page.keyboard.press("n")
    page.get_by_role("heading", name="A new game").wait_for()
    page.get_by_label("Time zone").wait_for()
    page.get_by_role("button", name="Make the game").focus()
    page.keyboard.press("Enter")
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    page.get_by_text("Give the game a name.").wait_for()
    title = fresh("Keys only")
    page.keyboard.type(title)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Sackson")).to_be_checked()
    players = page.get_by_label("Players", exact=True)
    expect(players).to_have_value("8")
    players.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("12")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    page.get_by_label("Deadline").fill("2099-03-29T02:30")
    page.get_by_text("The clocks change just then").wait_for()
    page.get_by_label("Deadline").fill("2020-03-27T12:00")
    page.get_by_text("This has passed already.").wait_for()
    page.get_by_label("Deadline").fill("")
    page.get_by_role("radio", name="What a player\u2019s own rules say").focus()
    page.keyboard.press("ArrowDown")
    tries = page.get_by_label("Tries a player")
    tries.fill("1000")
    page.get_by_text("A whole number from 0 to 100.").wait_for()
    tries.fill("2")
    page.get_by_label("Pause between two tries").fill("5")
    page.get_by_text("Choose rules one by one").focus()
    page.keyboard.press("Enter")
    page.get_by_role("checkbox", name="1 The worth of orange").focus()
    page.keyboard.press("Space")
    page.get_by_text("14 of 15 rules count.").wait_for()
    page.get_by_text("Without rule 1, some cards are worth nothing.").wait_for()
    page.get_by_role("button", name="Make the game").focus()
    page.keyboard.press("Enter")
    row = kept(hall, made(page))
    assert (row.name, row.edition, row.players, row.timezone, row.deadline) == (
        title,
        "sackson-1969",
        12,
        "Europe/Berlin",
        None,
    )
    assert (row.mode, row.tries, row.pause) == ("total", 2, 300)
    assert row.active_rules == [str(key) for key in range(2, 16)]


def test_a_deadline_is_meant_in_the_game_s_own_time_zone(opened: Callable[..., Page], hall: Hall) -> None:
    """Wherever the organiser's computer is."""
    page = opened("/desk/games/new", organiser="Olga", timezone_id="America/New_York", viewport=PHONE)
    page.get_by_label("Name", exact=True).fill(fresh("Noon in Hagen"))
    page.get_by_label("Deadline").fill("2029-07-27T12:00")
    page.get_by_label("Time zone").fill("Europe/Nowhere")
    page.get_by_role("button", name="Make the game").click()
    page.get_by_text("There is no such time zone.").wait_for()
    page.get_by_label("Time zone").fill("Europe/Berlin")
    page.get_by_label("Base value of blue").fill("3")
    page.get_by_label("3 is right").check()
    page.get_by_role("button", name="Make the game").click()
    row = kept(hall, made(page))
    assert row.deadline is not None
    assert row.deadline.isoformat() == "2029-07-27T10:00:00+00:00"
    assert (row.settings, row.confirmed) == ({"blue_base": 3}, ["blue_base"])
    page.get_by_text("12:00", exact=False).first.wait_for()


def test_two_organisers_change_one_game(opened: Callable[..., Page], hall: Hall) -> None:
    """What the other changes appears; where both changed a thing, nothing is lost and one chooses."""
    game = hall.game(State.DRAFT, name="Two at once", players=30)
    olga, otto = (opened(f"/desk/games/{game}/settings", organiser=name) for name in ("Olga", "Otto"))
    olga.get_by_label("Players", exact=True).fill("35")
    olga.get_by_label("Name", exact=True).fill("Olga calls it so")
    otto.get_by_label("Players", exact=True).fill("40")
    otto.get_by_label("Time zone").fill("Europe/Paris")
    otto.get_by_role("button", name="Save").click()
    otto.get_by_text("Saved.", exact=True).wait_for()
    expect(olga.get_by_label("Time zone")).to_have_value("Europe/Paris")
    theirs = olga.get_by_role("alert").filter(has_text="Somebody else has changed this, too")
    theirs.get_by_text("theirs is 40, yours 35").wait_for()
    expect(olga.get_by_label("Players", exact=True)).to_have_value("35")
    expect(olga.get_by_label("Name", exact=True)).to_have_value("Olga calls it so")
    theirs.get_by_role("button", name="Take theirs").click()
    expect(olga.get_by_label("Players", exact=True)).to_have_value("40")
    olga.get_by_role("button", name="Save").click()
    olga.get_by_text("Saved.", exact=True).wait_for()
    otto.get_by_role("main").get_by_text("Olga calls it so").first.wait_for()
    expect(otto.get_by_label("Name", exact=True)).to_have_value("Olga calls it so")
    row = kept(hall, game)
    assert (row.name, row.players, row.timezone) == ("Olga calls it so", 40, "Europe/Paris")


def test_a_change_that_the_page_has_not_heard_of_is_not_overwritten(opened: Callable[..., Page], hall: Hall) -> None:
    """Cut off from live news, the server refuses; the page shows what is different, and nothing typed is lost."""
    game = hall.game(State.DRAFT, name="Cut off", players=30)
    olga = opened(f"/desk/games/{game}/settings", organiser="Olga")
    olga.route(f"**/api/v1/games/{game}/events", lambda route: route.abort())
    olga.reload()
    olga.get_by_label("Players", exact=True).fill("35")
    otto = opened(f"/desk/games/{game}/settings", organiser="Otto")
    otto.get_by_label("Players", exact=True).fill("40")
    otto.get_by_role("button", name="Save").click()
    otto.get_by_text("Saved.", exact=True).wait_for()
    olga.get_by_role("button", name="Save").click()
    olga.get_by_text("Somebody else has changed this", exact=True).wait_for()
    olga.get_by_text("theirs is 40, yours 35").wait_for()
    assert kept(hall, game).players == 40
    olga.get_by_role("button", name="Keep mine").click()
    olga.get_by_role("button", name="Save").click()
    olga.get_by_text("Saved.", exact=True).wait_for()
    assert kept(hall, game).players == 35


def test_what_the_server_refuses_is_told_in_the_page_s_language(opened: Callable[..., Page], hall: Hall) -> None:
    """Each cause of a refusal has words of its own, with its numbers."""
    page = opened(f"/desk/games/{hall.game()}/settings", organiser="Olga", locale="de-DE")
    body = (
        '{"type": "/problems/wrong-setting", "title": "No", "detail": "At most 3660 days", "why": "far", "days": 3660}'
    )
    page.route(
        re.compile(r"/api/v1/games/\w+$"),
        lambda route: (
            route.fulfill(status=422, content_type="application/problem+json", body=body)
            if route.request.method == "PATCH"
            else route.continue_()
        ),
    )
    page.get_by_label("Name", exact=True).fill("Anders")
    page.get_by_role("button", name="Speichern").click()
    page.get_by_text("Der Abgabeschluss liegt höchstens 3660 Tage voraus.").wait_for()


def test_the_overview_leads_a_game_on_and_back(opened: Callable[..., Page], hall: Hall) -> None:
    """One large button a step, by keyboard, with what will happen; steps back lie in a menu. Others see it live."""
    game = hall.game(State.PRINTED, name="On its way", players=3)
    page = opened(f"/desk/games/{game}", organiser="Olga")
    other = opened(f"/desk/games/{game}", organiser="Otto", viewport=PHONE)
    page.get_by_role("button", name="Open the game").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Open the game?")
    dialog.get_by_text("The cards of all envelopes become active").wait_for()
    dialog.get_by_role("button", name="Open the game").focus()
    page.keyboard.press("Enter")
    page.get_by_text("The game is open.").wait_for()
    other.get_by_role("heading", name="The game runs").wait_for()
    assert kept(hall, game).state == "open"
    other.get_by_role("button", name="Close the game").click()
    other.get_by_text("3 envelopes are not photographed yet.").wait_for()
    other.get_by_role("dialog").get_by_role("button", name="Close the game").click()
    page.get_by_role("heading", name="Photograph, settle, count").wait_for()
    page.get_by_text("1 value to confirm").wait_for()
    page.get_by_text("3 envelopes never seen").wait_for()
    expect(page.get_by_role("link", name="Count", exact=True)).to_be_visible()
    page.get_by_text("A step back").click()
    page.get_by_role("button", name="Open again").click()
    page.get_by_role("dialog").get_by_role("button", name="Open again").click()
    other.get_by_role("heading", name="The game runs").wait_for()
    assert kept(hall, game).state == "open"


@pytest.mark.parametrize("tab", ["overview", "results"])
def test_without_a_clipboard_the_screen_s_address_is_shown(opened: Callable[..., Page], hall: Hall, tab: str) -> None:
    """Over plain http browsers copy nothing: the address stands in a field, entered and chosen, wherever it is told."""
    game = hall.game()
    page = opened(f"/desk/games/{game}/{tab}", organiser="Olga")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy the link").click()
    address = page.get_by_label("Address of the big screen")
    expect(address).to_have_value(hall.screen(game))
    expect(address).to_be_focused()
    chosen = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert address.evaluate(chosen) == hall.screen(game)


def test_a_counted_game_s_values_change_with_a_reason_only(opened: Callable[..., Page], hall: Hall) -> None:
    """It is asked for beside the button; players and edition stand."""
    game = hall.game(State.FROZEN, name="Counted")
    page = opened(f"/desk/games/{game}/settings", organiser="Olga")
    expect(page.get_by_label("Players", exact=True)).to_be_disabled()
    page.get_by_label("Base value of blue").fill("7")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Say why in a few words.").wait_for()
    assert kept(hall, game).settings == {"blue_base": 1}
    page.get_by_label("Why?").fill("looked at the figure again")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.", exact=True).wait_for()
    assert kept(hall, game).settings == {"blue_base": 7}


def test_a_game_is_saved_deleted_and_taken_in_again(opened: Callable[..., Page], hall: Hall, tmp_path: Path) -> None:
    """Deleting wants the game's letters typed; the saved file brings it back, and not a second time."""
    name = fresh("Saved")
    game = hall.game(State.PRINTED, name=name)
    page = opened("/desk", organiser="Olga")
    card = page.get_by_role("listitem").filter(has_text=name)
    card.get_by_label(f"More for {name}").click()
    with page.expect_download() as download:
        card.get_by_role("link", name="Whole game without pictures").click()
    file = tmp_path / "game.zip"
    download.value.save_as(file)
    card.get_by_label(f"More for {name}").click()
    card.get_by_role("button", name="Delete the game").click()
    dialog = page.get_by_role("dialog", name=f"Delete “{name}”?")
    dialog.get_by_role("button", name="Delete the game").click()
    dialog.get_by_text(f"Type {game}, exactly so.").wait_for()
    dialog.get_by_label("To be sure, type").fill(game)
    dialog.get_by_role("button", name="Delete the game").click()
    expect(card).to_have_count(0)
    for _ in range(2):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Take in a game").click()
        chooser.value.set_files(file)
        if page.url.endswith("/desk"):
            page.get_by_role("heading", name="Deal and print").or_(
                page.get_by_role("heading", name="Open the game")
            ).or_(page.get_by_text("This game is here already")).first.wait_for()
        if "/games/" in page.url:
            assert made(page) == game
            page.goto("/desk")
    page.get_by_text("This game is here already").wait_for()


def test_what_was_typed_is_there_after_a_look_elsewhere(opened: Callable[..., Page], hall: Hall) -> None:
    """In a new game's form as in a game's settings."""
    game = hall.game(State.DRAFT, name="Looked elsewhere")
    page = opened(f"/desk/games/{game}/settings", organiser="Olga")
    page.get_by_label("Players", exact=True).fill("77")
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("heading", name="Deal and print").wait_for()
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_label("Players", exact=True)).to_have_value("77")
    page.get_by_text("Not saved yet: players").wait_for()
    page.get_by_role("button", name="Undo my changes").click()
    expect(page.get_by_label("Players", exact=True)).to_have_value("6")
    page.get_by_role("link", name="Games:").click()
    page.get_by_role("link", name="New game").click()
    page.get_by_label("Name", exact=True).fill("Half a game")
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Half a game")
