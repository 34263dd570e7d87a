"""A player's pictures: small ones in the list, and those of the server if the browser cannot show the file."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from pillow_heif import register_heif_opener
from playwright.sync_api import expect

from tests.players import dealt
from tests.web.pages.conftest import SCENE
from tests.web.pages.player_steps import FIRST_PICTURE, add_deck, open_phone
from tests.web.steps import file

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.conftest import LiveServer

LARGE = replace(SCENE, width=1800, height=1350)
"""A picture that is larger than the small version of it."""
NATURAL = "image => [image.naturalWidth, image.naturalHeight]"


def heic(jpeg: bytes) -> bytes:
    """Return a picture in the format of iPhones, which most browsers cannot show."""
    register_heif_opener()
    data = io.BytesIO()
    Image.open(io.BytesIO(jpeg)).save(data, format="HEIF", quality=80, enc_params={"preset": "ultrafast"})
    return data.getvalue()


def test_a_picture_is_small_in_the_list_and_full_size_in_the_viewer(
    open_page: Callable[..., Page], live_server: LiveServer
) -> None:
    """It has its own shape and outlines, also if the browser cannot show the file; after a reload it is fetched."""
    game = live_server.new_game()
    picture = heic(live_server.picture(game, dealt(live_server.context, game, 1)[:5], scene=LARGE))

    def check_viewer() -> None:
        page.locator(".picture-open").click()
        full_size = page.locator(".viewer-stage img")
        expect(page.locator(".viewer .seen")).to_have_count(5)
        expect(full_size).to_have_js_property("naturalWidth", LARGE.width)
        assert full_size.evaluate(NATURAL) == [LARGE.width, LARGE.height]

    page = open_phone(live_server, open_page, game, 3)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=FIRST_PICTURE, exact=True).click()
    chooser.value.set_files(file(picture, "table.heic", "image/heic"))
    page.locator(".picture[data-state=done] img").wait_for()
    expect(page.locator(".picture .seen")).to_have_count(5)
    width, height = page.locator(".picture img").evaluate(NATURAL)
    assert width < LARGE.width
    assert width / height == pytest.approx(LARGE.width / LARGE.height, rel=0.01)
    check_viewer()
    with page.expect_response(lambda answer: "/image" in answer.url) as answer:
        page.reload()
    assert answer.value.ok
    assert len(answer.value.body()) < len(picture)
    check_viewer()


def test_a_deleted_picture_is_replaced_by_a_blank_of_its_shape(
    open_page: Callable[..., Page], live_server: LiveServer
) -> None:
    """The blank still shows what was read."""
    game = live_server.new_game()
    deck = add_deck(live_server, game, 2, doubts=["glare"])
    page = open_phone(live_server, open_page, game, 2, f"/p/deck/{deck}")
    blank = page.locator(".picture .photo-blank")
    blank.wait_for()
    box = blank.bounding_box()
    assert box
    assert box["width"] / box["height"] == pytest.approx(4 / 3, rel=0.02)
    expect(page.locator(".picture .doubt")).to_have_count(1)
