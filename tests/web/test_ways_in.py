"""Ways to bring a picture, and ways to use the page: keyboard, narrow screens, camera, drop and paste."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from cardgen.payload import join_link, label_text
from tests.pictures import deck_photo
from tests.web.steps import await_problem, await_result, choose, file, focused, scrolls_sideways

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.conftest import PrintedFolder

DECK = {"red": 3, "blue": 1, "green": 2, "orange": 1, "yellow": 1, "pink": 1, "rule-7": 1, "rule-21": 1, "special-9": 1}

WEAK_WORDS = r"""() => {
  const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = (colour) => colour.slice(0, 3)
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const weak = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own || !element.checkVisibility() || element.closest("svg, noscript, .line-badge")) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.push(`${element.tagName} ${element.className} ${ratio}`);
  }
  return weak;
}"""
"""Lists the elements whose own words have too little contrast with the ground behind them."""


@pytest.fixture(scope="session")
def photo(printed: PrintedFolder) -> bytes:
    """Photograph the deck DECK."""
    return deck_photo(printed, DECK)


def test_the_camera_is_asked_for(page: Page, photo: bytes) -> None:
    """The first button asks a phone for the camera at its back, and its picture is read."""
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name="Take a picture").click()
    assert dialog.value.element.get_attribute("capture") == "environment"
    dialog.value.set_files(file(photo))
    await_result(page)


@pytest.mark.parametrize("way", ["drop", "paste"])
def test_a_picture_can_be_dropped_or_pasted(page: Page, photo: bytes, way: str) -> None:
    """A file that is dropped on the page or pasted into it is read."""
    page.evaluate(
        """async ([way, data]) => {
            const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], "deck.jpg", { type: "image/jpeg" }));
            const event = way === "drop"
              ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
              : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
            document.body.dispatchEvent(event);
        }""",
        [way, base64.b64encode(photo).decode()],
    )
    await_result(page)
    expect(page.locator(".outlines .seen")).to_have_count(sum(DECK.values()))


def test_the_keyboard_alone_does_everything(page: Page, photo: bytes) -> None:
    """Choosing a picture, opening a rule and starting over need no pointer, and what has the focus shows it."""

    def tab_to(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if name in focused(page):
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", f"{name} does not show that it has the focus"
                return
        pytest.fail(f"the Tab key does not reach {name}")

    # Listening from here on: a key is pressed faster than Playwright starts to catch the browser's dialog.
    page.on("filechooser", lambda _: None)
    tab_to("Choose a picture")
    with page.expect_file_chooser() as dialog:
        page.keyboard.press("Enter")
    dialog.value.set_files(file(photo))
    await_result(page)
    assert focused(page) == "12 cards found"
    tab_to("What the rule says")
    page.keyboard.press("Enter")
    expect(page.locator("details[open] blockquote")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("details[open]")).to_have_count(0)
    page.locator("h1").focus()
    tab_to("Another picture")
    page.keyboard.press("Enter")
    assert focused(page) == "What is your deck worth?"
    tab_to("Small deck")
    page.keyboard.press("Space")
    await_result(page)


@pytest.mark.parametrize("width", [320, 390, 768, 1440, 2560])
def test_no_width_needs_scrolling_sideways(page: Page, photo: bytes, width: int) -> None:
    """From the narrowest phone to a large screen all fits the width: start, result with open rules, and problem."""
    page.set_viewport_size({"width": width, "height": 800})
    assert not scrolls_sideways(page)
    choose(page, file(photo))
    await_result(page)
    for summary in page.locator("summary").all():
        summary.click()
    assert not scrolls_sideways(page)
    page.get_by_role("button", name="Another picture").click()
    choose(page, file(b"text", "a.txt", "text/plain"))
    await_problem(page)
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_in_light_and_dark(page: Page, photo: bytes, scheme: str) -> None:
    """In both schemes the words of a result have a contrast of at least 4.5 to 1 with what is behind them."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    choose(page, file(photo))
    await_result(page)
    weak = page.evaluate(WEAK_WORDS)
    assert weak == []


def test_the_label_of_an_envelope_greets(page: Page, printed: PrintedFolder) -> None:
    """Whoever opens the link of a label is greeted with the envelope's number."""
    page.goto(f"/j/{label_text(printed.game, 7)}")
    page.get_by_role("button", name="Choose a picture").wait_for()
    expect(page.locator(".envelope")).to_have_text("Envelope 7", use_inner_text=True)


def test_the_signed_link_of_a_label_greets(page: Page, printed: PrintedFolder) -> None:
    """The browser keeps what stands behind the # to itself, and the page reads the envelope's number from it."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(join_link("", printed.game.game, printed.game.key, 7))
    page.get_by_role("button", name="Choose a picture").wait_for()
    expect(page.locator(".envelope")).to_have_text("Envelope 7", use_inner_text=True)
    assert not [url for url in asked if printed.game.game in url.partition("#")[0]]


@pytest.mark.parametrize("envelope", ["0", "-1", "x", "1.5", ""])
def test_a_senseless_envelope_greets_nobody(page: Page, envelope: str) -> None:
    """An address with anything but an envelope's number shows the page as usual."""
    page.goto(f"/?envelope={envelope}")
    page.get_by_role("button", name="Choose a picture").wait_for()
    expect(page.locator(".envelope")).to_have_count(0)


def test_the_picture_shows_while_it_is_read(page: Page, photo: bytes) -> None:
    """The picture is on the screen at once, what happens to it is told, and it can be called off."""
    held: list[Route] = []
    page.route("**/api/v1/scans", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtin
    choose(page, file(photo))
    page.get_by_role("heading", name="Sending the picture").wait_for()
    expect(page.locator(".working img")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Reading the cards", use_inner_text=True)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Choose a picture").wait_for()
    assert held
    held[0].abort()
    page.wait_for_timeout(200)
    expect(page.locator(".problem")).to_have_count(0)


def test_a_sample_can_be_called_off(page: Page) -> None:
    """A ready picture that is called off while it is fetched brings no problem afterwards."""
    held: list[Route] = []
    page.route("**/demo/small.jpg", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtin
    page.get_by_role("button", name="Read the sample picture: Small deck").click()
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_timeout(100)
    assert held
    for route in held:
        route.abort()
    page.wait_for_timeout(200)
    expect(page.locator(".problem")).to_have_count(0)


def test_buttons_are_large_enough_for_thumbs(page: Page) -> None:
    """Everything to be tapped at the start is at least 44 pixels high."""
    for name in ("Take a picture", "Choose a picture", "Read the sample picture: Small deck"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box
        assert box["height"] >= 44
