"""What goes wrong is told in words with what to do, and the picture is never lost."""

from __future__ import annotations

import io
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from playwright.sync_api import expect

from server.jobs.printing import print_game
from tests.conftest import PrintedFolder
from tests.pictures import deck_photo, lay_out_demo
from tests.server_process import ServerProcess
from tests.web.steps import await_problem, await_result, choose, file, focused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page, Route


@pytest.fixture(scope="session")
def photo(printed: PrintedFolder) -> bytes:
    """Photograph two red cards."""
    return deck_photo(printed, {"red": 2})


def blank() -> bytes:
    """Make a picture without any code."""
    out = io.BytesIO()
    Image.new("RGB", (800, 600), "#8a6f4d").save(out, "JPEG")
    return out.getvalue()


def test_a_text_file_is_told(page: Page) -> None:
    """A file that is no picture is named as such, with what can be sent."""
    choose(page, file(b"no picture at all", "notes.txt", "text/plain"))
    assert await_problem(page) == "Not a picture"
    expect(page.locator(".problem")).to_contain_text("JPEG", use_inner_text=True)
    assert focused(page) == "Not a picture"


def test_a_truncated_picture_is_told(page: Page, photo: bytes) -> None:
    """A picture that was cut short is named as damaged."""
    choose(page, file(photo[: len(photo) // 2]))
    assert await_problem(page) == "A damaged picture"


def test_a_picture_without_cards_is_told(page: Page, photo: bytes) -> None:
    """A picture without any card says how to take a better one; the next picture can be chosen right there."""
    choose(page, file(blank()))
    assert await_problem(page) == "No card found"
    expect(page.locator(".problem img")).to_be_visible()
    choose(page, file(photo), "Choose another picture")
    await_result(page)


def test_cards_of_another_game_are_told(page: Page, tmp_path: Path) -> None:
    """A picture of another game's cards says so."""
    other = PrintedFolder(tmp_path / "other", print_game("eurocg-2026", 24, tmp_path / "other", seed="other"))
    choose(page, file(deck_photo(other, {"red": 2})))
    assert await_problem(page) == "Cards of another game"


def test_too_large_a_file_is_told_without_sending_it(page: Page, context: BrowserContext, photo: bytes) -> None:
    """A file above the limit is refused on the phone, before it costs anybody's data."""

    def small(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"limits": {"photo_bytes": len(photo) - 1}})

    sent: list[str] = []
    context.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.route("**/api/v1/game", small)
    page.reload()
    choose(page, file(photo))
    assert await_problem(page) == "The picture is too large"
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    assert sent == []


def test_a_busy_server_is_told_and_tried_again(page: Page, photo: bytes) -> None:
    """When the server is busy and names no time, its words are shown, and the kept picture can be sent again."""
    page.route("**/api/v1/scans", lambda route: busy(route, ""), times=1)
    choose(page, file(photo))
    assert await_problem(page) == "The server is busy"
    expect(page.locator(".problem")).to_contain_text("Wait a few seconds.", use_inner_text=True)
    expect(page.locator(".problem img")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    await_result(page)


def busy(route: Route, after: str) -> None:
    """Answer that too many pictures are in hand."""
    body = {"type": "/problems/busy", "title": "The server is busy", "status": 503, "detail": "Wait a few seconds."}
    route.fulfill(status=503, json=body, headers={"Retry-After": after})


def test_a_picture_is_sent_again_by_itself(page: Page, photo: bytes) -> None:
    """A busy server gets the picture again after the time it asks for, without a tap, and words say so meanwhile."""
    page.route("**/api/v1/scans", lambda route: busy(route, "1"), times=3)
    choose(page, file(photo))
    page.get_by_role("heading", name="The server is busy").wait_for()
    words = "Your picture is sent again by itself in 1 second."
    expect(page.locator(".working")).to_contain_text(words, use_inner_text=True)
    expect(page.get_by_role("status")).to_have_text(words, use_inner_text=True)
    await_result(page)


def test_a_picture_is_sent_again_three_times_at_most(page: Page, photo: bytes) -> None:
    """A server that stays busy is asked four times in all; then the button is there."""
    asked: list[float] = []

    def note(route: Route) -> None:
        asked.append(time.monotonic())
        busy(route, "1")

    page.route("**/api/v1/scans", note)
    choose(page, file(photo))
    assert await_problem(page) == "The server is busy"
    assert len(asked) == 4
    assert min(after - before for before, after in pairwise(asked)) > 0.9
    page.unroute("**/api/v1/scans")
    page.get_by_role("button", name="Try again").click()
    await_result(page)


@pytest.mark.parametrize("after", ["31", "0", "soon"])
def test_a_long_wait_is_left_to_people(page: Page, photo: bytes, after: str) -> None:
    """A server that asks for more than half a minute, or for no time that can be told, shows the button at once."""
    page.route("**/api/v1/scans", lambda route: busy(route, after))
    choose(page, file(photo))
    assert await_problem(page) == "The server is busy"
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_waiting_can_be_called_off(page: Page, photo: bytes) -> None:
    """A picture that is called off while it waits is not sent again."""
    asked: list[str] = []

    def note(route: Route) -> None:
        asked.append(route.request.url)
        busy(route, "1")

    page.route("**/api/v1/scans", note)
    choose(page, file(photo))
    page.get_by_role("heading", name="The server is busy").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Choose a picture").wait_for()
    page.wait_for_timeout(1300)
    assert len(asked) == 1
    expect(page.locator(".start")).to_be_visible()


@pytest.mark.parametrize(("status", "body"), [(500, "<html>oops</html>"), (502, ""), (200, "{")])
def test_an_answer_that_makes_no_sense_is_told(page: Page, photo: bytes, status: int, body: str) -> None:
    """Whatever a broken server or something between says, people get words, and may try again."""
    page.route("**/api/v1/scans", lambda route: route.fulfill(status=status, body=body), times=1)
    choose(page, file(photo))
    assert await_problem(page) == "Something went wrong on the server"
    page.get_by_role("button", name="Try again").click()
    await_result(page)


@pytest.fixture
def own_server(printed: PrintedFolder, tmp_path: Path) -> Iterator[ServerProcess]:
    """Serve a demo that a test may stop."""
    lay_out_demo(printed, tmp_path / "game")
    with ServerProcess(tmp_path / "game", demo=True) as running:
        yield running


def test_nothing_is_lost_when_the_server_goes(context: BrowserContext, own_server: ServerProcess, photo: bytes) -> None:
    """With the server down the picture stays; once it is back, "Try again" sends it. So too for a sample."""
    page = context.new_page()
    page.goto(own_server.url)
    page.get_by_role("button", name="Choose a picture").wait_for()
    own_server.stop()
    choose(page, file(photo))
    assert await_problem(page) == "No connection to the game"
    expect(page.locator(".problem")).to_contain_text("still here", use_inner_text=True)
    expect(page.locator(".problem img")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    assert await_problem(page) == "No connection to the game"
    own_server.start()
    page.get_by_role("button", name="Try again").click()
    await_result(page)
    expect(page.locator(".outlines .seen")).to_have_count(2)

    page.get_by_role("button", name="Another picture").click()
    own_server.stop()
    page.get_by_role("button", name="Read the sample picture: Large deck").click()
    assert await_problem(page) == "No connection to the game"
    own_server.start()
    page.get_by_role("button", name="Try again").click()
    await_result(page)
    expect(page.locator(".outlines .seen")).to_have_count(5)


def test_a_game_that_does_not_open_is_told(page: Page) -> None:
    """Without the game's description the page says so and can try again."""
    page.route("**/api/v1/game", lambda route: route.abort(), times=1)
    page.reload()
    expect(page.get_by_role("alert").locator("h1")).to_have_text("The game did not open", use_inner_text=True)
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Choose a picture").wait_for()


def test_a_wrong_label_link_leads_to_the_page(page: Page) -> None:
    """A link that is no label's says so on a page of its own, and leads on to the game."""
    page.goto("/j/NOTHING")
    expect(page.locator("h1")).to_have_text("This is no label's link", use_inner_text=True)
    page.get_by_role("button", name="To the game").click()
    page.get_by_role("button", name="Choose a picture").wait_for()
