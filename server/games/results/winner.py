"""The photograph of the winner's deck, for the projector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.db.models import Photo
from server.games.names import is_nameless
from server.games.results.standings import hands_by_envelope, hidden_envelopes
from server.games.review.reconcile import reconcile_game

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game, ResultVersion
    from server.games.photos.readings import Quad


@dataclass(frozen=True)
class WinnerPhoto:
    """An organiser's photograph, and the outlines of the winner's cards in it."""

    photo: Photo
    outlines: tuple[Quad, ...]


def winner_photo(session: Session, game: Game, version: ResultVersion) -> WinnerPhoto | None:
    """Return the photograph that shows most of the winner's cards.

    None if there is none, if several players share the first place, or if the winner has no name or does not want to
    be named.
    """
    hands = hands_by_envelope(version.inputs, version.document)
    winners = [number for number, hand in hands.items() if hand["rank"] == 1 and not hand["eliminated"]]
    if len(winners) != 1 or winners[0] in hidden_envelopes(session, game):
        return None
    (winner,) = winners
    hand = reconcile_game(session, game).hands.get(winner)
    if hand is None or is_nameless(hands[winner]["player"], winner):
        return None
    outlines: dict[str, list[Quad]] = {}
    for places in hand.places.values():
        for place in places:
            if place.photo is not None and place.quad is not None:
                outlines.setdefault(place.photo, []).append(place.quad)
    for photo in sorted(outlines, key=lambda photo: (-len(outlines[photo]), photo)):
        row = session.get(Photo, photo)
        if row is not None and row.image_deleted_at is None:
            return WinnerPhoto(row, tuple(outlines[photo]))
    return None
