"""A player's pictures on the page: small ones in the list, the server's where the browser cannot show the file."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from pillow_heif import register_heif_opener
from playwright.sync_api import expect

from tests.players import dealt
from tests.web.pages.conftest import SCENE
from tests.web.pages.player_steps import FIRST, laid, phone

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.pages.conftest import Hall

READ = 60_000
"""Milliseconds within which a picture has been sent and read on a busy machine."""
NATURAL = "image => [image.naturalWidth, image.naturalHeight]"


@pytest.fixture(scope="module")
def game(hall: Hall) -> str:
    """Make a game that is played."""
    return hall.game()


@pytest.fixture(scope="module")
def picture(hall: Hall, game: str) -> bytes:
    """Photograph a few cards of the first envelope; a JPEG."""
    return hall.picture(game, dealt(hall.context, game, 1)[:5])


def heic(jpeg: bytes) -> bytes:
    """Return a picture as phones keep it and most browsers cannot show it."""
    register_heif_opener()
    data = io.BytesIO()
    Image.open(io.BytesIO(jpeg)).save(data, format="HEIF", quality=80)
    return data.getvalue()


def send(page: Page, name: str, data: bytes) -> None:
    """Choose a file as the deck's first picture, and wait until it has been read."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=FIRST, exact=True).click()
    chooser.value.set_files({"name": name, "mimeType": "image/heic" if name.endswith("heic") else "", "buffer": data})
    page.locator(".picture[data-state=done] img").wait_for(timeout=READ)


@pytest.mark.parametrize(("envelope", "name"), [(3, "table.jpg"), (4, "table.heic")])
def test_a_picture_is_small_in_the_list_and_whole_from_near(
    opened: Callable[..., Page], hall: Hall, game: str, picture: bytes, envelope: int, name: str
) -> None:
    """The list shows a small copy in the picture's shape, with outlines; looking closer shows all of it."""
    page = phone(hall, opened, game, envelope)
    send(page, name, heic(picture) if name.endswith("heic") else picture)
    expect(page.locator(".picture .seen")).to_have_count(5)
    width, height = page.locator(".picture img").evaluate(NATURAL)
    assert width < SCENE.width
    assert width / height == pytest.approx(SCENE.width / SCENE.height, rel=0.01)
    page.locator(".picture-open").click()
    whole = page.locator(".closer-stage img")
    whole.wait_for()
    expect(page.locator(".closer .seen")).to_have_count(5)
    expect(whole).to_have_js_property("naturalWidth", SCENE.width)
    assert whole.evaluate(NATURAL) == [SCENE.width, SCENE.height]


def test_after_a_restart_the_servers_picture_is_shown(
    opened: Callable[..., Page], hall: Hall, game: str, picture: bytes
) -> None:
    """The file is gone from the page: a small copy comes from the server, and all of it where one looks closer."""
    page = phone(hall, opened, game, 5)
    send(page, "table.jpg", picture)
    expect(page.locator(".picture .seen")).to_have_count(5)
    with page.expect_response(lambda answer: "/image" in answer.url) as answer:
        page.reload()
    assert answer.value.ok
    assert len(answer.value.body()) < len(picture) / 4
    page.locator(".picture-open").click()
    expect(page.locator(".closer-stage img")).to_have_js_property("naturalWidth", SCENE.width)
    expect(page.locator(".closer .seen")).to_have_count(5)


def test_a_picture_that_is_gone_leaves_its_sheet(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """Where the server has no picture any more a blank sheet in its shape still shows what was read."""
    deck = laid(hall, game, 2, doubts=["glare"])
    page = phone(hall, opened, game, 2, f"/p/deck/{deck}")
    blank = page.locator(".picture .photo-blank")
    blank.wait_for()
    box = blank.bounding_box()
    assert box
    assert box["width"] / box["height"] == pytest.approx(4 / 3, rel=0.02)
    expect(page.locator(".picture .doubt")).to_have_count(1)
