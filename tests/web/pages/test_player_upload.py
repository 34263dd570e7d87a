"""The outbox of the player page: everything is stored exactly once, whatever fails in between."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
import signal

import pytest
from playwright.sync_api import Route, expect
from sqlalchemy import select

from server.db.models import Deck, Envelope
from tests.players import dealt
from tests.scan_jobs import png
from tests.server_process import kill_group
from tests.web.pages.conftest import LiveServer, OpenPage
from tests.web.pages.outbox_steps import (
    ADD,
    DECK_OF,
    DROP,
    OUTBOX,
    RETRY,
    STORED,
    add_hand_in,
    add_pictures,
    await_all,
    await_empty,
    create_deck,
    large_picture,
    open_outbox,
    outbox_items,
    slow_down,
    stored_counts,
)
from tests.web.pages.player_steps import add_deck, join, open_phone, overflowing_widths, photograph, press_and_hold
from tests.web.steps import open_path, wait_until, with_page_modules

CACHE = with_page_modules("""async () => {
  const { updateCache, withCache } = await import("/web/app/player/offline/storage");
  const away = () => Promise.reject(Object.assign(new Error(), { passing: true }));
  await withCache("old", async () => ({ deadline: "10:00" }));
  const before = (await withCache("old", away)).asOf;
  await new Promise((go) => setTimeout(go, 20));
  const amended = new Date().toISOString();
  await updateCache("old", (data) => ({ ...data, more: true }));
  await updateCache("new", () => ({ more: true }));
  return { before, amended, old: await withCache("old", away), fresh: await withCache("new", away) };
}""")
# Record the messages of the list and of the status line about uploads.
RECORD_MESSAGES = """() => {
  window.messages = [];
  window.statuses = [];
  new MutationObserver(() => {
    window.statuses.push(document.querySelector(".outbox-status").textContent);
    for (const { textContent } of document.querySelectorAll(".list-note")) {
      if (textContent !== messages.at(-1)) messages.push(textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@pytest.fixture(scope="module")
def live_server(stoppable_server: LiveServer) -> LiveServer:
    """Return a server that tests may stop."""
    return stoppable_server


@pytest.fixture
def game_and_token(live_server: LiveServer) -> tuple[str, str]:
    """Create a game; return its id and the token of envelope 1."""
    game = live_server.new_game(mode="inventory")
    return game, live_server.link(game, 1).partition("#")[2]


def test_each_stage_of_an_upload_is_shown(open_page: OpenPage, live_server: LiveServer) -> None:
    """The deck and the status line say whether a picture waits, is sent or is read, with and without network."""
    game = live_server.new_game(mode="inventory")
    page = open_phone(live_server, open_page, game)
    waiting, bar = page.locator(".outbox-status"), page.locator(".deck-bar")
    held: list[Route] = []
    page.route("**/api/v1/me/decks/*/photos", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtins
    photograph(page, live_server.picture(game, dealt(live_server.context, game, 1)[:4]))
    page.get_by_role("heading", name="New deck").wait_for()
    page.get_by_role("article", name="Picture 1").get_by_text(re.compile(r"^Sending: \d+ %$")).wait_for()
    expect(page.get_by_text("Being read")).to_have_count(0)
    wait_until(page, lambda: bool(held))

    def block_responses(route: Route) -> None:
        """Send changes to the server, and block queries."""
        if route.request.method == "GET":
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/api/v1/me**", block_responses)
    page.route("**/api/v1/me/**", block_responses)
    page.unroute("**/api/v1/me/decks/*/photos")
    held[0].continue_()
    read = page.get_by_role("article", name="Picture 1").get_by_text("Being read")
    read.wait_for()
    expect(waiting).to_contain_text("Offline")
    page.get_by_role("link", name="All decks").click()
    page.locator(".deck-row").click()
    read.wait_for()
    page.unroute_all(behavior="ignoreErrors")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("heading", name="4 cards", exact=True).wait_for()
    expect(page.get_by_text("Sending")).to_have_count(0)

    page.get_by_role("link", name="All decks").click()
    page.route("**/api/v1/me/decks**", lambda route: route.abort())
    photograph(page, png(1), "Photograph another deck")
    expect(page.get_by_role("heading", name="New deck")).to_be_visible()
    expect(waiting).to_contain_text("Offline. Waiting: 1 picture. Will be sent automatically.")
    expect(bar).to_contain_text("Wait until all pictures are read")
    expect(bar.get_by_role("button", name="Yes")).to_have_count(0)
    expect(page.get_by_text("Being read")).to_have_count(0)
    page.get_by_role("link", name="All decks").click()
    expect(page.get_by_role("link", name="Waiting: 1 picture")).to_be_visible()
    assert overflowing_widths(page) == []
    page.get_by_role("link", name="Waiting: 1 picture").click()
    page.unroute("**/api/v1/me/decks**")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".picture[data-state=done]")).to_have_count(1)
    expect(page.get_by_text("Waiting")).to_have_count(0)


@pytest.mark.thorough
def test_the_progress_of_uploads_only_grows_and_stops_when_the_server_is_busy(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """Progress covers all three pictures; only those that the server postpones are shown as waiting."""
    page = open_phone(live_server, open_page, live_server.new_game(mode="inventory"))
    page.evaluate(RECORD_MESSAGES)
    slow_down(page, 400_000)
    page.locator("input[type=file][multiple]").first.set_input_files([large_picture(number) for number in (1, 2, 3)])
    page.locator(".picture").nth(2).wait_for()
    expect(page.locator(".picture-progress")).to_have_count(0)
    result = page.evaluate("window.messages")
    percents = [int(match[1]) for text in result if (match := re.search(r"^3 pictures.* (\d+) %", text))]
    assert percents == sorted(percents)
    assert percents[-1] > 67, result
    assert not any("Waiting" in text for text in [*result, *page.evaluate("window.statuses")])
    assert "Sending: 3 pictures." in page.evaluate("window.statuses")

    full = {"status": 429, "headers": {"Retry-After": "3600"}, "content_type": "application/problem+json"}
    refusal = '{"type": "https://haggle.example.org/problems/too-many-requests", "title": "Wait", "status": 429}'
    page.route("**/api/v1/me/decks**", lambda route: route.fulfill(body=refusal, **full))
    page.goto("/")
    page.locator("input[type=file][multiple]").first.set_input_files(large_picture(4))
    expect(page.get_by_role("article", name="Picture 1")).to_contain_text("Waiting")
    expect(page.locator(".outbox-status")).to_have_text("Waiting: 1 picture. Will be sent automatically.")
    expect(page.get_by_text("0 %")).to_have_count(0)


def test_a_file_that_is_no_picture_can_only_be_removed(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """The refusal survives a reload, and the pictures behind it are sent."""
    game, token = game_and_token
    page = open_phone(live_server, open_page, game)
    photograph(page, b"no picture")
    expect(page.get_by_role("alert")).to_contain_text("This file is not a picture")
    expect(page.locator(".picture")).to_have_count(0)
    expect(page.get_by_role("button", name="Try again")).to_have_class("secondary")
    leave_out = page.get_by_role("button", name="Leave it out")
    expect(leave_out).not_to_have_class("secondary")
    [refused] = outbox_items(page, token)
    add_pictures(page, token, [1], refused["deck"])
    await_all(page, token, "refused")
    assert stored_counts(live_server, game) == (1, 1, 1)
    page.reload()
    assert outbox_items(page, token) == [refused]
    leave_out.click()
    leave_out.wait_for(state="detached")
    assert outbox_items(page, token) == []


def test_a_waiting_hand_in_is_shown_in_place_of_the_receipt(open_page: OpenPage, live_server: LiveServer) -> None:
    """The home screen and the deck say that it waits, and ask for no other picture; then the receipt appears."""
    game = live_server.new_game(mode="inventory")
    page = open_phone(live_server, open_page, game, path=f"/p/deck/{add_deck(live_server, game, confirmed=True)}")
    page.get_by_role("button", name="Hand in this deck").click()
    page.context.set_offline(True)
    press_and_hold(page, page.get_by_role("button", name="Hold to hand in"))
    expect(page.get_by_role("region", name="Hand-in waiting")).to_contain_text("It counts when it reaches the server")
    # In between is the time of the cached data.
    expect(page.locator(".outbox-status")).to_contain_text(re.compile(r"Offline\. .*Waiting: .*hand-in\."))
    expect(page.get_by_role("link", name="Hand-in waiting")).to_be_visible()
    expect(page.locator(".add-photos")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.get_by_role("region", name="Handed in")).to_be_visible()
    # The code is not broken into two lines.
    expect(page.locator(".receipt-code")).to_have_css("white-space", "nowrap")


def test_waiting_pictures_survive_a_closed_page(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """Pictures of a deck that was created offline make one deck, sent by the next page."""
    game, token = game_and_token
    first = open_outbox(open_page)
    context = first.context
    context.set_offline(True)
    deck = add_pictures(first, token, [1, 2, 3])
    await_all(first, token, "waiting")
    assert first.evaluate(DECK_OF, deck) is None
    assert stored_counts(live_server, game) == (0, 0, 0)
    first.close()
    context.set_offline(False)
    second = context.new_page()
    second.goto("/")
    await_empty(second, token)
    assert stored_counts(live_server, game) == (3, 3, 1)
    with live_server.context.database.reading() as session:
        assert second.evaluate(DECK_OF, deck) == session.scalar(select(Deck.id).where(Deck.game == game))
    result = second.evaluate(CACHE)
    assert result["old"] == {"deadline": "10:00", "more": True, "asOf": result["before"]}
    assert result["before"] < result["amended"] <= result["fresh"]["asOf"]


def test_repeated_uploads_are_stored_once(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """The responses to creating a deck and to a picture are lost; then a tab is closed while it uploads."""
    game, token = game_and_token
    first = open_outbox(open_page)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and route.request.url not in lost:
            lost.append(route.request.url)
            route.fetch()
            route.abort()
        else:
            route.continue_()

    first.route("**/api/v1/me/decks**", lose)
    deck = add_pictures(first, token, [1])
    await_empty(first, token)
    assert len(lost) == 2
    assert stored_counts(live_server, game) == (1, 1, 1)

    first.unroute("**/api/v1/me/decks**")
    slow_down(first, 40)
    add_pictures(first, token, [2, 3], deck)
    first.wait_for_function("() => window.watched.items().some((item) => item.state === 'sending')")
    second = first.context.new_page()
    second.goto("/")
    assert len(outbox_items(second, token)) == 2
    first.close()
    await_empty(second, token)
    assert stored_counts(live_server, game) == (3, 3, 1)


@pytest.mark.parametrize("locks", [True, False], ids=["https", "plain http"])
def test_two_tabs_upload_one_after_the_other(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str], *, locks: bool
) -> None:
    """Tabs with pictures for one deck take turns, and each knows what the other has."""
    game, token = game_and_token
    first = open_page("about:blank")
    if not locks:
        first.context.add_init_script("delete Navigator.prototype.locks")
    first.goto("/")
    first.evaluate(f"async () => {{ {OUTBOX} }}")
    second = first.context.new_page()
    second.goto("/")
    running: set[object] = set()
    most: list[int] = []
    for page in (first, second):
        page.on(
            "request",
            lambda request: request.method == "POST" and (running.add(request), most.append(len(running))),
        )
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: running.discard(request))  # noqa: PLW0108 - Playwright takes no builtins
    deck = add_pictures(first, token, [1, 2])
    add_pictures(second, token, [3, 4], deck)
    add_pictures(first, token, [5], deck)
    await_empty(first, token)
    await_empty(second, token)
    assert stored_counts(live_server, game) == (5, 5, 1)
    assert max(most) == 1


@pytest.mark.thorough
def test_a_slow_upload_is_not_interrupted_while_it_progresses(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """It may take longer than any time limit, is shown as slow, and no other tab sends it again."""
    game, token = game_and_token
    first = open_page("about:blank")
    first.context.add_init_script("delete Navigator.prototype.serviceWorker")

    def shorten_timeouts(route: Route) -> None:
        """Serve a script with its timeouts shortened to three seconds."""
        answer = route.fetch()
        text = re.sub(r"\b((?:UPLOAD_STALL_|LOCK_)?TIMEOUT|SLOW_UPLOAD) = [\de]+;", r"\1 = 3000;", answer.text())
        route.fulfill(response=answer, body=text)

    first.context.route("**/*.js", shorten_timeouts)
    sent: list[str] = []
    first.context.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    first.goto("/")
    second = first.context.new_page()
    second.goto("/")
    first.evaluate(f"async () => {{ {OUTBOX} window.outbox = outbox; }}")
    slow_down(first, 20_000)
    picture = base64.b64encode(png(1) + bytes(100_000)).decode()
    first.evaluate(ADD, {"token": token, "deck": None, "pictures": [("large.png", picture)]})
    first.wait_for_function("() => window.outbox.items().some(({ slow }) => slow)")
    assert len(outbox_items(second, token)) == 1
    await_empty(second, token)
    assert len([url for url in sent if url.endswith("/photos")]) == 1
    assert stored_counts(live_server, game) == (1, 1, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_random_interruptions_lose_and_duplicate_nothing(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str], seed: int
) -> None:
    """Responses get lost, the server is killed, tabs are reloaded and closed: six pictures are stored, each once."""
    game, token = game_and_token
    random_bytes = (hashlib.sha256(f"{seed}/{turn}".encode()).digest()[0] for turn in itertools.count())
    page = open_outbox(open_page)
    context = page.context

    def interrupt(route: Route) -> None:
        chance = next(random_bytes)
        if route.request.method != "POST" or chance < 100:
            route.continue_()
        elif chance < 180:
            route.abort()
        else:
            route.fetch()
            route.abort()

    deck = None
    for number in range(6):
        context.route("**/api/v1/me/decks**", interrupt)
        deck = add_pictures(page, token, [number], deck)
        match next(random_bytes) % 4:
            case 0:
                context.unroute("**/api/v1/me/decks**")
                assert live_server.server.process
                kill_group(live_server.server.process.pid)
                live_server.server.stop(signal.SIGKILL)
                live_server.server.start()
            case 1:
                page.reload()
            case 2:
                page.close()
                page = context.new_page()
                page.goto("/")
            case _:
                outbox_items(page, token)
    context.unroute_all(behavior="ignoreErrors")
    page.evaluate(RETRY)
    await_empty(page, token)
    assert stored_counts(live_server, game) == (6, 6, 1)


def test_a_waiting_confirmation_and_hand_in_are_sent_in_order(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """Each is sent once; if the list is refused, nothing is handed in."""
    game, token = game_and_token
    page = open_outbox(open_page)
    deck, digest = create_deck(page, live_server, game, token)
    page.context.set_offline(True)
    add_hand_in(page, token, deck, "0" * 64)
    page.context.set_offline(False)
    await_all(page, token, "refused")
    refused = outbox_items(page, token)
    assert [item["problem"] for item in refused] == ["list-changed", "confirm-first"]
    with live_server.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).submitted_at is None
    for item in refused:
        page.evaluate(DROP, item["id"])

    page.context.set_offline(True)
    for seen in ("0" * 64, digest):
        add_hand_in(page, token, deck, seen)
    assert [item["kind"] for item in outbox_items(page, token)] == ["confirm", "hand-in"], "each of them once"
    page.context.set_offline(False)
    await_empty(page, token)
    with live_server.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).submitted_cards == sorted(dealt(live_server.context, game, 1))


def test_removing_an_envelope_deletes_its_data_from_the_phone(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """Its token and its waiting items are deleted and nothing is sent later; another envelope is kept."""
    game, token = game_and_token
    page = open_phone(live_server, open_page, game, 2)
    page.goto(live_server.link(game, 1))
    deck, _ = create_deck(page, live_server, game, token)
    join(live_server, game, 1)
    open_path(page, f"/p/deck/{deck}")
    page.get_by_role("button", name="Yes, ").wait_for()
    page.evaluate("caches.open('haggle-shared')")
    assert outbox_items(page, token) == []
    assert token in page.evaluate(STORED)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Remove this envelope").wait_for()
    page.context.set_offline(True)
    add_hand_in(page, token, deck)
    add_pictures(page, token, [1])
    other = live_server.link(game, 2).partition("#")[2]
    page.get_by_role("button", name="Remove this envelope").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    page.locator(".envelope-short", has_text="2").wait_for(state="attached")
    page.wait_for_function("async () => !(await caches.keys()).includes('haggle-shared')")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.context.set_offline(False)
    page.evaluate(RETRY)
    with page.expect_response("**/api/v1/me"):
        page.reload()
    left = page.evaluate(STORED)
    assert token not in left
    assert other in left
    assert sent == []
    with live_server.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).submitted_at is None


def test_waiting_items_are_sent_with_a_new_join_link(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """Items that were rejected for a replaced link are sent once the new label is scanned."""
    game, token = game_and_token
    page = open_phone(live_server, open_page, game, 1)
    deck, digest = create_deck(page, live_server, game, token)
    assert outbox_items(page, token) == []
    page.context.set_offline(True)
    add_pictures(page, token, [1])
    add_hand_in(page, token, deck, digest)
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).token_version += 1
    page.context.set_offline(False)
    await_all(page, token, "refused")
    page.reload()
    page.get_by_text("Scan the new label").wait_for()
    assert len(outbox_items(page, token)) == 3
    page.goto(live_server.link(game, 1))
    page.get_by_role("region", name="Handed in").wait_for()
    new = live_server.link(game, 1).partition("#")[2]
    await_empty(page, new)
    assert [len(outbox_items(page, one)) for one in (token, new)] == [0, 0]
    assert stored_counts(live_server, game) == (2, 2, 2)
    assert token not in page.evaluate(STORED)


def test_waiting_items_can_be_deleted(
    open_page: OpenPage, live_server: LiveServer, game_and_token: tuple[str, str]
) -> None:
    """A waiting picture, a deck that is only on the phone, and pictures for a deleted deck."""
    game, token = game_and_token
    page = open_phone(live_server, open_page, game, 1)
    deck, _ = create_deck(page, live_server, game, token)
    open_path(page, f"/p/deck/{deck}")
    page.get_by_role("article", name="Picture 1").get_by_role("button", name="Delete picture").wait_for()
    page.route("**/photos", lambda route: route.abort())
    add_pictures(page, token, [1], deck)
    page.get_by_role("button", name="Delete picture 2").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("article", name="Picture 2").wait_for(state="detached")
    assert outbox_items(page, token) == []
    add_pictures(page, token, [2], deck)
    page.request.delete(f"/api/v1/me/decks/{deck}", headers={"Authorization": f"Bearer {token}"})
    page.unroute("**/photos")
    page.evaluate(RETRY)
    await_all(page, token, "refused")
    open_path(page, f"/p/deck/{deck}")
    page.get_by_role("heading", name="Deck not found").wait_for()
    page.get_by_role("button", name="Leave it out").click()
    page.get_by_role("button", name="Leave it out").wait_for(state="detached")
    page.route("**/me/decks", lambda route: route.abort())
    local = add_pictures(page, token, [3])
    open_path(page, f"/p/deck/{local}")
    page.get_by_role("button", name="Delete this deck").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/")
    assert outbox_items(page, token) == []
