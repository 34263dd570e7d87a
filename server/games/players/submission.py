"""Submission by phone: the confirmed list of cards and the time. Only an organiser can take it back."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from cardgen.payload import encode
from server.db.models import Deck
from server.games.errors import DomainError
from server.games.lifecycle.envelopes import mark_joined, record_change
from server.games.lifecycle.repository import check_allowed, is_late, load_active_player
from server.games.lifecycle.settings import OFF
from server.games.lifecycle.states import Act
from server.games.players.decks import DeckState, check_not_handed_in, deck_of, digest_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Envelope, Game
    from server.games.audit import Actor
    from server.games.lifecycle.repository import PlayerIdentity

_CODE_LENGTH = 8


@dataclass(frozen=True)
class Receipt:
    """The receipt of a submission. `cards` is None if there is no list.

    Players can read the `code` out to an organiser, who sees the same one. Nobody else can compute it.
    """

    at: datetime
    late: bool
    cards: int | None
    digest: str | None
    code: str


def hand_in(session: Session, player: PlayerIdentity, deck: str, actor: Actor, at: datetime) -> Receipt:
    """Hand in a confirmed deck as of the arrival of the request; the same deck again gets the same receipt.

    After the game has closed it is accepted and marked as late. In mode `off` there is no list of cards.
    """
    game, envelope = load_active_player(session, player, Act.HAND_IN, change=True)
    row = deck_of(session, player, deck)
    if row.state == DeckState.HANDED_IN:
        return _receipt(game, envelope)
    check_not_handed_in(envelope)
    if row.state != DeckState.CONFIRMED and game.mode != OFF:
        raise DomainError("not-confirmed", "Look at the list of your cards and confirm it first.")
    envelope.submitted_at = at
    envelope.submitted_cards = row.cards
    row.state = DeckState.HANDED_IN
    mark_joined(envelope, at)
    receipt = _receipt(game, envelope)
    after = {"cards": row.cards, "late": receipt.late, "code": receipt.code}
    record_change(session, envelope, actor, at, "hand-in", after=after)
    return receipt


def receipt_of(game: Game, envelope: Envelope) -> Receipt | None:
    """Return the receipt of a player who has handed in by phone, else None."""
    return None if envelope.submitted_at is None else _receipt(game, envelope)


def take_back_hand_in(
    session: Session, game: Game, envelope: Envelope, actor: Actor, at: datetime, reason: str
) -> None:
    """Undo a player's submission for an organiser; the deck stays confirmed. Raises DomainError."""
    check_allowed(game, Act.RECEIVE)
    if envelope.submitted_at is None:
        raise DomainError("conflict", f"Envelope {envelope.number} was not handed in by phone.")
    if not reason.strip():
        raise DomainError("no-reason", "Say why the hand-in is being taken back; the reason is recorded.")
    before = {"cards": envelope.submitted_cards, "at": envelope.submitted_at.isoformat()}
    handed_in = select(Deck).where(
        Deck.game == game.id, Deck.envelope == envelope.number, Deck.state == DeckState.HANDED_IN
    )
    for deck in session.scalars(handed_in):
        deck.state = DeckState.CONFIRMED if deck.cards is not None else DeckState.OPEN
    envelope.submitted_at = envelope.submitted_cards = None
    record_change(session, envelope, actor, at, "take-back", reason, before=before, after={"cards": None, "at": None})


def _receipt(game: Game, envelope: Envelope) -> Receipt:
    at = envelope.submitted_at
    if at is None:
        raise ValueError("there is no receipt before the hand-in")
    digest = None if envelope.submitted_cards is None else digest_of(envelope.submitted_cards)
    text = f"receipt/{game.id}/{envelope.number}/{at.isoformat()}/{digest}"
    tag = hmac.new(game.key, text.encode(), hashlib.sha256).digest()
    code = encode(int.from_bytes(tag[:5]), _CODE_LENGTH)
    return Receipt(
        at,
        is_late(game, at),
        None if envelope.submitted_cards is None else len(envelope.submitted_cards),
        digest,
        f"{code[:4]}-{code[4:]}",
    )
