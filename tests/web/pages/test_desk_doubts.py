"""From a heap of photographs to an empty queue, at the organisers' desk."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from cardgen.payload import short_code
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.lifecycle.states import State
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.web.axe import problems
from tests.web.pages.desk_pictures import all_read, choose, covered, fanned, hands, item, jpegs, named, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.conftest import Hall

PLAYERS = 8


def _typed(hall: Hall, game: str, card: str) -> str:
    """Return the short code on a card."""
    with hall.context.database.reading() as session:
        return short_code(printed_game_of(load_game(session, game)), named(card))


def _loose(hall: Hall, pictures: int = 1, **draft: object) -> str:
    """Make a game in which so many envelopes were photographed without their labels."""
    game = hall.game(State.OPEN, players=PLAYERS, **draft)
    for number in range(1, pictures + 1):
        add_photo(
            hall.context,
            game,
            reading(dealt(hall.context, game, number)),
            batch="b",
            place=number,
            image_deleted_at=hall.context.clock(),
        )
    return game


def test_a_heap_of_pictures_is_settled_by_keyboard_alone(opened: Callable[..., Page], hall: Hall) -> None:
    """Twelve real pictures of six envelopes: one without label, a card in two decks, a covered card, two are missing.

    In the end each card lies where it was dealt; the last decision is taken back by a key, and taken again.
    """
    game = hall.game(State.CLOSED, players=PLAYERS)
    cards = {number: dealt(hall.context, game, number) for number in range(1, 7)}
    twice, hidden = cards[1][0], cards[4][2]
    taken = {}
    for number, own in cards.items():
        first, second = own[: len(own) // 2], own[len(own) // 2 :]
        more = [twice] if number == 3 else []
        taken[f"IMG_{2 * number}.jpg"] = (
            covered(hall, game, first, 4, hidden) if number == 4 else hall.picture(game, first + more, number)
        )
        taken[f"IMG_{2 * number + 1}.jpg"] = hall.picture(game, second, None if number == 2 else number)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.on("filechooser", lambda dialog: dialog.set_files(jpegs(taken)))
    page.get_by_text("No picture has come in yet").wait_for()
    page.get_by_role("button", name="Choose pictures").focus()
    page.keyboard.press("Enter")
    all_read(page, len(taken))
    expect(page.locator(".group").first).to_have_attribute("data-group", "nobody")
    expect(page.locator(".group-nobody .shot")).to_have_count(1)
    expect(page.locator("[data-group=envelope-1] .shot")).to_have_count(2)

    page.keyboard.press("g")
    page.keyboard.press("d")
    for settled, kind in enumerate(("no-label", "doubt", "two-decks", "missing", "missing")):
        expect(page.locator(".settled-count")).to_contain_text(f"{settled} of")
        item(page, kind)
        page.keyboard.press("1")
        if kind == "doubt":
            page.get_by_label("Short code").wait_for()
            code = _typed(hall, game, hidden)
            page.keyboard.type(code[:-1] + ("2" if code[-1] == "3" else "3"))
            page.get_by_text("One character is wrong").wait_for()
            page.keyboard.press("Backspace")
            page.keyboard.type(code[-1])
            page.locator(".code-told .card-chip").wait_for()
        else:
            expect(page.get_by_label("Reason")).to_be_focused()
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="Nothing is doubtful").wait_for()
    assert {number: set(own) for number, own in cards.items()} == hands(hall, game)
    expect(page.get_by_text("5 of 5 settled")).to_be_visible()

    page.keyboard.press("u")
    item(page, "missing")
    expect(page.locator(".item-title")).to_be_focused()
    page.keyboard.press("1")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("Left before the end.")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Nothing is doubtful").wait_for()
    reasons = {one.record.reason for one in whole(hall, game).issues if one.record}
    assert "Left before the end." in reasons
    assert problems(page) == []


def test_the_next_picture_comes_up_with_its_place_cut_out(opened: Callable[..., Page], hall: Hall) -> None:
    """A doubt shows the place beside the whole picture with all outlines; j and k go on and back, z looks closer."""
    game = hall.game(State.OPEN, players=PLAYERS)
    own = dealt(hall.context, game, 4)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    choose(
        page,
        jpegs(
            {"a.jpg": covered(hall, game, own, 4, own[1]), "b.jpg": hall.picture(game, dealt(hall.context, game, 5))}
        ),
    )
    all_read(page, 2)
    assert problems(page) == []
    page.goto(f"/desk/games/{game}/queue")
    item(page, "no-label")
    page.keyboard.press("j")
    item(page, "doubt")
    page.locator(".crop .picture-shown").wait_for()
    page.locator(".whole .picture-shown").wait_for()
    expect(page.locator(".whole .outlines .seen")).to_have_count(len(own) - 1)
    # Beside a cut-out the picture is small: what leads to a closer look leaves its cards in view.
    frame, glass = page.locator(".whole-frame").bounding_box(), page.locator(".whole-closer").bounding_box()
    assert frame is not None
    assert glass is not None
    assert frame["width"] < 480
    assert glass["width"] <= 0.2 * frame["width"]
    expect(page.locator(".mark-strong")).to_have_count(1)
    assert problems(page) == []
    page.keyboard.press("z")
    page.locator("dialog.closer[open]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.closer[open]")).to_have_count(0)
    page.keyboard.press("k")
    item(page, "no-label")


def test_what_somebody_else_decides_is_seen_at_once(opened: Callable[..., Page], hall: Hall) -> None:
    """Both look at the same doubt. One decides; the other is told who did, and keeps what was typed."""
    game = _loose(hall, 2)
    olga = opened(f"/desk/games/{game}/queue", organiser="Olga")
    boris = opened(f"/desk/games/{game}/queue", organiser="Boris")
    for page in (olga, boris):
        item(page, "no-label")
    olga.keyboard.press("1")
    olga.get_by_label("Envelope number").fill("3")
    boris.keyboard.press("1")
    boris.get_by_label("Envelope number").fill("1")
    boris.get_by_label("Envelope number").press("Enter")
    expect(boris.get_by_text("1 of 2 settled")).to_be_visible()
    olga.get_by_text("Boris has just decided this.").wait_for()
    expect(olga.get_by_label("Envelope number")).to_have_value("3")
    expect(olga.get_by_text("All cards belong to envelope 1")).to_be_visible()
    assert [number for number, own in hands(hall, game).items() if own] == [1]


def test_who_is_slower_is_told_and_loses_nothing(opened: Callable[..., Page], hall: Hall) -> None:
    """Without live news the server refuses the second decision, and the form stays as it was filled in."""
    game = _loose(hall)
    olga = opened(f"/desk/games/{game}/queue", organiser="Olga")
    item(olga, "no-label")
    olga.route(f"**/games/{game}/queue?*", lambda route: route.abort())
    boris = opened(f"/desk/games/{game}/queue", organiser="Boris")
    item(boris, "no-label")
    boris.keyboard.press("1")
    boris.get_by_label("Envelope number").fill("1")
    boris.get_by_label("Envelope number").press("Enter")
    boris.get_by_role("heading", name="Nothing is doubtful").wait_for()
    olga.keyboard.press("1")
    olga.get_by_label("Envelope number").fill("2")
    olga.get_by_label("Reason").fill("I have it in my hand.")
    olga.unroute(f"**/games/{game}/queue?*")
    olga.get_by_role("button", name="Decide", exact=True).click()
    olga.get_by_text("Somebody was faster").wait_for()
    expect(olga.get_by_label("Reason")).to_have_value("I have it in my hand.")
    olga.get_by_text("Boris has just decided this.").wait_for()
    olga.get_by_role("button", name="Decide", exact=True).click()
    expect(olga.locator(".item")).to_have_count(0)
    assert [number for number, own in hands(hall, game).items() if own] == [2]


def test_decisions_are_listed_with_who_took_them_and_taken_back(opened: Callable[..., Page], hall: Hall) -> None:
    """Under Decided stands who decided what, when and why; taken back, it is open again."""
    game = _loose(hall)
    page = opened(f"/desk/games/{game}/queue", organiser="Olga")
    item(page, "no-label")
    page.keyboard.press("2")
    page.get_by_label("Reason").fill("Another picture shows it.")
    page.get_by_label("Reason").press("Enter")
    page.get_by_role("heading", name="Nothing is doubtful").wait_for()
    page.get_by_role("button", name="Decided 1").click()
    page.get_by_text("Olga,").wait_for()
    expect(page.locator(".decided q")).to_have_text("Another picture shows it.")
    page.get_by_role("button", name="Take back").click()
    item(page, "no-label")


def test_a_strange_code_and_a_pile_for_two_on_a_phone(opened: Callable[..., Page], hall: Hall) -> None:
    """By touch on a small phone, in German: piles are given to two envelopes, a poster's code is only noticed."""
    game = hall.game(State.OPEN, players=PLAYERS)
    own = [*dealt(hall.context, game, 1)[:2], *dealt(hall.context, game, 2)[:2]]
    found = reading(own, strangers=[("foreign", "https://example.org/poster")])
    pile = found.decks[0]
    parted = found.model_copy(
        update={"decks": (pile.model_copy(update={"cards": (0, 1)}), pile.model_copy(update={"cards": (2, 3)}))}
    )
    add_photo(hall.context, game, parted, image_deleted_at=hall.context.clock())
    page = opened(
        f"/desk/games/{game}/queue",
        organiser="Olga",
        locale="de-DE",
        viewport={"width": 320, "height": 640},
        has_touch=True,
    )
    item(page, "no-label")
    expect(page.get_by_text("0 von 1 geklärt")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("button", name="Jeder Stapel").tap()
    page.get_by_label("Stapel 1").fill("1")
    page.get_by_label("Stapel 2").fill("2")
    page.get_by_role("button", name="Entscheiden").tap()
    page.get_by_role("heading", name="Nichts ist zweifelhaft").wait_for()
    expect(page.get_by_text("1 von 1 geklärt")).to_be_visible()
    page.get_by_role("button", name="Hinweise 1").tap()
    page.locator(".item[data-kind=foreign][data-standing=settled]").wait_for()
    page.get_by_text("https://example.org/poster").first.wait_for()
    page.get_by_text("Hier gibt es nichts zu entscheiden").wait_for()
    assert {number: cards for number, cards in hands(hall, game).items() if cards} == {1: set(own[:2]), 2: set(own[2:])}


def test_cards_are_entered_by_hand_code_after_code(opened: Callable[..., Page], hall: Hall) -> None:
    """A whole envelope without a picture: the number once, then code after code; each can be taken back."""
    game = hall.game(State.OPEN, players=PLAYERS)
    own = dealt(hall.context, game, 3)[:3]
    page = opened(f"/desk/games/{game}/queue/by-hand", organiser="Olga")
    page.get_by_label("Envelope number").fill("3")
    page.get_by_label("Envelope number").press("Tab")
    for number, card in enumerate(own, start=1):
        page.keyboard.type(_typed(hall, game, card).lower())
        page.locator(".code-told .card-chip").wait_for()
        page.keyboard.press("Enter")
        expect(page.locator(".by-hand .row")).to_have_count(number)
    assert hands(hall, game)[3] == set(own)
    assert problems(page) == []
    # Whoever hears the buttons alone knows which card each is about.
    assert len(set(page.locator(".by-hand .row button").all_inner_texts())) == len(own)
    page.locator(".by-hand .row").first.get_by_role("button", name="Take back").click()
    expect(page.locator(".by-hand .row")).to_have_count(2)


@pytest.mark.parametrize("act", ["add", "remove"])
def test_a_list_that_differs_is_made_right_by_hand(opened: Callable[..., Page], hall: Hall, act: str) -> None:
    """A card of the player's own list that was not seen is added by one press, one too many removed; the item goes."""
    game = hall.game(State.CLOSED, players=1)
    own = dealt(hall.context, game, 1)
    claim, seen = (own, own[1:]) if act == "add" else (own[1:], own)
    _claim(hall, game, claim)
    add_photo(hall.context, game, reading(seen, [1]), image_deleted_at=hall.context.clock())
    page = opened(f"/desk/games/{game}/queue", organiser="Olga")
    item(page, "count")
    page.get_by_role("button", name="Add by hand" if act == "add" else "Remove by hand").click()
    page.get_by_role("heading", name="This doubt is gone").wait_for()
    assert hands(hall, game)[1] == set(claim)


def test_cards_that_were_overlooked_are_found_by_counting(opened: Callable[..., Page], hall: Hall) -> None:
    """Cards without a free code leave no trace. Their number, typed beside the picture, makes a doubt for one key."""
    game = hall.game(State.CLOSED, players=1)
    own = dealt(hall.context, game, 1)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    choose(page, jpegs({"fan.jpg": fanned(hall, game, own, 1)}))
    all_read(page, 1)
    missed = sorted(set(own) - hands(hall, game)[1])
    assert missed
    assert not whole(hall, game).open_issues
    page.get_by_label("Cards counted by hand").fill(str(len(own)))
    page.keyboard.press("Enter")
    page.locator(".counted .icon").wait_for()
    assert problems(page) == []

    page.goto(f"/desk/games/{game}/queue")
    item(page, "count")
    told = f"Envelope 1: {len(own) - len(missed)} cards seen, {len(own)} counted by hand."
    expect(page.get_by_role("heading", name=told)).to_be_visible()
    expect(page.locator(".whole .outlines .seen")).to_have_count(len(own) - len(missed))
    assert problems(page) == []
    page.keyboard.press("1")
    page.get_by_role("heading", name="Nothing is doubtful").wait_for()
    page.keyboard.press("u")
    item(page, "count")
    for left, card in reversed(list(enumerate(missed))):
        page.get_by_label("Short code on the card").fill(_typed(hall, game, card))
        page.get_by_role("button", name="Add by hand").click()
        told = f"{len(own) - left} cards seen" if left else "This doubt is gone"
        page.get_by_role("heading", name=told).wait_for()
    assert hands(hall, game)[1] == set(own)


def _claim(hall: Hall, game: str, cards: list[str]) -> None:
    from server.db.models import Envelope  # noqa: PLC0415

    with hall.context.database.writing() as session:
        seat = session.get_one(Envelope, (game, 1))
        seat.submitted_cards, seat.submitted_at = cards, hall.context.clock() - timedelta(hours=1)
