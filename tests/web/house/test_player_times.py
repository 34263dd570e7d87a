"""The times that a player reads beside the own decks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.play.handing_in import hand_in
from server.play.house import Actor
from server.play.tokens import Seat
from server.store.tables import Deck
from tests.web.house.player_steps import laid, phone

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.conftest import Hall


def test_beside_handed_in_stands_when_that_was(opened: Callable[..., Page], hall: Hall) -> None:
    """The list of decks gives the time of the hand-in, as the receipt does, not that at which the deck was begun."""
    game = hall.game(mode="inventory", timezone="UTC")
    deck = laid(hall, game, yes=True)
    noon = datetime.now(UTC).replace(hour=12, minute=0)
    with hall.house.database.writing() as session:
        hand_in(session, Seat(game, 1), deck, Actor("player", "1"), noon)
        session.get_one(Deck, deck).created = noon - timedelta(minutes=75)
    page = phone(hall, opened, game)
    expect(page.get_by_role("region", name="Handed in")).to_contain_text("12:00")
    expect(page.locator(".deck-row")).to_contain_text("12:00")
    expect(page.locator(".deck-row")).not_to_contain_text("10:45")
