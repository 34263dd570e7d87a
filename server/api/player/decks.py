"""The player's decks: confirmation, provisional scores and handing in."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any, Literal

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import current_actor, current_player, player
from server.api.idempotency import describe_idempotency_key, run_once
from server.api.openapi import responses
from server.api.player.deck_photos import MISSING, WRONG_STATE, DeckPhotoModel, delete_file, photo_model
from server.api.player.profile import (
    AttemptsModel,
    DeckId,
    DeckSummaryModel,
    ReceiptModel,
    attempts_model,
    summary_of,
)
from server.api.rate_limit import limit_expensive
from server.api.schemas.common import (
    Decimal,
    DeckState,
    LeftOut,
    RequestBody,
    ScoreMode,
    symbol_of,
)
from server.games.lifecycle.envelopes import MAX_COUNTED
from server.games.lifecycle.repository import edition_of_game, load_game, load_player
from server.games.players import decks
from server.games.players.decks import CardList, contents_of, count_kinds, digest_of
from server.games.players.provisional_score import kinds_digest, left_out, score_deck, scores_of
from server.games.players.submission import hand_in
from server.scoring import decimal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from server.db.models import Deck, Game, Photo
    from server.games.players.decks import DeckContents
    from server.games.players.provisional_score import ProvisionalAnswer
    from server.scoring import Edition, Line


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


class ListedDeckModel(DeckSummaryModel):
    """A deck of the player, with what is in its photos."""

    found: int | None = Field(
        description="Number of cards of an unconfirmed list; null if the mode does not show cards"
    )
    unread: int = Field(description="Number of places in the last photo that look like cards and were not read")
    photo: str | None = Field(description="The last photo that can be shown")
    score: Decimal | None = Field(description="The provisional score that the player has received for this deck")


class DecksModel(BaseModel):
    """The player's decks."""

    decks: list[ListedDeckModel] = Field(description="The oldest first")


class KindCountModel(BaseModel):
    """The number of cards of a kind in the list."""

    kind: str
    name: str
    category: str
    ink: str
    symbol: str
    number: int | None
    count: int


class DeckModel(BaseModel):
    """A deck: its photos and its list of cards."""

    id: DeckId
    state: DeckState
    created: datetime
    confirmed: datetime | None
    photos: list[DeckPhotoModel]
    pending: int = Field(description="Number of photos that are not read yet")
    ahead: int = Field(description="Approximate number of photos of other players that are read before them")
    kinds: list[KindCountModel]
    cards: list[str]
    total: int
    digest: str | None = Field(description="Identifies the list; null if the game's mode does not show cards")
    own_label: bool
    other_label: bool
    dead: int = Field(description="Number of cards in the photos that were not dealt and are not valid")
    counted: int | None = Field(description="Number of cards that the player counted when confirming the list")


class RuleTextModel(BaseModel):
    """The name and text of a rule whose card is in the deck."""

    name: str
    text: str
    number: int | None


class ProvisionalLineModel(BaseModel):
    """A line of a breakdown. The points of lines that are not void add up to the score."""

    rule: str | None
    kind: str | None
    points: Decimal | None = Field(description="null if the player's rules do not determine them")
    text: str
    void: bool
    voided_by: str | None
    open: bool = Field(description="True if other hands may still change it")


class ProvisionalScoreModel(BaseModel):
    """A provisional score. It always has the same fields; the mode determines which of them are empty."""

    provisional: Literal[True] = True
    mode: ScoreMode
    deck: str
    digest: str | None
    total: int
    kinds: list[KindCountModel]
    score: Decimal | None
    eliminated: bool
    unknown: list[str] = Field(
        description="Kinds whose value the player's rules do not determine; the score does not include them"
    )
    lines: list[ProvisionalLineModel]
    rules: dict[str, RuleTextModel] = Field(description="The rules whose cards are in the deck, by key")
    leaves_out: list[LeftOut]
    spent: bool = Field(description="True if it used an attempt")
    tries: AttemptsModel


blueprint = APIBlueprint("me_decks", __name__, url_prefix="/api/v1/me/decks", tag="Players")

_KEY = {422: "The Idempotency-Key is missing, or came with another request"}


@blueprint.get("")
@player
@blueprint.output(DecksModel)
@blueprint.doc(operation_id="list_decks")
def show_all() -> DecksModel:
    """List the player's decks.

    In short form, without their cards.
    """
    with current_context().database.reading() as session:
        game, envelope = load_player(session, current_player())
        visible = decks.cards_visible(game)
        scores = scores_of(session, game, envelope.number)
        return DecksModel(
            decks=[
                _listed_deck(session, deck, scores, with_cards=visible)
                for deck in decks.decks_of(session, current_player())
            ]
        )


@blueprint.post("")
@limit_expensive
@describe_idempotency_key
@player
@blueprint.output(DeckModel, status_code=201)
@blueprint.doc(operation_id="begin_deck", responses=responses({**WRONG_STATE, **_KEY}))
def create() -> tuple[dict[str, Any], int]:
    """Create a deck.

    Its photos, of any number, together make one list of cards.
    """

    def work(session: Session) -> dict[str, Any]:
        deck = decks.new_deck(session, current_player(), current_context().clock())
        session.flush()
        return _deck_model(session, deck).model_dump(mode="json")

    return run_once(work)


@blueprint.get("/<string:deck>")
@player
@blueprint.input(DeckLanguageQuery, location="query", arg_name="query")
@blueprint.output(DeckModel)
@blueprint.doc(operation_id="get_deck", responses=responses(MISSING))
def show(deck: str, query: DeckLanguageQuery) -> DeckModel:
    """Get a deck with its photos and its list of cards.

    Works while photos are still being read.
    """
    with current_context().database.reading() as session:
        return _deck_model(session, decks.deck_of(session, current_player(), deck), query.language)


@blueprint.delete("/<string:deck>")
@player
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="drop_deck", responses=responses({**MISSING, **WRONG_STATE}))
def drop(deck: str) -> str:
    """Delete a deck.

    Deletes its photos. An attempt that was used for it stays used.
    """
    context = current_context()
    with context.database.writing() as session:
        photos = decks.drop(session, current_player(), deck, context.clock())
    for photo in photos:
        delete_file(photo)
    return ""


@blueprint.post("/<string:deck>/confirm")
@player
@blueprint.input(DeckLanguageQuery, location="query", arg_name="query")
@blueprint.input(ConfirmBody, arg_name="body")
@blueprint.output(DeckModel)
@blueprint.doc(
    operation_id="confirm_deck",
    responses=responses({**MISSING, 409: "The list has changed, or the state does not allow it", 422: "Not a list"}),
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
        return _deck_model(session, row, query.language)


@blueprint.post("/<string:deck>/check")
@limit_expensive
@player
@blueprint.input(ScoreQuery, location="query", arg_name="query")
@blueprint.output(ProvisionalScoreModel)
@blueprint.doc(
    operation_id="check_deck",
    responses=responses(
        {**MISSING, **WRONG_STATE, 429: "No attempt is left, or the pause is not over; see Retry-After"}
    ),
)
def score(deck: str, query: ScoreQuery) -> ProvisionalScoreModel:
    """Get the provisional score of a deck.

    How much the answer reveals depends on the game's mode. The same cards get the same answer and use at most one
    attempt. In the modes `known` and `full` a deck whose cards are all read needs no confirmation.
    """
    context = current_context()
    answer = score_deck(context, current_player(), deck, current_actor(), query.language, query.mode)
    with context.database.reading() as session:
        game, _ = load_player(session, current_player())
        return provisional_score_model(
            answer, _edition_in_language(game, query.language), attempts_model(game, answer.budget)
        )


@blueprint.post("/<string:deck>/hand-in")
@player
@blueprint.output(ReceiptModel)
@blueprint.doc(operation_id="hand_in", responses=responses({**MISSING, **WRONG_STATE}))
def submit(deck: str) -> ReceiptModel:
    """Hand in a confirmed deck.

    Final, and timed by the server's clock. After the game has closed, a hand-in is accepted but marked as late.
    """
    context = current_context()
    # The time of arrival, even if the request has to wait for others.
    at = context.time()
    with context.database.writing() as session:
        return ReceiptModel.model_validate(vars(hand_in(session, current_player(), deck, current_actor(), at)))


def _listed_deck(
    session: Session, deck: Deck, scores: Mapping[tuple[str, str], str], *, with_cards: bool
) -> ListedDeckModel:
    photos = decks.photos_of(session, deck)
    is_open = with_cards and deck.cards is None
    found = contents_of(session, deck, photos) if is_open else None
    cards = found.listing.cards if found else deck.cards or ()
    shown = [photo.id for photo in photos if photo.image_deleted_at is None and photo.scan_result is not None]
    return ListedDeckModel(
        **summary_of(deck, with_cards=with_cards).model_dump(),
        found=len(found.listing.cards) if found else None,
        unread=found.unread if found else 0,
        photo=shown[-1] if shown else None,
        score=scores.get((deck.id, kinds_digest(count_kinds(cards)))) if with_cards else None,
    )


def _deck_model(session: Session, deck: Deck, language: str | None = None) -> DeckModel:
    game = load_game(session, current_player().game, shared=True)
    photos = decks.photos_of(session, deck)
    found = contents_of(session, deck, photos) if decks.cards_visible(game) else None
    return deck_model(
        deck, photos, found, _edition_in_language(game, language), decks.count_photos_ahead(session, photos)
    )


def _edition_in_language(game: Game, language: str | None) -> Edition:
    """Return the game's edition in the given language, or in the game's language if it does not have that."""
    edition = edition_of_game(game)
    return edition_of_game(game, language) if language in edition.languages else edition


def deck_model(
    deck: Deck, photos: Sequence[Photo], found: DeckContents | None, edition: Edition, ahead: int = 0
) -> DeckModel:
    """Return a deck with its photos and its list; `found` is None if the game's mode does not show cards.

    `ahead` is the number of photos of other players that are read before these.
    """
    listing = found.listing if found else CardList((), "")
    return DeckModel.model_validate(
        {
            "id": deck.id,
            "state": deck.state,
            "created": deck.created,
            "confirmed": deck.confirmed,
            "photos": [photo_model(photo, found.shown.get(photo.id), edition) for photo in photos] if found else [],
            "pending": listing.pending,
            "ahead": ahead,
            "kinds": counts_model(count_kinds(listing.cards), edition),
            "cards": list(listing.cards),
            "total": len(listing.cards),
            "digest": listing.digest or None,
            "own_label": listing.own_label,
            "other_label": listing.other_label,
            "dead": len(listing.dead),
            "counted": deck.counted,
        }
    )


def counts_model(counts: Mapping[str, int], edition: Edition) -> list[KindCountModel]:
    """Return models of numbers of cards by kind, in the edition's order."""
    return [
        KindCountModel.model_validate(
            {**vars(kind), "kind": kind.slug, "symbol": symbol_of(kind), "count": counts[kind.slug]}
        )
        for kind in edition.kinds
        if counts.get(kind.slug)
    ]


def provisional_score_model(answer: ProvisionalAnswer, edition: Edition, tries: AttemptsModel) -> ProvisionalScoreModel:
    """Return a provisional score."""
    result = answer.result
    cards = answer.cards
    return ProvisionalScoreModel.model_validate(
        {
            "mode": answer.mode,
            "deck": answer.deck.id,
            "digest": digest_of(cards),
            "total": len(cards),
            "kinds": counts_model(count_kinds(cards), edition),
            "score": result.score,
            "eliminated": result.eliminated,
            "unknown": list(result.unknown),
            "lines": [_line(line) for line in result.lines],
            "rules": {
                key: RuleTextModel(name=name, text=text, number=int(key) if key.isdigit() else None)
                for key, (name, text) in (result.rules or {}).items()
            },
            "leaves_out": left_out(edition, answer.mode),
            "spent": answer.spent,
            "tries": tries,
        }
    )


def _line(line: Line) -> ProvisionalLineModel:
    points = None if line.unknown else decimal(line.points)
    return ProvisionalLineModel.model_validate({**vars(line), "points": points})
