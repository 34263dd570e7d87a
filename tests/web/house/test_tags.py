"""The short names on a picture, where cards lie over cards."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from devtools.photo_simulator.profiles import SCENES
from tests.players import dealt, some_of
from tests.web.house.conftest import SCENE
from tests.web.house.player_steps import laid, phone, photograph

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.web.house.conftest import Hall

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


@pytest.mark.parametrize("scene", ["overlap", "fan"])
def test_no_tag_covers_another(opened: Callable[..., Page], hall: Hall, scene: str) -> None:
    """Where cards cover cards, each has its tag still, none overlaps another, and a rule's is whole and on its card."""
    game = hall.game(players=24)
    cards = some_of(hall.house, game, DECK)
    page = phone(hall, opened, game)
    photograph(page, hall.picture(game, cards, scene=replace(SCENES[scene], width=SCENE.width, height=SCENE.height)))
    expect(page.locator(".outlines .seen")).to_have_count(len(cards))
    for width in (390, 1360):
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.locator(".outlines .tag")).to_have_count(len(cards))
        assert overlaps(page.evaluate(TAGS)) == []
        for words, kind in (("R9", "rule-9"), ("R10", "rule-10")):
            assert page.evaluate(ON_CARD, [words, kind]), words


def test_a_tag_without_room_is_left_out(opened: Callable[..., Page], hall: Hall) -> None:
    """Of cards that all lie at one small place, only as many get a tag, or a dot for it, as fit there."""

    def heaped(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        for card in body["photos"][0]["cards"]:
            card["outline"] = [[1000, 1000], [1200, 1000], [1200, 1280], [1000, 1280]]
        route.fulfill(response=answer, json=body)

    game = hall.game()
    cards = dealt(hall.house, game, 1)
    deck = laid(hall, game, cards=cards)
    page = phone(hall, opened, game)
    page.route(re.compile(f"/api/v1/me/decks/{deck}$"), heaped)
    page.goto(f"/p/deck/{deck}")
    expect(page.locator(".outlines .seen")).to_have_count(len(cards))
    tags = page.evaluate(TAGS)
    assert 1 < len(tags) < len(cards)
    assert overlaps(tags) == []
