"""Envelopes at the desk: given out at the door, named, sealed, found again, and their links renewed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from server.db.models import Envelope
from server.games.errors import DomainError
from server.games.lifecycle.commands import move
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.printing.print_runs import add_run
from server.games.tokens import seat_of
from tests.context import ORGANISER
from tests.players import dealt
from tests.printed_pages import codes_of
from tests.readings import add_photo, reading
from tests.web.conftest import PHONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.conftest import Hall

JOIN = "https://haggle.example.org"


def seat(hall: Hall, game: str, number: int) -> Envelope:
    """Return an envelope's row."""
    with hall.context.database.reading() as session:
        row = session.get_one(Envelope, (game, number))
        session.expunge(row)
        return row


def with_spares(hall: Hall, name: str) -> str:
    """Make an open game of four envelopes and two spare ones; return its id."""
    game = hall.game(State.DRAFT, name=name, players=4)
    with hall.context.database.writing() as session:
        row = load_game(session, game)
        add_run(session, row, 6, ORGANISER, hall.context.clock(), spare=2, join=JOIN)
        move(session, row, Act.OPEN, ORGANISER, hall.context.clock())
    return game


def row_of(page: Page, number: int) -> str:
    """Return what the list says of an envelope."""
    return (
        page.get_by_role("row").filter(has=page.get_by_role("link", name=f"Envelope {number}", exact=True)).inner_text()
    )


def test_envelopes_are_given_out_at_the_door_by_keyboard(opened: Callable[..., Page], hall: Hall) -> None:
    """A number, a name, Enter: a spare one is opened, the number stands there large, and the next can be typed."""
    game = with_spares(hall, "At the door")
    page = opened(f"/desk/games/{game}/envelopes", organiser="Olga")
    page.get_by_role("heading", name="Envelopes").wait_for()
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Give out envelopes")
    expect(dialog.get_by_label("Envelope", exact=True)).to_be_focused()
    page.keyboard.type("9")
    dialog.get_by_text("There is no envelope 9.").wait_for()
    page.keyboard.press("Backspace")
    page.keyboard.type("5")
    dialog.get_by_text("A spare one: it is opened now.").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type("Late Lena")
    page.keyboard.press("Enter")
    done = dialog.get_by_role("status").filter(has_text="Given out:")
    done.get_by_text("Late Lena").wait_for()
    done.locator("img[alt='Label of envelope 5']").wait_for()
    expect(dialog.get_by_label("Envelope", exact=True)).to_be_focused()
    row = seat(hall, game, 5)
    assert (row.opened is not None, row.name) == (True, "Late Lena")
    page.keyboard.type("3")
    dialog.get_by_text("Nobody has it yet.").wait_for()
    page.keyboard.press("Enter")
    done.get_by_text("3", exact=True).wait_for()
    page.keyboard.press("Escape")
    assert "Late Lena" in row_of(page, 5)


def test_giving_out_twice_or_to_another_asks_again(opened: Callable[..., Page], hall: Hall) -> None:
    """Another name on a named envelope, or one that is with somebody already: the first Enter only warns."""
    game = hall.game(name="Twice", players=3)
    page = opened(f"/desk/games/{game}/envelopes", organiser="Olga")
    page.get_by_role("button", name="Active 3").wait_for()
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Give out envelopes")
    number, name = dialog.get_by_label("Envelope", exact=True), dialog.get_by_label("Name (may stay empty)")
    number.fill("2")
    name.fill("Ada")
    name.press("Enter")
    dialog.get_by_role("status").get_by_text("Ada").wait_for()
    number.fill("2")
    dialog.get_by_text("Given out already:").wait_for()
    name.fill("Bob")
    name.press("Enter")
    dialog.get_by_role("alert").get_by_text("Replace Ada by Bob?").wait_for()
    assert seat(hall, game, 2).name == "Ada"
    name.press("Enter")
    dialog.get_by_role("status").get_by_text("Bob").wait_for()
    number.fill("3")
    number.press("Enter")
    dialog.get_by_role("status").get_by_text("3", exact=True).wait_for()
    number.fill("3")
    number.press("Enter")
    dialog.get_by_role("alert").get_by_text("Given out already:").wait_for()
    expect(number).to_have_value("3")
    number.press("Enter")
    expect(number).to_have_value("")


def test_an_envelope_s_page_names_it_and_tells_when_others_do(opened: Callable[..., Page], hall: Hall) -> None:
    """Two organisers at once: the other's name appears; what one is typing is not lost, and is told."""
    game = hall.game(name="Names", players=3)
    olga = opened(f"/desk/games/{game}/envelopes/2", organiser="Olga")
    otto = opened(f"/desk/games/{game}/envelopes", organiser="Otto", viewport=PHONE)
    name = olga.get_by_role("dialog", name="Envelope 2").get_by_label("Name", exact=True)
    row = otto.locator("tr", has=otto.get_by_role("link", name="Envelope 2", exact=True))
    row.locator(".cell-state").click()
    other = otto.get_by_role("dialog", name="Envelope 2")
    other.get_by_label("Name", exact=True).fill("Ada")
    other.get_by_role("button", name="Save the name").click()
    expect(name).to_have_value("Ada")
    name.fill("Ada L")
    other.get_by_label("Name", exact=True).fill("Ada Lovelace")
    other.get_by_role("button", name="Save the name").click()
    olga.get_by_text("Somebody else has just written: Ada Lovelace.").wait_for()
    expect(name).to_have_value("Ada L")
    olga.get_by_role("button", name="Save the name").click()
    expect(other.get_by_label("Name", exact=True)).to_have_value("Ada L")
    assert seat(hall, game, 2).name == "Ada L"
    otto.keyboard.press("Escape")
    otto.get_by_role("link", name="Envelope 3").click()
    third = otto.get_by_role("dialog", name="Envelope 3")
    third.get_by_label("Name", exact=True).fill("Ada L")
    third.get_by_role("button", name="Save the name").click()
    third.get_by_text("Another envelope has this name").wait_for()


def test_a_no_show_is_sealed_and_one_that_plays_after_a_second_look(opened: Callable[..., Page], hall: Hall) -> None:
    """Where its cards were seen is said before."""
    game = hall.game(name="No-shows", players=3)
    add_photo(hall.context, game, reading(dealt(hall.context, game, 2)[:3], [2]), batch="one")
    page = opened(f"/desk/games/{game}/envelopes/1", organiser="Olga")
    page.get_by_role("button", name="Seal it").click()
    page.get_by_role("dialog", name="Seal envelope 1?").get_by_role("button", name="Seal it").click()
    page.get_by_role("dialog", name="Envelope 1").get_by_text("sealed").wait_for()
    assert seat(hall, game, 1).opened is None
    page.goto(f"/desk/games/{game}/envelopes/2")
    page.get_by_role("button", name="Seal it").click()
    dialog = page.get_by_role("dialog", name="Seal envelope 2?")
    dialog.get_by_role("button", name="Seal it").click()
    dialog.get_by_text("Somebody plays with it").wait_for()
    dialog.get_by_text("3 of its cards").wait_for()
    assert seat(hall, game, 2).opened is not None
    dialog.get_by_role("button", name="Seal it all the same").click()
    expect(dialog).to_have_count(0)
    assert seat(hall, game, 2).opened is None


def test_many_are_sealed_and_opened_at_once(opened: Callable[..., Page], hall: Hall) -> None:
    """Those that cannot be are named with the reason; the others are done."""
    game = hall.game(name="Many", players=6)
    add_photo(hall.context, game, reading(dealt(hall.context, game, 2)[:1], [2]), batch="one")
    page = opened(f"/desk/games/{game}/envelopes", organiser="Olga")
    for number in (1, 2, 3):
        page.get_by_label(f"Choose envelope {number}").press("Space")
    page.get_by_role("button", name="Seal them").click()
    page.get_by_role("dialog", name="Seal 3 envelopes?").get_by_role("button", name="Seal them").click()
    page.get_by_text("1 envelope stays as it was:").wait_for()
    page.get_by_text("Envelope 2: Somebody plays with it").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert [seat(hall, game, number).opened is None for number in (1, 2, 3)] == [True, False, True]
    page.get_by_role("button", name="Sealed 2").click()
    expect(page.get_by_role("row")).to_have_count(3)
    page.get_by_label("Choose all that are shown").check()
    page.get_by_role("button", name="Open them").click()
    page.get_by_role("dialog", name="Open 2 envelopes?").get_by_role("button", name="Open them").click()
    page.get_by_text("No envelope is like that.").wait_for()
    assert all(seat(hall, game, number).opened for number in (1, 2, 3))


def test_a_new_link_ends_the_old_one_and_is_shown_on_the_spot(opened: Callable[..., Page], hall: Hall) -> None:
    """A phone can read it off the screen; whoever has the printed label is out."""
    game = hall.game(name="Links", players=2)
    old = hall.link(game, 1).rpartition("#")[2]
    page = opened(f"/desk/games/{game}/envelopes/1", organiser="Olga")
    page.get_by_role("button", name="Show the label").click()
    page.locator("img[alt='Label of envelope 1']").wait_for()
    page.get_by_role("button", name="New link").click()
    page.get_by_role("dialog", name="A new link for envelope 1?").get_by_role("button", name="New link").click()
    page.get_by_text("Envelope 1 has a new link.").wait_for()
    with hall.context.database.reading() as session, pytest.raises(DomainError):
        seat_of(session, old)
    label = page.locator("img[alt='Label of envelope 1']")
    label.scroll_into_view_if_needed()
    pixels = cv2.imdecode(np.frombuffer(label.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    texts = [code.text for code in codes_of(pixels, pixels.shape[1] / 3.7)]
    new = hall.link(game, 1).rpartition("#")[2]
    assert f"{JOIN}/j#{new}" in texts


def test_the_list_is_searched_and_filtered(opened: Callable[..., Page], hall: Hall) -> None:
    """By number, by name, by how far each is, on a phone too; the address can ask for it."""
    game = with_spares(hall, "Searched")
    with hall.context.database.writing() as session:
        session.get_one(Envelope, (game, 3)).name = "Zoë"
        session.get_one(Envelope, (game, 3)).joined = hall.context.clock()
    page = opened(f"/desk/games/{game}/envelopes?show=joined", organiser="Olga", viewport=PHONE)
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Zoë")
    page.get_by_role("button", name="All 6").click()
    expect(rows).to_have_count(6)
    page.get_by_label("Number or name").fill("zo")
    expect(rows).to_have_count(1)
    page.get_by_label("Number or name").fill("5")
    expect(rows).to_contain_text("spare, sealed")
    page.get_by_label("Number or name").fill("")
    page.get_by_role("button", name="Sealed 2").click()
    expect(rows).to_have_count(2)


def test_a_hand_in_by_phone_is_taken_back_with_a_reason(opened: Callable[..., Page], hall: Hall) -> None:
    """Where a player has handed in too early; without a reason nothing happens. Others see it live."""
    game = hall.game(name="Too early", players=2)
    with hall.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).submitted_at = hall.context.clock()
    page = opened(f"/desk/games/{game}/envelopes/1", organiser="Olga")
    other = opened(f"/desk/games/{game}/envelopes", organiser="Otto")
    other.get_by_role("button", name="Handed in 1").click()
    expect(other.locator("tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Take its hand-in back").click()
    dialog = page.get_by_role("dialog", name="Take the hand-in of envelope 1 back?")
    dialog.get_by_role("button", name="Take its hand-in back").click()
    dialog.get_by_text("Say why in a few words.").wait_for()
    assert seat(hall, game, 1).submitted_at
    dialog.get_by_label("Why?").fill("pressed by mistake")
    dialog.get_by_role("button", name="Take its hand-in back").click()
    expect(dialog).to_have_count(0)
    assert seat(hall, game, 1).submitted_at is None
    other.get_by_role("button", name="Handed in 0").wait_for()
