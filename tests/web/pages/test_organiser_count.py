"""Counting envelopes with an organiser's phone: a picture of each, and at once what was read in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from playwright.sync_api import expect
from sqlalchemy import select

from devtools.photo_simulator.profiles import SCENES
from server.db.models import Envelope, Photo
from tests.players import dealt
from tests.web.axe import problems
from tests.web.conftest import PHONE
from tests.web.pages.fake_camera import camera_script
from tests.web.pages.organiser_steps import button, hands
from tests.web.steps import comes_to

if TYPE_CHECKING:
    from tests.web.pages.conftest import Hall
    from tests.web.pages.organiser_steps import Opened

SCENE = replace(SCENES["nominal"], width=1280, height=960)
A_HAND = 3
# Correct the number of cards in an envelope, as at the desk.
_COUNTED = """([envelope, counted]) => fetch(envelope, {
  method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ counted })
})"""


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
    page.goto(f"/desk/games/{game}/pictures")
    page.get_by_role("button", name="Count envelopes").click()
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
    page.reload()
    button(page, "Try now").wait_for()
    page.unroute("**/photos?batch=*")
    button(page, "Try now").click()
    page.get_by_role("heading", name="1 picture is on the server").wait_for()
    comes_to(page, lambda: hands(hall, game) == {1: set(first), 2: set(second)})
    with hall.context.database.reading() as session:
        photos = session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.place)).all()
        assert [photo.place for photo in photos] == [1, 3]
