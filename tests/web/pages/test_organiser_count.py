"""Counting envelopes with an organiser's phone: a picture of each, and at once what was read in it."""

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
from tests.web.axe import problems
from tests.web.conftest import PHONE
from tests.web.pages.fake_camera import camera_script
from tests.web.pages.organiser_steps import button, hands
from tests.web.steps import comes_to, served

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.web.pages.conftest import Hall
    from tests.web.pages.organiser_steps import Opened

SCENE = replace(SCENES["nominal"], width=1280, height=960)
A_HAND = 3
# Correct the number of cards in an envelope, as at the desk.
_COUNTED = """([envelope, counted]) => fetch(envelope, {
  method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ counted })
})"""
# Queue a photo of the page's camera, which may replace another one.
_CAPTURE = served("""async ([game, name, data, before]) => {
  const { uploadsOf } = await import("/web/app/organiser/photos/photo-uploads");
  const uploads = uploadsOf(game);
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const replaces = uploads.items.find((item) => item.name === before)?.id;
  const file = new File([bytes], name, { type: "image/png" });
  await uploads.addCaptured(file, { batch: "0".repeat(22), place: uploads.items.length + 1, replaces });
}""")
# Browsers whose storage is full, while a mark is set.
_FULL = """(() => {
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (...values) {
    if (sessionStorage.full) throw new DOMException("full", "QuotaExceededError");
    return add.apply(this, values);
  };
})()"""


def test_envelopes_are_counted_by_phone(opened: Opened, hall: Hall) -> None:
    """Each picture is taken by itself and judged at once; a bad one is taken again.

    Without a network it waits, also until the page is opened again.
    """
    game = hall.game(players=2)
    with hall.context.database.writing() as session:
        grete = session.get_one(Envelope, (game, 1))
        grete.name, grete.counted = "Grete", A_HAND + 1
    first, second = (dealt(hall.context, game, number)[:A_HAND] for number in (1, 2))
    pictures = [
        hall.picture(game, cards, label, "count", SCENE) for cards, label in ((first, 1), (second, None), (second, 2))
    ]
    page = opened("about:blank", organiser="Olga", viewport=PHONE, has_touch=True)
    page.add_init_script(camera_script(*pictures))
    page.goto(f"/desk/games/{game}/pictures/count")
    rows = page.get_by_role("list", name="Pictures, newest first").get_by_role("listitem")
    rows.filter(has_text="1 Grete · 3 of 4? Is one hidden").wait_for()
    page.evaluate(_COUNTED, [f"/api/v1/games/{game}/envelopes/1", A_HAND])
    expect(rows).to_have_text(["1 Grete · 3 cards ✓"])

    page.evaluate("view = 1")
    page.locator(".camera-words").filter(has_text="Lay the label beside the cards").wait_for()
    button(page, "Take picture").click()
    rows.filter(has_text="No label").wait_for()
    assert problems(page) == []
    page.route("**/photos?batch=*", lambda route: route.abort())
    button(page, "Retake").click()
    rows.filter(has_text="Your next picture replaces this one").wait_for()
    page.evaluate("view = 2")
    rows.filter(has_text="2 · 3 cards waiting for the network").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    assert page.url.endswith(f"/desk/games/{game}/pictures/count")
    page.goto(f"/desk/games/{game}/pictures")
    button(page, "Try now").wait_for()
    page.unroute("**/photos?batch=*")
    button(page, "Try now").click()
    page.get_by_role("heading", name="1 picture is on the server").wait_for()
    comes_to(page, lambda: hands(hall, game) == {1: set(first), 2: set(second)})
    with hall.context.database.reading() as session:
        photos = session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.place)).all()
        assert [photo.place for photo in photos] == [1, 3]


def _capture(page: Page, game: str, number: int, before: str = "") -> None:
    page.evaluate(_CAPTURE, [game, f"{number}.png", base64.b64encode(png(number)).decode(), before])


def test_waiting_photos_of_the_camera_are_replaced_and_dropped(opened: Opened, hall: Hall) -> None:
    """A retake replaces a photo whose response was lost; what waits after the count can be dropped, also offline.

    Where the browser has no space, the page says so.
    """
    game = hall.game(players=1)
    page = opened("about:blank", organiser="Olga")
    page.add_init_script(_FULL)
    page.goto(f"/desk/games/{game}/pictures")
    page.get_by_role("heading", name="Drop pictures").wait_for()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/photos?batch=*", lose)
    _capture(page, game, 1)
    button(page, "Try now").wait_for()
    _capture(page, game, 2, "1.png")
    page.unroute("**/photos?batch=*")
    page.get_by_role("heading", name="1 picture is on the server").wait_for()
    with hall.context.database.reading() as session:
        assert session.scalars(select(Photo.name).where(Photo.game == game)).all() == ["2.png"]

    wrong = {"status": 409, "content_type": "application/problem+json"}
    page.route("**/photos?batch=*", lambda route: route.fulfill(**wrong, json={"type": "/problems/wrong-state"}))
    page.evaluate("sessionStorage.full = true")
    _capture(page, game, 3)
    page.get_by_text("This browser can’t store 1 picture").wait_for()
    button(page, "Forget them").click()
    dialog = page.get_by_role("dialog", name="Forget 1 picture?")
    dialog.get_by_text("Pictures taken with this page’s camera are deleted").wait_for()
    assert problems(page) == []
    button(dialog, "Forget them").click()
    page.get_by_role("heading", name="1 picture is on the server").wait_for()
    expect(button(page, "Forget them")).to_have_count(0)

    page.evaluate("sessionStorage.clear()")
    page.unroute("**/photos?batch=*")
    page.route("**/photos?batch=*", lambda route: route.abort())
    _capture(page, game, 4)
    set_game(hall.context, game, state=State.FROZEN)
    page.on("dialog", lambda leaving: leaving.accept())
    page.reload()
    button(page, "Try now").wait_for()
    button(page, "Forget them").click()
    button(dialog, "Forget them").click()
    expect(page.locator(".sending")).to_have_count(0)
