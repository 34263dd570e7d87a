"""A player's decks: pictures come in, one list goes out, and the player confirms it, asks for a score, and hands in."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint

from server.api.auth import actor, player, seat
from server.api.context import current_context
from server.api.idempotency import answered, asked_before, creates, once
from server.api.images import CONTENT, shown
from server.api.openapi import responses
from server.api.player.profile import PLAYER, receipt_model, summary_of, tries_model
from server.api.rate_limit import checks, uploads
from server.api.schemas.common import DoubtModel, HintModel
from server.api.schemas.player import (
    CheckLineModel,
    CheckModel,
    Confirm,
    DeckModel,
    DeckPhotoModel,
    DecksModel,
    FoundModel,
    KindCountModel,
    Language,
    Question,
    ReceiptModel,
    RuleTextModel,
    Size,
    TriesModel,
)
from server.api.uploads import most_of_picture, picture, takes
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.photos.readings import card_named
from server.games.photos.upload import PhotoTarget, file_digest, insert_row, store_file
from server.games.players import decks
from server.games.players.decks import CardList, counted, digest_of, findings_of
from server.games.players.player import load_player
from server.games.players.provisional_score import LEAVES_OUT, check
from server.games.players.submission import hand_in
from server.scoring import decimal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from flask import Response
    from sqlalchemy.orm import Session

    from server.db.models import Deck, Game, Photo
    from server.games.players.decks import CardInPhoto, DeckContents, PhotoContents
    from server.games.players.provisional_score import ProvisionalAnswer
    from server.scoring import Edition, Line


def deck_model(
    deck: Deck, photos: Sequence[Photo], found: DeckContents | None, edition: Edition, ahead: int = 0
) -> DeckModel:
    """Return a deck with its pictures and its list; `found` is None where nothing is told of cards.

    `ahead` is how many pictures of others are read before these.
    """
    told = found.listing if found else CardList((), "")
    return DeckModel.model_validate(
        {
            "id": deck.id,
            "state": deck.state,
            "created": deck.created,
            "confirmed": deck.confirmed,
            "photos": [photo_model(photo, found.shown.get(photo.id), edition) for photo in photos] if found else [],
            "pending": told.pending,
            "ahead": ahead,
            "kinds": kinds_model(told.cards, edition),
            "cards": list(told.cards),
            "total": len(told.cards),
            "digest": told.digest or None,
            "own_label": told.own_label,
            "other_label": told.other_label,
            "dead": len(told.dead),
            "counted": deck.counted,
        }
    )


def photo_model(photo: Photo, shown: PhotoContents | None, edition: Edition) -> DeckPhotoModel:
    """Return a picture and what was found in it."""
    return DeckPhotoModel.model_validate(
        {
            "id": photo.id,
            "state": photo.state,
            "reason": photo.reason,
            "created": photo.created,
            "image": photo.image_deleted_at is None,
            "width": shown and shown.width,
            "height": shown and shown.height,
            "cards": [_found(card, edition) for card in shown.cards] if shown else [],
            "strangers": [list(quad) for quad in shown.strangers] if shown else [],
            "own_label": bool(shown and shown.own_label),
            "other_label": bool(shown and shown.other_label),
            "doubts": [DoubtModel(quad=list(d.quad), reason=d.reason) for d in shown.doubts] if shown else [],
            "hints": [HintModel(slug=hint.slug, text=hint.text) for hint in shown.hints] if shown else [],
        }
    )


def kinds_model(cards: Collection[str], edition: Edition) -> list[KindCountModel]:
    """Return how many cards of each kind there are, in the edition's order, without any wording."""
    return counts_model(counted(cards), edition)


def counts_model(counts: Mapping[str, int], edition: Edition) -> list[KindCountModel]:
    """Return numbers of cards by kind, in the edition's order."""
    return [
        KindCountModel(
            kind=kind.slug,
            name=kind.name,
            category=kind.category,
            ink=kind.ink,
            symbol=kind.symbol,
            number=kind.number,
            count=counts[kind.slug],
        )
        for kind in edition.kinds
        if counts.get(kind.slug)
    ]


def check_model(answer: ProvisionalAnswer, edition: Edition, tries: TriesModel) -> CheckModel:
    """Return a provisional answer; its parts are the same in every mode."""
    told = answer.told
    cards = answer.deck.cards or []
    return CheckModel.model_validate(
        {
            "mode": answer.mode,
            "deck": answer.deck.id,
            "digest": digest_of(cards),
            "total": len(cards),
            "kinds": kinds_model(cards, edition),
            "score": told.score,
            "eliminated": told.eliminated,
            "unknown": list(told.unknown),
            "lines": [_line(line) for line in told.lines],
            "rules": {
                key: RuleTextModel(name=name, text=text, number=int(key) if key.isdigit() else None)
                for key, (name, text) in (told.rules or {}).items()
            },
            "leaves_out": list(LEAVES_OUT[answer.mode]),
            "spent": answer.spent,
            "tries": tries,
        }
    )


def _line(line: Line) -> CheckLineModel:
    return CheckLineModel(
        rule=line.rule,
        kind=line.kind,
        points=None if line.unknown else decimal(line.points),
        text=line.text,
        void=line.void,
        voided_by=line.voided_by,
        open=line.open,
    )


def _found(card: CardInPhoto, edition: Edition) -> FoundModel:
    if card.card is None:
        return FoundModel(card=None, kind=None, name=None, outline=list(card.outline))
    kind = edition.kind_of[card_named(card.card).kind]
    return FoundModel(card=card.card, kind=kind.slug, name=kind.name, outline=list(card.outline))


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
    with current_context().context.database.reading() as session:
        game, _ = load_player(session, seat())
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
        deck = decks.new_deck(session, seat(), current_context().context.clock())
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
    with current_context().context.database.reading() as session:
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
    context = current_context().context
    with context.database.writing() as session:
        photos = decks.drop(session, seat(), deck, context.clock())
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
    context = current_context().context
    with context.database.reading() as session:
        again = asked_before(session, _caller())
        if not again:
            decks.deck_for_photo(session, seat(), deck)
    data = picture()
    digest = file_digest(data)
    if again and (before := answered(_caller(), body=digest.encode())) is not None:
        return before
    with store_file(context, seat().game, data, digest) as kept:

        def work(session: Session) -> dict[str, Any]:
            row = decks.deck_for_photo(session, seat(), deck)
            where = PhotoTarget(seat().game, envelope=seat().envelope, deck=row.id)
            photo = insert_row(context, session, kept, where, actor(), context.clock())
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
    with current_context().context.database.reading() as session:
        game, _ = load_player(session, seat())
        row = decks.deck_of(session, seat(), deck)
        found = decks.photo_of(session, row, photo)
        decks.shows_cards(game)
        return photo_model(found, findings_of(session, row, [found]).shown.get(found.id), edition_of_game(game))


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
    context = current_context().context
    with context.database.reading() as session:
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
    context = current_context().context
    with context.database.writing() as session:
        decks.remove_photo(session, seat(), deck, photo, context.clock())
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
    context = current_context().context
    with context.database.writing() as session:
        row = decks.confirm(session, seat(), deck, body.digest, actor(), context.clock(), counted=body.counted)
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
    context = current_context().context
    answer = check(context, seat(), deck, actor(), query.language, query.mode)
    with context.database.reading() as session:
        game, _ = load_player(session, seat())
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
    context = current_context().context
    # As of when it came, however long others keep it waiting.
    at = context.time()
    with context.database.writing() as session:
        return receipt_model(hand_in(session, seat(), deck, actor(), at))


def _caller() -> str:
    return f"player {seat().game} {seat().envelope}"


def _view(session: Session, deck: Deck, language: str | None = None) -> DeckModel:
    game = load_game(session, seat().game, beside=True)
    photos = decks.photos_of(session, deck)
    found = findings_of(session, deck, photos) if decks.tells_cards(game) else None
    return deck_model(deck, photos, found, _spoken(game, language), decks.ahead_of(session, photos))


def _edition(session: Session) -> Edition:
    return edition_of_game(load_game(session, seat().game, beside=True))


def _spoken(game: Game, language: str | None) -> Edition:
    """Return the game's edition in a language that it has, or else in the game's own."""
    edition = edition_of_game(game)
    return edition_of_game(game, language) if language in edition.languages else edition


def _forget(photo: str) -> None:
    """Delete a picture's file; what cannot be deleted now is swept later."""
    with contextlib.suppress(OSError):
        current_context().context.photos.delete(seat().game, photo)
