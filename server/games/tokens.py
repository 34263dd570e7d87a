"""Signed tokens in links: a player's token opens an envelope, a projector's token the public view of a game.

They are signed with the game's key, so a link that was printed without a server works once the game is imported.
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

__all__ = ["MAX_TOKEN", "PlayerIdentity", "join_token", "player_of", "projected_game", "projector_token"]

MAX_TOKEN = 200
"""Maximum length of a token."""


@dataclass(frozen=True)
class PlayerIdentity:
    """The game and the envelope that a player's token names."""

    game: str
    envelope: int


def projector_token(game: str, key: bytes) -> str:
    """Return the token for a game's public view, shown by a projector."""
    return signer(key, "projector").sign(game).decode()


def player_of(session: Session, token: str) -> PlayerIdentity:
    """Return the player of a token. Raises DomainError `bad-token` for one that is forged, revoked or unknown.

    All of these get the same answer, so that it does not reveal which games and envelopes exist.
    """
    game, envelope, version = _parts(token)
    row = session.get(Game, game)
    if row is None or not _signed(row.key, "join", token):
        raise _bad()
    found = session.get(Envelope, (game, envelope))
    if found is None or found.token_version != version:
        raise _bad()
    return PlayerIdentity(game, envelope)


def projected_game(session: Session, token: str) -> str:
    """Return the game of a projector's token. Raises DomainError `bad-token`."""
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
    """Return whether a token is exactly the text that was issued: base64 can spell a signature in several ways."""
    if not token.isascii():
        return False
    return hmac.compare_digest(signer(key, purpose).sign(token.rpartition(".")[0]), token.encode())


def _bad() -> DomainError:
    return DomainError(
        "bad-token", "This link is not (or no longer) valid. Scan the code on your envelope's label again."
    )
