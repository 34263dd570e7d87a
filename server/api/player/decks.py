"""The player's decks: photos, confirmation, provisional scores and handing in."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import current_actor, current_player, player
from server.api.file_responses import PHOTO_RESPONSE, photo_response
from server.api.idempotency import key_was_used, requires_idempotency_key, run_once, stored_response
from server.api.openapi import responses
from server.api.player.deck_serializers import (
    DeckModel,
    DeckPhotoModel,
    ProvisionalScoreModel,
    deck_model,
    photo_model,
    provisional_score_model,
)
from server.api.player.profile import DeckSummaryModel, ReceiptModel, attempts_model, receipt_model, summary_of
from server.api.rate_limit import limit_expensive, limit_uploads
from server.api.schemas.common import RequestBody, ScoreMode
from server.api.uploads import accepts, max_form_bytes, read_photo
from server.games.lifecycle.envelopes import MAX_COUNTED
from server.games.lifecycle.repository import edition_of_game, load_game, load_player
from server.games.photos.upload import PhotoTarget, file_digest, insert_row, store_file
from server.games.players import decks
from server.games.players.decks import contents_of
from server.games.players.provisional_score import score_deck
from server.games.players.submission import hand_in

if TYPE_CHECKING:
    from flask import Response
    from sqlalchemy.orm import Session

    from server.db.models import Deck, Game
    from server.scoring import Edition


class ConfirmBody(RequestBody):
    """The confirmation of a list of cards."""

    digest: Annotated[str, Field(description="The list's digest", pattern=r"^[0-9a-f]{64}$")]
    counted: Annotated[int, Field(ge=1, le=MAX_COUNTED)] | None = Field(
        default=None, description="Number of cards that the player counted by hand, including invalid ones"
    )


class DeckLanguageQuery(BaseModel):
    """The language of texts in the response."""

    language: Annotated[str, Field(min_length=2, max_length=10)] | None = Field(
        default=None, description="One of the edition's languages; any other means the game's language"
    )


class ScoreQuery(DeckLanguageQuery):
    """A request for a provisional score."""

    mode: ScoreMode | None = Field(
        default=None,
        description="The mode that the player expects. A request with another mode than the game's is refused",
    )


class ImageSizeQuery(BaseModel):
    """The size of the image. Without it, the stored file."""

    width: Annotated[int, Field(ge=16, le=2000)] | None = Field(
        default=None, description="Maximum number of pixels along the longer side"
    )


class DecksModel(BaseModel):
    """The player's decks."""

    decks: list[DeckSummaryModel] = Field(description="The oldest first")


blueprint = APIBlueprint("me_decks", __name__, url_prefix="/api/v1/me/decks", tag="Players")

_MISSING = {404: "The player has no such deck or photo"}
_STATE = {409: "The state of the game, the envelope or the deck does not allow it"}
_KEY = {422: "The Idempotency-Key is missing, or came with another request"}


@blueprint.get("")
@player
@blueprint.output(DecksModel)
@blueprint.doc(operation_id="list_decks")
def show_all() -> DecksModel:
    """List the player's decks.

    In short form.
    """
    with current_context().database.reading() as session:
        game, _ = load_player(session, current_player())
        visible = decks.cards_visible(game)
        return DecksModel(
            decks=[summary_of(deck, with_cards=visible) for deck in decks.decks_of(session, current_player())]
        )


@blueprint.post("")
@limit_expensive
@requires_idempotency_key
@player
@blueprint.output(DeckModel, status_code=201)
@blueprint.doc(operation_id="begin_deck", responses=responses({**_STATE, **_KEY}))
def begin() -> tuple[dict[str, Any], int]:
    """Create a deck.

    Its photos, of any number, together make one list of cards.
    """

    def work(session: Session) -> dict[str, Any]:
        deck = decks.new_deck(session, current_player(), current_context().clock())
        session.flush()
        return _view(session, deck).model_dump(mode="json")

    return run_once(_caller(), work)


@blueprint.get("/<string:deck>")
@player
@blueprint.input(DeckLanguageQuery, location="query", arg_name="query")
@blueprint.output(DeckModel)
@blueprint.doc(operation_id="get_deck", responses=responses(_MISSING))
def show(deck: str, query: DeckLanguageQuery) -> DeckModel:
    """Get a deck with its photos and its list of cards.

    Works while photos are still being read.
    """
    with current_context().database.reading() as session:
        return _view(session, decks.deck_of(session, current_player(), deck), query.language)


@blueprint.delete("/<string:deck>")
@player
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="drop_deck", responses=responses({**_MISSING, **_STATE}))
def drop(deck: str) -> str:
    """Delete a deck.

    Deletes its photos. An attempt that was used for it stays used.
    """
    context = current_context()
    with context.database.writing() as session:
        photos = decks.drop(session, current_player(), deck, context.clock())
    for photo in photos:
        _forget(photo)
    return ""


@blueprint.post("/<string:deck>/photos")
@limit_uploads
@requires_idempotency_key
@player
@accepts("multipart/form-data", max_form_bytes)
@blueprint.output(DeckPhotoModel, status_code=201)
@blueprint.doc(
    operation_id="add_deck_photo",
    responses=responses({**_MISSING, **_STATE, 413: "Too large", 422: "No photo, or a damaged one"}),
)
def add_photo(deck: str) -> tuple[dict[str, Any], int]:
    """Add a photo to a deck.

    The photo is read soon after the upload; get the deck to see the result. The same file counts once.
    """
    context = current_context()
    with context.database.reading() as session:
        again = key_was_used(session, _caller())
        if not again:
            decks.deck_for_photo(session, current_player(), deck)
    data = read_photo()
    digest = file_digest(data)
    if again and (before := stored_response(_caller(), body=digest.encode())) is not None:
        return before
    with store_file(context, current_player().game, data, digest) as kept:

        def work(session: Session) -> dict[str, Any]:
            row = decks.deck_for_photo(session, current_player(), deck)
            where = PhotoTarget(current_player().game, envelope=current_player().envelope, deck=row.id)
            photo = insert_row(context, session, kept, where, current_actor(), context.clock())
            shown = contents_of(session, row, [photo]).shown
            return photo_model(photo, shown.get(photo.id), _edition(session)).model_dump(mode="json")

        return run_once(_caller(), work, body=digest.encode())


@blueprint.get("/<string:deck>/photos/<string:photo>")
@player
@blueprint.output(DeckPhotoModel)
@blueprint.doc(operation_id="get_deck_photo", responses=responses({**_MISSING, **_STATE}))
def show_photo(deck: str, photo: str) -> DeckPhotoModel:
    """Get a photo of a deck and what was read from it."""
    with current_context().database.reading() as session:
        game, _ = load_player(session, current_player())
        row = decks.deck_of(session, current_player(), deck)
        found = decks.photo_of(session, row, photo)
        decks.check_cards_visible(game)
        return photo_model(found, contents_of(session, row, [found]).shown.get(found.id), edition_of_game(game))


@blueprint.get("/<string:deck>/photos/<string:photo>/image")
@player
@blueprint.input(ImageSizeQuery, location="query", arg_name="query")
@blueprint.doc(
    operation_id="get_deck_photo_image",
    responses={
        **PHOTO_RESPONSE,
        **responses({404: "There is no such photo, or it has been deleted", **_STATE}),
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


@blueprint.delete("/<string:deck>/photos/<string:photo>")
@player
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="delete_deck_photo", responses=responses({**_MISSING, **_STATE}))
def delete_photo(deck: str, photo: str) -> str:
    """Delete a photo from a deck.

    Possible until the list is confirmed.
    """
    context = current_context()
    with context.database.writing() as session:
        decks.remove_photo(session, current_player(), deck, photo, context.clock())
    _forget(photo)
    return ""


@blueprint.post("/<string:deck>/confirm")
@player
@blueprint.input(DeckLanguageQuery, location="query", arg_name="query")
@blueprint.input(ConfirmBody, arg_name="body")
@blueprint.output(DeckModel)
@blueprint.doc(
    operation_id="confirm_deck",
    responses=responses({**_MISSING, 409: "The list has changed, or the state does not allow it", 422: "Not a list"}),
)
def confirm(deck: str, query: DeckLanguageQuery, body: ConfirmBody) -> DeckModel:
    """Confirm a deck's list of cards.

    The list does not change afterwards. `digest` identifies the list that the player has seen.
    """
    context = current_context()
    with context.database.writing() as session:
        row = decks.confirm(
            session, current_player(), deck, body.digest, current_actor(), context.clock(), counted=body.counted
        )
        session.flush()
        return _view(session, row, query.language)


@blueprint.post("/<string:deck>/check")
@limit_expensive
@player
@blueprint.input(ScoreQuery, location="query", arg_name="query")
@blueprint.output(ProvisionalScoreModel)
@blueprint.doc(
    operation_id="check_deck",
    responses=responses({**_MISSING, **_STATE, 429: "No attempt is left, or the pause is not over; see Retry-After"}),
)
def ask(deck: str, query: ScoreQuery) -> ProvisionalScoreModel:
    """Get the provisional score of a confirmed deck.

    How much the answer reveals depends on the game's mode. The same cards get the same answer and use at most one
    attempt.
    """
    context = current_context()
    answer = score_deck(context, current_player(), deck, current_actor(), query.language, query.mode)
    with context.database.reading() as session:
        game, _ = load_player(session, current_player())
        return provisional_score_model(answer, _spoken(game, query.language), attempts_model(game, answer.budget))


@blueprint.post("/<string:deck>/hand-in")
@player
@blueprint.output(ReceiptModel)
@blueprint.doc(operation_id="hand_in", responses=responses({**_MISSING, **_STATE}))
def finish(deck: str) -> ReceiptModel:
    """Hand in a confirmed deck.

    Final, and timed by the server's clock. After the game has closed, a hand-in is accepted but marked as late.
    """
    context = current_context()
    # The time of arrival, even if the request has to wait for others.
    at = context.time()
    with context.database.writing() as session:
        return receipt_model(hand_in(session, current_player(), deck, current_actor(), at))


def _caller() -> str:
    return f"player {current_player().game} {current_player().envelope}"


def _view(session: Session, deck: Deck, language: str | None = None) -> DeckModel:
    game = load_game(session, current_player().game, shared=True)
    photos = decks.photos_of(session, deck)
    found = contents_of(session, deck, photos) if decks.cards_visible(game) else None
    return deck_model(deck, photos, found, _spoken(game, language), decks.count_photos_ahead(session, photos))


def _edition(session: Session) -> Edition:
    return edition_of_game(load_game(session, current_player().game, shared=True))


def _spoken(game: Game, language: str | None) -> Edition:
    """Return the game's edition in the given language, or in the game's language if it does not have that."""
    edition = edition_of_game(game)
    return edition_of_game(game, language) if language in edition.languages else edition


def _forget(photo: str) -> None:
    """Delete the file of a photo; if that fails, a periodic task deletes it later."""
    with contextlib.suppress(OSError):
        current_context().photos.delete(current_player().game, photo)
