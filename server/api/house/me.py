"""A player's own place: the public facts of the game, the own envelope, name, decks and receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIBlueprint

from server.api.description import responses
from server.api.house.here import here
from server.api.house.limits import checks
from server.api.house.me_models import (
    ChangeMe,
    DeckSummaryModel,
    MeModel,
    MyEnvelopeModel,
    MyGameModel,
    PublicKindModel,
    ReceiptModel,
    TriesModel,
)
from server.api.house.who import actor, player, seat
from server.play.checking import budget_of
from server.play.decks import decks_of, tells_cards
from server.play.findings import digest_of
from server.play.handing_in import receipt_of
from server.play.house import edition_of
from server.play.joining import change_me, place_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.play.checking import Budget
    from server.play.handing_in import Receipt
    from server.scoring import Kind
    from server.store.tables import Deck, Envelope, Game

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
    with here().house.database.reading() as session:
        game, envelope = place_of(session, seat())
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
    house = here().house
    with house.database.writing() as session:
        game, envelope = change_me(session, seat(), actor(), house.clock(), name=body.name, hidden=body.hidden)
        session.flush()
        return _me(session, game, envelope)


def _me(session: Session, game: Game, envelope: Envelope) -> MeModel:
    at = here().house.clock()
    edition = edition_of(game)
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
                "photo_bytes": here().max_photo_bytes,
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


def tries_model(game: Game, budget: Budget) -> TriesModel:
    """Return how a player may ask for provisional scores."""
    return TriesModel.model_validate({"mode": game.mode, "left": budget.left, "wait": budget.wait})


def receipt_model(receipt: Receipt) -> ReceiptModel:
    """Return a receipt as it goes out."""
    return ReceiptModel(at=receipt.at, late=receipt.late, cards=receipt.cards, digest=receipt.digest, code=receipt.code)
