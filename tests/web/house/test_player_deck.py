"""A player's way from the first picture to the receipt and the result, with real pictures and in a real browser."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from server.jobs.readings import HintReading
from server.play.house import game_row
from server.play.states import State
from server.play.versions import Wish, freeze, publish
from server.store.tables import Card, Deck, Envelope, Ruling
from tests.house import ORGANISER
from tests.jobs.scan_jobs import png
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.web.axe import problems
from tests.web.house.conftest import DESKTOP
from tests.web.house.player_steps import hold, laid, phone, photograph, wider_than

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import APIResponse, FilePayload, Page, Route

    from tests.web.house.conftest import Hall


# In how many lines a text stands.
LINES = """(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ top }) => top)).size;
}"""


# Keep what the list, and the line above the page, say of pictures on their way.
LATE_ANSWER = """() => {
  const plain = fetch;
  const isTold = () => document.querySelector(".deck-handed-in");
  window.fetch = async (path, options) => {
    const answer = await plain(path, options);
    const isHandIn = `${path.url ?? path}`.endsWith("/hand-in");
    while (isHandIn && !isTold()) await new Promise((resolve) => setTimeout(resolve, 20));
    window.overtaken ||= Boolean(isTold());
    return answer;
  };
}"""
LATE_NEWS = """() => {
  const plain = fetch;
  window.free = true;
  window.fetch = async (path, options) => {
    const isHandIn = `${path.url ?? path}`.endsWith("/hand-in");
    if (isHandIn) window.free = false;
    const answer = await plain(path, options);
    while (!isHandIn && !window.free) await new Promise((resolve) => setTimeout(resolve, 20));
    if (isHandIn) setTimeout(() => (window.answered = true), 200);
    return answer;
  };
}"""
SENT_WORDS = """() => {
  window.told = [];
  window.above = [];
  new MutationObserver(() => {
    window.above.push(document.querySelector(".waiting").textContent);
    for (const { textContent } of document.querySelectorAll(".list-note")) {
      if (textContent !== told.at(-1)) told.push(textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@pytest.fixture(scope="module")
def game(hall: Hall) -> str:
    """Make a game that tells decks by the rules that lie in them."""
    return hall.game(mode="known", deadline=hall.house.clock() + timedelta(hours=3))


@pytest.fixture(scope="module")
def picture(hall: Hall, game: str) -> bytes:
    """Photograph the cards of envelope 1, with its label."""
    return hall.picture(game, dealt(hall.house, game, 1), 1)


def test_from_the_first_picture_to_the_published_result(
    opened: Callable[..., Page], hall: Hall, game: str, picture: bytes
) -> None:
    """Join, photograph, look, say yes, see the provisional score with a rule's wording, hand in, and see the result."""
    cards = dealt(hall.house, game, 1)
    page = phone(hall, opened, game)
    photograph(page, picture)
    page.get_by_role("heading", name=f"{len(cards)} cards").wait_for()
    expect(page.locator(".outlines .seen")).to_have_count(len(cards))
    expect(page.locator(".picture-remarks")).to_contain_text("Your own label")
    expect(page.locator(".kind").first).to_be_visible()
    assert problems(page) == []
    page.get_by_role("button", name=f"Yes, all {len(cards)}").click()

    expect(page.get_by_role("heading", name="Provisional score")).to_be_visible()
    expect(page.get_by_text("Not known to you:")).to_be_visible()
    expect(page.get_by_text("All rules whose cards are not in this deck.")).to_be_visible()
    page.locator(".provisional details summary").first.click()
    expect(page.locator(".provisional blockquote").first).to_be_visible()
    assert problems(page) == []

    page.get_by_role("button", name="Hand in this deck").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text(f"These {len(cards)} cards are handed in")
    expect(sheet).to_contain_text("There is no way back")
    assert problems(page) == []
    hold(page, sheet.get_by_role("button", name="Hold to hand in"))
    receipt = page.get_by_role("region", name="Handed in")
    expect(receipt).to_contain_text("In time")
    expect(page.locator(".said:not(.unseen)")).to_have_count(0)
    code = receipt.locator(".receipt-code").inner_text()
    page.reload()
    expect(receipt.locator(".receipt-code")).to_have_text(code)
    assert problems(page) == []

    with hall.house.database.writing() as session:
        row = game_row(session, game)
        row.settings = {**row.settings, "blue_base": 4}
        session.add(
            Ruling(game=game, item="unseen:1", decision={"do": "trust"}, reason="-", who="Olga", at=hall.house.clock())
        )
        row.state, row.closed = State.CLOSED, hall.house.clock()
    freeze(hall.house, game, ORGANISER, Wish(override="for the test"))
    with hall.house.database.writing() as session:
        publish(session, game_row(session, game), None, ORGANISER, hall.house.clock())
    page.get_by_role("link", name="Place 1 of 1").click()
    expect(page.get_by_role("heading", name="The result")).to_be_focused()
    expect(page.get_by_text("Exactly the cards of your list were counted.")).to_be_visible()
    expect(page.get_by_role("row", name="you")).to_be_visible()
    page.get_by_role("searchbox").fill("21")
    expect(page.locator(".rule")).to_have_count(1)
    assert problems(page) == []
    assert wider_than(page) == []


def test_a_wrong_label_is_told_and_the_picture_can_go(opened: Callable[..., Page], hall: Hall) -> None:
    """Another player's label stops the yes, with words; without that picture the deck is as it should be."""
    other = hall.game(mode="inventory")
    deck = laid(hall, other, 1, labels=[1])
    page = phone(hall, opened, other, path=f"/p/deck/{deck}")
    photograph(page, hall.picture(other, dealt(hall.house, other, 2)[:3], 2), "Add a picture")
    wrong = page.get_by_role("article", name="Picture 2")
    expect(wrong).to_contain_text("Another player")
    yes = page.get_by_role("button", name="Yes, all")
    expect(yes).to_be_disabled()
    wrong.get_by_role("button", name="Delete picture 2").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(wrong).to_have_count(0)
    expect(yes).to_be_enabled()


def test_several_pictures_make_one_deck(opened: Callable[..., Page], hall: Hall) -> None:
    """Two at once from the gallery: a card in both counts once. The deck's address opens it elsewhere as well."""
    other = hall.game(mode="inventory")
    cards = dealt(hall.house, other, 1)
    files = [hall.picture(other, part, seed=str(at)) for at, part in enumerate([cards[:6], cards[4:9]])]
    page = phone(hall, opened, other)
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name="From the gallery").click()
    dialog.value.set_files(
        [{"name": f"{at}.jpg", "mimeType": "image/jpeg", "buffer": data} for at, data in enumerate(files)]
    )
    expect(page.get_by_role("heading", name="9 cards")).to_be_visible()
    expect(page.locator(".picture[data-state=done]")).to_have_count(2)
    assert "local-" not in page.url
    elsewhere = phone(hall, opened, other, path=page.url)
    expect(elsewhere.get_by_role("heading", name="9 cards")).to_be_visible()
    elsewhere.goto("/p/deck/local-1")
    expect(elsewhere.get_by_role("heading", name="This deck is not here")).to_be_visible()


def test_a_list_that_has_changed_is_refused_and_shown_anew(opened: Callable[..., Page], hall: Hall) -> None:
    """The yes names the list that was seen. The player looks again, and the next yes goes through."""
    game = hall.game(mode="known")
    cards = dealt(hall.house, game, 2)
    deck = laid(hall, game, 2, cards)
    page = phone(hall, opened, game, 2)
    first: list[APIResponse] = []

    def as_at_first(route: Route) -> None:
        # The page looks again whenever its stream begins; here it goes on seeing what it has seen.
        first[:] = first or [route.fetch()]
        route.fulfill(response=first[0])

    page.route(f"**/decks/{deck}?*", as_at_first)
    page.goto(f"/p/deck/{deck}")
    yes = page.get_by_role("button", name=f"Yes, all {len(cards)}")
    yes.wait_for()
    with hall.house.database.writing() as session:
        kind, _, copy = cards[-1].rpartition("-")
        session.get_one(Card, (game, kind, int(copy))).lost = hall.house.clock()
    yes.click()
    expect(page.get_by_role("alert")).to_contain_text("The list has changed")
    page.unroute(f"**/decks/{deck}?*")
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_role("heading", name=f"{len(cards) - 1} cards")).to_be_visible()
    expect(page.get_by_text(f"All {len(cards)} found? 1 of them does not count.")).to_be_visible()
    page.get_by_role("button", name=f"Yes, all {len(cards)}").click()
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(320, 640), pytest.param(390, 844, marks=pytest.mark.thorough)])
def test_whoever_counts_more_cards_than_were_found_photographs_the_rest(
    opened: Callable[..., Page], hall: Hall, width: int, height: int
) -> None:
    """The number survives a reload; once all are found one press confirms them, and it goes with the list."""
    game = hall.game(mode="inventory")
    cards = dealt(hall.house, game, 1)
    deck = laid(hall, game, 1, cards[:-2])
    page = phone(hall, opened, game, path=f"/p/deck/{deck}", viewport={"width": width, "height": height})
    expect(page.get_by_text(f"All {len(cards) - 2} found?")).to_be_visible()
    page.get_by_role("button", name="No", exact=True).click()
    page.get_by_label("How many do you have in front of you?").fill(str(len(cards)))
    assert problems(page) == []
    assert wider_than(page) == []
    page.get_by_role("button", name="Keep this number").click()
    page.reload()
    told = page.get_by_text(f"You have {len(cards)}, {len(cards) - 2} were found.")
    expect(told).to_be_visible()
    assert problems(page) == []
    assert wider_than(page) == []
    photograph(page, hall.picture(game, cards[-2:]), "Photograph the rest")
    page.get_by_role("button", name=f"Yes, all {len(cards)}").click()
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_visible()
    with hall.house.database.reading() as session:
        assert (session.get_one(Deck, deck).counted, session.get_one(Deck, deck).cards) == (len(cards), cards)


def test_a_list_that_is_not_whole_can_be_confirmed_and_says_so(opened: Callable[..., Page], hall: Hall) -> None:
    """The number that the player counted goes with it, and stands below the list."""
    game = hall.game(mode="inventory")
    cards = dealt(hall.house, game, 1)
    deck = laid(hall, game, 1, cards[:-1])
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    for number, told in [(len(cards) - 2, "Delete that picture and take it again"), (len(cards), "come closer")]:
        page.get_by_role("button", name=re.compile("^No$|^Count again$")).click()
        page.get_by_label("How many do you have in front of you?").fill(str(number))
        page.keyboard.press("Enter")
        expect(page.locator(".deck-bar")).to_contain_text(told)
    page.get_by_role("button", name=f"Confirm {len(cards) - 1} anyway").click()
    expect(page.get_by_text(f"You counted {len(cards)} cards.")).to_be_visible()
    with hall.house.database.reading() as session:
        assert session.get_one(Deck, deck).counted == len(cards)


def test_a_finger_that_is_down_says_yes_to_no_other_list(opened: Callable[..., Page], hall: Hall) -> None:
    """The list changes between the finger's coming down and its going up: nothing is confirmed."""
    game = hall.game(mode="known")
    cards = dealt(hall.house, game, 2)
    deck = laid(hall, game, 2, cards[:5])
    page = phone(hall, opened, game, 2, f"/p/deck/{deck}")
    yes = page.get_by_role("button", name="Yes, all 5")
    yes.scroll_into_view_if_needed()
    yes.hover()
    page.mouse.down()
    add_photo(hall.house, game, reading(cards[:6]), envelope=2, deck=deck)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("button", name="Yes, all 6").hover()
    page.mouse.up()
    page.wait_for_timeout(500)
    expect(page.get_by_role("button", name="Yes, all 6")).to_be_enabled()
    with hall.house.database.reading() as session:
        assert session.get_one(Deck, deck).confirmed is None


def test_a_deck_that_is_still_to_come_is_told_to_all(opened: Callable[..., Page], hall: Hall) -> None:
    """While the server has not answered yet, rows stand for it that axe has nothing against."""
    game = hall.game(mode="known")
    deck = laid(hall, game, 2, dealt(hall.house, game, 2)[:7])
    page = phone(hall, opened, game, 2)
    page.route(f"**/decks/{deck}?*", lambda _: None)
    with page.expect_request(f"**/decks/{deck}?*"):
        page.goto(f"/p/deck/{deck}")
    expect(page.get_by_role("group", name="Opening the game")).to_be_visible()
    # The heading comes with the deck.
    assert [problem for problem in problems(page) if not problem.startswith("page-has-heading-one")] == []
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    expect(page.get_by_role("heading", name="7 cards")).to_be_visible()


def test_unread_places_and_strangers_are_told(opened: Callable[..., Page], hall: Hall) -> None:
    """Doubts by their number, foreign and dead cards as crosses, with whom to ask."""
    game = hall.game(mode="known")
    cards = dealt(hall.house, game, 3)
    deck = laid(hall, game, 3, cards=[])
    found = reading(cards, doubts=["glare", "hidden"], strangers=[("foreign", "https://example.org")])
    said = (HintReading(slug="foreign", text="1 code not of this game: not counted."),)
    add_photo(hall.house, game, found.model_copy(update={"hints": said}), envelope=3, deck=deck)
    page = phone(hall, opened, game, 3, f"/p/deck/{deck}")
    picture = page.get_by_role("article").filter(has_text="2 places not read")
    expect(picture).to_contain_text("1 code is no card of this game")
    # Each thing is said once.
    expect(picture.locator(".picture-remarks li")).to_have_count(2)


def test_the_glass_hides_no_row_of_cards(opened: Callable[..., Page], hall: Hall) -> None:
    """What leads to a closer look takes a corner of a small phone's picture; who hears the page hears its words."""
    game = hall.game(mode="inventory")
    cards = dealt(hall.house, game, 1)[:4]
    page = phone(hall, opened, game, viewport={"width": 320, "height": 568})
    photograph(page, hall.picture(game, cards))
    glass = page.get_by_role("button", name="Look closer")
    glass.wait_for()
    whole, part = glass.bounding_box(), glass.locator(".picture-closer").bounding_box()
    assert whole is not None
    assert part is not None
    assert part["width"] <= 0.15 * whole["width"]


def test_a_picture_without_codes_is_not_told_that_time_ran_out(opened: Callable[..., Page], hall: Hall) -> None:
    """Nothing was found, so more time would not help; beside cards the same advice stands."""
    game = hall.game(mode="known")
    page = phone(hall, opened, game)
    advice = tuple(HintReading(slug=slug, text=f"Advice: {slug}.") for slug in ("nothing", "time"))
    for cards, told in ([], 1), (dealt(hall.house, game, 1)[:1], 2):
        deck = laid(hall, game, cards=[])
        add_photo(hall.house, game, reading(cards).model_copy(update={"hints": advice}), envelope=1, deck=deck)
        page.goto(f"/p/deck/{deck}")
        expect(page.get_by_text("Advice:")).to_have_count(told)


def test_a_late_hand_in_is_marked(opened: Callable[..., Page], hall: Hall) -> None:
    """After the end a deck is still taken; the sheet and the receipt say that the organisers decide."""
    late = hall.game(State.OPEN, mode="known")
    deck = laid(hall, late, 1, yes=True)
    with hall.house.database.writing() as session:
        row = game_row(session, late)
        row.state, row.closed = State.CLOSED, hall.house.clock() - timedelta(minutes=1)
    page = phone(hall, opened, late, path=f"/p/deck/{deck}")
    page.get_by_role("button", name="Hand in this deck").click()
    expect(page.get_by_role("dialog")).to_contain_text("it is marked as late")
    hold(page, page.get_by_role("button", name="Hold to hand in"))
    expect(page.get_by_role("region", name="Handed in")).to_contain_text("Late: the organisers decide")


def test_a_short_tap_hands_nothing_in(opened: Callable[..., Page], hall: Hall) -> None:
    """The button wants to be held. A tap only says what the next one would do; the sheet can still be closed."""
    game = hall.game(mode="known")
    deck = laid(hall, game, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    page.get_by_role("button", name="Hand in this deck").click()
    page.get_by_role("button", name="Hold to hand in").click()
    expect(page.get_by_role("button", name="Press once more")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_enabled()
    drop = page.get_by_role("button", name="Drop this deck")
    drop.hover()
    expect(drop).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    with hall.house.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).claimed is None


def test_a_picture_without_network_waits_in_words_and_goes_by_itself(opened: Callable[..., Page], hall: Hall) -> None:
    """The player sees that it waits, on every screen, and later the cards that it shows."""
    game = hall.game(mode="inventory")
    cards = dealt(hall.house, game, 1)[:4]
    deck = laid(hall, game, 1, dealt(hall.house, game, 1)[4:6])
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    page.get_by_role("heading", name="2 cards").wait_for()
    page.context.set_offline(True)
    photograph(page, hall.picture(game, cards), "Add a picture")
    expect(page.get_by_text("1 picture waiting. It goes by itself")).to_be_visible()
    page.get_by_role("link", name="All decks").click()
    expect(page.get_by_role("link", name="1 picture waiting")).to_be_visible()
    assert wider_than(page) == []
    page.context.set_offline(False)
    page.get_by_role("link", name="Not confirmed yet").click()
    expect(page.get_by_role("heading", name="6 cards")).to_be_visible()
    expect(page.get_by_text("waiting")).to_have_count(0)


def test_nothing_is_read_while_the_server_does_not_answer(opened: Callable[..., Page], hall: Hall) -> None:
    """The first picture of a deck says above and below that it waits; there is nothing to say yes to."""
    game = hall.game(mode="inventory")
    page = phone(hall, opened, game)
    page.route("**/api/v1/me/decks**", lambda route: route.abort())
    photograph(page, hall.picture(game, dealt(hall.house, game, 1)[:4]))
    expect(page.get_by_role("heading", name="Your picture is waiting")).to_be_visible()
    expect(page.locator(".waiting")).to_contain_text("No network. 1 picture waiting. It goes by itself")
    expect(page.locator(".deck-bar")).to_contain_text("Wait until all pictures have been sent and read")
    expect(page.locator(".deck-bar button")).to_have_count(0)
    expect(page.get_by_text("being read")).to_have_count(0)
    page.unroute("**/api/v1/me/decks**")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", name="4 cards")).to_be_visible()
    expect(page.get_by_text("waiting")).to_have_count(0)


def test_a_picture_that_the_server_puts_off_is_not_told_as_being_sent(opened: Callable[..., Page], hall: Hall) -> None:
    """Where the server takes nothing for now, as with a full disk, the deck and the line above it say that it waits."""
    page = phone(hall, opened, hall.game(mode="inventory"))
    full = {"status": 429, "headers": {"Retry-After": "3600"}, "content_type": "application/problem+json"}
    refusal = '{"type": "https://haggle.example.org/problems/too-many-requests", "title": "Wait", "status": 429}'
    page.route("**/api/v1/me/decks**", lambda route: route.fulfill(body=refusal, **full))
    page.locator("input[type=file][multiple]").first.set_input_files(picture_file(1))
    expect(page.get_by_role("heading", name="Your picture is waiting")).to_be_visible()
    expect(page.locator(".list-note")).to_have_text("1 picture is waiting to be sent.")
    expect(page.locator(".waiting")).to_have_text("1 picture waiting. It goes by itself once the server takes it.")
    expect(page.get_by_text("0 %")).to_have_count(0)


def test_the_share_that_is_sent_only_grows(opened: Callable[..., Page], hall: Hall) -> None:
    """Of three pictures that are sent one after the other it is told how much is there, and of none that it waits."""
    page = phone(hall, opened, hall.game(mode="inventory"))
    page.evaluate(SENT_WORDS)
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 400_000}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.locator("input[type=file][multiple]").first.set_input_files([picture_file(number) for number in (1, 2, 3)])
    page.locator(".picture").nth(2).wait_for()
    expect(page.locator(".picture-progress")).to_have_count(0)
    told = page.evaluate("window.told")
    percents = [int(match[1]) for text in told if (match := re.search(r"^3 pictures.* (\d+) %", text))]
    assert percents == sorted(percents)
    assert percents[-1] > 67, told
    assert not any("waiting" in text for text in [*told, *page.evaluate("window.above")])
    assert "Sending: 3 pictures." in page.evaluate("window.above")


def picture_file(number: int) -> FilePayload:
    """Return a picture without cards, large enough to be on its way for a while, as a file to choose."""
    return {"name": f"{number}.png", "mimeType": "image/png", "buffer": png(number) + bytes(400_000)}


def test_a_hand_in_without_network_stands_where_its_receipt_will(opened: Callable[..., Page], hall: Hall) -> None:
    """The first screen and its deck say that it waits; nothing asks for another picture. Then the receipt is there."""
    game = hall.game(mode="inventory")
    deck = laid(hall, game, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    page.get_by_role("button", name="Hand in this deck").click()
    page.context.set_offline(True)
    hold(page, page.get_by_role("button", name="Hold to hand in"))
    expect(page.get_by_role("region", name="Hand-in waiting")).to_contain_text("It counts when it reaches the server")
    # In between it says from when the page is, once it could not be renewed.
    expect(page.locator(".waiting")).to_contain_text(re.compile(r"No network\. .*The hand-in waiting \(it counts"))
    expect(page.get_by_role("link", name="hand-in waiting")).to_be_visible()
    expect(page.locator(".take")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.get_by_role("region", name="Handed in")).to_be_visible()
    page.locator(".receipt-code").evaluate("(code) => { code.style.width = '3rem'; }")
    assert page.locator(".receipt-code").evaluate(LINES) == 1, "nobody reads half a code aloud"


def test_a_file_that_is_no_picture_can_only_be_left_out(opened: Callable[..., Page], hall: Hall) -> None:
    """It is refused in words, without a frame that says it is read, and to leave it out is the first choice."""
    page = phone(hall, opened, hall.game(mode="inventory"))
    photograph(page, b"no picture")
    expect(page.get_by_role("alert")).to_contain_text("This file is no picture")
    expect(page.locator(".picture")).to_have_count(0)
    expect(page.get_by_role("button", name="Try again")).to_have_class("secondary")
    expect(page.get_by_role("button", name="Leave this picture out")).not_to_have_class("secondary")


def test_the_end_comes_by_itself(opened: Callable[..., Page], hall: Hall) -> None:
    """When the countdown is over the screen changes, without a touch."""
    game = hall.game(mode="known", deadline=hall.house.clock() + timedelta(seconds=6))
    page = phone(hall, opened, game)
    expect(page.get_by_role("timer")).to_contain_text("sec")
    expect(page.get_by_role("heading", name=re.compile("Time.s up"))).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)


def test_the_keyboard_alone_leads_from_a_picture_to_the_receipt(opened: Callable[..., Page], hall: Hall) -> None:
    """No mouse and no finger: the button for what cannot be undone is pressed twice."""
    other = hall.game(mode="full")
    deck = laid(hall, other, 1)
    page = phone(hall, opened, other, viewport=DESKTOP, has_touch=False)
    press(page, "Your decks", "Not confirmed yet")
    page.wait_for_url(f"**/p/deck/{deck}")
    press(page, "Yes, all")
    page.get_by_role("heading", name="Provisional score").wait_for()
    press(page, "Hand in this deck")
    press(page, "Hold to hand in")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("button", name="Press once more")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Handed in")).to_be_visible()


def test_news_that_overtakes_the_answer_leads_to_the_receipt_too(opened: Callable[..., Page], hall: Hall) -> None:
    """The page may hear that the deck is handed in before the hand-in itself is answered."""
    game = hall.game(mode="known")
    deck = laid(hall, game, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    page.evaluate(LATE_ANSWER)
    page.get_by_role("button", name="Hand in this deck").click()
    hold(page, page.get_by_role("button", name="Hold to hand in"))
    expect(page.get_by_role("region", name="Handed in")).to_be_visible()
    assert page.evaluate("window.overtaken")


def test_what_is_handed_in_is_not_asked_for_again(opened: Callable[..., Page], hall: Hall) -> None:
    """The sheet closes with the answer, however long the receipt takes to come."""
    game = hall.game(mode="known")
    deck = laid(hall, game, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    page.get_by_role("button", name="Hand in this deck").click()
    page.evaluate(LATE_NEWS)
    hold(page, page.get_by_role("button", name="Hold to hand in"))
    page.wait_for_function("() => window.answered")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate("window.free = true")
    expect(page.get_by_role("region", name="Handed in")).to_be_visible()


def press(page: Page, *names: str) -> None:
    """Go by the Tab key to what has one of these names, and press it."""
    wanted = names[-1]
    page.get_by_text(wanted).first.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted in page.evaluate("document.activeElement.innerText ?? ''"):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"the Tab key never comes to {wanted}")


@pytest.mark.parametrize(
    ("language", "yes", "told", "hand_in"),
    [
        ("de-DE", "Ja, alle", "Vorläufige Punkte", "Dieses Deck abgeben"),
        pytest.param("fr-FR", "Oui, les", "Points provisoires", "Rendre ce paquet", marks=pytest.mark.thorough),
    ],
)
def test_the_whole_way_speaks_the_players_language(
    opened: Callable[..., Page], hall: Hall, language: str, yes: str, told: str, hand_in: str
) -> None:
    """German and French players read no English, also where the game itself is in English; and it fits small phones."""
    other = hall.game(mode="known")
    deck = laid(hall, other, 1)
    page = phone(hall, opened, other, path=f"/p/deck/{deck}", locale=language)
    page.get_by_role("button", name=yes).click()
    expect(page.get_by_role("heading", name=told)).to_be_visible()
    assert wider_than(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_role("button", name=hand_in).click()
    assert wider_than(page) == []
    expect(page.get_by_role("dialog").get_by_role("button").nth(1)).to_be_visible()
    with hall.house.database.reading() as session:
        assert session.get_one(Envelope, (other, 1)).claimed is None
