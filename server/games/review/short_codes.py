"""Short codes, which are printed on cards for people, and the cards that they name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.payload import card_of_short_code, short_code
from server.db.models import Card, Game
from server.games.errors import DomainError
from server.games.lifecycle.repository import printed_game_of
from server.games.photos.readings import card_named

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_LENGTH = 5
_MAX_TYPED = 40


def card_of_code(session: Session, game: Game, typed: str) -> str:
    """Return the name, such as `red-007`, of the card with a short code; raises DomainError `wrong-code`.

    The name itself is accepted as well: no code looks like one.
    """
    named = _card_named(session, game, typed)
    if named is not None:
        return named
    bare = re.sub(r"[\s\-\u2013.]", "", typed[:_MAX_TYPED])
    if len(bare) != _LENGTH:
        raise DomainError(
            "wrong-code",
            f"A short code has {_LENGTH} characters, as in 0A-1F-X; this one has {len(bare)}. Type it again.",
            {"why": "length"},
        )
    card = card_of_short_code(printed_game_of(game), typed)
    if card is None:
        raise DomainError(
            "wrong-code",
            "The last character does not fit the others, so one of them is wrong. Look at the card and type it again; "
            "the letters I, L, O and U are never used.",
            {"why": "check"},
        )
    if session.get(Card, (game.id, card.kind, card.copy)) is None:
        raise DomainError(
            "wrong-code", "No card with this code was printed for this game. Type it again.", {"why": "unknown"}
        )
    return card.name


def _card_named(session: Session, game: Game, name: str) -> str | None:
    kind, _, copy = name.strip().lower().rpartition("-")
    if kind not in game.kinds or not copy.isdecimal() or len(copy) > _LENGTH:
        return None
    card = CardId(kind, int(copy))
    return None if session.get(Card, (game.id, card.kind, card.copy)) is None else card.name


def code_of_card(game: Game, name: str) -> str | None:
    """Return the short code printed on a card; None if the game has no such card."""
    try:
        return short_code(printed_game_of(game), card_named(name))
    except ValueError:
        return None
