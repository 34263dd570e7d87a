"""Whatever the server writes into the record is told in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from cardgen.cards import SIZES
from server.jobs.queue import PhotoState
from server.play.house import game_row
from server.play.record import record
from server.play.settings import ACTS, MODES
from tests.house import ORGANISER
from tests.web.steps import served

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.conftest import Hall

    Opened = Callable[..., Page]


def _texts(page: Page, language: str, part: str) -> dict[str, Any]:
    """Return a part of the texts, without those that are made of numbers."""
    module = served(f'import("/assets/texts/{language}/{part}.js")')
    texts: dict[str, Any] = page.evaluate(f"{module}.then((part) => JSON.parse(JSON.stringify(part.default)))")
    return texts


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_settings_and_states_in_the_record_have_words(opened: Opened, language: str) -> None:
    """Each setting, mode, size of cards and state of a picture, in every language."""
    page = opened("/desk", organiser="Olga")
    audit = _texts(page, language, "results")["audit"]
    assert set(ACTS) <= set(audit["names"])
    form = _texts(page, language, "games")["games"]["form"]
    assert set(form["modes"]) == set(MODES)
    assert set(form["sizes"]) == set(SIZES)
    assert set(audit["values"]["pictures"]) == set(PhotoState)


def test_the_record_is_told_in_words(opened: Opened, hall: Hall) -> None:
    """Names of settings, cards, rules and decisions come as people know them, in the language of the page."""
    game = hall.game(name="In words")
    changes: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
        (
            "change",
            "",
            {"settings": {"blue_base": 1}},
            {"settings": {"blue_base": 7}},
            "der blauen Karten (Regel 6): 1 → 7",
        ),
        ("change", "", {"mode": "known", "language": "en"}, {"mode": "total", "language": "fr"}, "Was die eigenen"),
        ("change", "", {"size": "poker"}, {"size": "mini"}, "Poker → Mini"),
        ("change", "", {"pause": 1200}, {"pause": 60}, "Pause: 20 Min. → 1 Min."),
        ("settle", "decks:red-007", {"decision": None}, {"decision": {"do": "void"}}, "Zählt nirgends"),
        ("dead-cards", "envelope 2", {}, {"cards": ["red-007"]}, "Rot 7"),
        ("scan-again", "photo 0a1b2c3d", {"state": "failed"}, {}, "nicht lesbar"),
    ]
    with hall.house.database.writing() as session:
        row = game_row(session, game)
        for action, subject, before, after, _ in changes:
            record(session, row.id, ORGANISER, hall.house.clock(), action, subject, before=before, after=after)
    page = opened(f"/desk/games/{game}/audit", organiser="Olga", locale="de-DE")
    page.locator(".entry").first.wait_for()
    for place, (*_, words) in enumerate(reversed(changes)):
        expect(page.locator(".entry").nth(place)).to_contain_text(words)
    expect(page.get_by_role("link", name="Zweifel: Karte in zwei Decks")).to_be_visible()
