"""Envelopes at the desk: given out, named, sealed, opened, searched, and their links replaced."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from server.api.auth import player_of, token_of_code
from server.db.models import Envelope
from server.games.errors import DomainError
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.printing.runs import add_run
from tests.context import ORGANISER
from tests.players import dealt
from tests.printed_pages import codes_of
from tests.readings import add_photo, reading
from tests.web.conftest import PHONE
from tests.web.pages.organiser_steps import Keyboard, button, check_accessibility, close_dialog, stored_envelope
from tests.web.steps import open_path

if TYPE_CHECKING:
    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage

JOIN = "https://haggle.example.org"


def game_with_spares(live_server: LiveServer, name: str) -> str:
    """Create an open game with four envelopes and two spare ones; return its id."""
    game = live_server.new_game(State.DRAFT, name=name, players=4)
    with live_server.context.database.writing() as session:
        row = load_game(session, game)
        add_run(session, row, 6, ORGANISER, live_server.context.clock(), spare=2, server_url=JOIN)
        change_state(session, row, Act.OPEN, ORGANISER, live_server.context.clock())
    return game


def test_envelopes_can_be_given_out_by_keyboard(open_page: OpenPage, live_server: LiveServer) -> None:
    """After number, name and Enter a spare envelope is opened, its number is shown, and the next can be typed.

    If the envelope has another name or was given out already, the first Enter only warns.
    """
    game = game_with_spares(live_server, "At the door")
    page = open_page(f"/desk/games/{game}/envelopes", organiser="Olga")
    page.get_by_role("heading", name="Envelopes").wait_for()
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Give out envelopes")
    number, name = dialog.get_by_label("Envelope number"), dialog.get_by_label("Name (optional)")
    done = dialog.get_by_role("status")
    expect(number).to_be_focused()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    dialog.get_by_text("No such envelope.").first.wait_for()
    check_accessibility(page)
    page.keyboard.press("Backspace")
    page.keyboard.type("5")
    dialog.get_by_text("Spare: it will be opened.").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type("Late Lena")
    page.keyboard.press("Enter")
    done.filter(has_text="Given out:").get_by_text("Late Lena").wait_for()
    done.locator("img[alt='Envelope 5: Label']").wait_for()
    expect(number).to_be_focused()
    row = stored_envelope(live_server, game, 5)
    assert (row.opened is not None, row.name) == (True, "Late Lena")
    page.keyboard.type("3")
    dialog.get_by_text("Nobody has it yet.").wait_for()
    page.keyboard.press("Enter")
    done.get_by_text("3", exact=True).wait_for()

    number.fill("5")
    dialog.get_by_text(re.compile("^Given out .* to Late Lena")).wait_for()
    name.fill("Bob")
    page.keyboard.press("Enter")
    dialog.get_by_role("alert").get_by_text("Replace Late Lena with Bob?").wait_for()
    assert stored_envelope(live_server, game, 5).name == "Late Lena"
    page.keyboard.press("Enter")
    done.get_by_text("Bob").wait_for()
    number.fill("3")
    number.press("Enter")
    dialog.get_by_role("alert").get_by_text("Given out ").wait_for()
    expect(number).to_have_value("3")
    number.press("Enter")
    expect(number).to_have_value("")
    close_dialog(page)
    named = page.get_by_role("row").filter(has=page.get_by_role("link", name="Envelope 5", exact=True))
    expect(named).to_contain_text("Bob")


def test_the_next_step_of_an_open_game_opens_the_dialog_to_give_out(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """The browser's back button then returns to the overview, also after the dialog was closed."""
    game = game_with_spares(live_server, "Next step")
    page = open_page(f"/desk/games/{game}/overview", organiser="Olga")
    dialog = page.get_by_role("dialog", name="Give out envelopes")
    for closed in (False, True):
        page.get_by_role("link", name="Give out envelopes").click()
        expect(dialog.get_by_label("Envelope number")).to_be_focused()
        if closed:
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            page.get_by_role("heading", name="Envelopes").wait_for()
        page.go_back()
        page.get_by_role("heading", name="Overview").wait_for()


def test_organisers_see_each_others_changes_to_envelopes(open_page: OpenPage, live_server: LiveServer) -> None:
    """A new name appears, typed text is kept with a warning, and a hand-in is taken back with a reason."""
    game = live_server.new_game(name="Names", players=3)
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).submitted_at = live_server.context.clock()
    olga = open_page(f"/desk/games/{game}/envelopes/2", organiser="Olga")
    otto = open_page(f"/desk/games/{game}/envelopes", organiser="Otto", viewport=PHONE)
    name = olga.get_by_role("dialog", name="Envelope 2").get_by_label("Name", exact=True)
    row = otto.locator("tr", has=otto.get_by_role("link", name="Envelope 2", exact=True))
    row.locator(".cell-state").click()
    other = otto.get_by_role("dialog", name="Envelope 2")
    theirs, save = other.get_by_label("Name", exact=True), other.get_by_role("button", name="Save")
    theirs.fill("Ada")
    save.click()
    expect(name).to_have_value("Ada")
    name.fill("Ada L")
    theirs.fill("Ada Lovelace")
    save.click()
    olga.get_by_text("Somebody else entered Ada Lovelace.").wait_for()
    expect(name).to_have_value("Ada L")
    olga.get_by_role("button", name="Save").click()
    expect(theirs).to_have_value("Ada L")
    assert stored_envelope(live_server, game, 2).name == "Ada L"
    close_dialog(otto)
    otto.get_by_role("link", name="Envelope 3").click()
    third = otto.get_by_role("dialog", name="Envelope 3")
    third.get_by_label("Name", exact=True).fill("Ada L")
    third.get_by_role("button", name="Save").click()
    third.get_by_text("Another envelope has this name").wait_for()
    close_dialog(otto)

    otto.get_by_role("button", name="Handed in 1").click()
    expect(otto.locator("tbody tr")).to_have_count(1)
    keys = Keyboard(olga)
    close_dialog(olga)
    keys.press(olga.get_by_role("link", name="Envelope 1"))
    one = olga.get_by_role("dialog", name="Envelope 1")
    keys.press(button(one, "Take back the hand-in"))
    asked = olga.get_by_role("dialog", name="Envelope 1: Take back the hand-in")
    keys.press(button(asked, "Take back the hand-in"))
    asked.get_by_text("Give a reason").wait_for()
    assert stored_envelope(live_server, game, 1).submitted_at
    keys.type(asked.get_by_label("Reason"), "pressed by mistake")
    olga.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    assert stored_envelope(live_server, game, 1).submitted_at is None
    otto.get_by_role("button", name="Handed in 0").wait_for()
    close_dialog(olga)
    expect(olga.get_by_role("link", name="Envelope 1")).to_be_focused()


def test_envelopes_can_be_sealed_and_opened_by_keyboard(open_page: OpenPage, live_server: LiveServer) -> None:
    """The dialog warns if cards of the envelope were seen; of several, those that cannot be sealed are listed."""
    game = live_server.new_game(name="No-shows", players=4)
    for number, cards in ((2, 3), (3, 1)):
        add_photo(
            live_server.context, game, reading(dealt(live_server.context, game, number)[:cards], [number]), batch="one"
        )
    page = open_page(f"/desk/games/{game}/envelopes/1", organiser="Olga")
    keys = Keyboard(page)

    def sealed(number: int) -> bool:
        return stored_envelope(live_server, game, number).opened is None

    keys.press(button(page, "Seal"))
    keys.press(button(page.get_by_role("dialog", name="Envelope 1: Seal"), "Seal"))
    page.get_by_role("dialog", name="Envelope 1").get_by_text("sealed").wait_for()
    assert sealed(1)
    open_path(page, f"/desk/games/{game}/envelopes/2")
    keys.press(button(page, "Seal"))
    dialog = page.get_by_role("dialog", name="Envelope 2: Seal")
    keys.press(button(dialog, "Seal"))
    dialog.get_by_text("Somebody is playing with it").wait_for()
    dialog.get_by_text("3 of its cards").wait_for()
    check_accessibility(page)
    assert not sealed(2)
    keys.press(button(dialog, "Seal anyway"))
    expect(dialog).to_have_count(0)
    assert sealed(2)
    close_dialog(page)

    for number in (3, 4):
        keys.press(page.get_by_role("checkbox", name=f"Envelope {number}", exact=True), "Space")
    keys.press(button(page, "Seal"))
    keys.press(button(page.get_by_role("dialog", name="Seal"), "Seal"))
    page.get_by_text("Unchanged:").wait_for()
    page.get_by_text("Envelope 3: Somebody is playing with it").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.expect_focus()
    assert [sealed(number) for number in (1, 2, 3, 4)] == [True, True, False, True]
    keys.press(page.get_by_role("button", name="Sealed 3"))
    expect(page.locator("tbody tr")).to_have_count(3)
    keys.press(page.get_by_label("Choose all"), "Space")
    keys.press(button(page, "Open"))
    keys.press(button(page.get_by_role("dialog", name="Open"), "Open"))
    page.get_by_text("Nothing here").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.expect_focus()
    assert not any(sealed(number) for number in (1, 2, 3, 4))


def test_an_envelope_can_be_found_and_given_a_new_join_link(open_page: OpenPage, live_server: LiveServer) -> None:
    """It is found by number, name or state. The new label's code can be scanned; the old link no longer works."""
    game = game_with_spares(live_server, "Searched")
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 3)).name = "Zoë"
        session.get_one(Envelope, (game, 3)).joined = live_server.context.clock()
    page = open_page(f"/desk/games/{game}/envelopes?show=joined", organiser="Olga", viewport=PHONE)
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Zoë")
    page.get_by_role("button", name="All 6").click()
    expect(rows).to_have_count(6)
    page.get_by_label("Number or name").fill("5")
    expect(rows).to_contain_text("spare, sealed")
    page.get_by_label("Number or name").fill("")
    page.get_by_role("button", name="Sealed 2").click()
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="All 6").click()
    page.get_by_label("Number or name").fill("zo")
    expect(rows).to_have_count(1)

    old = live_server.link(game, 3).rpartition("#")[2]
    keys = Keyboard(page)
    keys.press(page.get_by_role("link", name="Envelope 3"))
    keys.press(button(page, "Show label"))
    label = page.locator("img[alt='Envelope 3: Label']")
    label.wait_for()
    keys.press(button(page, "New link"))
    asked = page.get_by_role("dialog", name="Envelope 3: New link")
    asked.wait_for()
    check_accessibility(page)
    keys.press(button(asked, "New link"))
    page.get_by_text("Link renewed.").wait_for()
    with live_server.context.database.reading() as session, pytest.raises(DomainError):
        player_of(session, old)
    label.scroll_into_view_if_needed()
    pixels = cv2.imdecode(np.frombuffer(label.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    texts = [code.text for code in codes_of(pixels, pixels.shape[1] / 3.7)]
    new = live_server.link(game, 3).rpartition("#")[2]
    assert f"{JOIN}/j#{new}" in texts
    typed = page.get_by_text("Code to type: ").inner_text().removeprefix("Code to type: ")
    with live_server.context.database.reading() as session:
        assert token_of_code(session, typed) == new


def test_points_can_be_given_with_a_reason_and_withdrawn(open_page: OpenPage, live_server: LiveServer) -> None:
    game = game_with_spares(live_server, "Points by hand")
    page = open_page(f"/desk/games/{game}/envelopes/2", organiser="Olga")
    dialog = page.get_by_role("dialog", name="Envelope 2")
    dialog.get_by_text("Points from the organisers").click()
    dialog.get_by_role("button", name="Add").click()
    dialog.get_by_text("A whole number from \N{MINUS SIGN}9999 to 9999.").wait_for()
    expect(dialog.get_by_label("Points", exact=True)).to_be_focused()
    expect(dialog.get_by_text("Give a reason")).to_be_visible()
    for points, reason in (("5", "best costume"), ("-3", "late")):
        dialog.get_by_label("Points", exact=True).fill(points)
        dialog.get_by_label("Reason").fill(reason)
        dialog.get_by_role("button", name="Add").click()
        dialog.get_by_role("listitem").filter(has_text=reason).wait_for()
    dialog.get_by_label("Points", exact=True).fill("9999")
    dialog.get_by_label("Reason").fill("W" * 200)
    dialog.get_by_role("button", name="Add").click()
    dialog.get_by_role("button", name="Take back: +9999 W").click()
    expect(dialog.get_by_text("WWW")).to_have_count(0)
    check_accessibility(page)
    dialog.get_by_role("button", name="Take back: +5 best costume").click()
    expect(dialog.get_by_text("best costume")).to_have_count(0)
    with live_server.context.database.reading() as session:
        kept = session.get_one(Envelope, (game, 2)).adjustments or []
    assert [(one["points"], one["reason"]) for one in kept] == [(-3, "late")]


def test_no_envelope_is_missing_before_the_first_photo_of_an_open_game(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """The overview, the list of envelopes and the photos speak of missing envelopes once photos are taken."""
    game = live_server.new_game(State.OPEN, name="Quiet", players=3)
    page = open_page(f"/desk/games/{game}/overview", organiser="Olga")
    numbers = page.get_by_role("region", name="Numbers")
    filters = page.get_by_role("region", name="Envelopes", exact=True)
    numbers.get_by_text("active").wait_for()
    expect(numbers.get_by_text("missing")).to_have_count(0)
    open_path(page, f"/desk/games/{game}/pictures")
    page.get_by_text("No pictures yet").wait_for()
    expect(page.locator("#missing")).to_have_count(0)
    open_path(page, f"/desk/games/{game}/envelopes")
    filters.get_by_role("button", name="Active 3").wait_for()
    expect(filters.get_by_role("button")).to_have_text(["All 3", "Active 3", "Not joined 3"])
    add_photo(live_server.context, game, reading(dealt(live_server.context, game, 1), [1]))
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).received = live_server.context.clock()
    page.reload()
    filters.get_by_role("button", name="Missing 2").wait_for()
    open_path(page, f"/desk/games/{game}/pictures")
    page.get_by_role("heading", name="2 envelopes missing").wait_for()
    open_path(page, f"/desk/games/{game}/overview")
    expect(numbers.get_by_role("link", name="2 missing")).to_be_visible()
