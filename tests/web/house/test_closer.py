"""Looking closer at a picture: by hand, by wheel, by keys, and at the places that were not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.web.axe import problems
from tests.web.steps import comes_to, served

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

WIDTH, HEIGHT = 4000, 3000
KINDS = [{"slug": "red", "category": "colour", "name": "Red", "ink": "#C2242B", "symbol": "heart", "number": None}]
DOUBTS = [("glare", 600, 500), ("hidden", 3400, 2500)]
MOUNT = served("""async ([width, height, scan, list, quad]) => {
  const { html } = await import("/assets/vendor/htm-preact.js");
  const { render } = await import("/assets/vendor/preact.js");
  const { kindsOf } = await import("/assets/app/shared/kinds.js");
  const { Closer } = await import("/assets/app/shared/closer.js");
  const canvas = new OffscreenCanvas(width / 10, height / 10);
  const context = canvas.getContext("2d");
  context.fillStyle = "#2a9159";
  context.fillRect(0, 0, width / 20, height / 10);
  const url = URL.createObjectURL(await canvas.convertToBlob());
  const told = document.documentElement.dataset;
  told.closed = 0;
  const place = document.createElement("div");
  document.body.append(place);
  const close = () => {
    told.closed++;
    render(null, place);
  };
  const props = { url, width, height, scan, kinds: kindsOf({ kinds: list }), quad, onClose: close };
  render(html`<${Closer} ...${props} />`, place);
}""")
PINCH = """([x, y, from, to]) => {
  const stage = document.querySelector(".closer-stage");
  const fire = (type, id, gap) => stage.dispatchEvent(new PointerEvent(type, {
    pointerId: id, pointerType: "touch", bubbles: true, clientX: x + (id === 11 ? -gap : gap), clientY: y,
  }));
  stage.setPointerCapture = () => {};
  const both = (type, gap) => [11, 12].forEach((id) => fire(type, id, gap));
  both("pointerdown", from);
  for (let step = 1; step <= 5; step++) both("pointermove", from + ((to - from) * step) / 5);
  both("pointerup", to);
}"""


def square(x: float, y: float, side: float = 200) -> list[list[float]]:
    """Return the corners of a square around a place."""
    half = side / 2
    return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]


SCAN: dict[str, Any] = {
    "width": WIDTH,
    "height": HEIGHT,
    "seen": [{"card": "red-001", "kind": "red", "outline": square(2000, 1500, 600), "quads": []}],
    "codes": [{"quad": square(1000, 2500), "status": "foreign"}],
    "doubts": [{"reason": reason, "quad": square(x, y)} for reason, x, y in DOUBTS],
}


@pytest.fixture
def closer(opened: Callable[..., Page]) -> Callable[..., Page]:
    """Open a picture on a page that anybody may see."""

    def begin(quad: list[list[float]] | None = None, **options: Any) -> Page:  # noqa: ANN401 - of a context
        page = opened("/", **options)
        page.get_by_role("heading", level=1).wait_for()
        page.evaluate(MOUNT, [WIDTH, HEIGHT, SCAN, KINDS, quad])
        # Only once the stage has been measured is the picture laid out; then the place to begin at comes.
        page.locator(".closer-stage img").wait_for()
        page.locator(".closer .outlines .seen").wait_for(state="attached")
        if quad:
            comes_to(page, lambda: zoom(page) > 1)
        return page

    return begin


def picture_comes_to(page: Page, x: float, y: float, within: float = 1) -> None:
    """Wait until the picture's middle lies there."""
    wanted = pytest.approx((x, y), abs=within)
    comes_to(page, lambda: middle(page.locator(".closer-picture")) == wanted)


def zoom(page: Page) -> float:
    """Return how much closer than the whole picture one looks."""
    return float(page.locator(".closer-stage").get_attribute("data-zoom") or 0)


def middle(found: Locator) -> tuple[float, float]:
    """Return the middle of something on the screen."""
    box = found.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def size(found: Locator) -> tuple[float, float]:
    """Return the width and height of something on the screen."""
    box = found.bounding_box()
    assert box
    return box["width"], box["height"]


def test_the_whole_picture_comes_first_and_fits(closer: Callable[..., Page]) -> None:
    """The picture in its shape, as large as the window lets it be, with outlines and a mark on every doubt."""
    page = closer()
    picture = page.locator(".closer-picture").bounding_box()
    stage = page.locator(".closer-stage").bounding_box()
    assert picture
    assert stage
    assert picture["width"] == pytest.approx(stage["width"], abs=1)
    assert picture["width"] / picture["height"] == pytest.approx(WIDTH / HEIGHT, rel=0.01)
    expect(page.locator(".closer .seen")).to_have_count(1)
    expect(page.locator(".closer .doubt-mark")).to_have_count(len(DOUBTS))
    expect(page.get_by_role("button", name="The whole picture")).to_be_disabled()


def test_a_place_is_looked_at_from_the_start(closer: Callable[..., Page]) -> None:
    """Given a place, the picture opens close to it, and the place lies in the middle."""
    page = closer(square(2000, 1500, 300))
    assert zoom(page) > 2
    expected = middle(page.locator(".closer-stage"))
    outline = page.locator(".closer .seen .outline")
    comes_to(page, lambda: middle(outline) == pytest.approx(expected, abs=2))


def test_keys_and_buttons_zoom_and_move(closer: Callable[..., Page]) -> None:
    """Plus and minus, arrows, 0 for the whole; the buttons do the same, and Escape closes."""
    page = closer(organiser="Olga")
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(page.locator(".closer-stage")).to_have_attribute("data-zoom", "2.56")
    picture = page.locator(".closer-picture")
    before = middle(picture)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    comes_to(page, lambda: all(now < then for now, then in zip(middle(picture), before, strict=True)))
    page.keyboard.press("-")
    expect(page.locator(".closer-stage")).to_have_attribute("data-zoom", "1.60")
    page.keyboard.press("0")
    expect(page.locator(".closer-stage")).to_have_attribute("data-zoom", "1.00")
    page.get_by_role("button", name="Closer", exact=True).click()
    expect(page.locator(".closer-stage")).to_have_attribute("data-zoom", "1.60")
    page.get_by_role("button", name="The whole picture").click()
    expect(page.locator(".closer-stage")).to_have_attribute("data-zoom", "1.00")
    page.keyboard.press("Escape")
    page.locator("html[data-closed='1']").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_wheel_comes_closer_to_where_it_points(closer: Callable[..., Page]) -> None:
    """What lies under the pointer stays under it."""
    page = closer(organiser="Olga")
    mark = page.locator(".doubt-mark").first
    at = middle(mark)
    page.mouse.move(*at)
    page.mouse.wheel(0, -600)
    expect(page.locator(".closer-stage")).not_to_have_attribute("data-zoom", "1.00")
    comes_to(page, lambda: zoom(page) > 2)
    comes_to(page, lambda: middle(mark) == pytest.approx(at, abs=2))


def test_dragging_stops_at_the_pictures_edge(closer: Callable[..., Page]) -> None:
    """A picture that is larger than the window can be moved, but never out of it."""
    page = closer(square(2000, 1500, 300), organiser="Olga")
    stage = page.locator(".closer-stage").bounding_box()
    assert stage
    x, y = middle(page.locator(".closer-stage"))
    before = middle(page.locator(".closer-picture"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 50, y + 30, steps=3)
    page.mouse.up()
    picture_comes_to(page, before[0] + 50, before[1] + 30)
    page.mouse.move(x, y)
    for _ in range(6):
        page.mouse.down()
        page.mouse.move(x + 400, y + 300, steps=2)
        page.mouse.up()
        page.mouse.move(x, y)
    picture = page.locator(".closer-picture").bounding_box()
    assert picture
    picture_comes_to(page, stage["x"] + picture["width"] / 2, stage["y"] + picture["height"] / 2)


def test_two_fingers_pinch_and_two_taps_come_closer(closer: Callable[..., Page]) -> None:
    """Spreading two fingers comes closer by as much; a double tap comes closer and goes back."""
    page = closer()
    x, y = middle(page.locator(".closer-stage"))
    page.evaluate(PINCH, [x, y, 40, 100])
    expect(page.locator(".closer-stage")).to_have_attribute("data-zoom", "2.50")
    for zoomed in ("1.00", "3.00", "1.00"):
        page.touchscreen.tap(x, y)
        page.touchscreen.tap(x, y)
        expect(page.locator(".closer-stage")).to_have_attribute("data-zoom", zoomed)


def test_a_doubt_says_why_and_what_helps(closer: Callable[..., Page]) -> None:
    """The mark is a button of a finger's size, at any zoom; it leads to the place and says the reason in words."""
    page = closer()
    mark = page.get_by_role("button", name="Not read, 1 of 2: Glare on the code.")
    mark.click()
    expect(page.get_by_role("status").filter(has_text="Move the lamp")).to_be_visible()
    comes_to(page, lambda: zoom(page) > 2)
    # While the picture comes closer the mark is still as large as a moment before.
    comes_to(page, lambda: size(mark) == pytest.approx((44, 44), abs=0.5))
    expect(mark).to_have_attribute("aria-pressed", "true")
    mark.click()
    expect(page.get_by_text("Move the lamp")).to_have_count(0)


def test_letters_keep_their_size(closer: Callable[..., Page]) -> None:
    """However close one looks, the names of cards are as large as before and name as much as fits."""
    page = closer(organiser="Olga")
    tag = page.locator(".closer .tag").first
    before = tag.bounding_box()
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(page.locator(".closer .outlines")).to_have_attribute("data-zoom", "2.56")
    assert before
    comes_to(page, lambda: size(tag)[1] == pytest.approx(before["height"], rel=0.1))


@pytest.mark.parametrize(
    ("language", "why"), [("de", "Der Code spiegelt."), ("fr", "Un reflet couvre le code.")], ids=["de", "fr"]
)
def test_reasons_come_in_the_pages_language(closer: Callable[..., Page], language: str, why: str) -> None:
    """German and French readers get the reasons in their words."""
    page = closer(locale=language)
    page.locator(".doubt-mark").first.click()
    expect(page.locator(".doubt-words strong")).to_have_text(why)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.thorough)])
def test_axe_finds_nothing(closer: Callable[..., Page], scheme: str) -> None:
    """Names, roles and contrasts are as they should be, also while a reason is shown."""
    page = closer(color_scheme=scheme, viewport={"width": 320, "height": 568})
    page.locator(".doubt-mark").first.click()
    assert problems(page) == []
    assert page.evaluate("document.querySelector('.closer').scrollWidth") <= 320
