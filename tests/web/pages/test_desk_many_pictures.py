"""Hundreds of pictures at once, over a network that breaks, from a page that is loaded anew."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from sqlalchemy import func, select

from server.db.models import Photo
from server.games.lifecycle.states import State
from server.web_app.factory import AppConfig, open_context
from tests.game_server import GameServer
from tests.web.pages.conftest import Hall
from tests.web.pages.desk_pictures import drop
from tests.workers.scan_jobs import png

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from playwright.sync_api import Page

# Keep what is read out of how far things are.
_HEARD = """() => {
  window.heard = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll(".panel [role=status]")) {
      if (textContent && !window.heard.includes(textContent)) window.heard.push(textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
MANY = 300
FEW = 24


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Serve games whose pictures are not really read: it tells of each that nothing lies in it."""
    folder = tmp_path_factory.mktemp("many") / "data"
    context = open_context(AppConfig(folder))
    with GameServer(folder, job="obey") as server:
        yield Hall(server, context)
    context.database.close()


def _files(count: int, first: int = 1) -> dict[str, str]:
    """Return pictures by names whose order is not that of letters."""
    return {f"IMG_{n}.png": base64.b64encode(png(n)).decode() for n in range(first, first + count)}


def _drop(page: Page, files: Mapping[str, str]) -> None:
    drop(page, files, "image/png")


def _names(hall: Hall, game: str) -> list[str]:
    """Return the pictures' names in the order of their places."""
    with hall.context.database.reading() as session:
        return list(session.scalars(select(Photo.name).where(Photo.game == game).order_by(Photo.place)))


def _count(hall: Hall, game: str) -> int:
    with hall.context.database.reading() as session:
        return session.scalar(select(func.count()).where(Photo.game == game)) or 0


@pytest.mark.thorough
def test_hundreds_of_pictures_come_in_and_the_page_stays_quick(opened: Callable[..., Page], hall: Hall) -> None:
    """All arrive once, in the order of their numbers; only thumbnails near the screen are fetched.

    To whoever listens each quarter is told, of what is sent and of what is read, and not each picture.
    """
    game = hall.game(State.OPEN, players=6)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("heading", name="Drop pictures").wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "width=" in request.url else None)
    page.evaluate(_HEARD)
    _drop(page, _files(MANY))
    page.get_by_role("heading", name=f"{MANY} pictures are on the server").wait_for(timeout=90_000)
    assert _names(hall, game) == [f"IMG_{n}.png" for n in range(1, MANY + 1)]
    page.get_by_role("heading", name=f"All {MANY} read").wait_for(timeout=90_000)
    # Said once nothing more has come for a while: all that had come may have been read many times before.
    for said in (f"{MANY} pictures are on the server", f"All {MANY} read"):
        page.wait_for_function("said => window.heard.some((text) => text.includes(said))", arg=said)
    heard = page.evaluate("window.heard")
    assert len(heard) <= MANY / 10, heard
    expect(page.locator(".group-nobody .shot")).to_have_count(MANY)
    assert len(asked) < MANY / 2
    page.get_by_role("searchbox").fill("3")
    expect(page.locator(".shot")).to_have_count(0)

    _drop(page, _files(MANY))
    page.get_by_text(f"{MANY} were there already").wait_for()
    assert _count(hall, game) == MANY


def test_a_break_of_the_network_is_told_and_passes(opened: Callable[..., Page], hall: Hall) -> None:
    """Without network nothing is lost and the page says so; with it the rest goes by itself, each picture once."""
    game = hall.game(State.OPEN, players=6)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("heading", name="Drop pictures").wait_for()
    _drop(page, {"IMG_0.png": base64.b64encode(png(1000)).decode()})
    page.get_by_role("heading", name="1 picture is on the server").wait_for()
    page.context.set_offline(True)
    _drop(page, _files(FEW))
    page.get_by_text("it goes on by itself").wait_for()
    assert _count(hall, game) == 1
    page.context.set_offline(False)
    page.get_by_role("heading", name=f"{FEW + 1} pictures are on the server").wait_for(timeout=60_000)
    assert _count(hall, game) == FEW + 1


def test_after_a_reload_the_same_files_go_on(opened: Callable[..., Page], hall: Hall) -> None:
    """A pause, then a reload: the page names what is still to be dropped, recognises it, and sends only that."""
    game = hall.game(State.OPEN, players=6)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("heading", name="Drop pictures").wait_for()
    _drop(page, _files(2))
    page.get_by_role("heading", name="2 pictures are on the server").wait_for()
    page.route("**/photos?batch=*", lambda route: route.abort())
    _drop(page, _files(FEW))
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()
    page.unroute("**/photos?batch=*")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_role("heading", name=f"{FEW - 2} pictures were not sent").wait_for()
    _drop(page, _files(FEW))
    page.get_by_role("heading", name=f"{FEW - 2} pictures are on the server").wait_for(timeout=60_000)
    assert _count(hall, game) == FEW


def test_a_file_that_is_no_picture_is_told_and_left_out(opened: Callable[..., Page], hall: Hall) -> None:
    """One that only says that it is a picture is refused in words; the others go on, and it can be left out."""
    game = hall.game(State.OPEN, players=6)
    page = opened(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("heading", name="Drop pictures").wait_for()
    _drop(page, {**_files(2), "notes.jpg": base64.b64encode(b"no picture").decode()})
    page.get_by_text("This is no picture").wait_for()
    page.get_by_role("button", name="Try again notes.jpg").wait_for()
    page.get_by_role("button", name="Leave it out notes.jpg").click()
    page.get_by_role("heading", name="2 pictures are on the server").wait_for()
    assert _count(hall, game) == 2
