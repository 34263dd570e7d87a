"""Handmade scan results, and photographs with them, for tests of everything after a scan."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from server.db.models import Game, Photo
from server.games.photos.readings import CodeReading, DoubtReading, PileReading, Reading, SeenReading
from server.games.photos.scan_queue import place_in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.games.context import AppContext
    from server.games.photos.readings import Quad

_STEP, _SIDE = 100, 40


def quad_at(place: int, row: int = 0) -> Quad:
    """Return a square that does not overlap those of other positions."""
    x, y = float(place * _STEP), float(row * _STEP)
    return ((x, y), (x + _SIDE, y), (x + _SIDE, y + _SIDE), (x, y + _SIDE))


def reading(
    cards: Sequence[str] = (),
    labels: Sequence[int] = (),
    *,
    doubts: Sequence[str] = (),
    strangers: Sequence[tuple[str, str]] = (),
) -> Reading:
    """Return the reading of a picture with these cards and labels in one pile.

    `doubts` are reasons of unread regions, `strangers` the status and text of codes that are not cards.
    """
    codes = [CodeReading(text=card, quad=quad_at(i), status="card", card=card) for i, card in enumerate(cards)]
    codes += [CodeReading(text=str(n), quad=quad_at(i, 1), status="label") for i, n in enumerate(labels)]
    codes += [
        CodeReading.model_validate({"text": text, "quad": quad_at(i, 2), "status": status})
        for i, (status, text) in enumerate(strangers)
    ]
    label = labels[0] if len(labels) == 1 else None
    return Reading(
        width=4000,
        height=3000,
        codes=tuple(codes),
        seen=tuple(SeenReading(card=card, outline=quad_at(i), codes=(i,)) for i, card in enumerate(cards)),
        labels=tuple(labels),
        decks=(PileReading(label=label, cards=tuple(range(len(cards)))),) if cards or labels else (),
        doubts=tuple(DoubtReading(quad=quad_at(i, 3), reason=reason) for i, reason in enumerate(doubts)),
    )


def add_photo(context: AppContext, game: str, found: Reading | None = None, **columns: Any) -> str:  # noqa: ANN401 - any column
    """Add a photograph with this scan result (None: not yet scanned) and no file; return its id."""
    at = context.clock()
    row = {
        "id": secrets.token_hex(16),
        "game": game,
        "source": "player" if columns.get("envelope") else "organiser",
        "place": 1,
        "name": "",
        "digest": secrets.token_hex(32),
        "size": 1,
        "state": "done" if found else "waiting",
        "attempts": 1 if found else 0,
        "scan_result": found.as_json() if found else None,
        "created": at,
        "scanned": at if found else None,
    }
    with context.database.writing() as session:
        played = session.get_one(Game, game).state in {"printed", "open"}
        order = place_in_order(session, game, columns.get("envelope"), playing=played, at=at)
        photo = Photo(**dict(zip(("priority", "turn"), order, strict=True)) | row | columns)
        session.add(photo)
    return photo.id
