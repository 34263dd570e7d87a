"""A player's deck: pictures, confirmation, hand-in, receipt and result."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from server.db.models import Card, Deck, Envelope, ReviewDecision
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.photos.readings import HintReading
from server.games.results.versions import CountRequest, freeze, publish
from tests.context import ORGANISER
from tests.played_game import counted_game
from tests.players import dealt, set_game
from tests.readings import add_photo, reading
from tests.web.axe import axe_problems
from tests.web.pages.conftest import DESKTOP, LiveServer, OpenPage
from tests.web.pages.example_games import ExampleGames
from tests.web.pages.player_steps import add_deck, overflowing_widths, photograph, press_and_hold
from tests.web.steps import file, open_path

ME = "**/api/v1/me"
RESPONSE_TIMEOUT = 15_000
"""Milliseconds: half of the time after which a page shows cached data."""
EVENT_BEFORE_RESPONSE = """() => {
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
RESPONSE_BEFORE_EVENT = """() => {
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


def test_a_player_gets_from_the_first_picture_to_the_published_result(  # noqa: PLR0915 - a long journey
    open_phone: OpenPage, live_server: LiveServer
) -> None:
    """Photograph, confirm, see the provisional score with a rule's wording, hand in, and see the result."""
    game = live_server.new_game(mode="known", deadline=live_server.context.clock() + timedelta(hours=3))
    cards = dealt(live_server.context, game, 1)
    page = open_phone(game)
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name="Gallery").click()
    parts = (cards[:6], None), (cards[4:], 1)
    dialog.value.set_files([file(live_server.picture(game, part, label), f"{label}.jpg") for part, label in parts])
    expect(page.get_by_role("heading", name=f"{len(cards)} cards")).to_be_visible()
    expect(page.locator(".picture[data-state=done]")).to_have_count(2)
    expect(page.locator(".outlines .seen")).to_have_count(len(cards) + 2)
    expect(page.locator(".picture-remarks")).to_have_count(0)
    assert "local-" not in page.url
    deck = page.url
    open_path(page, "/p/deck/local-1")
    expect(page.get_by_role("heading", name="Deck not found")).to_be_visible()

    open_path(page, deck)
    photograph(page, live_server.picture(game, dealt(live_server.context, game, 2)[:3], 2), "Add a picture")
    wrong = page.get_by_role("article", name="Picture 3")
    expect(wrong).to_contain_text("Another player")
    confirm_button = page.get_by_role("button", name=re.compile("^Yes, "))
    expect(confirm_button).to_be_disabled()
    wrong.get_by_role("button", name="Delete picture 3").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(wrong).to_have_count(0)
    expect(confirm_button).to_have_text(f"Yes, {len(cards)} cards")
    usual = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 568})
    glass = page.get_by_role("button", name="Look closer").first
    whole, part = glass.bounding_box(), glass.locator(".picture-zoom").bounding_box()
    assert whole
    assert part
    assert part["width"] <= 0.15 * whole["width"], "it hides a row of cards"
    assert usual
    page.set_viewport_size(usual)

    confirm_button.click()
    expect(page.get_by_role("heading", name="Provisional score")).to_be_visible()
    expect(page.get_by_text(re.compile(r"You know \d of your \d colours"))).to_be_visible()
    expect(page.get_by_text("Rules not in this deck")).to_be_visible()
    page.locator(".provisional details summary").first.click()
    expect(page.locator(".provisional blockquote").first).to_be_visible()
    page.get_by_role("button", name="Hand in this deck").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text(f"{len(cards)} cards")
    expect(sheet).to_contain_text("undo this")
    press_and_hold(page, sheet.get_by_role("button", name="Hold to hand in"))
    receipt = page.get_by_role("region", name="Handed in")
    expect(receipt).to_contain_text("In time")
    expect(page.locator(".toast:not(.visually-hidden)")).to_have_count(0)
    code = receipt.locator(".receipt-code").inner_text()
    page.reload()
    expect(receipt.locator(".receipt-code")).to_have_text(code)

    with live_server.context.database.writing() as session:
        row = load_game(session, game)
        row.settings = {**row.settings, "blue_base": 4}
        ruling = {"decision": {"do": "trust"}, "reason": "-", "who": "Olga", "at": live_server.context.clock()}
        session.add(ReviewDecision(game=game, item="unseen:1", **ruling))
        row.state, row.closed = State.CLOSED, live_server.context.clock()
    freeze(live_server.context, game, ORGANISER, CountRequest(override="for the test"))
    expect(page.get_by_role("heading", name="Look at the big screen!")).to_be_visible()
    with live_server.context.database.writing() as session:
        publish(session, load_game(session, game), None, ORGANISER, live_server.context.clock())
    expect(page.get_by_role("heading", name="The results are out")).to_be_visible()
    page.get_by_role("link", name="Place 1 of 1").click()
    expect(page.get_by_role("heading", name="Result")).to_be_focused()
    expect(page.get_by_text("Counted as on your list.")).to_be_visible()
    expect(page.get_by_role("row", name="you")).to_be_visible()
    page.get_by_role("searchbox").fill("21")
    expect(page.locator(".rule")).to_have_count(1)
    assert overflowing_widths(page) == []


def test_confirming_sends_the_displayed_card_list(open_phone: OpenPage, live_server: LiveServer) -> None:
    """A list that changes under the finger, or unnoticed by the phone, is not confirmed: the player looks again."""
    game = live_server.new_game(mode="known")
    cards = dealt(live_server.context, game, 2)
    deck = add_deck(live_server, game, 2, cards[:5])
    page = open_phone(game, 2, f"/p/deck/{deck}")
    confirm_button = page.get_by_role("button", name="Yes, 5 cards")
    confirm_button.scroll_into_view_if_needed()
    confirm_button.hover()
    page.mouse.down()
    add_photo(live_server.context, game, reading(cards[:6]), envelope=2, deck=deck)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("button", name="Yes, 6 cards").hover()
    page.mouse.up()
    page.wait_for_timeout(500)
    expect(page.get_by_role("button", name="Yes, 6 cards")).to_be_enabled()
    with live_server.context.database.reading() as session:
        assert session.get_one(Deck, deck).confirmed is None

    first: list[APIResponse] = []

    def first_response(route: Route) -> None:
        # The page fetches the deck again when its event stream begins; here it gets the first response again.
        first[:] = first or [route.fetch()]
        route.fulfill(response=first[0])

    page.route(f"**/decks/{deck}?*", first_response)
    page.reload()
    page.get_by_role("button", name="Yes, 6 cards").wait_for()
    with live_server.context.database.writing() as session:
        kind, _, copy = cards[5].rpartition("-")
        session.get_one(Card, (game, kind, int(copy))).lost = live_server.context.clock()
    page.get_by_role("button", name="Yes, 6 cards").click()
    expect(page.get_by_role("alert")).to_contain_text("The list has changed")
    page.unroute(f"**/decks/{deck}?*")
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_role("heading", name="5 cards")).to_be_visible()
    expect(page.get_by_text("All 6 found? 1 doesn’t count.")).to_be_visible()
    page.get_by_role("button", name="Yes, 6 cards").click()
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_visible()


def test_a_different_count_leads_to_another_picture_or_is_confirmed(
    open_phone: OpenPage, live_server: LiveServer
) -> None:
    """The player's count survives a reload and is sent with the list, whether all cards are found in the end or not."""
    game = live_server.new_game(mode="inventory")
    cards = dealt(live_server.context, game, 1)
    deck, other = add_deck(live_server, game, 1, cards[:-2]), add_deck(live_server, game, 1, cards[:-1])
    page = open_phone(game, path=f"/p/deck/{deck}", viewport={"width": 320, "height": 640})
    count = page.get_by_role("button", name=re.compile("^No$|^Count again$"))
    number = page.get_by_label("How many do you have?")
    expect(page.get_by_text(f"All {len(cards) - 2} found?")).to_be_visible()
    count.click()
    number.fill(str(len(cards)))
    assert axe_problems(page) == []
    assert overflowing_widths(page) == []
    page.get_by_role("button", name="Done").click()
    summary = page.get_by_text(f"You have {len(cards)}, found: {len(cards) - 2}.")
    expect(summary).to_be_visible()
    page.reload()
    expect(summary).to_be_visible()
    expect(page.get_by_role("button", name="Add a picture")).not_to_have_class(re.compile("secondary"))
    add_photo(live_server.context, game, reading(cards[-2:]), envelope=1, deck=deck)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("button", name=f"Yes, {len(cards)} cards").click()
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_visible()

    open_path(page, f"/p/deck/{other}")
    for counted, advice in [
        (len(cards) - 2, "Delete that picture and take it again"),
        (len(cards), "Spread the cards"),
    ]:
        count.click()
        number.fill(str(counted))
        with page.expect_response("**/me/decks/*"):  # a live event must not change what is typed
            page.evaluate("dispatchEvent(new Event('online'))")
        page.keyboard.press("Enter")
        expect(page.locator(".deck-bar")).to_contain_text(advice)
    page.get_by_role("button", name=f"Confirm {len(cards) - 1} anyway").click()
    expect(page.get_by_text(f"You counted {len(cards)}.")).to_be_visible()
    with live_server.context.database.reading() as session:
        one, two = session.get_one(Deck, deck), session.get_one(Deck, other)
        assert (one.counted, one.cards, two.counted) == (len(cards), cards, len(cards))


def test_a_pictures_problems_are_listed_once(open_phone: OpenPage, live_server: LiveServer) -> None:
    """Skeleton rows are shown until the deck is loaded; then unread places, foreign codes, and only useful advice."""
    game = live_server.new_game(mode="known")
    cards = dealt(live_server.context, game, 3)

    def deck_with_hints(advice: dict[str, str], shown: list[str], **found: object) -> str:
        deck = add_deck(live_server, game, 3, cards=[])
        hints = tuple(HintReading(slug=slug, text=text) for slug, text in advice.items())
        add_photo(
            live_server.context,
            game,
            reading(shown, **found).model_copy(update={"hints": hints}),
            envelope=3,
            deck=deck,
        )
        return deck

    strangers = {"doubts": ["glare", "hidden"], "strangers": [("foreign", "https://example.org")]}
    deck = deck_with_hints({"foreign": "1 code not of this game: not counted."}, cards, **strangers)
    page = open_phone(game, 3)
    page.route(f"**/decks/{deck}?*", lambda _: None)
    with page.expect_request(f"**/decks/{deck}?*"):
        page.goto(f"/p/deck/{deck}")
    expect(page.get_by_role("group", name="Loading")).to_be_visible()
    # The heading is shown with the deck.
    assert [problem for problem in axe_problems(page) if not problem.startswith("page-has-heading-one")] == []
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    picture = page.get_by_role("article").filter(has_text="2 not read")
    expect(picture).to_contain_text("Not from this game (✕): 1.")
    expect(picture.locator(".picture-remarks li")).to_have_count(1)

    # Without any card, running out of time is no useful hint.
    for shown, count in ([], 1), (cards[:1], 2):
        open_path(page, f"/p/deck/{deck_with_hints({slug: f'Advice: {slug}.' for slug in ('nothing', 'time')}, shown)}")
        expect(page.get_by_text("Advice:")).to_have_count(count)


def test_a_hand_in_needs_a_long_press_and_may_be_late(open_phone: OpenPage, live_server: LiveServer) -> None:
    """A tap hands nothing in. After the deadline a deck is late; live events may arrive before the response."""
    game = live_server.new_game(mode="known")
    page = open_phone(game, path=f"/p/deck/{add_deck(live_server, game, confirmed=True)}")
    page.get_by_role("button", name="Hand in this deck").click()
    page.get_by_role("button", name="Hold to hand in").click()
    expect(page.get_by_role("button", name="Press again")).to_be_visible()
    # Opened again before the browser's event that it was closed, the dialog stays open.
    page.evaluate("""() => {
      document.querySelector("dialog .icon-button").click();
      document.querySelector(".deck-end button").click();
    }""")
    page.wait_for_timeout(200)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_enabled()
    drop = page.get_by_role("button", name="Delete this deck")
    drop.hover()
    expect(drop).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    with live_server.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).submitted_at is None

    set_game(live_server.context, game, state=State.CLOSED, closed=live_server.context.clock() - timedelta(minutes=1))
    page.reload()
    page.evaluate(EVENT_BEFORE_RESPONSE)
    page.get_by_role("button", name="Hand in this deck").click()
    expect(page.get_by_role("dialog")).to_contain_text("Late: the organisers decide")
    press_and_hold(page, page.get_by_role("button", name="Hold to hand in"))
    expect(page.get_by_role("region", name="Handed in")).to_contain_text("Late: the organisers decide")
    assert page.evaluate("window.overtaken")


def test_a_deck_can_be_handed_in_by_keyboard_alone(open_phone: OpenPage, live_server: LiveServer) -> None:
    """The button for what cannot be undone is pressed twice; the dialog closes before the receipt is loaded."""
    game = live_server.new_game(mode="full")
    deck = add_deck(live_server, game, 1)
    page = open_phone(game, viewport=DESKTOP, has_touch=False)
    press_by_keyboard(page, "Not confirmed")
    page.wait_for_url(f"**/p/deck/{deck}")
    press_by_keyboard(page, "Yes, ")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("heading", name="Provisional score").wait_for()
    press_by_keyboard(page, "Hand in this deck")
    page.get_by_role("dialog").wait_for()
    page.evaluate(RESPONSE_BEFORE_EVENT)
    press_by_keyboard(page, "Hold to hand in")
    expect(page.get_by_role("button", name="Press again")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.answered")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate("window.free = true")
    expect(page.get_by_role("region", name="Handed in")).to_be_visible()


def press_by_keyboard(page: Page, name: str) -> None:
    page.get_by_text(name).first.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        # Without a focus the active element is the body, which contains everything.
        if name in page.evaluate("document.querySelector(':focus')?.innerText ?? ''"):
            page.keyboard.press("Enter")
            return
    pytest.fail(f"the Tab key does not reach {name}")


def hold_player_requests(page: Page) -> list[Route]:
    """Hold back the requests for the player; return the list of held requests."""
    held: list[Route] = []
    page.route(ME, lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtins
    return held


def continue_requests(page: Page, held: list[Route]) -> None:
    for route in held:
        route.continue_()
    page.unroute(ME)


def test_a_deck_is_fetched_at_the_same_time_as_the_player(
    open_phone: OpenPage, live_server: LiveServer, example_games: ExampleGames
) -> None:
    """It is shown once both have arrived, with its latest pictures, which are WebP."""
    game = live_server.new_game(mode="full")
    deck = example_games.photograph(game, 1)["id"]
    page = open_phone(game, 1, f"/p/deck/{deck}")
    page.locator(".picture img").wait_for()
    held = hold_player_requests(page)
    with page.expect_response("**/api/v1/me/decks/*", timeout=RESPONSE_TIMEOUT) as answer:
        page.reload(wait_until="commit")
    assert answer.value.ok
    assert page.locator(".picture").count() == 0
    example_games.photograph(game, 1, "another", deck)
    page.wait_for_timeout(500)
    with page.expect_response("**/image?width=800") as image:
        continue_requests(page, held)
    assert image.value.headers["content-type"] == "image/webp"
    expect(page.locator(".picture")).to_have_count(2)


def test_a_result_is_fetched_at_the_same_time_as_the_player(open_phone: OpenPage, live_server: LiveServer) -> None:
    """It is shown once both have arrived."""
    page = open_phone(counted_game(live_server.context, published=True))
    page.locator(".own-place .own-rank").wait_for()
    held = hold_player_requests(page)
    with page.expect_response("**/api/v1/me/result*", timeout=RESPONSE_TIMEOUT) as answer:
        page.goto("/p/result", wait_until="commit")
    assert answer.value.ok
    assert page.locator(".my-result").count() == 0
    continue_requests(page, held)
    page.locator(".my-result .score").wait_for()
