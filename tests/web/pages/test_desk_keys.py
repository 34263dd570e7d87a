"""The desk without a mouse: each walk does several jobs by keys alone, and the focus is never lost on the way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect
from sqlalchemy import select

from server.db.models import Card, Envelope
from server.games.lifecycle.states import State
from tests.players import dealt
from tests.web.pages.conftest import PASSWORD, fresh
from tests.web.pages.desk_pictures import all_read, hands, jpegs
from tests.web.pages.keys import Keys

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from tests.web.pages.conftest import Hall

    Opened = Callable[..., Page]


def seat(hall: Hall, game: str, number: int) -> Envelope:
    """Return an envelope's row."""
    with hall.context.database.reading() as session:
        row = session.get_one(Envelope, (game, number))
        session.expunge(row)
        return row


def button(within: Page | Locator, name: str) -> Locator:
    """Return the button of this name."""
    return within.get_by_role("button", name=name, exact=True)


def test_envelopes_are_run_by_keys(opened: Opened, hall: Hall) -> None:
    """Many are sealed and opened, one gets a new link, and a hand-in is taken back."""
    game = hall.game(players=4)
    with hall.context.database.writing() as session:
        session.get_one(Envelope, (game, 4)).submitted_at = hall.context.clock()
    page = opened(f"/desk/games/{game}/envelopes", organiser="Olga")
    keys = Keys(page)
    for number in (1, 2):
        keys.press(page.get_by_label(f"Choose envelope {number}"), "Space")
    keys.press(button(page, "Seal them"))
    keys.press(button(page.get_by_role("dialog", name="Seal 2 envelopes?"), "Seal them"))
    page.get_by_role("button", name="Sealed 2").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.stay()
    assert seat(hall, game, 1).opened is None
    keys.press(page.get_by_role("button", name="Sealed 2"))
    expect(page.locator("tbody tr")).to_have_count(2)
    keys.press(page.get_by_label("Choose all that are shown"), "Space")
    keys.press(button(page, "Open them"))
    keys.press(button(page.get_by_role("dialog", name="Open 2 envelopes?"), "Open them"))
    page.get_by_text("No envelope is like that.").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    keys.stay()
    keys.press(page.get_by_role("button", name="All 4"))
    keys.press(page.get_by_role("link", name="Envelope 4"))
    one = page.get_by_role("dialog", name="Envelope 4")
    keys.press(button(one, "New link"))
    keys.press(button(page.get_by_role("dialog", name="A new link for envelope 4?"), "New link"))
    page.get_by_text("Envelope 4 has a new link.").wait_for()
    keys.press(button(one, "Take its hand-in back"))
    asked = page.get_by_role("dialog", name="Take the hand-in of envelope 4 back?")
    keys.type(asked.get_by_label("Why?"), "pressed by mistake")
    page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    assert (seat(hall, game, 4).submitted_at, seat(hall, game, 4).token_version) == (None, 1)
    page.keyboard.press("Escape")
    expect(one).to_have_count(0)
    expect(page.get_by_role("link", name="Envelope 4")).to_be_focused()


def test_a_game_goes_and_comes_by_keys(opened: Opened, hall: Hall, tmp_path: Path) -> None:
    """It is saved and deleted from its menu, and taken in from the file."""
    name = fresh("Keys")
    game = hall.game(State.PRINTED, name=name)
    page = opened("/desk", organiser="Olga")
    keys = Keys(page)
    menu = page.get_by_label(f"More for {name}")
    keys.press(menu)
    with page.expect_download() as download:
        keys.press(page.get_by_role("link", name="Whole game without pictures"))
    file = tmp_path / "game.zip"
    download.value.save_as(file)
    keys.press(menu)
    keys.press(button(page, "Delete the game"))
    asked = page.get_by_role("dialog", name=f"Delete “{name}”?")
    keys.type(asked.get_by_label("To be sure, type"), game)
    keys.press(button(asked, "Delete the game"))
    expect(menu).to_have_count(0)
    keys.stay()
    with page.expect_file_chooser() as chooser:
        keys.press(page.get_by_role("button", name="Take in a game"))
    chooser.value.set_files(file)
    page.wait_for_url(re.compile(rf"/desk/games/{game}$"))


def test_lost_cards_are_replaced_by_keys(opened: Opened, hall: Hall) -> None:
    """Found by their envelope and ticked; why is asked."""
    game = hall.game(players=4)
    page = opened(f"/desk/games/{game}/print", organiser="Olga")
    keys = Keys(page)
    keys.press(button(page, "Replace lost cards"))
    asked = page.get_by_role("dialog", name="Replace lost cards")
    keys.type(asked.get_by_label("Envelope, card or short code"), "3")
    keys.press(asked.get_by_role("checkbox").nth(1), "Space")
    keys.type(asked.get_by_label("Why?"), "coffee")
    keys.press(button(asked, "Replace 1 card"))
    page.get_by_role("heading", name="1 replaced card").wait_for()
    keys.stay()
    with hall.context.database.reading() as session:
        lost = list(session.scalars(select(Card).where(Card.game == game, Card.lost.is_not(None))))
    assert [card.envelope for card in lost] == [3]


def test_pictures_are_chosen_by_keys(opened: Opened, hall: Hall) -> None:
    """The browser's own dialog for files opens by a key, for files and for a folder."""
    game = hall.game(State.CLOSED, players=2)
    cards = dealt(hall.context, game, 1)[:4]
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    keys = Keys(page)
    with page.expect_file_chooser() as chooser:
        keys.press(page.get_by_role("button", name="Choose pictures"))
    chooser.value.set_files(jpegs({"one.jpg": hall.picture(game, cards, 1)}))
    all_read(page, 1)
    assert hands(hall, game) == {1: set(cards)}
    with page.expect_file_chooser() as chooser:
        keys.press(page.get_by_role("button", name="Choose a folder"), "Space")
    assert chooser.value.element.get_attribute("webkitdirectory") is not None


def test_the_password_is_changed_by_keys(opened: Opened) -> None:
    """From the menu of one's name; who was signed in elsewhere has to sign in again."""
    page = opened("/desk", organiser="Olga")
    keys = Keys(page)
    keys.press(page.get_by_label("Olga: keys, password, sign out"))
    keys.press(button(page, "Change the password"))
    asked = page.get_by_role("dialog", name="Change the password")
    keys.type(asked.get_by_label("The password until now"), "not this one")
    keys.type(asked.get_by_label("The new password"), f"{PASSWORD} again")
    page.keyboard.press("Enter")
    asked.get_by_text("This password is wrong").wait_for()
    keys.type(asked.get_by_label("The password until now"), PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_text("The password is changed.").wait_for()
    expect(asked).to_have_count(0)
    keys.stay()
