"""A deck that its edition takes out of the game, on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.pictures import deck_photo
from tests.web.steps import await_result, choose, file

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.conftest import PrintedFolder

VERDICT = "Eliminated: no score, and a place after all others."


def test_an_eliminated_deck_is_told_in_words(page: Page, printed: PrintedFolder) -> None:
    """The page shows the verdict in place of a number, in the score and in the sum, and says so aloud."""

    def eliminate(route: Route) -> None:
        answer = route.fetch()
        seen = answer.json()
        seen["result"] |= {"score": None, "eliminated": True, "verdict": VERDICT, "lines": [], "rules": {}}
        route.fulfill(response=answer, json=seen)

    page.route("**/api/v1/scans", eliminate)
    choose(page, file(deck_photo(printed, {"red": 2})))
    await_result(page)
    expect(page.locator(".score-out")).to_have_text(VERDICT, use_inner_text=True)
    expect(page.locator(".score-number")).to_have_count(0)
    expect(page.locator(".sum strong")).to_have_text("Eliminated", use_inner_text=True)
    assert page.get_by_text("Eliminated: no score.", exact=False).count() >= 1
