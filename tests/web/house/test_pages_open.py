"""The pages of a server that keeps games open, for everybody who has a right to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.axe import problems

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.conftest import Hall


@pytest.mark.parametrize(("language", "title"), [("en-GB", "Games"), ("pt-BR", "Games")])
def test_the_desk_opens_in_the_organisers_language(opened: Callable[..., Page], language: str, title: str) -> None:
    """An organiser who is signed in sees the games; readers of other languages get English."""
    page = opened("/desk", organiser="Olga", locale=language)
    page.get_by_role("heading", name=title, exact=True).wait_for()


def test_a_game_has_its_tabs(opened: Callable[..., Page], hall: Hall) -> None:
    """Each part of a game's desk opens from the row of tabs, and has an address of its own."""
    game = hall.game(name="Tabs")
    page = opened(f"/desk/games/{game}", organiser="Olga")
    page.get_by_role("navigation", name="Tabs").get_by_role("link", name="Results").click()
    page.wait_for_url(f"**/desk/games/{game}/results")


def test_axe_would_find_a_button_without_a_name(opened: Callable[..., Page]) -> None:
    """What looks at every screen can fail."""
    page = opened("/")
    page.get_by_role("heading", level=1).first.wait_for()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    [found] = problems(page)
    assert found.startswith("button-name")
