"""A player's decks: pictures come in, one list goes out, and the player confirms it, asks for a score, and hands in."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint

from server.api.description import responses
from server.api.house.deck_views import check_model, deck_model, photo_model
from server.api.house.here import here
from server.api.house.images import CONTENT, shown
from server.api.house.limits import checks, uploads
from server.api.house.me import PLAYER, receipt_model, summary_of, tries_model
from server.api.house.me_models import (
    CheckModel,
    Confirm,
    DeckModel,
    DeckPhotoModel,
    DecksModel,
    Language,
    Question,
    ReceiptModel,
    Size,
)
from server.api.house.once import answered, asked_before, creates, once
from server.api.house.uploads import most_of_picture, picture
from server.api.house.who import actor, player, seat
from server.api.uploads import takes
from server.play import decks
from server.play.checking import check
from server.play.findings import findings_of
from server.play.handing_in import hand_in
from server.play.house import edition_of, game_row
from server.play.intake import Where, digest_of, enter, keep
from server.play.joining import place_of

if TYPE_CHECKING:
    from flask import Response
    from sqlalchemy.orm import Session

    from server.scoring import Edition
    from server.store.tables import Deck, Game

blueprint = APIBlueprint("me_decks", __name__, url_prefix="/api/v1/me/decks", tag="Players")

_MISSING = {404: "The player has no such deck or picture"}
_STATE = {409: "The state of the game, the envelope or the deck does not allow it"}
_KEY = {422: "The Idempotency-Key is missing, or came with another request"}


@blueprint.get("")
@player
@blueprint.output(DecksModel)
@blueprint.doc(summary="The player's decks", description=f"In a few words each. {PLAYER}", operation_id="list_decks")
def show_all() -> DecksModel:
    """List the player's decks."""
    with here().house.database.reading() as session:
        game, _ = place_of(session, seat())
        tells = decks.tells_cards(game)
        return DecksModel(decks=[summary_of(deck, tells=tells) for deck in decks.decks_of(session, seat())])


@blueprint.post("")
@checks
@creates
@player
@blueprint.output(DeckModel, status_code=201)
@blueprint.doc(
    summary="Begin a deck",
    description=f"Any number of pictures then make one list. {PLAYER}",
    operation_id="begin_deck",
    responses=responses({**_STATE, **_KEY}),
)
def begin() -> tuple[dict[str, Any], int]:
    """Begin a deck."""

    def work(session: Session) -> dict[str, Any]:
        deck = decks.new_deck(session, seat(), here().house.clock())
        session.flush()
        return _view(session, deck).model_dump(mode="json")

    return once(_caller(), work)


@blueprint.get("/<string:deck>")
@player
@blueprint.input(Language, location="query", arg_name="query")
@blueprint.output(DeckModel)
@blueprint.doc(
    summary="A deck: its pictures and its list",
    description=f"Also while pictures are still being read. {PLAYER}",
    operation_id="get_deck",
    responses=responses(_MISSING),
)
def show(deck: str, query: Language) -> DeckModel:
    """Show a deck."""
    with here().house.database.reading() as session:
        return _view(session, decks.deck_of(session, seat(), deck), query.language)


@blueprint.delete("/<string:deck>")
@player
@blueprint.output({}, status_code=204)
@blueprint.doc(
    summary="Drop a deck",
    description=f"Its pictures are deleted. A try that it has cost stays spent. {PLAYER}",
    operation_id="drop_deck",
    responses=responses({**_MISSING, **_STATE}),
)
def drop(deck: str) -> str:
    """Drop a deck."""
    house = here().house
    with house.database.writing() as session:
        photos = decks.drop(session, seat(), deck, house.clock())
    for photo in photos:
        _forget(photo)
    return ""


@blueprint.post("/<string:deck>/photos")
@uploads
@creates
@player
@takes("multipart/form-data", most_of_picture)
@blueprint.output(DeckPhotoModel, status_code=201)
@blueprint.doc(
    summary="Add a picture to a deck",
    description=f"It is read soon after; look at the deck to see. The same file counts once. {PLAYER}",
    operation_id="add_deck_photo",
    responses=responses({**_MISSING, **_STATE, 413: "Too large", 422: "No picture, or a damaged one"}),
)
def add_photo(deck: str) -> tuple[dict[str, Any], int]:
    """Take a picture of a deck."""
    house = here().house
    with house.database.reading() as session:
        again = asked_before(session, _caller())
        if not again:
            decks.deck_for_photo(session, seat(), deck)
    data = picture()
    digest = digest_of(data)
    if again and (before := answered(_caller(), body=digest.encode())) is not None:
        return before
    with keep(house, seat().game, data, digest) as kept:

        def work(session: Session) -> dict[str, Any]:
            row = decks.deck_for_photo(session, seat(), deck)
            where = Where(seat().game, envelope=seat().envelope, deck=row.id)
            photo = enter(house, session, kept, where, actor(), house.clock())
            shown = findings_of(session, row, [photo]).shown
            return photo_model(photo, shown.get(photo.id), _edition(session)).model_dump(mode="json")

        return once(_caller(), work, body=digest.encode())


@blueprint.get("/<string:deck>/photos/<string:photo>")
@player
@blueprint.output(DeckPhotoModel)
@blueprint.doc(
    summary="A picture and what was found in it",
    description=f"{PLAYER}",
    operation_id="get_deck_photo",
    responses=responses({**_MISSING, **_STATE}),
)
def show_photo(deck: str, photo: str) -> DeckPhotoModel:
    """Show a picture of a deck."""
    with here().house.database.reading() as session:
        game, _ = place_of(session, seat())
        row = decks.deck_of(session, seat(), deck)
        found = decks.photo_of(session, row, photo)
        decks.shows_cards(game)
        return photo_model(found, findings_of(session, row, [found]).shown.get(found.id), edition_of(game))


@blueprint.get("/<string:deck>/photos/<string:photo>/image")
@player
@blueprint.input(Size, location="query", arg_name="query")
@blueprint.doc(
    summary="The picture itself, or a small copy of it",
    description=(
        "With `width` it is upright and a JPEG, or a WebP for whoever accepts that by its name; without, the file as "
        f"it is kept, without metadata. {PLAYER}"
    ),
    operation_id="get_deck_photo_image",
    responses={
        **CONTENT,
        **responses({404: "No such picture, or it has been deleted", **_STATE}),
    },
)
def show_image(deck: str, photo: str, query: Size) -> Response:
    """Send a picture of a deck."""
    house = here().house
    with house.database.reading() as session:
        row = decks.deck_of(session, seat(), deck)
        found = decks.photo_of(session, row, photo)
    return shown(found, query.width, webp=True)


@blueprint.delete("/<string:deck>/photos/<string:photo>")
@player
@blueprint.output({}, status_code=204)
@blueprint.doc(
    summary="Delete a picture of a deck",
    description=f"Until the list is confirmed. {PLAYER}",
    operation_id="delete_deck_photo",
    responses=responses({**_MISSING, **_STATE}),
)
def delete_photo(deck: str, photo: str) -> str:
    """Delete a picture of a deck."""
    house = here().house
    with house.database.writing() as session:
        decks.remove_photo(session, seat(), deck, photo, house.clock())
    _forget(photo)
    return ""


@blueprint.post("/<string:deck>/confirm")
@player
@blueprint.input(Language, location="query", arg_name="query")
@blueprint.input(Confirm, arg_name="body")
@blueprint.output(DeckModel)
@blueprint.doc(
    summary="Confirm the list of a deck",
    description=f"It stays as it is from then on. `digest` names the list that the player has seen. {PLAYER}",
    operation_id="confirm_deck",
    responses=responses({**_MISSING, 409: "The list has changed, or the state does not allow it", 422: "Not a list"}),
)
def confirm(deck: str, query: Language, body: Confirm) -> DeckModel:
    """Freeze a deck's list."""
    house = here().house
    with house.database.writing() as session:
        row = decks.confirm(session, seat(), deck, body.digest, actor(), house.clock(), counted=body.counted)
        session.flush()
        return _view(session, row, query.language)


@blueprint.post("/<string:deck>/check")
@checks
@player
@blueprint.input(Question, location="query", arg_name="query")
@blueprint.output(CheckModel)
@blueprint.doc(
    summary="The provisional score of a confirmed deck, as far as the game's mode lets it tell",
    description=f"The same list of kinds gets the same answer and costs one try at most. {PLAYER}",
    operation_id="check_deck",
    responses=responses({**_MISSING, **_STATE, 429: "No try is left, or the pause is not over; see Retry-After"}),
)
def ask(deck: str, query: Question) -> CheckModel:
    """Answer with the provisional score."""
    house = here().house
    answer = check(house, seat(), deck, actor(), query.language, query.mode)
    with house.database.reading() as session:
        game, _ = place_of(session, seat())
        return check_model(answer, _spoken(game, query.language), tries_model(game, answer.budget))


@blueprint.post("/<string:deck>/hand-in")
@player
@blueprint.output(ReceiptModel)
@blueprint.doc(
    summary="Hand in a confirmed deck",
    description=f"By the server's time, and for good. After the game has closed it is taken and marked late. {PLAYER}",
    operation_id="hand_in",
    responses=responses({**_MISSING, **_STATE}),
)
def finish(deck: str) -> ReceiptModel:
    """Hand in."""
    house = here().house
    # As of when it came, however long others keep it waiting.
    at = house.time()
    with house.database.writing() as session:
        return receipt_model(hand_in(session, seat(), deck, actor(), at))


def _caller() -> str:
    return f"player {seat().game} {seat().envelope}"


def _view(session: Session, deck: Deck, language: str | None = None) -> DeckModel:
    game = game_row(session, seat().game, beside=True)
    photos = decks.photos_of(session, deck)
    found = findings_of(session, deck, photos) if decks.tells_cards(game) else None
    return deck_model(deck, photos, found, _spoken(game, language), decks.ahead_of(session, photos))


def _edition(session: Session) -> Edition:
    return edition_of(game_row(session, seat().game, beside=True))


def _spoken(game: Game, language: str | None) -> Edition:
    """Return the game's edition in a language that it has, or else in the game's own."""
    edition = edition_of(game)
    return edition_of(game, language) if language in edition.languages else edition


def _forget(photo: str) -> None:
    """Delete a picture's file; what cannot be deleted now is swept later."""
    with contextlib.suppress(OSError):
        here().house.photos.delete(seat().game, photo)
