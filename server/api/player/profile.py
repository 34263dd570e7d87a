"""A player's own place: the public facts of the game, the own envelope, name, decks and receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIBlueprint

from server.api.auth import actor, player, seat
from server.api.context import current_context
from server.api.openapi import responses
from server.api.rate_limit import checks
from server.api.schemas.player import (
    ChangeMe,
    DeckSummaryModel,
    MeModel,
    MyEnvelopeModel,
    MyGameModel,
    PublicKindModel,
    ReceiptModel,
    TriesModel,
)
from server.games.lifecycle.repository import edition_of_game
from server.games.players.decks import decks_of, digest_of, tells_cards
from server.games.players.player import change_me, load_player
from server.games.players.provisional_score import budget_of
from server.games.players.submission import receipt_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Deck, Envelope, Game
    from server.games.players.provisional_score import AttemptBudget
    from server.games.players.submission import Receipt
    from server.scoring import Kind

blueprint = APIBlueprint("me", __name__, url_prefix="/api/v1/me", tag="Players")

PLAYER = "Who may call it: the player whose token it is."


@blueprint.get("")
@player
@blueprint.output(MeModel)
@blueprint.doc(
    summary="The game and the player's own place in it",
    description=f"Public facts of the game, the own envelope, tries, decks and receipt. {PLAYER}",
    operation_id="get_me",
)
def show() -> MeModel:
    """Show the player's place."""
    with current_context().context.database.reading() as session:
        game, envelope = load_player(session, seat())
        return _me(session, game, envelope)


@blueprint.patch("")
@checks
@player
@blueprint.input(ChangeMe, arg_name="body")
@blueprint.output(MeModel)
@blueprint.doc(
    summary="Choose a name, or leave the public ranking",
    description=f"A name is unique in its game. What is left out stays as it is. {PLAYER}",
    operation_id="change_me",
    responses=responses({409: "The name is taken, or the game is closed", 422: "The name cannot be read by people"}),
)
def change(body: ChangeMe) -> MeModel:
    """Change the player's name, or whether it is shown."""
    context = current_context().context
    with context.database.writing() as session:
        game, envelope = change_me(session, seat(), actor(), context.clock(), name=body.name, hidden=body.hidden)
        session.flush()
        return _me(session, game, envelope)


def _me(session: Session, game: Game, envelope: Envelope) -> MeModel:
    at = current_context().context.clock()
    edition = edition_of_game(game)
    tells = tells_cards(game)
    receipt = receipt_of(game, envelope)
    return MeModel(
        now=at,
        game=MyGameModel.model_validate(
            {
                "id": game.id,
                "name": game.name,
                "edition": edition.title,
                "language": game.language,
                "languages": list(edition.languages),
                "state": game.state,
                "deadline": game.deadline,
                "timezone": game.timezone,
                "photo_bytes": current_context().max_photo_bytes,
                "kinds": [public_kind(edition.kind_of[slug]) for slug in game.kinds],
            }
        ),
        envelope=MyEnvelopeModel(
            number=envelope.number,
            name=envelope.name,
            hidden=envelope.hidden,
            spare=envelope.spare,
            opened=envelope.opened is not None,
            joined=envelope.joined,
        ),
        provisional=tries_model(game, budget_of(session, game, envelope.number, at)),
        decks=[summary_of(deck, tells=tells) for deck in decks_of(session, seat())],
        receipt=None if receipt is None else receipt_model(receipt),
    )


def summary_of(deck: Deck, *, tells: bool) -> DeckSummaryModel:
    """Return a deck in a few words; without its list where nothing is told of cards."""
    cards = deck.cards if tells else None
    return DeckSummaryModel.model_validate(
        {
            "id": deck.id,
            "state": deck.state,
            "created": deck.created,
            "confirmed": deck.confirmed,
            "cards": None if cards is None else len(cards),
            "digest": None if cards is None else digest_of(cards),
        }
    )


def public_kind(kind: Kind) -> PublicKindModel:
    """Return a kind without what is secret: a card with a wording keeps its name to itself, too."""
    return PublicKindModel(
        slug=kind.slug,
        category=kind.category,
        name=None if kind.text else kind.name,
        ink=kind.ink,
        symbol=kind.symbol,
        number=kind.number,
    )


def tries_model(game: Game, budget: AttemptBudget) -> TriesModel:
    """Return how a player may ask for provisional scores."""
    return TriesModel.model_validate({"mode": game.mode, "left": budget.left, "wait": budget.wait})


def receipt_model(receipt: Receipt) -> ReceiptModel:
    """Return a receipt as it goes out."""
    return ReceiptModel(at=receipt.at, late=receipt.late, cards=receipt.cards, digest=receipt.digest, code=receipt.code)
