"""A player's cards have the same names all over the page: those of the page's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.players import some_of
from tests.web.house.player_steps import laid, phone

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.conftest import Hall


def test_a_deck_speaks_the_language_of_its_phone(opened: Callable[..., Page], hall: Hall) -> None:
    """On a French phone in a game with German cards the list says what the lines of the score say."""
    game = hall.game(mode="full", language="de")
    deck = laid(hall, game, cards=some_of(hall.house, game, {"red": 2}))
    page = phone(hall, opened, game, path=f"/p/deck/{deck}", locale="fr-FR")
    names = page.locator(".kinds, .deck-list").first
    expect(names).to_contain_text("Rouge")
    page.get_by_role("button", name="Oui, ").click()
    page.locator(".provisional .line").first.wait_for()
    expect(names).to_contain_text("Rouge")
    expect(page.locator("main")).not_to_contain_text("Rot")
