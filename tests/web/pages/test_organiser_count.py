"""Counting envelopes with an organiser's phone: a picture of each, and what was read in it."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import TYPE_CHECKING

from playwright.sync_api import expect
from sqlalchemy import select

from devtools.photo_simulator.profiles import SCENES
from server.db.models import Envelope, Photo
from server.games.lifecycle.states import State
from tests.players import dealt, set_game
from tests.scan_jobs import png
from tests.web.axe import axe_problems
from tests.web.conftest import PHONE
from tests.web.pages.fake_camera import camera_script
from tests.web.pages.organiser_steps import button, hands
from tests.web.steps import wait_until, with_page_modules

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage

SCENE = replace(SCENES["nominal"], width=1280, height=960)
CARDS = 3
# Correct the number of cards in an envelope.
_SET_COUNT = """([envelope, counted]) => fetch(envelope, {
  method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ counted })
})"""
# Queue a picture of the page's camera, which may replace another one.
_CAPTURE = with_page_modules("""async ([game, name, data, before]) => {
  const { uploadsOf } = await import("/web/app/organiser/photos/photo-uploads");
  const uploads = uploadsOf(game);
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const replaces = uploads.items.find((item) => item.name === before)?.id;
  const file = new File([bytes], name, { type: "image/png" });
  await uploads.addCaptured(file, { batch: "0".repeat(22), place: uploads.items.length + 1, replaces });
}""")
# The storage of the browser is full while `sessionStorage.full` is set.
_FULL_STORAGE = """(() => {
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (...values) {
    if (sessionStorage.full) throw new DOMException("full", "QuotaExceededError");
    return add.apply(this, values);
  };
})()"""


def test_envelopes_are_counted_with_a_phone_camera(open_page: OpenPage, live_server: LiveServer) -> None:
    """Each picture is taken and read automatically; a bad one is retaken.

    Without a network it waits, also until the page is opened again.
    """
    game = live_server.new_game(players=2)
    with live_server.context.database.writing() as session:
        grete = session.get_one(Envelope, (game, 1))
        grete.name, grete.counted = "Grete", CARDS + 1
    first, second = (dealt(live_server.context, game, number)[:CARDS] for number in (1, 2))
    pictures = [
        live_server.picture(game, cards, label, "count", SCENE)
        for cards, label in ((first, 1), (second, None), (second, 2))
    ]
    page = open_page("about:blank", organiser="Olga", viewport=PHONE, has_touch=True)
    page.add_init_script(camera_script(*pictures))
    page.goto(f"/desk/games/{game}/pictures/count")
    rows = page.get_by_role("list", name="Pictures", exact=True).get_by_role("listitem")
    rows.filter(has_text="1 Grete · 3 of 4? Is one hidden").wait_for()
    page.evaluate(_SET_COUNT, [f"/api/v1/games/{game}/envelopes/1", CARDS])
    expect(rows).to_have_text(["1 Grete · 3 cards ✓"])

    page.evaluate("view = 1")
    page.locator(".camera-words").filter(has_text="Lay the label beside the cards").wait_for()
    button(page, "Take picture").click()
    rows.filter(has_text="No label").wait_for()
    assert axe_problems(page) == []
    page.route("**/photos?batch=*", lambda route: route.abort())
    button(page, "Retake").click()
    rows.filter(has_text="Your next picture replaces this one").wait_for()
    page.evaluate("view = 2")
    rows.filter(has_text="2 · 3 cards waiting for the network").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    assert page.url.endswith(f"/desk/games/{game}/pictures/count")
    page.goto(f"/desk/games/{game}/pictures")
    button(page, "Try again").wait_for()
    page.unroute("**/photos?batch=*")
    button(page, "Try again").click()
    page.get_by_role("heading", name="1 of 1 picture sent").wait_for()
    wait_until(page, lambda: hands(live_server, game) == {1: set(first), 2: set(second)})
    with live_server.context.database.reading() as session:
        photos = session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.place)).all()
        assert [photo.place for photo in photos] == [1, 3]


def _capture(page: Page, game: str, number: int, before: str = "") -> None:
    page.evaluate(_CAPTURE, [game, f"{number}.png", base64.b64encode(png(number)).decode(), before])


def test_waiting_camera_pictures_can_be_replaced_and_deleted(open_page: OpenPage, live_server: LiveServer) -> None:
    """A retake replaces a picture whose response was lost; waiting ones can be deleted after the count, also offline.

    If the browser has no space, the page says so.
    """
    game = live_server.new_game(players=1)
    page = open_page("about:blank", organiser="Olga")
    page.add_init_script(_FULL_STORAGE)
    page.goto(f"/desk/games/{game}/pictures")
    page.get_by_role("heading", name="Drop pictures").wait_for()

    def lose_response(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/photos?batch=*", lose_response)
    _capture(page, game, 1)
    button(page, "Try again").wait_for()
    _capture(page, game, 2, "1.png")
    page.unroute("**/photos?batch=*")
    page.get_by_role("heading", name="1 of 1 picture sent").wait_for()
    with live_server.context.database.reading() as session:
        assert session.scalars(select(Photo.name).where(Photo.game == game)).all() == ["2.png"]

    wrong = {"status": 409, "content_type": "application/problem+json"}
    page.route("**/photos?batch=*", lambda route: route.fulfill(**wrong, json={"type": "/problems/wrong-state"}))
    page.evaluate("sessionStorage.full = true")
    _capture(page, game, 3)
    page.get_by_text("This browser can’t store 1 picture").wait_for()
    button(page, "Forget").click()
    dialog = page.get_by_role("dialog", name="Forget 1 picture?")
    dialog.get_by_text("Pictures taken here are deleted").wait_for()
    assert axe_problems(page) == []
    button(dialog, "Forget").click()
    page.get_by_role("heading", name="1 of 1 picture sent").wait_for()
    expect(button(page, "Forget")).to_have_count(0)

    page.evaluate("sessionStorage.clear()")
    page.unroute("**/photos?batch=*")
    page.route("**/photos?batch=*", lambda route: route.abort())
    _capture(page, game, 4)
    set_game(live_server.context, game, state=State.FROZEN)
    page.on("dialog", lambda leaving: leaving.accept())
    page.reload()
    button(page, "Try again").wait_for()
    button(page, "Forget").click()
    button(dialog, "Forget").click()
    expect(page.locator(".sending")).to_have_count(0)
