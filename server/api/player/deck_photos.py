"""The photos of a player's decks, and what was read in them."""

from __future__ import annotations

import contextlib
from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import current_actor, current_player, player
from server.api.file_responses import PHOTO_RESPONSE, photo_response
from server.api.idempotency import describe_idempotency_key, key_was_used, run_once, stored_response
from server.api.openapi import responses
from server.api.player.profile import DeckId  # noqa: TC001 - pydantic reads it
from server.api.rate_limit import limit_uploads
from server.api.schemas.common import Corners, DoubtModel, HintModel, PhotoState  # noqa: TC001 - pydantic reads them
from server.api.uploads import accepts, max_form_bytes, read_photo
from server.games.lifecycle.repository import edition_of_game, load_game, load_player
from server.games.photos.readings import card_named
from server.games.photos.upload import PhotoTarget, file_digest, insert_row, store_file
from server.games.players import decks
from server.games.players.decks import contents_of

if TYPE_CHECKING:
    from flask import Response
    from sqlalchemy.orm import Session

    from server.db.models import Deck, Photo
    from server.games.players.decks import CardInPhoto, PhotoContents
    from server.scoring import Edition


class ImageSizeQuery(BaseModel):
    """The size of the image. Without it, the stored file."""

    width: Annotated[int, Field(ge=16, le=2000)] | None = Field(
        default=None, description="Maximum number of pixels along the longer side"
    )


class CardInPhotoModel(BaseModel):
    """A card in a photo; its name is given if it is valid."""

    card: str | None = Field(description="Such as red-007; null for a card that was not dealt and is not valid")
    kind: str | None
    name: str | None
    outline: Corners


class DeckPhotoModel(BaseModel):
    """A photo of a deck, with what was read in it once its state is `done`."""

    id: DeckId
    state: PhotoState
    reason: str | None = Field(description="The reason why it could not be read")
    created: datetime
    image: bool = Field(description="True until the image is deleted")
    width: int | None
    height: int | None
    cards: list[CardInPhotoModel]
    strangers: list[Corners] = Field(description="Codes that do not belong to cards of this game")
    own_label: bool
    other_label: bool = Field(
        description="True if another player's label is in the photo: take another photo without it"
    )
    doubts: list[DoubtModel]
    hints: list[HintModel]


blueprint = APIBlueprint("me_deck_photos", __name__, url_prefix="/api/v1/me/decks/<string:deck>/photos", tag="Players")

MISSING = {404: "The player has no such deck or photo"}
WRONG_STATE = {409: "The state of the game, the envelope or the deck does not allow it"}


@blueprint.post("")
@limit_uploads
@describe_idempotency_key
@player
@accepts("multipart/form-data", max_form_bytes)
@blueprint.output(DeckPhotoModel, status_code=201)
@blueprint.doc(
    operation_id="add_deck_photo",
    responses=responses({**MISSING, **WRONG_STATE, 413: "Too large", 422: "No photo, or a damaged one"}),
)
def add_photo(deck: str) -> tuple[dict[str, Any], int]:
    """Add a photo to a deck.

    The photo is read soon after the upload; get the deck to see the result. The same file counts once.
    """
    context = current_context()
    with context.database.reading() as session:
        again = key_was_used(session)
        if not again:
            decks.deck_for_photo(session, current_player(), deck)
    data = read_photo()
    digest = file_digest(data)
    if again and (before := stored_response(body=digest.encode())) is not None:
        return before
    with store_file(context, current_player().game, data, digest) as file:

        def work(session: Session) -> dict[str, Any]:
            row = decks.deck_for_photo(session, current_player(), deck)
            target = PhotoTarget(current_player().game, envelope=current_player().envelope, deck=row.id)
            photo = insert_row(context, session, file, target, current_actor(), context.clock())
            return _model_of(session, row, photo).model_dump(mode="json")

        return run_once(work, body=digest.encode())


@blueprint.get("/<string:photo>")
@player
@blueprint.output(DeckPhotoModel)
@blueprint.doc(operation_id="get_deck_photo", responses=responses({**MISSING, **WRONG_STATE}))
def show_photo(deck: str, photo: str) -> DeckPhotoModel:
    """Get a photo of a deck and what was read from it."""
    with current_context().database.reading() as session:
        game, _ = load_player(session, current_player())
        row = decks.deck_of(session, current_player(), deck)
        found = decks.photo_of(session, row, photo)
        decks.check_cards_visible(game)
        return _model_of(session, row, found)


@blueprint.get("/<string:photo>/image")
@player
@blueprint.input(ImageSizeQuery, location="query", arg_name="query")
@blueprint.doc(
    operation_id="get_deck_photo_image",
    responses={
        **PHOTO_RESPONSE,
        **responses({404: "There is no such photo, or it has been deleted", **WRONG_STATE}),
    },
)
def show_image(deck: str, photo: str, query: ImageSizeQuery) -> Response:
    """Get the image of a photo, or a smaller copy.

    With `width`, an upright JPEG, or WebP for clients whose Accept header names it; otherwise the stored file,
    without metadata.
    """
    context = current_context()
    with context.database.reading() as session:
        row = decks.deck_of(session, current_player(), deck)
        found = decks.photo_of(session, row, photo)
    return photo_response(found, query.width, webp=True)


@blueprint.delete("/<string:photo>")
@player
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="delete_deck_photo", responses=responses({**MISSING, **WRONG_STATE}))
def delete_photo(deck: str, photo: str) -> str:
    """Delete a photo from a deck.

    Possible until the list is confirmed.
    """
    context = current_context()
    with context.database.writing() as session:
        decks.remove_photo(session, current_player(), deck, photo, context.clock())
    delete_file(photo)
    return ""


def _model_of(session: Session, deck: Deck, photo: Photo) -> DeckPhotoModel:
    """Return a photo with its contents, if it has been read."""
    if photo.scan_result is None:
        return photo_model(photo)
    edition = edition_of_game(load_game(session, deck.game, shared=True))
    return photo_model(photo, contents_of(session, deck, [photo]).shown[photo.id], edition)


def delete_file(photo: str) -> None:
    """Delete the file of a photo; if that fails, a periodic task deletes it later."""
    with contextlib.suppress(OSError):
        current_context().photos.delete(current_player().game, photo)


def photo_model(photo: Photo, shown: PhotoContents | None = None, edition: Edition | None = None) -> DeckPhotoModel:
    """Return a photo, with its contents if it has been read."""
    return DeckPhotoModel.model_validate(
        {
            "id": photo.id,
            "state": photo.state,
            "reason": photo.reason,
            "created": photo.created,
            "image": photo.image_deleted_at is None,
            "width": shown and shown.width,
            "height": shown and shown.height,
            "cards": [_card_model(card, edition) for card in shown.cards] if shown and edition else [],
            "strangers": shown.strangers if shown else (),
            "own_label": bool(shown and shown.own_label),
            "other_label": bool(shown and shown.other_label),
            "doubts": shown.doubts if shown else (),
            "hints": shown.hints if shown else (),
        },
        from_attributes=True,
    )


def _card_model(card: CardInPhoto, edition: Edition) -> CardInPhotoModel:
    if card.card is None:
        return CardInPhotoModel(card=None, kind=None, name=None, outline=list(card.outline))
    kind = edition.kind_of[card_named(card.card).kind]
    return CardInPhotoModel(card=card.card, kind=kind.slug, name=kind.name, outline=list(card.outline))
