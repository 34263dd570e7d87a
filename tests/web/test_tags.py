"""The short names on the picture, where cards lie over cards."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.pictures import deck_photo
from tests.web.steps import await_result, choose, file

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.conftest import PrintedFolder

DECK = {"yellow": 4, "pink": 3, "green": 3, "rule-9": 1, "rule-10": 1}

TAGS = """() => [...document.querySelectorAll(".outlines .tag")].map((tag) => {
  const { left, right, top, bottom } = tag.getBoundingClientRect();
  return { left, right, top, bottom, words: tag.textContent };
})"""
ON_CARD = """([words, kind]) => {
  const tag = [...document.querySelectorAll(".outlines .tag")].find((one) => one.textContent === words);
  const { left, right, top, bottom } = tag.getBoundingClientRect();
  const card = document.querySelector(`.outlines .seen[data-kind="${kind}"] .outline`);
  const middle = new DOMPoint((left + right) / 2, (top + bottom) / 2);
  return card.isPointInFill(middle.matrixTransform(card.getScreenCTM().inverse()));
}"""


def overlaps(tags: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the pairs of tags that share a place on the screen."""
    return [
        (a["words"], b["words"])
        for a, b in combinations(tags, 2)
        if a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] and b["top"] < a["bottom"]
    ]


@pytest.mark.parametrize("width", [390, 1360])
@pytest.mark.parametrize("scene", ["overlap", "fan"])
def test_no_tag_covers_another(page: Page, printed: PrintedFolder, scene: str, width: int) -> None:
    """Where cards cover cards, each has its tag still, none overlaps another, and a rule's is whole and on its card."""
    page.set_viewport_size({"width": width, "height": 844})
    choose(page, file(deck_photo(printed, DECK, scene=scene)))
    await_result(page)
    expect(page.locator(".outlines .seen")).to_have_count(sum(DECK.values()))
    tags = page.evaluate(TAGS)
    assert len(tags) == sum(DECK.values())
    assert overlaps(tags) == []
    for words, kind in (("R9", "rule-9"), ("R10", "rule-10")):
        assert page.evaluate(ON_CARD, [words, kind]), words


def test_a_tag_without_room_is_left_out(page: Page, printed: PrintedFolder) -> None:
    """Of cards that all lie at one small place, only as many get a tag, or a dot for it, as fit there."""

    def heaped(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        for card in body["seen"]:
            card["outline"] = [[500, 500], [600, 500], [600, 640], [500, 640]]
            card["quads"] = [[[510, 510], [550, 510], [550, 550], [510, 550]]]
        route.fulfill(response=answer, json=body)

    page.route("**/api/v1/scans", heaped)
    choose(page, file(deck_photo(printed, DECK)))
    await_result(page)
    tags = page.evaluate(TAGS)
    assert 1 < len(tags) < sum(DECK.values())
    assert overlaps(tags) == []
