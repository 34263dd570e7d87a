"""Cards entered by hand: the short code printed on a card names it where no picture helps. Organisers only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.payload import card_of_short_code, short_code
from server.play.holdings import hand_key
from server.play.house import printed_game
from server.play.items import Decision
from server.play.refusals import Refusal
from server.play.rulings import Outcome, Said, find_item, settle
from server.play.world import assembly_of, world_of
from server.store.tables import Card, Game

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor

_DIGITS = 5
_LONGEST = 40


def card_typed(session: Session, game: Game, typed: str) -> str:
    """Return the name of the card whose short code was typed, such as `red-007`; Refusal `wrong-code` says what is off.

    Its name is taken as well: no code looks like one.
    """
    named = _named(session, game, typed)
    if named is not None:
        return named
    bare = re.sub(r"[\s\-\u2013.]", "", typed[:_LONGEST])
    if len(bare) != _DIGITS:
        raise Refusal(
            "wrong-code",
            f"A short code has {_DIGITS} characters, as in 0A-1F-X; this one has {len(bare)}. Type it again.",
            {"why": "length"},
        )
    card = card_of_short_code(printed_game(game), typed)
    if card is None:
        raise Refusal(
            "wrong-code",
            "The last character does not fit the others, so one of them is wrong. Look at the card and type it again; "
            "the letters I, L, O and U are never used.",
            {"why": "check"},
        )
    if session.get(Card, (game.id, card.kind, card.copy)) is None:
        said = "No card with this code was printed for this game. Type it again."
        raise Refusal("wrong-code", said, {"why": "unknown"})
    return card.name


def code_of(game: Game, name: str) -> str | None:
    """Return the short code printed on a card; None for a name that is no card of the game."""
    kind, _, copy = name.rpartition("-")
    try:
        return short_code(printed_game(game), CardId(kind, int(copy)))
    except ValueError:
        return None


def _named(session: Session, game: Game, name: str) -> str | None:
    kind, _, copy = name.strip().lower().rpartition("-")
    if kind not in game.kinds or not copy.isdecimal() or len(copy) > _DIGITS:
        return None
    card = CardId(kind, int(copy))
    return None if session.get(Card, (game.id, card.kind, card.copy)) is None else card.name


def enter_card(
    session: Session, game: Game, what: tuple[str, int, str], reason: str, actor: Actor, at: datetime
) -> Outcome:
    """Add a card to an envelope or remove it: `what` is the card's name, the envelope, and `add` or `remove`.

    The same again changes nothing; Refusal `conflict` if the opposite was entered before.
    """
    card, envelope, do = what
    key = hand_key(card, envelope)
    world = world_of(session, game)
    whole = assembly_of(world)
    item = find_item(world, whole, key)
    if item.ruling is not None and item.ruling.decision.do == do:
        return Outcome(item, len(whole.open))
    if item.ruling is not None:
        raise Refusal(
            "conflict",
            f"{item.ruling.who} entered the opposite before ({item.ruling.reason}). Take that back first.",
        )
    return settle(session, game, key, Said(Decision(do), reason, item.revision), actor, at)
