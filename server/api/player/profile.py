"""A player's own place: the public facts of the game, the own envelope, name, decks and receipt."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Literal

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from server.api.auth import current_actor, current_player, player
from server.api.context import current_api, current_context
from server.api.openapi import responses
from server.api.rate_limit import limit_expensive
from server.api.schemas.common import GameState, RequestBody, ScoreMode
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


DeckId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
DeckState = Literal["open", "confirmed", "handed-in"]


class ChangeMe(RequestBody):
    """What a player may say of themselves. What is left out stays as it is."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="Name or nickname, at most 40 characters, no other player's; until the game closes"
    )
    hidden: bool | None = Field(default=None, description="Whether the public ranking leaves the name out")


class PublicKindModel(BaseModel):
    """A kind of card, as far as its back and its corners tell it to everybody: never what a rule says or is called."""

    slug: str
    category: str
    name: str | None = Field(description="null where the card has a wording: its name may say what the rule is")
    ink: str = Field(description="#RRGGBB, or empty")
    symbol: str = Field(description="Name of the drawing on the card, or empty")
    number: int | None = Field(description="Number of a rule card")


class MyGameModel(BaseModel):
    """The public facts of the game."""

    id: str
    name: str
    edition: str = Field(description="The edition's name in the game's language")
    language: str
    languages: list[str]
    state: GameState
    deadline: datetime | None
    timezone: str
    photo_bytes: int = Field(description="The largest picture that is taken")
    kinds: list[PublicKindModel] = Field(description="All kinds of cards, in the order in which codes number them")


class MyEnvelopeModel(BaseModel):
    """The player's own envelope."""

    number: int
    name: str | None
    hidden: bool
    spare: bool = Field(description="Whether it stays closed when the game opens, until an organiser opens it")
    opened: bool = Field(description="Whether it was given out; until then its cards are dead")
    joined: datetime | None


class TriesModel(BaseModel):
    """What a provisional score tells in this game, and how many tries are left."""

    mode: ScoreMode
    left: int | None = Field(description="Tries left; null in modes that do not count them")
    wait: int = Field(description="Seconds until the next try may be spent")


class ReceiptModel(BaseModel):
    """That the player has handed in."""

    at: datetime
    late: bool
    cards: int | None = Field(description="Number of cards; null without a list")
    digest: str | None
    code: str = Field(description="To be read out to an organiser if there is any doubt")


class DeckSummaryModel(BaseModel):
    """A deck of the player."""

    id: DeckId
    state: DeckState
    created: datetime
    confirmed: datetime | None
    cards: int | None = Field(description="Number of cards of a confirmed list")
    digest: str | None


class MeModel(BaseModel):
    """All that a player may know besides the own decks' contents."""

    now: datetime = Field(description="The server's time")
    game: MyGameModel
    envelope: MyEnvelopeModel
    provisional: TriesModel
    decks: list[DeckSummaryModel] = Field(description="The oldest first")
    receipt: ReceiptModel | None


blueprint = APIBlueprint("me", __name__, url_prefix="/api/v1/me", tag="Players")


@blueprint.get("")
@player
@blueprint.output(MeModel)
@blueprint.doc(operation_id="get_me")
def show() -> MeModel:
    """Get the player's game, envelope and decks.

    Includes public facts about the game, the remaining attempts and the receipt.
    """
    with current_context().database.reading() as session:
        game, envelope = load_player(session, current_player())
        return _me(session, game, envelope)


@blueprint.patch("")
@limit_expensive
@player
@blueprint.input(ChangeMe, arg_name="body")
@blueprint.output(MeModel)
@blueprint.doc(
    operation_id="change_me",
    responses=responses({409: "The name is taken, or the game is closed", 422: "The name cannot be read by people"}),
)
def change(body: ChangeMe) -> MeModel:
    """Set the player's name, or leave the public ranking.

    Names are unique within a game. Omitted fields keep their values.
    """
    context = current_context()
    with context.database.writing() as session:
        game, envelope = change_me(
            session, current_player(), current_actor(), context.clock(), name=body.name, hidden=body.hidden
        )
        session.flush()
        return _me(session, game, envelope)


def _me(session: Session, game: Game, envelope: Envelope) -> MeModel:
    at = current_context().clock()
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
                "photo_bytes": current_api().max_photo_bytes,
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
        decks=[summary_of(deck, tells=tells) for deck in decks_of(session, current_player())],
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
