"""Functions that fill the models of the review queue and of organisers' photos."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import select

from server.api.schemas.review import (
    CardNameModel,
    DecisionOutcomeModel,
    IssueModel,
    PhotoDetailModel,
    PhotoModel,
    PlaceModel,
)
from server.db.models import Envelope
from server.games.lifecycle.repository import edition_of_game
from server.games.review.reconcile import Reconciliation
from server.games.review.short_codes import code_of_card

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Game, Photo
    from server.games.photos.readings import Reading
    from server.games.review.decisions import DecisionOutcome
    from server.games.review.issues import PhotoPlace, ReviewIssue
    from server.games.review.photo_ownership import ReviewedPhoto
    from server.scoring import Edition

MARGIN = 0.35
"""The margin of a cropped photo around a place, relative to the size of the place."""
DECISION_RESPONSES = {
    404: "There is no such game, photo or item",
    409: "The game's state does not allow it",
    412: "It has changed: get it again",
    422: "That cannot be decided here, or the reason is missing",
    428: "The header If-Match is missing",
}
"""The error responses of requests that decide something."""
_PREFIX = "/api/v1/games"
_OF_ROW = ("id", "name", "batch", "place", "state", "reason", "created", "scanned", "digest")
_NOTHING = Reconciliation({}, (), (), ())


class ReviewSerializer:
    """Fills models for one game. `names` are the players' names by envelope."""

    def __init__(self, game: Game, names: Mapping[int, str | None]) -> None:
        self._game = game
        self._names = names
        self._edition: Edition = edition_of_game(game)
        self._card = lru_cache(maxsize=None)(self._card_model)
        self._order = {kind.slug: index for index, kind in enumerate(self._edition.kinds)}

    def card(self, name: str) -> CardNameModel:
        """Return a card with its name and code."""
        return self._card(name)

    def cards(self, names: Iterable[str]) -> list[CardNameModel]:
        """Return cards in the order of the edition's kinds."""
        return sorted(map(self.card, names), key=lambda card: (self._order.get(card.kind, len(self._order)), card.card))

    def issue(self, issue: ReviewIssue) -> IssueModel:
        """Return an item of the queue."""
        return IssueModel.model_validate(
            {
                **vars(issue),
                "standing": issue.status,
                "revision": issue.revision,
                "players": [self._names.get(number) for number in issue.envelopes],
                "cards": self.cards(issue.cards),
                "places": self.places(issue.places),
                "ruling": issue.record,
            },
            from_attributes=True,
        )

    def places(self, places: Sequence[PhotoPlace]) -> list[PlaceModel]:
        """Return places with the addresses of their cropped photos."""
        return [PlaceModel.model_validate(vars(place) | {"image": self._image(place)}) for place in places]

    def detail(
        self, row: Photo, reviewed: ReviewedPhoto | None, whole: Reconciliation, asked: ReviewIssue | None
    ) -> PhotoDetailModel:
        """Return a photo with everything that was read in it; `asked` is the item that assigns it to envelopes."""
        reading = reviewed.reading if reviewed else None
        return PhotoDetailModel.model_validate(
            {
                **_photo(row, reading, row.image_deleted_at, whole),
                "width": reading and reading.width,
                "height": reading and reading.height,
                "seen": [
                    self.card(found.card).model_dump() | {"outline": found.outline}
                    for found in (reading.seen if reading else ())
                ],
                "piles": reading.piles if reading else (),
                "doubt_places": reading.doubts if reading else (),
                "hints": reading.hints if reading else (),
                "items": [self.issue(issue) for issue in whole.issues if about(issue, row.id)],
                "key": reviewed.key if reviewed else None,
                "revision": asked.revision if asked else None,
            },
            from_attributes=True,
        )

    def _card_model(self, name: str) -> CardNameModel:
        kind = name.rpartition("-")[0]
        known = self._edition.kind_of.get(kind)
        return CardNameModel(
            card=name, kind=kind, name=known.name if known else kind, code=code_of_card(self._game, name)
        )

    def _image(self, place: PhotoPlace) -> str | None:
        if place.photo is None:
            return None
        address = f"{_PREFIX}/{self._game.id}/photos/{quote(place.photo)}/image?"
        if place.quad is None:
            return f"{address}width=1000"
        xs, ys = zip(*place.quad, strict=True)
        room = MARGIN * max(max(xs) - min(xs), max(ys) - min(ys))
        box = (min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room)
        return f"{address}crop={','.join(str(round(max(0.0, edge))) for edge in box)}&width=600"


def review_serializer(session: Session, game: Game) -> ReviewSerializer:
    """Return the serializer of a game."""
    names = session.execute(select(Envelope.number, Envelope.name).where(Envelope.game == game.id)).all()
    return ReviewSerializer(game, {number: name for number, name in names})  # noqa: C416 - rows are not pairs to the checker


def outcome_model(session: Session, game: Game, outcome: DecisionOutcome) -> DecisionOutcomeModel:
    """Return an issue after a decision."""
    views = review_serializer(session, game)
    issue = None if outcome.issue is None else views.issue(outcome.issue)
    return DecisionOutcomeModel(item=issue, open=outcome.open, entered=[views.issue(one) for one in outcome.entered])


def photo_model(
    row: Photo | ReviewedPhoto, reading: Reading | None, erased: datetime | None, whole: Reconciliation = _NOTHING
) -> PhotoModel:
    """Return the summary of a photo, whose image was deleted at `erased` if that is set."""
    return PhotoModel.model_validate(_photo(row, reading, erased, whole))


def _photo(
    row: Photo | ReviewedPhoto, reading: Reading | None, erased: datetime | None, whole: Reconciliation
) -> dict[str, Any]:
    same_as = whole.same_as.get(row.id)
    counted = same_as or row.id
    return {
        **{name: getattr(row, name) for name in _OF_ROW},
        "labels": sorted(set(reading.labels)) if reading else [],
        "cards": len(reading.cards) if reading else 0,
        "doubts": len(reading.doubts) if reading else 0,
        "erased": erased,
        "same_as": same_as,
        "envelopes": whole.owners.get(counted, ()),
        "decided": whole.photo_decisions.get(counted),
        "open": whole.open_counts.get(row.id, 0),
    }


def about(issue: ReviewIssue, photo: str) -> bool:
    """Return whether an item is about a photo."""
    return any(place.photo == photo for place in issue.places)
