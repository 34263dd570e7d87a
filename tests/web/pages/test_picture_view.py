"""A picture on the page: the short names on its cards, and looking closer by hand, by wheel and by keys."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from devtools.photo_simulator.profiles import SCENES
from tests.players import dealt, some_of
from tests.web.axe import axe_problems
from tests.web.pages.conftest import SCENE, LiveServer, OpenPage
from tests.web.pages.player_steps import add_deck
from tests.web.steps import file, open_path, wait_until, with_page_modules

DECK = {"yellow": 4, "pink": 3, "green": 3, "rule-9": 1, "rule-10": 1}
TAGS = """() => [...document.querySelectorAll(".picture")].map((picture) =>
  [...picture.querySelectorAll(".outlines .tag")].map((tag) => {
    const { left, right, top, bottom } = tag.getBoundingClientRect();
    return { left, right, top, bottom, words: tag.textContent };
  }))"""
ON_CARD = """([words, kind]) => [...document.querySelectorAll(".picture")].every((picture) => {
  const tag = [...picture.querySelectorAll(".outlines .tag")].find((one) => one.textContent === words);
  const { left, right, top, bottom } = tag.getBoundingClientRect();
  const card = picture.querySelector(`.outlines .seen[data-kind="${kind}"] .outline`);
  const middle = new DOMPoint((left + right) / 2, (top + bottom) / 2);
  return card.isPointInFill(middle.matrixTransform(card.getScreenCTM().inverse()));
})"""
WIDTH, HEIGHT = 4000, 3000
KINDS = [{"slug": "red", "category": "colour", "name": "Red", "ink": "#C2242B", "symbol": "heart", "number": None}]
DOUBTS = [("glare", 600, 500), ("hidden", 3400, 2500)]
MOUNT = with_page_modules("""async ([width, height, scan, list, quad]) => {
  const { h, render } = await import("/web/preact");
  const { kindsBySlug } = await import("/web/app/shared/cards");
  const { PhotoViewer } = await import("/web/app/shared/photo-viewer");
  const canvas = new OffscreenCanvas(width / 10, height / 10);
  const context = canvas.getContext("2d");
  context.fillStyle = "#2a9159";
  context.fillRect(0, 0, width / 20, height / 10);
  const url = URL.createObjectURL(await canvas.convertToBlob());
  const { dataset } = document.documentElement;
  dataset.closed = 0;
  const place = document.createElement("div");
  document.body.append(place);
  const close = () => {
    dataset.closed++;
    render(null, place);
  };
  const props = { url, width, height, scan, kinds: kindsBySlug({ kinds: list }), quad, onClose: close };
  render(h(PhotoViewer, props), place);
}""")
PINCH = """([x, y, from, to]) => {
  const stage = document.querySelector(".viewer-stage");
  const fire = (type, id, gap) => stage.dispatchEvent(new PointerEvent(type, {
    pointerId: id, pointerType: "touch", bubbles: true, clientX: x + (id === 11 ? -gap : gap), clientY: y,
  }));
  stage.setPointerCapture = () => {};
  const both = (type, gap) => [11, 12].forEach((id) => fire(type, id, gap));
  both("pointerdown", from);
  for (let step = 1; step <= 5; step++) both("pointermove", from + ((to - from) * step) / 5);
  both("pointerup", to);
}"""
# Both taps in one call: on a busy machine two calls may take longer than a double tap may.
DOUBLE_TAP = """([x, y]) => {
  const stage = document.querySelector(".viewer-stage");
  const finger = { pointerId: 13, pointerType: "touch", bubbles: true, clientX: x, clientY: y };
  for (const type of ["pointerdown", "pointerup", "pointerdown", "pointerup"]) {
    stage.dispatchEvent(new PointerEvent(type, finger));
  }
}"""


def overlaps(tags: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [
        (a["words"], b["words"])
        for a, b in combinations(tags, 2)
        if a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] and b["top"] < a["bottom"]
    ]


def test_tags_do_not_overlap(open_phone: OpenPage, live_server: LiveServer) -> None:
    """Where cards cover cards, each has its tag still, and a rule's is complete and on its card."""
    game = live_server.new_game(players=24)
    cards = some_of(live_server.context, game, DECK)
    page = open_phone(game)
    scenes = [replace(SCENES[name], width=SCENE.width, height=SCENE.height) for name in ("overlap", "fan")]
    pictures = [file(live_server.picture(game, cards, scene=scene), f"{at}.jpg") for at, scene in enumerate(scenes)]
    page.locator("input[type=file][multiple]").first.set_input_files(pictures)
    expect(page.locator(".outlines .seen")).to_have_count(2 * len(cards))
    for width in (390, 1360):
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.locator(".outlines .tag")).to_have_count(2 * len(cards))
        for tags in page.evaluate(TAGS):
            assert overlaps(tags) == []
        for words, kind in (("R9", "rule-9"), ("R10", "rule-10")):
            assert page.evaluate(ON_CARD, [words, kind]), words


def test_tags_without_room_are_left_out(open_phone: OpenPage, live_server: LiveServer) -> None:
    """Of cards that all have the same small outline, only as many get a tag, or a dot for it, as fit there."""

    def same_outline(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        for card in body["photos"][0]["cards"]:
            card["outline"] = [[1000, 1000], [1200, 1000], [1200, 1280], [1000, 1280]]
        route.fulfill(response=answer, json=body)

    game = live_server.new_game()
    cards = dealt(live_server.context, game, 1)
    deck = add_deck(live_server, game, cards=cards)
    page = open_phone(game)
    page.route(re.compile(f"/api/v1/me/decks/{deck}$"), same_outline)
    open_path(page, f"/p/deck/{deck}")
    expect(page.locator(".outlines .seen")).to_have_count(len(cards))
    # Tags are placed once the picture has been laid out.
    expect(page.locator(".outlines .tag").nth(1)).to_be_visible()
    [tags] = page.evaluate(TAGS)
    assert 1 < len(tags) < len(cards)
    assert overlaps(tags) == []


def square(x: float, y: float, side: float = 200) -> list[list[float]]:
    half = side / 2
    return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]


SCAN: dict[str, Any] = {
    "width": WIDTH,
    "height": HEIGHT,
    "seen": [{"card": "red-001", "kind": "red", "outline": square(2000, 1500, 600), "quads": []}],
    "codes": [{"quad": square(1000, 2500), "status": "foreign"}],
    "doubts": [{"reason": reason, "quad": square(x, y)} for reason, x, y in DOUBTS],
}


def open_viewer(page: Page, quad: list[list[float]] | None = None) -> None:
    """Open the viewer with a picture, zoomed in on a place if there is one."""
    page.get_by_role("heading", level=1).first.wait_for()
    page.evaluate(MOUNT, [WIDTH, HEIGHT, SCAN, KINDS, quad])
    # The picture is laid out after the stage was measured; then the viewer zooms in.
    page.locator(".viewer-stage img").wait_for()
    page.locator(".viewer .outlines .seen").wait_for(state="attached")
    if quad:
        wait_until(page, lambda: zoom(page) > 2)


def zoom(page: Page) -> float:
    return float(page.locator(".viewer-stage").get_attribute("data-zoom") or 0)


def expect_zoom(page: Page, wanted: str) -> None:
    expect(page.locator(".viewer-stage")).to_have_attribute("data-zoom", wanted)


def box_of(found: Locator) -> tuple[float, float, float, float]:
    box = found.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"], box["height"]


def test_touch_zooms_the_picture(open_page: OpenPage) -> None:
    """The whole picture fits at first; pinch and double tap zoom; a doubt's mark says why and what helps."""
    page = open_page("/")
    open_viewer(page)
    x, y, stage, _ = box_of(page.locator(".viewer-stage"))
    _, _, width, height = box_of(page.locator(".viewer-photo"))
    assert width == pytest.approx(stage, abs=1)
    assert width / height == pytest.approx(WIDTH / HEIGHT, rel=0.01)
    expect(page.locator(".viewer .seen")).to_have_count(1)
    expect(page.locator(".viewer .doubt-mark")).to_have_count(len(DOUBTS))
    expect(page.get_by_role("button", name="Whole picture")).to_be_disabled()
    page.evaluate(PINCH, [x, y, 40, 100])
    expect_zoom(page, "2.50")
    for wanted in ("1.00", "3.00", "1.00"):
        page.evaluate(DOUBLE_TAP, [x, y])
        expect_zoom(page, wanted)

    page.set_viewport_size({"width": 320, "height": 568})
    mark = page.get_by_role("button", name="Not read, 1 of 2: Glare on the code.")
    mark.click()
    expect(page.get_by_role("status").filter(has_text="Move the lamp")).to_be_visible()
    wait_until(page, lambda: zoom(page) > 2)
    # During the transition the mark has its previous size.
    wait_until(page, lambda: box_of(mark)[2:] == pytest.approx((44, 44), abs=0.5))
    expect(mark).to_have_attribute("aria-pressed", "true")
    page.emulate_media(color_scheme="dark")
    assert axe_problems(page) == []
    assert page.evaluate("document.querySelector('.viewer').scrollWidth") <= 320
    mark.click()
    expect(page.get_by_text("Move the lamp")).to_have_count(0)


def test_the_mouse_zooms_and_drags_the_picture_within_its_edges(open_page: OpenPage) -> None:
    """The viewer opens at a place; the wheel zooms in on the pointer; dragging stops at the picture's edge."""
    page = open_page("/", organiser="Olga", locale="de")
    open_viewer(page, square(2000, 1500, 300))
    stage, picture = page.locator(".viewer-stage"), page.locator(".viewer-photo")
    x, y, wide, high = box_of(stage)
    outline = page.locator(".viewer .seen .outline")
    wait_until(page, lambda: box_of(outline)[:2] == pytest.approx((x, y), abs=2))
    left, top, width, height = box_of(picture)

    def drag(right: int, down: int, steps: int) -> None:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + right, y + down, steps=steps)
        page.mouse.up()

    drag(50, 30, 3)
    wait_until(page, lambda: box_of(picture)[:2] == pytest.approx((left + 50, top + 30), abs=1))
    for _ in range(6):
        drag(400, 300, 2)
    corner = x - wide / 2 + width / 2, y - high / 2 + height / 2
    wait_until(page, lambda: box_of(picture)[:2] == pytest.approx(corner, abs=1))

    page.keyboard.press("0")
    expect_zoom(page, "1.00")
    mark = page.locator(".doubt-mark").first
    at = box_of(mark)[:2]
    page.mouse.move(*at)
    page.mouse.wheel(0, -600)
    wait_until(page, lambda: zoom(page) > 2)
    wait_until(page, lambda: box_of(mark)[:2] == pytest.approx(at, abs=2))
    mark.click()
    expect(page.locator(".doubt-words strong")).to_have_text("Der Code spiegelt.")


def test_keys_and_buttons_zoom_and_move_the_picture(open_page: OpenPage) -> None:
    """Plus, minus, arrows, and 0 for the whole picture; tags keep their size, and Escape closes the viewer."""
    page = open_page("/", organiser="Olga")
    open_viewer(page)
    tag, picture = page.locator(".viewer .tag").first, page.locator(".viewer-photo")
    letters = box_of(tag)[3]
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect_zoom(page, "2.56")
    expect(page.locator(".viewer .outlines")).to_have_attribute("data-zoom", "2.56")
    wait_until(page, lambda: box_of(tag)[3] == pytest.approx(letters, rel=0.1))
    before = box_of(picture)[:2]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    wait_until(page, lambda: all(now < then for now, then in zip(box_of(picture), before, strict=False)))
    page.keyboard.press("-")
    expect_zoom(page, "1.60")
    page.keyboard.press("0")
    expect_zoom(page, "1.00")
    page.get_by_role("button", name="Zoom in", exact=True).click()
    expect_zoom(page, "1.60")
    page.get_by_role("button", name="Whole picture").click()
    expect_zoom(page, "1.00")
    page.keyboard.press("Escape")
    page.locator("html[data-closed='1']").wait_for()
    expect(page.get_by_role("dialog")).to_have_count(0)
