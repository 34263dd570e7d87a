"""The big screen: countdown, hand-ins, and the ceremony from the last place to the podium."""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from server.db.models import Envelope
from server.games.events import publish_event
from server.games.lifecycle.envelopes import give_points
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.results.standings import hands_by_envelope
from server.games.results.versions import CountRequest, correct, freeze, load_version, publish, unpublish
from tests.context import ORGANISER
from tests.played_game import played_game
from tests.readings import add_photo, reading
from tests.web.axe import axe_problems
from tests.web.pages.counted_games import frozen_game
from tests.web.pages.organiser_steps import stored_game
from tests.web.steps import scrolls_horizontally, wait_until, with_page_modules

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage

BIG_SCREEN = {"width": 1280, "height": 720}
BIG_SCREENS = [(1920, 1080), (2560, 1440), (1024, 768), (320, 640), (1280, 720)]
EMPTY_PODIUM_PLACES = ".podium:has(.stand-1.stand-taken) .stand:not(.stand-taken)"
KEY_PAUSE = 900
"""Milliseconds after which a key at the question to publish counts as intended."""
GROUP_SIZES = with_page_modules(
    """async (places) => {
  const { planSteps } = await import("/web/app/projector/ceremony");
  const reveal = Array.from({ length: places }, (_, at) => ({ rank: places - at }));
  return planSteps(reveal).filter(({ kind }) => kind === "group").map(({ places }) => places.length);
}"""
)


def _ranking(live_server: LiveServer, game: str) -> list[dict[str, Any]]:
    """Return the hands of version 1 in rank order."""
    with live_server.context.database.reading() as session:
        return list(load_version(session, game, 1).document["hands"])


def _photograph_winner(live_server: LiveServer, game: str) -> None:
    """Store a photo of three cards of the winner of version 1."""
    with live_server.context.database.reading() as session:
        version = load_version(session, game, 1)
        envelope = next(iter(hands_by_envelope(version.inputs, version.document)))
        cards = session.get_one(Envelope, (game, envelope)).submitted_cards or []
    photo, file = add_photo(live_server.context, game, reading(cards[:3], [envelope])), io.BytesIO()
    Image.new("RGB", (400, 100), "teal").save(file, "JPEG")
    live_server.context.photos.put(game, photo, file.getvalue())


def _step(page: Page, number: int) -> None:
    page.locator(f"[data-step='{number}']").wait_for()


def _shown_seconds(page: Page) -> int:
    """Return the seconds of the countdown."""
    sizes = {"day": 86_400, "hour": 3600, "minute": 60, "second": 1}
    words = (page.get_by_role("timer").get_attribute("aria-label") or "").removesuffix(" left").split()
    return sum(int(count) * sizes[unit.removesuffix("s")] for count, unit in zip(words[::2], words[1::2], strict=True))


def _set_deadline(live_server: LiveServer, game: str, **left: int) -> None:
    """Set a game's deadline to a time from now, and publish the event."""
    with live_server.context.database.writing() as session:
        load_game(session, game).deadline = datetime.now(UTC) + timedelta(**left)
        publish_event(session, game, datetime.now(UTC), "game")


def test_the_countdown_uses_the_servers_clock(open_page: OpenPage, live_server: LiveServer) -> None:
    """It is right on a machine three hours slow; an invalid link is reported; the token is removed from the address."""
    end = datetime.now(UTC) + timedelta(days=1, hours=2)
    game = live_server.new_game(State.OPEN, name="On time", deadline=end, timezone="Europe/Berlin")
    page = open_page("/screen")
    page.get_by_role("heading", name="Which game?").wait_for()
    page.goto("about:blank")  # a new fragment alone would not load the page again
    page.goto(f"{live_server.url}/screen#ABCD.nothing")
    page.get_by_role("heading", name="This link is not valid").wait_for()
    page.clock.install(time=datetime.now(UTC) - timedelta(hours=3))
    page.goto("about:blank")
    page.goto(live_server.screen_link(game))
    page.get_by_role("timer").wait_for()
    assert page.url == f"{live_server.url}/screen"
    assert abs(_shown_seconds(page) - (end - datetime.now(UTC)).total_seconds()) < 10
    before = _shown_seconds(page)
    page.wait_for_function(
        "before => !document.querySelector('.clock').ariaLabel.includes(before)", arg=f" {before % 60} second"
    )
    assert 0 < before - _shown_seconds(page) < 10
    page.reload()
    page.get_by_role("timer").wait_for()


def test_hand_ins_are_counted_live_until_the_deadline(open_page: OpenPage, live_server: LiveServer) -> None:
    """The last minutes are highlighted, the end needs no key, and the join hint is below."""
    deadline = datetime.now(UTC) + timedelta(minutes=30)
    game = live_server.new_game(State.OPEN, name="Nearly over", players=6, deadline=deadline)
    page = open_page(live_server.screen_link(game), viewport=BIG_SCREEN)
    page.get_by_text("0 of 6 decks handed in").wait_for()
    page.get_by_text("scan the code on your envelope").wait_for()
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 2)).submitted_at = datetime.now(UTC)
        publish_event(session, game, datetime.now(UTC), "envelopes", 2)
    page.get_by_text("1 of 6 decks handed in").wait_for()
    expect(page.locator(".countdown-urgent")).to_have_count(0)
    _set_deadline(live_server, game, minutes=8)
    page.locator(".countdown-urgent").wait_for()
    assert axe_problems(page) == []
    _set_deadline(live_server, game, seconds=50)
    page.locator(".countdown-last").wait_for()
    _set_deadline(live_server, game, seconds=1)
    page.get_by_role("heading", name=re.compile("^Time.s up!$")).wait_for()
    page.locator("[data-state='closed']").wait_for()


def test_the_ceremony_can_be_controlled_and_published_from_the_desk(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """The desk shows the step and offers to publish; the big screen says to look at the phones, and ignores keys."""
    game = frozen_game(live_server, 2, name="Led")
    desk = open_page(f"/desk/games/{game}/results", organiser="Olga")
    with desk.context.expect_page() as new_tab:
        desk.get_by_role("link", name="Begin the ceremony").click()
    screen = new_tab.value
    following = desk.get_by_role("button", name="Next", exact=True)
    desk.get_by_text("Step 1 of").wait_for()
    assert axe_problems(desk) == []
    step = 1
    while following.is_enabled():
        following.click()
        step += 1
        desk.get_by_text(f"Step {step} of").wait_for()
        _step(screen, step - 1)
    screen.get_by_role("heading", name="Look at your phone").wait_for()
    expect(screen.get_by_role("button", name="Publish")).to_have_count(0)
    for _ in range(3):
        screen.keyboard.press("Space")
        screen.wait_for_timeout(KEY_PAUSE)
    assert stored_game(live_server, game).state == "frozen"
    desk.get_by_role("button", name="Publish", exact=True).click()
    screen.locator(".board-foot").get_by_text("Look at your phone").wait_for()
    assert stored_game(live_server, game).state == "published"
    desk.get_by_role("button", name="Previous", exact=True).click()
    _step(screen, step - 3)


def test_keys_reveal_seven_players_one_by_one_and_publish(open_page: OpenPage, live_server: LiveServer) -> None:  # noqa: PLR0915 - a long journey
    """Back and forth, and after a reload. Without an organiser's session no name, score or place is sent before."""
    game = frozen_game(live_server, 7, name="Reveal")
    ranked = _ranking(live_server, game)
    _photograph_winner(live_server, game)
    bodies: list[str] = []

    def record(answer: Response) -> None:
        if "/api/" in answer.url and "events" not in answer.url:
            bodies.append(answer.text())

    watcher = open_page("/screen", viewport=BIG_SCREEN)
    watcher.on("response", record)
    watcher.goto(live_server.screen_link(game))
    watcher.get_by_text("The results are coming up").wait_for()
    page = open_page(live_server.screen_link(game), organiser="Olga", viewport=BIG_SCREEN)
    page.get_by_role("heading", name="Results").wait_for()
    _check_controls(page)
    for number, (key, hand) in enumerate(
        zip(("Space", "ArrowRight", "Enter", "PageDown"), ranked[:2:-1], strict=True), 1
    ):
        page.keyboard.press(key)
        _step(page, number)
        page.get_by_role("heading", name=hand["player"]).wait_for()
        page.get_by_text(f"{hand['rank']}th place").wait_for()
        expect(page.locator(".one-score")).to_contain_text(f"{hand['score']} point", use_inner_text=True)
    page.keyboard.press("ArrowLeft")
    _step(page, 3)
    page.reload()
    _step(page, 3)
    page.mouse.click(600, 300)
    _step(page, 4)
    page.keyboard.press("Space")
    page.get_by_role("heading", name="The podium").wait_for()
    for number, hand in zip((6, 7, 8), ranked[2::-1], strict=True):
        page.keyboard.press("Space")
        _step(page, number)
        page.get_by_role("heading", name=hand["player"]).wait_for()
    page.keyboard.press("Space")
    page.get_by_role("heading", name="The winner").wait_for()
    expect(page.locator(".stand-taken")).to_have_count(3)
    wait_until(page, lambda: page.locator(".stand-photo").evaluate("image => image.naturalWidth") > 0)
    page.keyboard.press("Space")
    expect(page.locator(".board .board-name")).to_have_text([hand["player"] for hand in ranked], use_inner_text=True)
    _advance_clock(page, 0)
    page.keyboard.press("Space")
    page.get_by_role("heading", name="Look at your phone").wait_for()
    assert axe_problems(page) == []
    # A repeated key publishes nothing.
    page.keyboard.press("Space")
    assert stored_game(live_server, game).state == "frozen"
    expect(page.get_by_role("button", name="Publish")).to_be_enabled()
    page.get_by_text("Any key: you will be asked again.").wait_for()
    for key in ("Space", "Enter", "PageDown", "ArrowRight"):
        watcher.keyboard.press(key)
    watcher.get_by_role("heading", name=re.compile("^Time.s up!$")).wait_for()
    responses = [json.loads(body) for body in bodies]
    assert [one["reveal"] for one in responses if "reveal" in one]
    assert all(one.get("reveal") is None for one in responses)
    assert not any("Player" in body or '"score"' in body for body in bodies)
    _advance_clock(page, KEY_PAUSE)
    page.keyboard.press("PageDown")
    page.get_by_text("Publish now?").wait_for()
    page.get_by_text("Any key publishes.").wait_for()
    _advance_clock(page, KEY_PAUSE)
    assert stored_game(live_server, game).state == "frozen"
    page.keyboard.press("PageDown")
    page.locator(".board-foot").get_by_text("Look at your phone").wait_for()
    assert stored_game(live_server, game).state == "published"
    watcher.get_by_role("heading", name="Results").wait_for()
    watcher.keyboard.press("Space")
    watcher.get_by_role("heading", name=ranked[-1]["player"]).wait_for()


def _check_controls(page: Page) -> None:
    """Keys work after a click. F toggles full screen; B and the full stop blank the screen until any key."""
    page.get_by_role("button", name="Light or dark").click()
    page.locator("html.light").wait_for()
    page.keyboard.press("Space")
    _step(page, 1)
    page.locator("html.light").wait_for()
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement")
    page.keyboard.press("f")
    page.wait_for_function("() => !document.fullscreenElement")
    for key in ("b", "."):
        page.keyboard.press(key)
        page.locator(".blank").wait_for()
        page.keyboard.press("Space")
        expect(page.locator(".blank")).to_have_count(0)
    _step(page, 1)
    page.get_by_role("button", name="Back").click()
    _step(page, 0)


def test_a_key_publishes_only_after_a_second_question(open_page: OpenPage, live_server: LiveServer) -> None:
    """A remote control's repeated keys publish nothing, also if the offer disappears and returns."""
    game = frozen_game(live_server, 2, name="Slips")
    page = open_page(live_server.screen_link(game), organiser="Olga", viewport=BIG_SCREEN)
    page.get_by_role("heading", name="Results").wait_for()
    _advance_clock(page, 0)
    offer, question = (page.get_by_text(words) for words in ("Show the results on all phones?", "Publish now?"))

    def offered() -> bool:
        if not (there := bool(offer.count())):
            page.keyboard.press("PageDown")
        return there

    def answer_once() -> None:
        _advance_clock(page, KEY_PAUSE)
        page.keyboard.press("PageDown")
        question.wait_for()
        page.keyboard.press("PageDown")
        assert stored_game(live_server, game).state == "frozen"

    wait_until(page, offered)
    for _ in range(2):
        answer_once()
        page.keyboard.press("ArrowLeft")
        page.locator(".board").wait_for()
        page.keyboard.press("PageDown")
        offer.wait_for()
    answer_once()
    with live_server.context.database.writing() as session:
        publish(session, load_game(session, game), None, ORGANISER, live_server.context.clock())
    page.locator(".board").wait_for()
    with live_server.context.database.writing() as session:
        unpublish(session, load_game(session, game), ORGANISER, live_server.context.clock(), "too early")
    offer.wait_for()
    expect(question).to_have_count(0)
    answer_once()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageDown")
    offer.wait_for()
    page.get_by_role("button", name="Publish").click()
    page.locator(".board-foot").get_by_text("Look at your phone").wait_for()
    assert stored_game(live_server, game).state == "published"


def _advance_clock(page: Page, milliseconds: int) -> None:
    """Advance a page's clock and stop it, so that the time between keys does not depend on the machine."""
    page.evaluate(
        """milliseconds => {
            const now = performance.now() + milliseconds;
            performance.now = () => now;
        }""",
        milliseconds,
    )


@pytest.mark.thorough
def test_a_hundred_and_forty_players_are_revealed_in_tens(open_page: OpenPage, live_server: LiveServer) -> None:
    """Every place is shown once before the podium, the top ten alone, and every kind of step fits every screen size.

    The letters of the final ranking have at least 2.2 % of the screen's height; its pages turn until one is chosen.
    """
    game = frozen_game(live_server, 140, name="A hundred and forty")
    ranked = [hand["player"] for hand in _ranking(live_server, game)]
    page = open_page(live_server.screen_link(game), organiser="Olga", viewport=BIG_SCREEN, locale="de-DE")
    page.get_by_role("heading", name="Ergebnisse").wait_for()
    page.clock.install()
    seen: list[str] = []
    kinds: set[object] = set()

    def check_size(kind: object) -> None:
        assert not page.evaluate("document.documentElement.scrollHeight > innerHeight"), kind
        if kind in kinds:
            return
        kinds.add(kind)
        for width, height in BIG_SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert not scrolls_horizontally(page), (kind, width)

    step = 0
    while not page.locator(".slide-board").count():
        names = page.locator(".group-name, .one-name").all_inner_texts()
        assert len(names) <= 10
        seen += names[::-1]  # the best of a group is at the top
        check_size(
            (page.locator("main > *").first.get_attribute("class"), len(names), page.locator(".stand-taken").count())
        )
        # If winners share the first place, there is no empty place beside them.
        expect(page.locator(EMPTY_PODIUM_PLACES).filter(visible=True)).to_have_count(0)
        page.keyboard.press("Space")
        step += 1
        _step(page, step)
    assert sorted(seen) == sorted(ranked)
    assert seen[-1] == ranked[0]
    assert step < 40

    names, turns = page.locator(".board-name"), page.locator(".board-pages button")
    first = names.all_inner_texts()
    for width, height in (*BIG_SCREENS[:2], BIG_SCREENS[-1]):
        page.set_viewport_size({"width": width, "height": height})
        size = names.first.evaluate("name => parseFloat(getComputedStyle(name).fontSize)")
        assert size >= 0.022 * height
        assert not page.evaluate("document.documentElement.scrollHeight > innerHeight")
    expect(page.locator(".board")).to_have_attribute("aria-live", "off")
    page.clock.fast_forward(15_000)
    expect(turns.last).to_have_attribute("aria-pressed", "true")
    assert first + names.all_inner_texts() == ranked
    turns.first.click()
    expect(names.first).to_have_text(first[0])
    page.clock.run_for(1000)  # so that the automatic turning has ended
    page.clock.fast_forward(60_000)
    expect(names.first).to_have_text(first[0])
    check_size("board")
    page.keyboard.press("Space")
    page.locator(".slide-publish").wait_for()
    check_size("offer")
    page.clock.fast_forward(KEY_PAUSE)
    page.keyboard.press("PageDown")
    page.get_by_text("Jetzt veröffentlichen?").wait_for()
    check_size("question")


def test_long_names_are_whole_in_the_final_ranking(open_page: OpenPage, live_server: LiveServer) -> None:
    game = frozen_game(live_server, 11, name="Long names")
    with live_server.context.database.writing() as session:
        for number in range(1, 12):
            session.get_one(Envelope, (game, number)).name = f"Maximiliane Oberhauser-Lindqvist of Team {number}"
    correct(live_server.context, game, ORGANISER, CountRequest("names", "as before"))
    with live_server.context.database.writing() as session:
        publish(session, load_game(session, game), None, ORGANISER, live_server.context.clock())
    page = open_page(live_server.screen_link(game), viewport=BIG_SCREEN)
    page.get_by_role("heading", name="Results").wait_for()
    page.keyboard.press("End")
    names = page.locator(".board-name")
    expect(names).to_have_count(11)
    # Accents may be higher than a line, and a hidden line adds half of the height.
    clipped = "name => name.scrollWidth > name.clientWidth || name.scrollHeight > 1.2 * name.clientHeight"
    assert not any(name.evaluate(clipped) for name in names.all())
    assert not page.evaluate("document.documentElement.scrollHeight > innerHeight")


def test_small_last_groups_are_merged_with_the_one_before(open_page: OpenPage) -> None:
    """Groups have ten places, from the top; one to three that are left over share with the ten above them."""
    page = open_page("/screen")
    for players, sizes in (
        (10, []),
        (11, [1]),
        (13, [3]),
        (20, [10]),
        (21, [6, 5]),
        (23, [7, 6]),
        (24, [4, 10]),
        (61, [6, 5, 10, 10, 10, 10]),
        (140, [10] * 13),
    ):
        assert page.evaluate(GROUP_SIZES, players) == sizes, players


def test_a_correction_before_the_ceremony_is_shown(open_page: OpenPage, live_server: LiveServer) -> None:
    """An open screen reveals the newest version; a later correction starts again after a reload.

    A player who is not named stays "A player", without lines or the number of cards.
    """
    game = frozen_game(live_server, 3, name="Corrected")
    page = open_page(live_server.screen_link(game), organiser="Olga", viewport=BIG_SCREEN)
    page.get_by_role("heading", name="Results").wait_for()
    with live_server.context.database.writing() as session:
        for number in (1, 2, 3):
            session.get_one(Envelope, (game, number)).name = f"Renamed {number}"
    assert correct(live_server.context, game, ORGANISER, CountRequest("names", "as before")) == 2
    page.keyboard.press("Space")
    page.get_by_role("heading", name="The podium").wait_for()
    page.keyboard.press("Space")
    page.get_by_role("heading", name="Renamed").wait_for()
    page.reload()
    page.get_by_role("heading", name="Renamed").wait_for()
    with live_server.context.database.writing() as session:
        for number in (1, 2, 3):
            session.get_one(Envelope, (game, number)).hidden = True
    assert correct(live_server.context, game, ORGANISER, CountRequest("again", "as before")) == 3
    page.reload()
    page.get_by_role("heading", name="Results").wait_for()
    for number in (1, 2):
        page.keyboard.press("Space")
        _step(page, number)
    page.get_by_role("heading", name="A player").wait_for()
    expect(page.locator(".difference")).to_have_count(0)
    assert "Renamed" not in page.content()


def test_a_long_score_fits_on_the_big_screen(open_page: OpenPage, live_server: LiveServer) -> None:
    """It has six lines, one of them from the organisers; there is no space for the void line."""
    game = played_game(live_server.context, name="Long", confirmed=["blue_base"])
    with live_server.context.database.writing() as session:
        row = load_game(session, game)
        give_points(session, row, 2, 14, "W" * 200, ORGANISER, live_server.context.clock())
    freeze(live_server.context, game, ORGANISER, CountRequest())
    page = open_page(live_server.screen_link(game), organiser="Olga", viewport=BIG_SCREEN)
    page.get_by_role("heading", name="Results").wait_for()
    for number in range(1, 12):
        page.keyboard.press("ArrowRight")
        _step(page, number)
    page.get_by_text("Points from the organisers").wait_for()
    lines = page.locator(".difference li")
    expect(lines).to_have_count(6)
    boxes = [line.bounding_box() or {} for line in lines.all()]
    assert boxes[0]["y"] > 50
    assert boxes[-1]["y"] + boxes[-1]["height"] < BIG_SCREEN["height"]
