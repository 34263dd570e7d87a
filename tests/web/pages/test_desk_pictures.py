"""Whose a picture is: shown by envelope, and put right by dragging or by keys; and what is asked before the count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from server.db.models import Card, Envelope
from server.games.lifecycle.states import State
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.web.axe import problems
from tests.web.conftest import PHONE
from tests.web.pages.desk_pictures import hands, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.web.pages.conftest import Hall

PLAYERS = 6


def _photographed(hall: Hall, game: str, number: int, *labels: int, **columns: Any) -> str:  # noqa: ANN401 - any column
    """Add a picture of an envelope's cards, with these labels in it; its file is gone."""
    found = reading(dealt(hall.context, game, number), labels)
    name = columns.pop("name", f"IMG_{number}.jpg")
    return add_photo(hall.context, game, found, image_deleted_at=hall.context.clock(), name=name, **columns)


def _owned(hall: Hall, game: str) -> set[int]:
    return {number for number, cards in hands(hall, game).items() if cards}


def test_a_picture_is_given_to_an_envelope_by_keys(opened: Callable[..., Page], hall: Hall) -> None:
    """Go to it, type the number, Enter. The reason is offered; the record has it."""
    game = hall.game(State.OPEN, players=PLAYERS)
    _photographed(hall, game, 2)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("button", name="Open IMG_2.jpg").focus()
    page.keyboard.press("2")
    expect(page.get_by_label("Envelope number")).to_have_value("2")
    assert problems(page) == []
    page.keyboard.press("Enter")
    page.get_by_text("1 picture given to envelope 2").wait_for()
    expect(page.locator("[data-group=envelope-2] .shot")).to_have_count(1)
    expect(page.locator("[data-group=nobody]")).to_have_count(0)
    assert _owned(hall, game) == {2}


def test_no_key_comes_before_the_form_is_there(opened: Callable[..., Page], hall: Hall) -> None:
    """However quickly somebody types: what follows the first digit goes into its field, and Enter sends the form."""
    game = hall.game(State.OPEN, players=12)
    _photographed(hall, game, 12)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("button", name="Open IMG_12.jpg").focus()
    first = "new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true })"
    focus = f"async () => (document.activeElement.dispatchEvent({first}), await null, document.activeElement.name)"
    assert page.evaluate(focus) == "envelope"
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.get_by_text("1 picture given to envelope 12").wait_for()


def test_a_picture_is_dragged_onto_an_envelope(opened: Callable[..., Page], hall: Hall) -> None:
    """What is dropped asks for nothing but a yes."""
    game = hall.game(State.OPEN, players=PLAYERS)
    _photographed(hall, game, 1, 1)
    _photographed(hall, game, 2)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.locator("[data-group=nobody] .shot-open").drag_to(page.locator("[data-group=envelope-1] h3"))
    page.get_by_role("button", name="Give 1 picture to it").click()
    expect(page.locator("[data-group=envelope-1] .shot")).to_have_count(2)
    assert len(hands(hall, game)[1]) == len(dealt(hall.context, game, 1)) + len(dealt(hall.context, game, 2))


def test_a_picture_is_dragged_to_an_envelope_that_has_none(opened: Callable[..., Page], hall: Hall) -> None:
    """Onto its name among those not seen yet; or onto a box that comes up meanwhile and asks for the number."""
    game = hall.game(State.CLOSED, players=PLAYERS)
    for number in (2, 3):
        _photographed(hall, game, number)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.locator("[data-photo]", has_text="IMG_2").locator(".shot-open").drag_to(page.locator("[data-envelope='2']"))
    expect(page.get_by_label("Envelope number")).to_have_value("2")
    page.get_by_role("button", name="Give 1 picture to it").click()
    expect(page.locator("[data-group=envelope-2] .shot")).to_have_count(1)
    page.locator("[data-group=nobody] .shot-open").hover()
    page.mouse.down()
    page.mouse.move(300, 300, steps=3)
    page.get_by_text("drop here, then type it").hover()
    page.mouse.up()
    expect(page.get_by_label("Envelope number")).to_be_focused()
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.locator("[data-group=envelope-3] .shot")).to_have_count(1)
    expect(page.locator(".elsewhere")).to_have_count(0)
    assert _owned(hall, game) == {2, 3}


def test_keys_go_on_where_they_were(opened: Callable[..., Page], hall: Hall) -> None:
    """After a picture is given away the next one has the focus; after Escape the same one."""
    game = hall.game(State.OPEN, players=PLAYERS)
    for number in (1, 2, 3, 4):
        _photographed(hall, game, number)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga", viewport={"width": 320, "height": 800})
    expect(page.locator(".shot-open")).to_have_count(4)
    ids = page.locator("[data-photo]").evaluate_all("all => all.map(one => one.dataset.photo)")
    shots = [page.locator(f"[data-photo='{one}'] .shot-open") for one in ids]
    shots[0].focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("5")
    expect(page.get_by_label("Envelope number")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-group=envelope-5] .shot")).to_have_count(1)
    expect(shots[2]).to_be_focused()
    page.keyboard.press("i")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.press("Escape")
    expect(shots[2]).to_be_focused()
    page.keyboard.press("End")
    expect(shots[1]).to_be_focused()
    page.keyboard.press("Home")
    expect(shots[0]).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(shots[0]).not_to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(shots[0]).to_be_focused()


def test_several_pictures_at_once_are_set_aside_and_deleted(opened: Callable[..., Page], hall: Hall) -> None:
    """Chosen together, one act for all; what is deleted is gone, what is set aside stays to be looked at."""
    game = hall.game(State.OPEN, players=PLAYERS)
    for number in (1, 2, 3):
        _photographed(hall, game, number)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    for number in (1, 2):
        page.get_by_role("checkbox", name=f"Choose IMG_{number}.jpg").check()
    page.get_by_role("button", name="Set aside", exact=True).click()
    page.get_by_role("button", name="Set 2 pictures aside").click()
    expect(page.locator("[data-group=aside] .shot")).to_have_count(2)
    page.get_by_role("checkbox", name="Choose IMG_3.jpg").check()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete 1 picture for good").click()
    expect(page.locator("[data-group=nobody]")).to_have_count(0)
    assert _owned(hall, game) == set()


def test_what_somebody_else_gave_is_not_given_again_unawares(opened: Callable[..., Page], hall: Hall) -> None:
    """The page has old news: the picture got an owner meanwhile. It is told, and nothing is overwritten."""
    game = hall.game(State.OPEN, players=PLAYERS)
    _photographed(hall, game, 2)
    olga = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    olga.get_by_role("button", name="Open IMG_2.jpg").wait_for()
    olga.route(f"**/games/{game}/photos?*", lambda route: route.abort())
    boris = opened(f"/desk/games/{game}/pictures", organiser="Boris")
    for page, number in ((boris, "2"), (olga, "3")):
        page.get_by_role("button", name="Open IMG_2.jpg").focus()
        page.keyboard.press(number)
        page.keyboard.press("Enter")
        if page is boris:
            page.get_by_text("1 picture given to envelope 2").wait_for()
    olga.get_by_text("Somebody was faster").wait_for()
    assert _owned(hall, game) == {2}


def test_a_picture_with_two_labels_is_parted_where_it_is_looked_at(opened: Callable[..., Page], hall: Hall) -> None:
    """Opened, it shows what may be decided and what is doubtful; the decision can be taken back there."""
    game = hall.game(State.OPEN, players=PLAYERS)
    _photographed(hall, game, 1, 1, 2)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("button", name="Open IMG_1.jpg").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="All cards belong to envelope 2").click()
    assert problems(page) == []
    dialog.get_by_role("button", name="Decide", exact=True).click()
    dialog.get_by_text("Belongs to envelope 2").wait_for()
    assert _owned(hall, game) == {2}
    dialog.get_by_role("button", name="Take back").click()
    dialog.get_by_text("Without an envelope").wait_for()
    assert _owned(hall, game) == set()


def test_missing_envelopes_are_called_absent_together(opened: Callable[..., Page], hall: Hall) -> None:
    """Once the game is closed all that nobody has seen are chosen and settled with one reason."""
    game = hall.game(State.CLOSED, players=PLAYERS)
    _photographed(hall, game, 1, 1)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("heading", name="5 envelopes not seen yet").wait_for()
    page.get_by_role("link", name="Envelopes 5 envelopes missing").wait_for()
    page.get_by_role("button", name="Choose all").click()
    page.get_by_role("button", name="Not handed in: 5").click()
    expect(page.locator(".missing")).to_have_count(0)
    page.get_by_role("link", name="Envelopes", exact=True).wait_for()
    assert {hand.exclusion for number, hand in whole(hall, game).hands.items() if number != 1} == {"absent"}


def test_the_open_point_about_envelopes_never_seen_leads_to_them(opened: Callable[..., Page], hall: Hall) -> None:
    """From the overview as from the address itself: they are in view, and keys go on there."""
    game = hall.game(State.CLOSED, players=40)
    page = opened(f"/desk/games/{game}/overview", organiser="Olga", viewport=PHONE)
    point = page.get_by_role("link", name="40 envelopes never seen")
    point.focus()
    page.keyboard.press("Enter")
    for _ in range(2):
        title = page.get_by_role("heading", name="40 envelopes not seen yet")
        expect(page.locator("#missing summary")).to_be_focused()
        expect(title).to_be_in_viewport()
        assert title.evaluate("title => title.getBoundingClientRect().top") < PHONE["height"] / 3
        page.goto("about:blank")
        page.goto(f"/desk/games/{game}/pictures#missing")


def test_those_handed_in_by_phone_and_never_seen_are_decided_in_the_queue(
    opened: Callable[..., Page], hall: Hall
) -> None:
    """There their lists can be trusted, too: the open point leads to doubts of that kind alone."""
    game = hall.game(State.CLOSED, players=2)
    with hall.context.database.writing() as session:
        seat = session.get_one(Envelope, (game, 1))
        seat.submitted_at, seat.submitted_cards = seat.opened, dealt(hall.context, game, 1)
    page = opened(f"/desk/games/{game}/overview", organiser="Olga")
    page.get_by_role("link", name="1 handed in by phone, but never seen").click()
    page.get_by_text("The player of envelope 1 handed in by phone").first.wait_for()
    assert "/queue" in page.url
    assert page.url.endswith("?kind=unseen")


def test_a_row_of_absences_that_stops_says_how_far_it_came(opened: Callable[..., Page], hall: Hall) -> None:
    """The rest stays chosen, so that one press goes on."""
    game = hall.game(State.CLOSED, players=PLAYERS)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("button", name="Choose all").click()
    rulings = "**/ruling"
    left = iter((True, True))
    page.route(rulings, lambda route: route.continue_() if next(left, False) else route.abort())
    page.get_by_role("button", name="Not handed in: 6").click()
    page.get_by_text("2 envelopes called absent.").wait_for()
    page.get_by_role("heading", name="4 envelopes not seen yet").wait_for()
    page.unroute(rulings)
    page.get_by_role("button", name="Not handed in: 4").click()
    expect(page.locator(".missing")).to_have_count(0)


def test_the_numbers_on_the_tabs_are_asked_for_once(opened: Callable[..., Page], hall: Hall) -> None:
    """They cost the server much, so the start of the live connection does not have them asked for again.

    The page's clock goes in small steps, so that the connection is there in time on the slowest machine.
    """
    game = hall.game(State.CLOSED, players=PLAYERS)
    _photographed(hall, game, 2)
    page = opened("about:blank", organiser="Olga")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    page.goto(f"/desk/games/{game}/pictures")
    for _ in range(2000):
        page.clock.run_for(20)
        # That the game is asked for again is the work of the connection's start.
        if page.locator(".tab-count").count() and sum(url.endswith(f"/games/{game}") for url in asked) >= 2:
            break
    page.clock.run_for(3000)
    page.evaluate("fetch('/api/v1/session')")
    assert asked[-1].endswith("/session")
    parts = ("/queue?limit=1", "/photos?limit=0")
    assert [sum(url.endswith(part) for url in asked) for part in parts] == [1, 1]


@pytest.mark.parametrize("width", [320, 2560])
def test_pictures_fit_every_width(opened: Callable[..., Page], hall: Hall, width: int) -> None:
    """Nothing is wider than the screen, also while something is chosen."""
    game = hall.game(State.CLOSED, players=PLAYERS)
    _photographed(hall, game, 1, 1, name="a_very_long_name_of_a_picture_without_any_space_in_it.jpg")
    _photographed(hall, game, 2)
    page = opened(
        f"/desk/games/{game}/pictures", organiser="Olga", locale="de", viewport={"width": width, "height": 700}
    )
    page.get_by_role("checkbox", name="IMG_2.jpg wählen").check()
    page.get_by_role("button", name="Einem Umschlag geben").click()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_rules_to_cancel_are_asked_by_keyboard(opened: Callable[..., Page], hall: Hall) -> None:
    """The form of the envelope whose card cancels: choose by Space, Enter; then everything is answered."""
    game = hall.game(State.CLOSED, edition="tarot-fr", players=4)
    with hall.context.database.writing() as session:
        for kind, envelope in (("rule-11", 1), ("rule-1", 2), ("rule-10", 2)):
            session.add(Card(game=game, kind=kind, copy=900, envelope=envelope, run=1, lost=None))
    add_photo(hall.context, game, reading(["rule-11-900"], [1]))
    add_photo(hall.context, game, reading(["rule-1-900", "rule-10-900"], [2]))
    page = opened(f"/desk/games/{game}/queue/questions", organiser="Olga")
    page.get_by_text("0 of 1 answered").wait_for()
    boxes = page.locator(".cancels input[type=checkbox]")
    expect(boxes.first).to_be_focused()
    assert problems(page) == []
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_text("1 of 1 answered").wait_for()
    page.get_by_role("heading", name="Everything is answered").wait_for()


def test_pictures_that_nobody_reads_are_told_of(opened: Callable[..., Page], hall: Hall) -> None:
    """An organiser who waits for pictures that no process reads learns what to do; it goes when somebody does."""
    game = hall.game(State.OPEN, players=PLAYERS)
    _photographed(hall, game, 1, 1)
    page = opened("/desk", organiser="Olga")
    readers = [0, 2]

    def tell(route: Route) -> None:
        told = route.fetch().json()
        told["states"] |= {"waiting": 3}
        route.fulfill(json=told | {"readers": readers[0]})

    page.route(f"**/games/{game}/photos?*", tell)
    page.goto(f"{hall.server.url}/desk/games/{game}/pictures")
    expect(page.get_by_text("Nobody reads pictures just now")).to_be_visible()
    assert problems(page) == []
    readers.pop(0)
    page.reload()
    expect(page.get_by_text("1 of 4 read")).to_be_visible()
    expect(page.get_by_text("Nobody reads pictures just now")).to_have_count(0)


@pytest.mark.parametrize("part", ["", "/pictures"])
def test_players_pictures_that_nobody_reads_are_told_of(opened: Callable[..., Page], hall: Hall, part: str) -> None:
    """Also where organisers have sent none, at the pictures and on the overview; it goes when somebody reads."""
    game = hall.game(State.OPEN, players=PLAYERS)
    page = opened("/desk", organiser="Olga")
    stands = [{"readers": 0, "of_players": 3}, {"readers": 2, "of_players": 3}]

    def tell(route: Route) -> None:
        told = route.fetch().json() | stands[0]
        told["states"] |= {"waiting": told["readers"]}
        route.fulfill(json=told)

    page.route(f"**/games/{game}/photos?*", tell)
    page.goto(f"{hall.server.url}/desk/games/{game}{part}")
    expect(page.get_by_text("Nobody reads pictures just now")).to_be_visible()
    assert problems(page) == []
    stands.pop(0)
    page.reload()
    expect(page.locator(".tab-count", has_text="2 pictures being read")).to_be_visible()
    expect(page.get_by_text("Nobody reads pictures just now")).to_have_count(0)
