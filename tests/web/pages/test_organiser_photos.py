"""Pictures at the desk: uploaded, and assigned to envelopes by dragging or by keyboard."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from server.db.models import Envelope, Photo
from server.games.lifecycle.states import State
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.scan_jobs import png
from tests.web.axe import axe_problems
from tests.web.conftest import PHONE
from tests.web.pages.organiser_steps import button, check_accessibility, hands, reconciled
from tests.web.steps import open_path, scrolls_horizontally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page, Route

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage

PLAYERS = 6
MANY = 300
FEW = 6
# A script creates the files, since Playwright cannot drag files into a page.
_DROP_FILES = """files => {
  const transfer = new DataTransfer();
  for (const [name, text] of files) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type: "image/png", lastModified: 1774000000000 }));
  }
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }
}"""
# Record what screen readers announce about the progress.
_RECORD_ANNOUNCEMENTS = """() => {
  window.announced = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll(".panel [role=status]")) {
      if (textContent && !window.announced.includes(textContent)) window.announced.push(textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def _add_picture(live_server: LiveServer, game: str, number: int, *labels: int, **columns: Any) -> str:  # noqa: ANN401 - any column
    """Add a picture of an envelope's cards, with these labels in it; its file is gone."""
    found = reading(dealt(live_server.context, game, number), labels)
    name = columns.pop("name", f"IMG_{number}.jpg")
    return add_photo(
        live_server.context, game, found, image_deleted_at=live_server.context.clock(), name=name, **columns
    )


def _files(count: int, first: int = 1) -> dict[str, bytes]:
    """Return pictures by names whose alphabetical order differs from their numbers."""
    return {f"IMG_{n}.png": png(n) for n in range(first, first + count)}


def _drop_files(page: Page, files: Mapping[str, bytes]) -> None:
    page.evaluate(_DROP_FILES, [[name, base64.b64encode(data).decode()] for name, data in files.items()])


def _names(live_server: LiveServer, game: str) -> list[str]:
    """Return the pictures' names in the order of their places."""
    with live_server.context.database.reading() as session:
        return list(session.scalars(select(Photo.name).where(Photo.game == game).order_by(Photo.place)))


def test_uploads_continue_after_the_network_fails(open_page: OpenPage, live_server: LiveServer) -> None:
    """Other files are refused and left out; uploads continue, also after a reload, and each picture is sent once."""
    game = live_server.new_game(State.OPEN, players=PLAYERS)
    page = open_page(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("heading", name="Drop pictures").wait_for()
    page.get_by_text("live", exact=True).wait_for()
    _drop_files(page, {**_files(2), "notes.jpg": b"no picture"})
    page.get_by_text("Not a picture").wait_for()
    expect(page.get_by_role("button", name="Try again notes.jpg")).to_have_count(0)
    page.get_by_role("button", name="Leave it out notes.jpg").click()
    page.get_by_role("heading", name="2 of 2 pictures sent").wait_for()

    page.context.set_offline(True)
    _drop_files(page, _files(FEW, 3))
    page.get_by_text("It continues by itself").wait_for()
    assert len(_names(live_server, game)) == 2
    page.context.set_offline(False)
    page.get_by_role("heading", name=f"{FEW + 2} of {FEW + 2} pictures sent").wait_for()

    # Live events report that the server is back, long before the next retry is due.
    page.route("**/photos?batch=*", lambda route: route.fulfill(status=503, headers={"Retry-After": "600"}))
    _drop_files(page, _files(1, 20))
    button(page, "Try again").wait_for()
    page.unroute("**/photos?batch=*")
    with page.expect_response("**/photos?batch=*"):
        page.evaluate("dispatchEvent(new Event('haggle-signed-in'))")
    page.get_by_role("heading", name=f"{FEW + 3} of {FEW + 3} pictures sent").wait_for()

    page.route("**/photos?batch=*", lambda route: route.abort())
    _drop_files(page, _files(FEW, 30))
    button(page, "Pause").click()
    button(page, "Resume").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("heading", name=f"0 of {FEW} pictures sent").wait_for()
    expect(other.get_by_text("not sent")).to_have_count(0)
    _drop_files(other, _files(1, 50))
    # The server stores the picture before the tab gets the response.
    other.get_by_role("heading", name=f"1 of {FEW + 1} pictures sent").wait_for()
    other.close()
    page.unroute("**/photos?batch=*")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_role("heading", name=f"{FEW} pictures not sent").wait_for()
    _drop_files(page, {**_files(2), **_files(FEW, 30)})
    page.get_by_role("heading", name=f"{FEW} of {FEW} pictures sent").wait_for()
    sent = {**_files(2 + FEW), **_files(1, 20), **_files(FEW, 30), **_files(1, 50)}
    assert sorted(_names(live_server, game)) == sorted(sent)


@pytest.mark.thorough
def test_hundreds_of_pictures_can_be_uploaded(open_page: OpenPage, live_server: LiveServer) -> None:
    """All arrive once, in the order of their numbers; only thumbnails near the screen are fetched.

    Screen readers announce quarters of the progress, not each picture.
    """
    game = live_server.new_game(State.OPEN, players=PLAYERS)
    page = open_page(f"/desk/games/{game}/pictures", organiser="Olga")
    page.get_by_role("heading", name="Drop pictures").wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "width=" in request.url else None)
    page.evaluate(_RECORD_ANNOUNCEMENTS)
    _drop_files(page, _files(MANY))
    page.get_by_role("heading", name=f"{MANY} of {MANY} pictures sent").wait_for(timeout=90_000)
    assert _names(live_server, game) == list(_files(MANY))
    page.get_by_role("heading", name=f"{MANY} of {MANY} read").wait_for(timeout=90_000)
    # Announced after a pause: until then all pictures that have arrived may be read several times.
    for text in (f"{MANY} of {MANY} pictures sent", f"{MANY} of {MANY} read"):
        page.wait_for_function("part => window.announced.some((text) => text.includes(part))", arg=text)
    announced = page.evaluate("window.announced")
    assert len(announced) <= MANY / 10, announced
    expect(page.locator("[data-group=nobody] .shot")).to_have_count(MANY)
    assert len(asked) < MANY / 2
    page.get_by_role("searchbox").fill("3")
    expect(page.locator(".shot")).to_have_count(0)

    _drop_files(page, _files(MANY))
    page.get_by_text(f"{MANY} already there").wait_for()
    assert len(_names(live_server, game)) == MANY


def test_pictures_can_be_assigned_to_envelopes_by_keyboard(open_page: OpenPage, live_server: LiveServer) -> None:
    """After a number and Enter the next picture has the focus; after Escape the same one.

    Even if someone types quickly, all digits arrive in the field, and Enter sends the form.
    """
    game = live_server.new_game(State.OPEN, players=12)
    for number in (1, 2, 3, 4):
        _add_picture(live_server, game, number)
    page = open_page(f"/desk/games/{game}/pictures", organiser="Olga", viewport={"width": 320, "height": 800})
    expect(page.locator(".shot-open")).to_have_count(4)
    ids = page.locator("[data-photo]").evaluate_all("all => all.map(one => one.dataset.photo)")
    shots = [page.locator(f"[data-photo='{one}'] .shot-open") for one in ids]
    shots[0].focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("5")
    expect(page.get_by_label("Envelope number")).to_be_focused()
    expect(page.get_by_label("Envelope number")).to_have_value("5")
    assert axe_problems(page) == []
    page.keyboard.press("Enter")
    page.get_by_text("Decided: All to envelope 5").wait_for()
    expect(page.locator("[data-group=envelope-5] .shot")).to_have_count(1)
    assert set(hands(live_server, game)) == {5}
    expect(shots[2]).to_be_focused()
    page.keyboard.press("i")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.press("Escape")
    expect(shots[2]).to_be_focused()
    page.keyboard.press("End")
    expect(shots[1]).to_be_focused()
    page.keyboard.press("Home")
    expect(shots[0]).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(shots[0]).not_to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(shots[0]).to_be_focused()
    first = "new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true })"
    focus = f"async () => (document.activeElement.dispatchEvent({first}), await null, document.activeElement.name)"
    assert page.evaluate(focus) == "envelope"
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.get_by_text("Decided: All to envelope 12").wait_for()


def test_pictures_can_be_dragged_set_aside_and_deleted(open_page: OpenPage, live_server: LiveServer) -> None:
    """A picture is dragged onto an envelope, onto a missing envelope's name, or onto a box that asks for the number."""
    game = live_server.new_game(State.CLOSED, players=PLAYERS)
    _add_picture(live_server, game, 1, 1, name="a_very_long_name_of_a_picture_without_any_space_in_it.jpg")
    for number in (2, 3, 4, 5):
        _add_picture(live_server, game, number)
    # So high that dragging needs no scrolling.
    page = open_page(f"/desk/games/{game}/pictures", organiser="Olga", viewport={"width": 1280, "height": 1600})
    nobody = page.locator("[data-group=nobody]")

    def shot(number: int) -> str:
        return f"[data-photo]:has-text('IMG_{number}') .shot-open"

    page.locator(shot(2)).drag_to(page.locator("[data-group=envelope-1] h3"))
    page.locator("form").get_by_role("button", name="Assign").click()
    expect(page.locator("[data-group=envelope-1] .shot")).to_have_count(2)
    page.locator(shot(3)).drag_to(page.locator("[data-envelope='2']"))
    expect(page.get_by_label("Envelope number")).to_have_value("2")
    page.locator("form").get_by_role("button", name="Assign").click()
    expect(page.locator("[data-group=envelope-2] .shot")).to_have_count(1)
    page.locator(shot(4)).hover()
    page.mouse.down()
    page.mouse.move(300, 300, steps=3)
    page.get_by_text("Another envelope …").hover()
    page.mouse.up()
    expect(page.get_by_label("Envelope number")).to_be_focused()
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.locator("[data-group=envelope-3] .shot")).to_have_count(1)
    expect(page.locator(".other-envelope")).to_have_count(0)
    assert {number: len(cards) for number, cards in hands(live_server, game).items()} == {1: 26, 2: 13, 3: 13}

    page.get_by_role("checkbox", name="Choose IMG_5.jpg").check()
    button(page, "Assign").click()
    for width in (320, 2560):
        page.set_viewport_size({"width": width, "height": 700})
        assert not scrolls_horizontally(page), width
    button(page, "Delete").click()
    page.locator("form").get_by_role("button", name="Delete for good").click()
    expect(nobody).to_have_count(0)
    for number in (2, 3):
        page.get_by_role("checkbox", name=f"Choose IMG_{number}.jpg").check()
    button(page, "Set aside").click()
    page.locator("form").get_by_role("button", name="Set aside").click()
    expect(page.locator("[data-group=aside] .shot")).to_have_count(2)
    assert set(hands(live_server, game)) == {1, 3}


def test_pictures_can_be_assigned_in_the_viewer_unless_someone_else_did(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """An opened picture with two labels can be decided and taken back. An outdated page overwrites nothing."""
    game = live_server.new_game(State.OPEN, players=PLAYERS)
    _add_picture(live_server, game, 1, 1, 2)
    olga = open_page(f"/desk/games/{game}/pictures", organiser="Olga")
    olga.get_by_role("button", name="IMG_1.jpg").click()
    dialog = olga.get_by_role("dialog")
    dialog.get_by_role("button", name="All to envelope 2").click()
    check_accessibility(olga)
    button(dialog, "Decide").click()
    dialog.get_by_role("heading", name="Envelope 2").wait_for()
    assert set(hands(live_server, game)) == {2}
    button(dialog, "Take back").click()
    dialog.get_by_text("Without an envelope").wait_for()
    assert hands(live_server, game) == {}
    olga.keyboard.press("Escape")

    olga.route(f"**/games/{game}/photos?*", lambda route: route.abort())
    boris = open_page(f"/desk/games/{game}/pictures", organiser="Boris")
    for page, number in ((boris, "2"), (olga, "3")):
        page.get_by_role("button", name="IMG_1.jpg").focus()
        page.keyboard.press(number)
        page.keyboard.press("Enter")
        if page is boris:
            page.get_by_text("Decided: All to envelope 2").wait_for()
    olga.get_by_text("This has changed in the meantime").wait_for()
    assert set(hands(live_server, game)) == {2}


def test_missing_envelopes_can_be_marked_as_not_handed_in_together(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """If the request fails halfway, the page says how many are done. The overview links to the list.

    Envelopes that were handed in by phone are decided among the doubts, where their lists can be trusted.
    """
    game = live_server.new_game(State.CLOSED, players=8)
    _add_picture(live_server, game, 1, 1)
    page = open_page(f"/desk/games/{game}/overview", organiser="Olga", viewport=PHONE)
    point = page.get_by_role("link", name="7 missing envelopes")
    point.focus()
    page.keyboard.press("Enter")
    for _ in range(2):
        title = page.get_by_role("heading", name="7 envelopes missing")
        expect(page.locator("#missing summary")).to_be_focused()
        expect(title).to_be_in_viewport()
        assert title.evaluate("title => title.getBoundingClientRect().top") < PHONE["height"] / 3
        page.goto("about:blank")
        page.goto(f"/desk/games/{game}/pictures#missing")
    page.get_by_role("link", name="Envelopes 7 envelopes missing").wait_for()
    page.get_by_role("button", name="Choose all").click()
    rulings = "**/ruling"
    left = iter((True, True))
    page.route(rulings, lambda route: route.continue_() if next(left, False) else route.abort())
    page.get_by_role("button", name="Mark 7 as not handed in").click()
    page.get_by_text("Decided: Not handed in").wait_for()
    page.get_by_role("heading", name="5 envelopes missing").wait_for()
    page.unroute(rulings)
    page.get_by_role("button", name="Mark 5 as not handed in").click()
    expect(page.locator(".missing")).to_have_count(0)
    page.get_by_role("link", name="Envelopes", exact=True).wait_for()
    assert {hand.exclusion for number, hand in reconciled(live_server, game).hands.items() if number > 1} == {"absent"}

    game = live_server.new_game(State.CLOSED, players=1)
    own = dealt(live_server.context, game, 1)
    with live_server.context.database.writing() as session:
        row = session.get_one(Envelope, (game, 1))
        row.submitted_at, row.submitted_cards = row.opened, own
    open_path(page, f"/desk/games/{game}/overview")
    page.get_by_role("link", name="1 missing envelope handed in by phone").click()
    page.get_by_text("Handed in by phone").first.wait_for()
    assert "/queue" in page.url
    assert page.url.endswith("?kind=unseen")

    game = live_server.new_game(State.CLOSED, players=3)
    with live_server.context.database.writing() as session:
        row = session.get_one(Envelope, (game, 1))
        row.submitted_at, row.submitted_cards = row.opened, own
    open_path(page, f"/desk/games/{game}/overview")
    page.get_by_role("link", name="1 missing envelope handed in by phone").wait_for()
    expect(page.get_by_role("link", name="3 missing envelopes", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Numbers").get_by_role("link", name="3 missing")).to_be_visible()


def test_the_counts_on_the_tabs_are_fetched_once(open_page: OpenPage, live_server: LiveServer) -> None:
    """They are expensive for the server, so the start of the live events does not fetch them again."""
    game = live_server.new_game(State.CLOSED, players=PLAYERS)
    _add_picture(live_server, game, 2)
    page = open_page("about:blank", organiser="Olga")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    page.goto(f"/desk/games/{game}/pictures")
    for _ in range(2000):
        page.clock.run_for(20)
        # Each request synchronises the page's clock with the server.
        page.evaluate("fetch('/api/v1/session')")
        # The game is fetched again when the live events begin.
        if page.locator(".tab-count").count() and sum(url.endswith(f"/games/{game}") for url in asked) >= 2:
            break
    page.clock.run_for(3000)
    page.evaluate("fetch('/api/v1/session')")
    assert asked[-1].endswith("/session")
    parts = ("/queue?limit=1", "/photos?limit=0")
    assert [sum(url.endswith(part) for url in asked) for part in parts] == [1, 1]


def test_a_warning_is_shown_while_no_worker_reads_pictures(open_page: OpenPage, live_server: LiveServer) -> None:
    """It counts the pictures of organisers and of players, on the overview too, and disappears once a worker reads."""
    game = live_server.new_game(State.OPEN, players=PLAYERS)
    _add_picture(live_server, game, 1, 1)
    page = open_page(f"/desk/games/{game}", organiser="Olga")
    now = {"waiting": 0, "readers": 0, "of_players": 0}

    def change_counts(route: Route) -> None:
        body = route.fetch().json()
        body["states"] |= {"waiting": now["waiting"]}
        route.fulfill(json=body | {name: now[name] for name in ("readers", "of_players")})

    page.route(f"**/games/{game}/photos?*", change_counts)
    nobody = page.get_by_text("No worker is reading pictures")
    for part, waiting, of_players, read in (
        ("/pictures", 3, 0, page.get_by_text("1 of 4 read")),
        ("", 0, 3, page.locator(".tab-count", has_text="2 pictures being read")),
    ):
        now |= {"waiting": waiting, "readers": 0, "of_players": of_players}
        page.goto(f"/desk/games/{game}{part}")
        expect(nobody).to_be_visible()
        now |= {"waiting": waiting or 2, "readers": 2}
        page.reload()
        expect(read).to_be_visible()
        expect(nobody).to_have_count(0)
