"""Actions of players, and decks that are created without the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.db.models import Deck
from server.games.audit import Actor
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.envelopes import change_player
from server.games.lifecycle.repository import PlayerIdentity, load_game
from server.games.players.decks import confirm, contents_of, new_deck, photos_of
from tests.context import ORGANISER
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.web.steps import WIDTHS, file, open_path, scrolls_horizontally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from playwright.sync_api import Locator, Page

    from server.games.lifecycle.states import Act
    from tests.web.pages.conftest import LiveServer

FIRST_PICTURE = "Photograph my deck"


def join(live_server: LiveServer, game: str, envelope: int = 1, name: str | None = None) -> None:
    with live_server.context.database.writing() as session:
        change_player(
            session,
            PlayerIdentity(game, envelope),
            Actor("player", str(envelope)),
            live_server.context.clock(),
            name=name,
        )


def change_state_of(live_server: LiveServer, game: str, *acts: Act) -> None:
    with live_server.context.database.writing() as session:
        for one in acts:
            change_state(session, load_game(session, game), one, ORGANISER, live_server.context.clock())


def add_deck(
    live_server: LiveServer,
    game: str,
    envelope: int = 1,
    cards: Sequence[str] | None = None,
    *,
    confirmed: bool = False,
    labels: Sequence[int] = (),
    **found: Any,  # noqa: ANN401 - as `reading` takes it
) -> str:
    """Create a deck with a picture of these cards (None: all dealt ones), perhaps `confirmed`; return its id."""
    player = PlayerIdentity(game, envelope)
    with live_server.context.database.writing() as session:
        deck = new_deck(session, player, live_server.context.clock()).id
    shown = dealt(live_server.context, game, envelope) if cards is None else cards
    add_photo(live_server.context, game, reading(shown, labels, **found), envelope=envelope, deck=deck)
    if confirmed:
        with live_server.context.database.writing() as session:
            row = session.get_one(Deck, deck)
            seen = contents_of(session, row, photos_of(session, row)).listing.digest
            confirm(session, player, deck, seen, Actor("player", str(envelope)), live_server.context.clock())
    return deck


def open_phone(
    live_server: LiveServer,
    open_page: Callable[..., Page],
    game: str,
    envelope: int = 1,
    path: str = "",
    **options: Any,  # noqa: ANN401 - of a context
) -> Page:
    """Open the page of a player who has joined, at a path."""
    join(live_server, game, envelope)
    page = open_page(live_server.link(game, envelope), **options)
    page.locator(".view-home").wait_for()
    if path:
        open_path(page, path)
    return page


def photograph(page: Page, picture: bytes, button: str = FIRST_PICTURE) -> None:
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name=button, exact=True).click()
    dialog.value.set_files(file(picture))


def press_and_hold(page: Page, button: Locator) -> None:
    button.hover()
    page.mouse.down()
    button.wait_for(state="detached")
    page.mouse.up()


def overflowing_widths(page: Page) -> list[int]:
    """Return the widths of `WIDTHS` at which the page would scroll horizontally."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if scrolls_horizontally(page):
            found.append(width)
    return found
