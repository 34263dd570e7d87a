"""The practice page in the reader's language, or in the one that was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE, Watched
from tests.web.steps import await_result, scrolls_sideways

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.server_process import ServerProcess

TITLES = {"de": "Was ist dein Deck wert?", "fr": "Que vaut ton paquet\u202f?", "en": "What is your deck worth?"}


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_practice_page_speaks_the_browsers_language(browser: Browser, server: ServerProcess, language: str) -> None:
    """From the first sight to the score, also on the narrowest phone."""
    context = browser.new_context(
        base_url=server.url, locale=language, viewport={"width": 320, "height": 568}, reduced_motion="reduce"
    )
    watched = Watched(context.new_page(), server.url)
    page = watched.page
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[language])
    assert not scrolls_sideways(page)
    page.locator(".sample").first.click()
    await_result(page)
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert not scrolls_sideways(page)
    assert watched.verdict() == []
    context.close()


def test_another_language_can_be_chosen_and_is_kept(page: Page) -> None:
    """The choice at the page's foot counts at once and at the next visit, whatever the browser wishes."""
    page.get_by_role("combobox", name="Language").select_option("Français")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["fr"])
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["fr"])
    page.get_by_role("combobox", name="Langue").select_option("English")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["en"])
    assert page.viewport_size == PHONE
