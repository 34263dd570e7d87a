"""The big screen: the clock that counts, hand-ins as they come, and the ceremony from the last place to the podium."""

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
from tests.web.axe import problems
from tests.web.pages.crowds import frozen_game
from tests.web.pages.organiser_steps import kept
from tests.web.steps import comes_to, scrolls_sideways, served

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

    from tests.web.pages.conftest import Hall
    from tests.web.pages.organiser_steps import Opened

WALL = {"width": 1280, "height": 720}
WALLS = [(1920, 1080), (2560, 1440), (1024, 768), (320, 640), (1280, 720)]
EMPTY_STANDS = ".podium:has(.stand-1.stand-taken) .stand:not(.stand-taken)"
AFTER_BREATH = 900
"""Milliseconds after which a key at the offer is no slip any more."""
SIZES = served(
    """async (places) => {
  const { planSteps } = await import("/web/app/projector/ceremony");
  const reveal = Array.from({ length: places }, (_, at) => ({ rank: places - at }));
  return planSteps(reveal).filter(({ kind }) => kind === "group").map(({ places }) => places.length);
}"""
)


def _ranking(hall: Hall, game: str) -> list[dict[str, Any]]:
    """Return the hands of version 1 in rank order."""
    with hall.context.database.reading() as session:
        return list(load_version(session, game, 1).document["hands"])


def _photograph_winner(hall: Hall, game: str) -> None:
    """Store a photo of three cards of the winner of version 1."""
    with hall.context.database.reading() as session:
        version = load_version(session, game, 1)
        envelope = next(iter(hands_by_envelope(version.inputs, version.document)))
        cards = session.get_one(Envelope, (game, envelope)).submitted_cards or []
    photo, file = add_photo(hall.context, game, reading(cards[:3], [envelope])), io.BytesIO()
    Image.new("RGB", (400, 100), "teal").save(file, "JPEG")
    hall.context.photos.put(game, photo, file.getvalue())


def _step(page: Page, number: int) -> None:
    page.locator(f"[data-step='{number}']").wait_for()


def _clock(page: Page) -> int:
    """Return the seconds that the clock shows."""
    sizes = {"day": 86_400, "hour": 3600, "minute": 60, "second": 1}
    said = (page.get_by_role("timer").get_attribute("aria-label") or "").removesuffix(" left").split()
    return sum(int(count) * sizes[unit.removesuffix("s")] for count, unit in zip(said[::2], said[1::2], strict=True))


def _end_in(hall: Hall, game: str, **left: int) -> None:
    """Move a game's deadline, while the screen is open."""
    with hall.context.database.writing() as session:
        load_game(session, game).deadline = datetime.now(UTC) + timedelta(**left)
        publish_event(session, game, datetime.now(UTC), "game")


def test_the_clock_is_the_servers(opened: Opened, hall: Hall) -> None:
    """On a machine three hours slow the countdown is right; a dead link says so; the token leaves the address."""
    end = datetime.now(UTC) + timedelta(days=1, hours=2)
    game = hall.game(State.OPEN, name="On time", deadline=end, timezone="Europe/Berlin")
    page = opened("/screen")
    page.get_by_role("heading", name="Which game?").wait_for()
    page.goto("about:blank")  # a new fragment alone makes the page load itself, beside what a test loads
    page.goto(f"{hall.url}/screen#ABCD.nothing")
    page.get_by_role("heading", name="This link to the big screen is not valid").wait_for()
    page.clock.install(time=datetime.now(UTC) - timedelta(hours=3))
    page.goto("about:blank")
    page.goto(hall.screen(game))
    page.get_by_role("timer").wait_for()
    assert page.url == f"{hall.url}/screen"
    assert abs(_clock(page) - (end - datetime.now(UTC)).total_seconds()) < 10
    before = _clock(page)
    page.wait_for_function(
        "before => !document.querySelector('.clock').ariaLabel.includes(before)", arg=f" {before % 60} second"
    )
    assert 0 < before - _clock(page) < 10
    page.reload()
    page.get_by_role("timer").wait_for()


def test_hand_ins_show_as_they_come_until_pencils_are_down(opened: Opened, hall: Hall) -> None:
    """The last minutes look urgent, the end needs no key, and the join hint is below."""
    deadline = datetime.now(UTC) + timedelta(minutes=30)
    game = hall.game(State.OPEN, name="Nearly over", players=6, deadline=deadline)
    page = opened(hall.screen(game), viewport=WALL)
    page.get_by_text("0 of 6 decks handed in").wait_for()
    page.get_by_text("Scan the code on your envelope").wait_for()
    with hall.context.database.writing() as session:
        session.get_one(Envelope, (game, 2)).submitted_at = datetime.now(UTC)
        publish_event(session, game, datetime.now(UTC), "envelopes", 2)
    page.get_by_text("1 of 6 decks handed in").wait_for()
    expect(page.locator(".countdown-urgent")).to_have_count(0)
    _end_in(hall, game, minutes=8)
    page.locator(".countdown-urgent").wait_for()
    assert problems(page) == []
    _end_in(hall, game, seconds=50)
    page.locator(".countdown-last").wait_for()
    _end_in(hall, game, seconds=1)
    page.get_by_role("heading", name=re.compile("^Time.s up!$")).wait_for()
    page.locator("[data-state='closed']").wait_for()


def test_the_ceremony_is_led_and_published_from_the_presenters_window(opened: Opened, hall: Hall) -> None:
    """The desk shows the step and offers to publish; the big screen only says to look at the phones."""
    game = frozen_game(hall, 2, name="Led")
    desk = opened(f"/desk/games/{game}/results", organiser="Olga")
    with desk.context.expect_page() as screen:
        desk.get_by_role("link", name="Begin the ceremony").click()
    wall = screen.value
    following = desk.get_by_role("button", name="Next", exact=True)
    desk.get_by_text("Step 1 of").wait_for()
    assert problems(desk) == []
    step = 1
    while following.is_enabled():
        following.click()
        step += 1
        desk.get_by_text(f"Step {step} of").wait_for()
        _step(wall, step - 1)
    desk.get_by_text("Show the results on all phones?").wait_for()
    wall.get_by_role("heading", name="Look at your phone now").wait_for()
    expect(wall.get_by_role("button", name="Publish the results")).to_have_count(0)
    desk.get_by_role("button", name="Publish the results").click()
    wall.get_by_text("Your result is on your phone").wait_for()
    assert kept(hall, game).state == "published"
    desk.get_by_role("button", name="Previous", exact=True).click()
    _step(wall, step - 3)


def test_seven_players_are_revealed_one_by_one_and_published_by_the_last_key(opened: Opened, hall: Hall) -> None:  # noqa: PLR0915 - a long walk
    """By keys, back and forth, over a reload; a screen without an organiser is sent no name, score or place before."""
    game = frozen_game(hall, 7, name="Reveal")
    ranked = _ranking(hall, game)
    _photograph_winner(hall, game)
    bodies: list[str] = []

    def keep(answer: Response) -> None:
        if "/api/" in answer.url and "events" not in answer.url:
            bodies.append(answer.text())

    watcher = opened("/screen", viewport=WALL)
    watcher.on("response", keep)
    watcher.goto(hall.screen(game))
    watcher.get_by_text("Everything is counted").wait_for()
    page = opened(hall.screen(game), organiser="Olga", viewport=WALL)
    page.get_by_role("heading", name="The results").wait_for()
    _controls_leave_the_keys_alone(page)
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
    comes_to(page, lambda: page.locator(".stand-photo").evaluate("image => image.naturalWidth") > 0)
    page.keyboard.press("Space")
    expect(page.locator(".board .board-name")).to_have_text([hand["player"] for hand in ranked], use_inner_text=True)
    _pass(page, 0)
    page.keyboard.press("Space")
    page.get_by_role("heading", name="Look at your phone now").wait_for()
    assert problems(page) == []
    # One key too many, at once, publishes nothing.
    page.keyboard.press("Space")
    assert kept(hall, game).state == "frozen"
    expect(page.get_by_role("button", name="Publish the results")).to_be_enabled()
    page.get_by_text("Press any key. You will be asked again.").wait_for()
    for key in ("Space", "Enter", "PageDown", "ArrowRight"):
        watcher.keyboard.press(key)
    watcher.get_by_role("heading", name=re.compile("^Time.s up!$")).wait_for()
    told = [json.loads(body) for body in bodies]
    assert [one["reveal"] for one in told if "reveal" in one]
    assert all(one.get("reveal") is None for one in told)
    assert not any("Player" in body or '"score"' in body for body in bodies)
    _pass(page, AFTER_BREATH)
    page.keyboard.press("PageDown")
    page.get_by_text("Publish now?").wait_for()
    page.get_by_text("Press any key to publish.").wait_for()
    _pass(page, AFTER_BREATH)
    assert kept(hall, game).state == "frozen"
    page.keyboard.press("PageDown")
    page.get_by_text("Your result is on your phone").wait_for()
    assert kept(hall, game).state == "published"
    watcher.get_by_role("heading", name="The results").wait_for()
    watcher.keyboard.press("Space")
    watcher.get_by_role("heading", name=ranked[-1]["player"]).wait_for()


def _controls_leave_the_keys_alone(page: Page) -> None:
    """After buttons by mouse the keys still go on. F fills the screen; B and the full stop empty it until any key."""
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


def test_a_key_at_the_offer_asks_once_more(opened: Opened, hall: Hall) -> None:
    """A remote's key that is pressed too often publishes nothing, also where the offer goes and comes again."""
    game = frozen_game(hall, 2, name="Slips")
    page = opened(hall.screen(game), organiser="Olga", viewport=WALL)
    page.get_by_role("heading", name="The results").wait_for()
    _pass(page, 0)
    offer, question = (page.get_by_text(words) for words in ("Show the results on all phones?", "Publish now?"))

    def offered() -> bool:
        if not (there := bool(offer.count())):
            page.keyboard.press("PageDown")
        return there

    def asked() -> None:
        _pass(page, AFTER_BREATH)
        page.keyboard.press("PageDown")
        question.wait_for()
        page.keyboard.press("PageDown")
        assert kept(hall, game).state == "frozen"

    comes_to(page, offered)
    for _ in range(2):
        asked()
        page.keyboard.press("ArrowLeft")
        page.locator(".board").wait_for()
        page.keyboard.press("PageDown")
        offer.wait_for()
    asked()
    with hall.context.database.writing() as session:
        publish(session, load_game(session, game), None, ORGANISER, hall.context.clock())
    page.locator(".board").wait_for()
    with hall.context.database.writing() as session:
        unpublish(session, load_game(session, game), ORGANISER, hall.context.clock(), "too early")
    offer.wait_for()
    expect(question).to_have_count(0)
    asked()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageDown")
    offer.wait_for()
    page.get_by_role("button", name="Publish the results").click()
    page.get_by_text("Your result is on your phone").wait_for()
    assert kept(hall, game).state == "published"


def _pass(page: Page, milliseconds: int) -> None:
    """Advance a page's clock and stop it: a quick key is then quick on any machine."""
    page.evaluate(
        """milliseconds => {
            const now = performance.now() + milliseconds;
            performance.now = () => now;
        }""",
        milliseconds,
    )


@pytest.mark.thorough
def test_a_hundred_and_forty_players_fly_by_in_tens(opened: Opened, hall: Hall) -> None:
    """Every place is shown once before the podium, the top ten alone, and no kind of step sticks out of any wall.

    The last board is read from the back: letters of at least 2.2 % of the wall's height, on pages that turn until one
    of them is chosen.
    """
    many = frozen_game(hall, 140, name="A hundred and forty")
    ranked = [hand["player"] for hand in _ranking(hall, many)]
    page = opened(hall.screen(many), organiser="Olga", viewport=WALL, locale="de-DE")
    page.get_by_role("heading", name="Die Ergebnisse").wait_for()
    page.clock.install()
    seen: list[str] = []
    kinds: set[object] = set()

    def fits(kind: object) -> None:
        assert not page.evaluate("document.documentElement.scrollHeight > innerHeight"), kind
        if kind in kinds:
            return
        kinds.add(kind)
        for width, height in WALLS:
            page.set_viewport_size({"width": width, "height": height})
            assert not scrolls_sideways(page), (kind, width)

    step = 0
    while not page.locator(".slide-board").count():
        names = page.locator(".group-name, .one-name").all_inner_texts()
        assert len(names) <= 10
        seen += names[::-1]  # the best of a group stands on top
        fits((page.locator("main > *").first.get_attribute("class"), len(names), page.locator(".stand-taken").count()))
        # Winners who share the first place leave no empty stand beside them.
        expect(page.locator(EMPTY_STANDS).filter(visible=True)).to_have_count(0)
        page.keyboard.press("Space")
        step += 1
        _step(page, step)
    assert sorted(seen) == sorted(ranked)
    assert seen[-1] == ranked[0]
    assert step < 40

    names, turns = page.locator(".board-name"), page.locator(".board-pages button")
    first = names.all_inner_texts()
    for width, height in (*WALLS[:2], WALLS[-1]):
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
    page.clock.run_for(1000)  # so that the page has ended its own turning
    page.clock.fast_forward(60_000)
    expect(names.first).to_have_text(first[0])
    fits("board")
    page.keyboard.press("Space")
    page.locator(".slide-publish").wait_for()
    fits("offer")
    page.clock.fast_forward(AFTER_BREATH)
    page.keyboard.press("PageDown")
    page.get_by_text("Jetzt veröffentlichen?").wait_for()
    fits("question")


def test_the_last_place_of_a_large_game_is_no_step_of_its_own(opened: Opened) -> None:
    """Tens from the top; one to three who are left over share with the ten above them."""
    page = opened("/screen")
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
        assert page.evaluate(SIZES, players) == sizes, players


def test_a_correction_before_the_first_key_is_what_is_shown(opened: Opened, hall: Hall) -> None:
    """A screen that was open since the first count reveals the newest one; a later one starts again after a reload.

    A player who is not named stays "A player": the wall tells neither lines nor the number of cards.
    """
    game = frozen_game(hall, 3, name="Corrected")
    page = opened(hall.screen(game), organiser="Olga", viewport=WALL)
    page.get_by_role("heading", name="The results").wait_for()
    with hall.context.database.writing() as session:
        for number in (1, 2, 3):
            session.get_one(Envelope, (game, number)).name = f"Renamed {number}"
    assert correct(hall.context, game, ORGANISER, CountRequest("names", "as before")) == 2
    page.keyboard.press("Space")
    page.get_by_role("heading", name="The podium").wait_for()
    page.keyboard.press("Space")
    page.get_by_role("heading", name="Renamed").wait_for()
    page.reload()
    page.get_by_role("heading", name="Renamed").wait_for()
    with hall.context.database.writing() as session:
        for number in (1, 2, 3):
            session.get_one(Envelope, (game, number)).hidden = True
    assert correct(hall.context, game, ORGANISER, CountRequest("again", "as before")) == 3
    page.reload()
    page.get_by_role("heading", name="The results").wait_for()
    for number in (1, 2):
        page.keyboard.press("Space")
        _step(page, number)
    page.get_by_role("heading", name="A player").wait_for()
    expect(page.locator(".difference")).to_have_count(0)
    assert "Renamed" not in page.content()


def test_a_long_score_fits_on_the_wall(opened: Opened, hall: Hall) -> None:
    """Six lines with their sentences, one of them from the organisers: there is no space for the void line."""
    game = played_game(hall.context, name="Long", confirmed=["blue_base"])
    with hall.context.database.writing() as session:
        row = load_game(session, game)
        give_points(session, row, 2, 14, "W" * 200, ORGANISER, hall.context.clock())
    freeze(hall.context, game, ORGANISER, CountRequest())
    page = opened(hall.screen(game), organiser="Olga", viewport=WALL)
    page.get_by_role("heading", name="The results").wait_for()
    for number in range(1, 12):
        page.keyboard.press("ArrowRight")
        _step(page, number)
    page.get_by_text("Points from the organisers").wait_for()
    lines = page.locator(".difference li")
    expect(lines).to_have_count(6)
    boxes = [line.bounding_box() or {} for line in lines.all()]
    assert boxes[0]["y"] > 50
    assert boxes[-1]["y"] + boxes[-1]["height"] < WALL["height"]
