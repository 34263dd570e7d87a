"""Actions of players, and decks that exist already."""

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
from tests.web.steps import WIDTHS, file, scrolls_sideways

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from playwright.sync_api import Locator, Page

    from server.games.lifecycle.states import Act
    from tests.web.pages.conftest import Hall

FIRST = "Photograph my deck"


def joined(hall: Hall, game: str, envelope: int = 1, name: str | None = None) -> None:
    with hall.context.database.writing() as session:
        change_player(
            session, PlayerIdentity(game, envelope), Actor("player", str(envelope)), hall.context.clock(), name=name
        )


def act(hall: Hall, game: str, *acts: Act) -> None:
    with hall.context.database.writing() as session:
        for one in acts:
            change_state(session, load_game(session, game), one, ORGANISER, hall.context.clock())


def laid(
    hall: Hall,
    game: str,
    envelope: int = 1,
    cards: Sequence[str] | None = None,
    *,
    yes: bool = False,
    labels: Sequence[int] = (),
    **found: Any,  # noqa: ANN401 - as `reading` takes it
) -> str:
    """Lay out a deck for a player (None: all the dealt cards), read by hand, confirmed with `yes`; return its id."""
    seat = PlayerIdentity(game, envelope)
    with hall.context.database.writing() as session:
        deck = new_deck(session, seat, hall.context.clock()).id
    shown = dealt(hall.context, game, envelope) if cards is None else cards
    add_photo(hall.context, game, reading(shown, labels, **found), envelope=envelope, deck=deck)
    if yes:
        with hall.context.database.writing() as session:
            row = session.get_one(Deck, deck)
            seen = contents_of(session, row, photos_of(session, row)).listing.digest
            confirm(session, seat, deck, seen, Actor("player", str(envelope)), hall.context.clock())
    return deck


def phone(
    hall: Hall,
    opened: Callable[..., Page],
    game: str,
    envelope: int = 1,
    path: str = "",
    **options: Any,  # noqa: ANN401 - of a context
) -> Page:
    """Open a joined player's phone, at an address of the page."""
    joined(hall, game, envelope)
    page = opened(hall.link(game, envelope), **options)
    page.locator(".view-home").wait_for()
    if path:
        page.goto(path)
    return page


def photograph(page: Page, picture: bytes, button: str = FIRST) -> None:
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name=button, exact=True).click()
    dialog.value.set_files(file(picture))


def hold(page: Page, button: Locator) -> None:
    button.hover()
    page.mouse.down()
    button.wait_for(state="detached")
    page.mouse.up()


def wider_than(page: Page) -> list[int]:
    """Return the widths, from a small phone to a wall, at which the page would scroll sideways."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if scrolls_sideways(page):
            found.append(width)
    return found
