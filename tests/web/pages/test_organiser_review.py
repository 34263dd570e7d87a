"""The queue of doubts at the desk."""

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
from tests.web.axe import axe_problems
from tests.web.pages.conftest import SCENE
from tests.web.pages.organiser_steps import Keyboard, button, hands, reconciled
from tests.web.steps import file, open_path, scrolls_horizontally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page, Response

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage


def _card_id(card: str) -> CardId:
    """Return the id of a card."""
    kind, _, copy = card.rpartition("-")
    return CardId(kind, int(copy))


def _short_code(live_server: LiveServer, game: str, card: str) -> str:
    """Return the short code of a card."""
    with live_server.context.database.reading() as session:
        return short_code(printed_game_of(load_game(session, game)), _card_id(card))


def _wait_for_doubt(page: Page, kind: str) -> None:
    """Wait until a doubt of this kind is shown."""
    page.locator(f".item[data-kind={kind}][data-standing=open]").wait_for()


def _picture_with_covered_card(
    live_server: LiveServer, game: str, cards: Sequence[str], label: int, hidden: str
) -> bytes:
    """Return a JPEG of cards with a label in which the codes of one card are covered."""
    with live_server.context.database.reading() as session:
        printed = printed_game_of(load_game(session, game))
    faces = printed_faces(printed, [_card_id(card) for card in cards], 200)
    taken = photograph(faces, SCENE, f"covered/{label}", [printed_label(printed, label)])
    image = cv2.imdecode(np.frombuffer(taken.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    for code in taken.truth[list(cards).index(hidden)].codes:
        a, b, c, d = np.array(code.quad)
        strip = [a + 0.35 * (d - a), b + 0.35 * (c - b), b + 0.8 * (c - b), a + 0.8 * (d - a)]
        cv2.fillConvexPoly(image, np.array(strip, np.int32), (90, 110, 150))
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())


def test_all_doubts_of_a_batch_can_be_settled_by_keyboard_alone(open_page: OpenPage, live_server: LiveServer) -> None:  # noqa: PLR0915 - a long journey
    """Real pictures of four envelopes: one without a label, a card in two decks, a covered card; two are missing.

    A doubt shows its place beside the whole picture with all outlines. In the end each card is in the envelope that it
    was dealt to; the last decision is taken back by a key, and made again.
    """
    game = live_server.new_game(State.CLOSED, players=6)
    cards = {number: dealt(live_server.context, game, number)[:6] for number in range(1, 5)}
    twice, hidden = cards[1][0], cards[4][2]
    pictures = {
        "IMG_3.jpg": live_server.picture(game, cards[1], 1),
        "IMG_4.jpg": live_server.picture(game, cards[2][:3], 2),
        "IMG_5.jpg": live_server.picture(game, cards[2][3:]),
        "IMG_6.jpg": live_server.picture(game, [*cards[3], twice], 3),
        "IMG_8.jpg": _picture_with_covered_card(live_server, game, cards[4], 4, hidden),
    }
    page = open_page(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_text("No pictures yet").wait_for()
    keys = Keyboard(page)
    with page.expect_file_chooser() as chooser:
        keys.press(button(page, "Choose a folder"), "Space")
    assert chooser.value.element.get_attribute("webkitdirectory") is not None
    with page.expect_file_chooser() as chooser:
        keys.press(button(page, "Choose pictures"))
    chooser.value.set_files([file(data, name) for name, data in pictures.items()])
    page.get_by_role("heading", name="5 of 5 read", exact=True).wait_for()
    expect(page.locator(".group").first).to_have_attribute("data-group", "nobody")
    expect(page.locator("[data-group=nobody] .shot")).to_have_count(1)
    expect(page.locator("[data-group=envelope-1] .shot")).to_have_count(1)

    page.keyboard.press("g")
    page.keyboard.press("d")
    _wait_for_doubt(page, "no-label")
    page.keyboard.press("j")
    _wait_for_doubt(page, "doubt")
    page.locator(".crop .picture-shown").wait_for()
    page.locator(".whole .picture-shown").wait_for()
    expect(page.locator(".whole .outlines .seen")).to_have_count(len(cards[4]) - 1)
    # The question, both pictures and the answers are visible without scrolling.
    for part in (".item-title", ".crop img", ".whole-frame", ".options"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator(".mark-strong")).to_have_count(1)
    assert axe_problems(page) == []
    page.keyboard.press("z")
    page.locator("dialog.viewer[open]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.viewer[open]")).to_have_count(0)
    page.keyboard.press("k")

    for settled, kind in enumerate(("no-label", "doubt", "two-decks", "missing")):
        expect(page.locator(".settled-count")).to_contain_text(f"{settled} of")
        _wait_for_doubt(page, kind)
        page.keyboard.press("1")
        if kind == "doubt":
            page.get_by_label("Short code").wait_for()
            code = _short_code(live_server, game, hidden)
            page.keyboard.type(code[:-1] + ("2" if code[-1] == "3" else "3"))
            page.get_by_text("A character is wrong").wait_for()
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
    assert {number: set(own) for number, own in cards.items()} == hands(live_server, game)
    expect(page.get_by_text("5 of 5 settled")).to_be_visible()

    page.keyboard.press("u")
    _wait_for_doubt(page, "missing")
    expect(page.locator(".item-title")).to_be_focused()
    page.keyboard.press("1")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("Left before the end.")
    page.keyboard.press("Shift+Enter")
    page.get_by_role("heading", name="All settled").wait_for()
    reasons = {one.record.reason for one in reconciled(live_server, game).issues if one.record}
    assert "Left before the end." in reasons
    assert axe_problems(page) == []


def test_two_organisers_can_decide_doubts_at_the_same_time(open_page: OpenPage, live_server: LiveServer) -> None:
    """Another organiser's decision is shown at once and typed text is kept; without live events the server refuses.

    The list of decided doubts says who decided what and why; they can be taken back.
    """
    game = live_server.new_game(State.OPEN, players=8)
    for number in (1, 2, 3):
        found = reading(dealt(live_server.context, game, number))
        add_photo(live_server.context, game, found, image_deleted_at=live_server.context.clock())
    olga, boris = (open_page(f"/desk/games/{game}/queue", organiser=name) for name in ("Olga", "Boris"))
    for page in (olga, boris):
        _wait_for_doubt(page, "no-label")
        page.keyboard.press("1")
    number, reason = olga.get_by_label("Envelope number"), olga.get_by_label("Reason")
    number.fill("3")
    boris.get_by_label("Envelope number").fill("1")
    boris.get_by_label("Envelope number").press("Enter")
    expect(boris.get_by_text("1 of 3 settled")).to_be_visible()
    olga.get_by_text("Decided by Boris").wait_for()
    expect(number).to_have_value("3")
    expect(olga.get_by_text("All to envelope 1")).to_be_visible()
    assert set(hands(live_server, game)) == {1}

    olga.goto(f"/desk/games/{game}/queue")
    _wait_for_doubt(olga, "no-label")
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
    olga.get_by_text("This has changed in the meantime").wait_for()
    expect(reason).to_have_value("I have it in my hand.")
    olga.get_by_text("Decided by Boris").wait_for()
    button(olga, "Decide").click()
    _wait_for_doubt(olga, "no-label")
    assert set(hands(live_server, game)) == {1, 4}

    olga.keyboard.press("2")
    reason.fill("Another picture shows it.")
    reason.press("Enter")
    olga.get_by_role("heading", name="All settled").wait_for()
    olga.get_by_role("combobox", name="Doubts").select_option("Decided (3)")
    olga.locator(".decided").get_by_text("Boris,").wait_for()
    olga.keyboard.press("k")
    olga.locator(".decided").get_by_text("Olga,").wait_for()
    expect(olga.locator(".decided q")).to_have_text("Another picture shows it.")
    button(olga, "Take back").click()
    _wait_for_doubt(olga, "no-label")


def test_piles_are_assigned_to_two_envelopes_on_a_phone(open_page: OpenPage, live_server: LiveServer) -> None:
    """By touch on a small phone, in German; a foreign code is only noted.

    A card that was counted with the wrong pile is moved.
    """
    game = live_server.new_game(State.OPEN, players=2)
    own = [*dealt(live_server.context, game, 1)[:2], *dealt(live_server.context, game, 2)[:2]]
    found = reading(own, strangers=[("foreign", "https://example.org/poster")])
    piles = tuple(found.scanned_piles[0].model_copy(update={"cards": cards}) for cards in ((0, 1), (2, 3)))
    add_photo(
        live_server.context,
        game,
        found.model_copy(update={"scanned_piles": piles}),
        image_deleted_at=live_server.context.clock(),
    )
    phone = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "locale": "de-DE"}
    page = open_page(f"/desk/games/{game}/queue", organiser="Olga", **phone)
    _wait_for_doubt(page, "no-label")
    expect(page.get_by_text("0 von 1 geklärt")).to_be_visible()
    assert not scrolls_horizontally(page)
    page.locator(".pile-mark").nth(2).press("Enter")
    expect(page.locator(".pile-mark[data-pile='1']")).to_have_count(3)
    page.get_by_role("textbox", name="Stapel 1").fill("1")
    page.get_by_role("textbox", name="Stapel 2").fill("2")
    page.get_by_role("button", name="Entscheiden").tap()
    page.get_by_role("heading", name="Alles geklärt").wait_for()
    expect(page.get_by_text("3 von 3 geklärt")).to_be_visible()
    page.get_by_role("combobox", name="Zweifel").select_option("Hinweise (1)")
    page.locator(".item[data-kind=foreign][data-standing=settled]").wait_for()
    page.get_by_text("https://example.org/poster").first.wait_for()
    page.get_by_text("Zählt nirgends").wait_for()
    assert hands(live_server, game) == {1: set(own[:3]), 2: set(own[3:])}


def test_cards_can_be_entered_by_their_short_codes(open_page: OpenPage, live_server: LiveServer) -> None:
    """An envelope without a picture: its number once, then code after code; each can be taken back."""
    game = live_server.new_game(State.OPEN, players=3)
    own = dealt(live_server.context, game, 3)[:3]
    page = open_page(f"/desk/games/{game}/queue/by-hand", organiser="Olga")
    page.get_by_label("Envelope number").fill("3")
    page.get_by_label("Envelope number").press("Tab")
    for number, card in enumerate(own, start=1):
        page.keyboard.type(_short_code(live_server, game, card).lower())
        page.locator(".code-result .card-chip").wait_for()
        page.keyboard.press("Enter")
        expect(page.locator(".by-hand .row")).to_have_count(number)
    assert hands(live_server, game)[3] == set(own)
    assert axe_problems(page) == []
    # With a screen reader, each button names its card.
    assert len(set(page.locator(".by-hand .row button").all_inner_texts())) == len(own)
    page.locator(".by-hand .row").first.get_by_role("button", name="Take back").click()
    expect(page.locator(".by-hand .row")).to_have_count(2)


def test_hand_in_lists_that_differ_from_the_pictures_can_be_corrected(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """A card of the player's list that was not seen is added by a button; a key makes the whole list count.

    The list is sent at once and taken back by a key, also if the network fails meanwhile. A number of cards that is
    typed beside the picture makes a doubt.
    """
    game = live_server.new_game(State.CLOSED, players=3)
    own = {number: dealt(live_server.context, game, number) for number in (1, 2, 3)}
    with live_server.context.database.writing() as session:
        for number, claim in ((1, own[1]), (2, own[2][4:])):
            row = session.get_one(Envelope, (game, number))
            row.submitted_cards, row.submitted_at = claim, live_server.context.clock() - timedelta(hours=1)
    for number, seen in ((1, own[1][1:]), (2, own[2][:-2]), (3, own[3][2:])):
        add_photo(live_server.context, game, reading(seen, [number]), image_deleted_at=live_server.context.clock())
    page = open_page(f"/desk/games/{game}/queue", organiser="Olga")
    _wait_for_doubt(page, "count")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("heading", name="Already settled").wait_for()
    page.get_by_role("button", name="Next").click()
    _wait_for_doubt(page, "count")
    replies: list[Response] = []
    page.on("response", lambda reply: replies.append(reply))  # noqa: PLW0108 - built-in methods are not accepted
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="All settled").wait_for()
    assert hands(live_server, game) == {1: set(own[1]), 2: set(own[2][4:]), 3: set(own[3][2:])}
    assert [(reply.request.method, reply.status) for reply in replies if "/queue/" in reply.url] == [("PUT", 200)]
    # The first request arrives, the second fails.
    page.route("**/ruling?*", lambda route: route.abort(), times=1)
    page.route("**/ruling?*", lambda route: route.continue_(), times=1)
    page.keyboard.press("u")
    page.get_by_role("alert").wait_for()
    page.keyboard.press("u")
    _wait_for_doubt(page, "count")
    expect(page.locator(".item-title")).to_be_focused()
    assert hands(live_server, game)[2] == set(own[2][:-2])
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="All settled").wait_for()

    open_path(page, f"/desk/games/{game}/pictures")
    group = page.locator("[data-group=envelope-3]")
    group.get_by_label("Cards counted by hand").fill(str(len(own[3])))
    page.keyboard.press("Enter")
    group.locator(".counted .icon").wait_for()
    open_path(page, f"/desk/games/{game}/queue")
    _wait_for_doubt(page, "count")
    title = f"{len(own[3]) - 2} cards seen, {len(own[3])} counted by hand."
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.locator(".whole .outlines .seen")).to_have_count(len(own[3]) - 2)
    assert axe_problems(page) == []
    page.keyboard.press("1")
    page.get_by_role("heading", name="All settled").wait_for()
    page.keyboard.press("u")
    _wait_for_doubt(page, "count")
    for card, title in ((own[3][0], f"{len(own[3]) - 1} cards seen"), (own[3][1], "Already settled")):
        page.get_by_label("Short code").fill(_short_code(live_server, game, card))
        page.get_by_role("button", name="Add").click()
        page.get_by_role("heading", name=title).wait_for()
    assert hands(live_server, game)[3] == set(own[3])


def test_a_double_click_or_a_held_key_decides_one_doubt(open_page: OpenPage, live_server: LiveServer) -> None:
    """The next doubt, which nobody has looked at yet, is shown at once."""
    game = live_server.new_game(State.CLOSED, players=3, expect_dealt=True)
    for number in (1, 2, 3):
        seen = dealt(live_server.context, game, number)[1:]
        add_photo(live_server.context, game, reading(seen, [number]), image_deleted_at=live_server.context.clock())

    def decided() -> int:
        with live_server.context.database.reading() as session:
            return len(session.scalars(select(ReviewDecision).where(ReviewDecision.game == game)).all())

    page = open_page(f"/desk/games/{game}/queue", organiser="Olga")
    _wait_for_doubt(page, "count")
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


def test_a_doubt_that_the_last_decision_settled_is_skipped(open_page: OpenPage, live_server: LiveServer) -> None:
    """The picture without a label belongs to the missing envelope, which is not asked about any more."""
    game = live_server.new_game(State.CLOSED, players=3)
    for number, labels in ((1, [1]), (2, [2]), (3, [])):
        seen = dealt(live_server.context, game, number)
        add_photo(live_server.context, game, reading(seen, labels), image_deleted_at=live_server.context.clock())
    page = open_page(f"/desk/games/{game}/queue", organiser="Olga")
    _wait_for_doubt(page, "no-label")
    expect(page.locator(".settled-count")).to_contain_text("0 of 2")
    page.keyboard.press("1")
    page.get_by_label("Envelope number").fill("3")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="All settled").wait_for()


def test_cancelled_rules_can_be_chosen_by_keyboard(open_page: OpenPage, live_server: LiveServer) -> None:
    """The form is that of the envelope with the cancel card; Space chooses, Enter saves."""
    game = live_server.new_game(State.CLOSED, edition="tarot-fr", players=4)
    with live_server.context.database.writing() as session:
        for kind, envelope in (("rule-11", 1), ("rule-1", 2), ("rule-10", 2)):
            session.add(Card(game=game, kind=kind, copy=900, envelope=envelope, run=1, lost=None))
    add_photo(live_server.context, game, reading(["rule-11-900"], [1]))
    add_photo(live_server.context, game, reading(["rule-1-900", "rule-10-900"], [2]))
    page = open_page(f"/desk/games/{game}/queue/questions", organiser="Olga")
    page.get_by_text("0 of 1 answered").wait_for()
    expect(page.locator(".cancels input[type=checkbox]").first).to_be_focused()
    assert axe_problems(page) == []
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_text("1 of 1 answered").wait_for()
    page.get_by_role("heading", name="All answered").wait_for()


def test_a_player_can_be_chosen_as_a_fact(open_page: OpenPage, live_server: LiveServer) -> None:
    toml = (
        'slug = "lantern"\nextends = "eurocg-2026"\ntitle.en = "Lantern"\n'
        '[[facts]]\nname = "friend"\nlabel.en = "Sworn friend"\ntype = "player"\n'
    )
    with live_server.context.database.writing() as session:
        checked = CheckedEdition("lantern", "Lantern", {"edition.toml": toml}, ())
        add_version(session, checked, ORGANISER, live_server.context.clock())
    game = live_server.new_game(State.CLOSED, edition="lantern", players=4)
    add_photo(live_server.context, game, reading(["red-001"], [1]))
    add_photo(live_server.context, game, reading(["red-002"], [2]))
    page = open_page(f"/desk/games/{game}/queue/questions", organiser="Olga")
    page.get_by_text("0 of 2 answered").wait_for()
    for number, answer in enumerate(("Envelope 2", "Nobody"), 1):
        page.get_by_label("Sworn friend").select_option(answer)
        page.get_by_role("button", name="Save").click()
        page.get_by_text(f"{number} of 2 answered").wait_for()
    with live_server.context.database.reading() as session:
        facts = [session.get_one(Envelope, (game, number)).facts for number in (1, 2)]
    assert facts == [{"friend": 2}, {"friend": 0}]
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).facts = {"friend": 3}
    page.reload()
    page.get_by_role("button", name="Envelope 1").click()
    expect(page.get_by_label("Sworn friend")).to_have_value("3")  # whose hand does not count
