"""The links that open something without a password: a player's own envelope, and the projector's view of a game.

They are signed with the game's own key, so a link that was printed without a server works once the game is there.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.payload import join_token, signer
from server.db.models import Envelope, Game
from server.games.errors import DomainError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

__all__ = ["MAX_TOKEN", "PlayerIdentity", "join_token", "projected_game", "projector_token", "seat_of"]

MAX_TOKEN = 200
"""A longer text is no token of ours."""


@dataclass(frozen=True)
class PlayerIdentity:
    """Whose a player's token is."""

    game: str
    envelope: int


def projector_token(game: str, key: bytes) -> str:
    """Return the token of a game's read-only view for the big screen."""
    return signer(key, "projector").sign(game).decode()


def seat_of(session: Session, token: str) -> PlayerIdentity:
    """Return whose a token is; Refusal `bad-token` for one that is forged, revoked or of a game that is not here.

    All of these look alike, so that nobody learns which games and envelopes there are.
    """
    game, envelope, version = _parts(token)
    row = session.get(Game, game)
    if row is None or not _signed(row.key, "join", token):
        raise _bad()
    seat = session.get(Envelope, (game, envelope))
    if seat is None or seat.token_version != version:
        raise _bad()
    return PlayerIdentity(game, envelope)


def projected_game(session: Session, token: str) -> str:
    """Return the game that a projector's token shows; Refusal `bad-token`."""
    row = session.get(Game, token[:4]) if len(token) <= MAX_TOKEN else None
    if row is None or not _signed(row.key, "projector", token) or not token.startswith(f"{row.id}."):
        raise _bad()
    return row.id


def _parts(token: str) -> tuple[str, int, int]:
    parts = token.split(".") if len(token) <= MAX_TOKEN and token.isascii() else []
    if len(parts) != 4 or not (parts[1].isdigit() and parts[2].isdigit()):  # noqa: PLR2004 - game, envelope, version, signature
        raise _bad()
    return parts[0], int(parts[1][:9]), int(parts[2][:9])


def _signed(key: bytes, purpose: str, token: str) -> bool:
    """Tell whether a token is the one text that we give out: a signature can be written in several ways in base64."""
    if not token.isascii():
        return False
    return hmac.compare_digest(signer(key, purpose).sign(token.rpartition(".")[0]), token.encode())


def _bad() -> DomainError:
    return DomainError(
        "bad-token", "This link is not (or no longer) valid. Scan the code on your envelope's label again."
    )
