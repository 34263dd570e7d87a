"""From a heap of photographs to an empty queue, at the organisers' desk."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import cv2
import numpy as np
from playwright.sync_api import expect
from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.payload import short_code
from devtools.photo_simulator.cards import printed_faces, printed_label
from devtools.photo_simulator.photograph import photograph
from server.db.models import Card, Envelope, ReviewDecision
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.lifecycle.states import State
from server.games.uploaded_editions import CheckedEdition, add_version
from tests.context import ORGANISER
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.web.axe import problems
from tests.web.pages.conftest import SCENE
from tests.web.pages.organiser_steps import Keys, button, hands, whole
from tests.web.steps import file, scrolls_sideways

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from tests.web.pages.conftest import Hall
    from tests.web.pages.organiser_steps import Opened


def _named(card: str) -> CardId:
    """Return a card by its name."""
    kind, _, copy = card.rpartition("-")
    return CardId(kind, int(copy))


def _typed(hall: Hall, game: str, card: str) -> str:
    """Return the short code on a card."""
    with hall.context.database.reading() as session:
        return short_code(printed_game_of(load_game(session, game)), _named(card))


def _item(page: Page, kind: str) -> None:
    """Wait until an item of this kind is looked at."""
    page.locator(f".item[data-kind={kind}][data-standing=open]").wait_for()


def _covered(hall: Hall, game: str, cards: Sequence[str], label: int, hidden: str) -> bytes:
    """Photograph cards with a label while something lies across the codes of one of them; a JPEG."""
    with hall.context.database.reading() as session:
        printed = printed_game_of(load_game(session, game))
    faces = printed_faces(printed, [_named(card) for card in cards], 200)
    taken = photograph(faces, SCENE, f"covered/{label}", [printed_label(printed, label)])
    image = cv2.imdecode(np.frombuffer(taken.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    for code in taken.truth[list(cards).index(hidden)].codes:
        a, b, c, d = np.array(code.quad)
        strip = [a + 0.35 * (d - a), b + 0.35 * (c - b), b + 0.8 * (c - b), a + 0.8 * (d - a)]
        cv2.fillConvexPoly(image, np.array(strip, np.int32), (90, 110, 150))
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())


def test_a_heap_of_pictures_is_settled_by_keyboard_alone(opened: Opened, hall: Hall) -> None:  # noqa: PLR0915 - a long walk
    """Real pictures of four envelopes: one without label, a card in two decks, a covered card; two are missing.

    A doubt shows its place beside the whole picture with all outlines. In the end each card lies where it was dealt;
    the last decision is taken back by a key, and taken again.
    """
    game = hall.game(State.CLOSED, players=6)
    cards = {number: dealt(hall.context, game, number)[:8] for number in range(1, 5)}
    twice, hidden = cards[1][0], cards[4][2]
    pictures = {
        "IMG_2.jpg": hall.picture(game, cards[1][:4], 1),
        "IMG_3.jpg": hall.picture(game, cards[1][4:], 1),
        "IMG_4.jpg": hall.picture(game, cards[2][:4], 2),
        "IMG_5.jpg": hall.picture(game, cards[2][4:]),
        "IMG_6.jpg": hall.picture(game, [*cards[3], twice], 3),
        "IMG_8.jpg": _covered(hall, game, cards[4], 4, hidden),
    }
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_text("No pictures yet").wait_for()
    keys = Keys(page)
    with page.expect_file_chooser() as chooser:
        keys.press(button(page, "Choose a folder"), "Space")
    assert chooser.value.element.get_attribute("webkitdirectory") is not None
    with page.expect_file_chooser() as chooser:
        keys.press(button(page, "Choose pictures"))
    chooser.value.set_files([file(data, name) for name, data in pictures.items()])
    page.get_by_role("heading", name="All 6 read", exact=True).wait_for()
    expect(page.locator(".group").first).to_have_attribute("data-group", "nobody")
    expect(page.locator(".group-nobody .shot")).to_have_count(1)
    expect(page.locator("[data-group=envelope-1] .shot")).to_have_count(2)
    assert problems(page) == []

    page.keyboard.press("g")
    page.keyboard.press("d")
    _item(page, "no-label")
    page.keyboard.press("j")
    _item(page, "doubt")
    page.locator(".crop .picture-shown").wait_for()
    page.locator(".whole .picture-shown").wait_for()
    expect(page.locator(".whole .outlines .seen")).to_have_count(len(cards[4]) - 1)
    # The question, both pictures and the answers are on the screen.
    for part in (".item-title", ".crop img", ".whole-frame", ".options"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator(".mark-strong")).to_have_count(1)
    assert problems(page) == []
    page.keyboard.press("z")
    page.locator("dialog.viewer[open]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.viewer[open]")).to_have_count(0)
    page.keyboard.press("k")

    for settled, kind in enumerate(("no-label", "doubt", "two-decks", "missing")):
        expect(page.locator(".settled-count")).to_contain_text(f"{settled} of")
        _item(page, kind)
        page.keyboard.press("1")
        if kind == "doubt":
            page.get_by_label("Short code").wait_for()
            code = _typed(hall, game, hidden)
            page.keyboard.type(code[:-1] + ("2" if code[-1] == "3" else "3"))
            page.get_by_text("One character is wrong").wait_for()
            page.keyboard.press("Backspace")
            page.keyboard.type(code[-1])
            page.locator(".code-result .card-chip").wait_for()
        else:
            expect(page.get_by_label("Reason")).to_be_focused()
        if kind == "two-decks":
            expect(page.locator(".whole .picture-shown")).to_have_count(2)
        # Both missing envelopes at once.
        page.keyboard.press("Shift+Enter" if kind == "missing" else "Enter")
    page.get_by_role("heading", name="All settled").wait_for()
    assert {number: set(own) for number, own in cards.items()} == hands(hall, game)
    expect(page.get_by_text("5 of 5 settled")).to_be_visible()

    page.keyboard.press("u")
    _item(page, "missing")
    expect(page.locator(".item-title")).to_be_focused()
    page.keyboard.press("1")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("Left before the end.")
    page.keyboard.press("Shift+Enter")
    page.get_by_role("heading", name="All settled").wait_for()
    reasons = {one.record.reason for one in whole(hall, game).issues if one.record}
    assert "Left before the end." in reasons
    assert problems(page) == []


def test_two_organisers_decide_doubts(opened: Opened, hall: Hall) -> None:
    """Another organiser's decision shows at once, and nothing typed is lost; without live events the server refuses.

    Under Decided stands who decided what and why; taken back, it is open again.
    """
    game = hall.game(State.OPEN, players=8)
    for number in (1, 2, 3):
        found = reading(dealt(hall.context, game, number))
        add_photo(hall.context, game, found, image_deleted_at=hall.context.clock())
    olga, boris = (opened(f"/desk/games/{game}/queue", organiser=name) for name in ("Olga", "Boris"))
    for page in (olga, boris):
        _item(page, "no-label")
        page.keyboard.press("1")
    number, reason = olga.get_by_label("Envelope number"), olga.get_by_label("Reason")
    number.fill("3")
    boris.get_by_label("Envelope number").fill("1")
    boris.get_by_label("Envelope number").press("Enter")
    expect(boris.get_by_text("1 of 3 settled")).to_be_visible()
    olga.get_by_text("Boris has just decided this.").wait_for()
    expect(number).to_have_value("3")
    expect(olga.get_by_text("All cards belong to envelope 1")).to_be_visible()
    assert set(hands(hall, game)) == {1}

    olga.goto(f"/desk/games/{game}/queue")
    _item(olga, "no-label")
    olga.route(f"**/games/{game}/queue?*", lambda route: route.abort())
    boris.keyboard.press("1")
    boris.get_by_label("Envelope number").fill("2")
    boris.get_by_label("Envelope number").press("Enter")
    expect(boris.get_by_text("2 of 3 settled")).to_be_visible()
    olga.keyboard.press("1")
    number.fill("4")
    reason.fill("I have it in my hand.")
    olga.unroute(f"**/games/{game}/queue?*")
    button(olga, "Decide").click()
    olga.get_by_text("Somebody was faster").wait_for()
    expect(reason).to_have_value("I have it in my hand.")
    olga.get_by_text("Boris has just decided this.").wait_for()
    button(olga, "Decide").click()
    _item(olga, "no-label")
    assert set(hands(hall, game)) == {1, 4}

    olga.keyboard.press("2")
    reason.fill("Another picture shows it.")
    reason.press("Enter")
    olga.get_by_role("heading", name="All settled").wait_for()
    olga.get_by_label("Which doubts").select_option("Decided (3)")
    olga.locator(".decided").get_by_text("Boris,").wait_for()
    olga.keyboard.press("k")
    olga.locator(".decided").get_by_text("Olga,").wait_for()
    expect(olga.locator(".decided q")).to_have_text("Another picture shows it.")
    button(olga, "Take back").click()
    _item(olga, "no-label")


def test_a_strange_code_and_a_pile_for_two_on_a_phone(opened: Opened, hall: Hall) -> None:
    """By touch on a small phone, in German: piles are given to two envelopes, a poster's code is only noticed.

    A card that was taken for one of the other pile is moved.
    """
    game = hall.game(State.OPEN, players=2)
    own = [*dealt(hall.context, game, 1)[:2], *dealt(hall.context, game, 2)[:2]]
    found = reading(own, strangers=[("foreign", "https://example.org/poster")])
    piles = tuple(found.scanned_piles[0].model_copy(update={"cards": cards}) for cards in ((0, 1), (2, 3)))
    add_photo(
        hall.context, game, found.model_copy(update={"scanned_piles": piles}), image_deleted_at=hall.context.clock()
    )
    phone = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "locale": "de-DE"}
    page = opened(f"/desk/games/{game}/queue", organiser="Olga", **phone)
    _item(page, "no-label")
    expect(page.get_by_text("0 von 1 geklärt")).to_be_visible()
    assert not scrolls_sideways(page)
    page.locator(".pile-mark").nth(2).press("Enter")
    expect(page.locator(".pile-mark[data-pile='1']")).to_have_count(3)
    page.get_by_role("textbox", name="Stapel 1").fill("1")
    page.get_by_role("textbox", name="Stapel 2").fill("2")
    page.get_by_role("button", name="Entscheiden").tap()
    page.get_by_role("heading", name="Alles geklärt").wait_for()
    expect(page.get_by_text("3 von 3 geklärt")).to_be_visible()
    page.get_by_label("Welche Zweifel").select_option("Hinweise (1)")
    page.locator(".item[data-kind=foreign][data-standing=settled]").wait_for()
    page.get_by_text("https://example.org/poster").first.wait_for()
    page.get_by_text("Nichts zu entscheiden").wait_for()
    assert hands(hall, game) == {1: set(own[:3]), 2: set(own[3:])}


def test_cards_are_entered_by_hand_code_after_code(opened: Opened, hall: Hall) -> None:
    """A whole envelope without a picture: the number once, then code after code; each can be taken back."""
    game = hall.game(State.OPEN, players=3)
    own = dealt(hall.context, game, 3)[:3]
    page = opened(f"/desk/games/{game}/queue/by-hand", organiser="Olga")
    page.get_by_label("Envelope number").fill("3")
    page.get_by_label("Envelope number").press("Tab")
    for number, card in enumerate(own, start=1):
        page.keyboard.type(_typed(hall, game, card).lower())
        page.locator(".code-result .card-chip").wait_for()
        page.keyboard.press("Enter")
        expect(page.locator(".by-hand .row")).to_have_count(number)
    assert hands(hall, game)[3] == set(own)
    assert problems(page) == []
    # Whoever hears the buttons alone knows which card each is about.
    assert len(set(page.locator(".by-hand .row button").all_inner_texts())) == len(own)
    page.locator(".by-hand .row").first.get_by_role("button", name="Take back").click()
    expect(page.locator(".by-hand .row")).to_have_count(2)


def test_a_list_that_differs_is_made_right(opened: Opened, hall: Hall) -> None:
    """A card of a player's own list that was not seen is added by one press; a key makes the whole list count.

    Cards that were overlooked leave no trace: their number, typed beside the picture, makes a doubt.
    """
    game = hall.game(State.CLOSED, players=3)
    own = {number: dealt(hall.context, game, number) for number in (1, 2, 3)}
    with hall.context.database.writing() as session:
        for number, claim in ((1, own[1]), (2, own[2][1:])):
            row = session.get_one(Envelope, (game, number))
            row.submitted_cards, row.submitted_at = claim, hall.context.clock() - timedelta(hours=1)
    for number, seen in ((1, own[1][1:]), (2, own[2]), (3, own[3][2:])):
        add_photo(hall.context, game, reading(seen, [number]), image_deleted_at=hall.context.clock())
    page = opened(f"/desk/games/{game}/queue", organiser="Olga")
    _item(page, "count")
    page.get_by_role("button", name="Add by hand").click()
    page.get_by_role("heading", name="This doubt is gone").wait_for()
    page.get_by_role("button", name="Next open doubt").click()
    _item(page, "count")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="All settled").wait_for()
    assert hands(hall, game) == {1: set(own[1]), 2: set(own[2][1:]), 3: set(own[3][2:])}

    page.goto(f"/desk/games/{game}/pictures")
    group = page.locator("[data-group=envelope-3]")
    group.get_by_label("Cards counted by hand").fill(str(len(own[3])))
    page.keyboard.press("Enter")
    group.locator(".counted .icon").wait_for()
    assert problems(page) == []
    page.goto(f"/desk/games/{game}/queue")
    _item(page, "count")
    told = f"{len(own[3]) - 2} cards seen, {len(own[3])} counted by hand."
    expect(page.get_by_role("heading", name=told)).to_be_visible()
    expect(page.locator(".whole .outlines .seen")).to_have_count(len(own[3]) - 2)
    assert problems(page) == []
    page.keyboard.press("1")
    page.get_by_role("heading", name="All settled").wait_for()
    page.keyboard.press("u")
    _item(page, "count")
    for card, told in ((own[3][0], f"{len(own[3]) - 1} cards seen"), (own[3][1], "This doubt is gone")):
        page.get_by_label("Short code on the card").fill(_typed(hall, game, card))
        page.get_by_role("button", name="Add by hand").click()
        page.get_by_role("heading", name=told).wait_for()
    assert hands(hall, game)[3] == set(own[3])


def test_a_double_click_or_a_held_key_decides_one_issue(opened: Opened, hall: Hall) -> None:
    """The next issue is shown at once, and nobody has looked at it yet."""
    game = hall.game(State.CLOSED, players=3, expect_dealt=True)
    for number in (1, 2, 3):
        seen = dealt(hall.context, game, number)[1:]
        add_photo(hall.context, game, reading(seen, [number]), image_deleted_at=hall.context.clock())

    def decided() -> int:
        with hall.context.database.reading() as session:
            return len(session.scalars(select(ReviewDecision).where(ReviewDecision.game == game)).all())

    page = opened(f"/desk/games/{game}/queue", organiser="Olga")
    _item(page, "count")
    page.locator(".item-choices button").first.dblclick()
    expect(page.locator(".settled-count")).to_contain_text("1 of 3")
    page.wait_for_timeout(500)
    assert decided() == 1
    for _ in range(8):
        page.keyboard.down("1")
        page.wait_for_timeout(100)
    page.keyboard.up("1")
    expect(page.locator(".settled-count")).to_contain_text("2 of 3")
    assert decided() == 2


def test_a_doubt_that_the_decision_before_settles_is_passed_over(opened: Opened, hall: Hall) -> None:
    """The photo without a label is that of the missing envelope, about which nobody is asked any more."""
    game = hall.game(State.CLOSED, players=3)
    for number, labels in ((1, [1]), (2, [2]), (3, [])):
        seen = dealt(hall.context, game, number)
        add_photo(hall.context, game, reading(seen, labels), image_deleted_at=hall.context.clock())
    page = opened(f"/desk/games/{game}/queue", organiser="Olga")
    _item(page, "no-label")
    expect(page.locator(".settled-count")).to_contain_text("0 of 2")
    page.keyboard.press("1")
    page.get_by_label("Envelope number").fill("3")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="All settled").wait_for()


def test_rules_to_cancel_are_asked_by_keyboard(opened: Opened, hall: Hall) -> None:
    """The form of the envelope whose card cancels: choose by Space, Enter; then everything is answered."""
    game = hall.game(State.CLOSED, edition="tarot-fr", players=4)
    with hall.context.database.writing() as session:
        for kind, envelope in (("rule-11", 1), ("rule-1", 2), ("rule-10", 2)):
            session.add(Card(game=game, kind=kind, copy=900, envelope=envelope, run=1, lost=None))
    add_photo(hall.context, game, reading(["rule-11-900"], [1]))
    add_photo(hall.context, game, reading(["rule-1-900", "rule-10-900"], [2]))
    page = opened(f"/desk/games/{game}/queue/questions", organiser="Olga")
    page.get_by_text("0 of 1 answered").wait_for()
    expect(page.locator(".cancels input[type=checkbox]").first).to_be_focused()
    assert problems(page) == []
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_text("1 of 1 answered").wait_for()
    page.get_by_role("heading", name="Everything is answered").wait_for()


def test_another_player_is_picked_from_a_list(opened: Opened, hall: Hall) -> None:
    toml = (
        'slug = "lantern"\nextends = "eurocg-2026"\ntitle.en = "Lantern"\n'
        '[[facts]]\nname = "friend"\nlabel.en = "Sworn friend"\ntype = "player"\n'
    )
    with hall.context.database.writing() as session:
        checked = CheckedEdition("lantern", "Lantern", {"edition.toml": toml}, ())
        add_version(session, checked, ORGANISER, hall.context.clock())
    game = hall.game(State.CLOSED, edition="lantern", players=4)
    add_photo(hall.context, game, reading(["red-001"], [1]))
    add_photo(hall.context, game, reading(["red-002"], [2]))
    page = opened(f"/desk/games/{game}/queue/questions", organiser="Olga")
    page.get_by_text("0 of 2 answered").wait_for()
    assert problems(page) == []
    for number, answer in enumerate(("Envelope 2", "Nobody"), 1):
        page.get_by_label("Sworn friend").select_option(answer)
        page.get_by_role("button", name="Save the answers").click()
        page.get_by_text(f"{number} of 2 answered").wait_for()
    with hall.context.database.reading() as session:
        facts = [session.get_one(Envelope, (game, number)).facts for number in (1, 2)]
    assert facts == [{"friend": 2}, {"friend": 0}]
    with hall.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).facts = {"friend": 3}
    page.reload()
    page.get_by_role("button", name="Envelope 1").click()
    expect(page.get_by_label("Sworn friend")).to_have_value("3")  # whose hand does not count
