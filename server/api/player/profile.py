"""The player's game, envelope, name, list of decks and receipt."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from server.api.application import current_application, current_context
from server.api.auth import current_actor, current_player, player, public, token_of_code
from server.api.openapi import responses
from server.api.rate_limit import limit_expensive, limit_join_codes, limit_join_codes_total
from server.api.schemas.common import SYMBOL, DeckState, GameState, RequestBody, ScoreMode, symbol_of
from server.games.lifecycle.envelopes import change_player
from server.games.lifecycle.repository import edition_of_game, load_player
from server.games.players.decks import cards_visible, decks_of, digest_of
from server.games.players.provisional_score import budget_of
from server.games.players.submission import receipt_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Deck, Envelope, Game
    from server.games.players.provisional_score import AttemptBudget
    from server.scoring import Kind


DeckId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class PlayerChanges(RequestBody):
    """Changes of the player's own data. Omitted fields keep their values."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="Name or nickname of at most 40 characters, unique in the game; until the game closes"
    )
    hidden: bool | None = Field(default=None, description="True to leave the public ranking")


class TypedCode(RequestBody):
    """The join code from an envelope's label."""

    code: Annotated[str, Field(min_length=1, max_length=60)]
    """Case, spaces and dashes do not matter."""


class TokenModel(BaseModel):
    """The token of a join link."""

    token: str


class PublicKindModel(BaseModel):
    """A kind of card without secrets: rules have neither a name nor a text."""

    slug: str
    category: str
    name: str | None = Field(description="null for a card with a text, since its name may reveal the rule")
    ink: str = Field(description="#RRGGBB, or empty")
    symbol: str = Field(description=SYMBOL)
    number: int | None = Field(description="Number of a rule card")


class PlayerGameModel(BaseModel):
    """The public facts of the game."""

    id: str
    name: str
    edition: str = Field(description="The edition's name in the game's language")
    language: str
    languages: list[str]
    state: GameState
    deadline: datetime | None
    timezone: str
    photo_bytes: int = Field(description="Maximum size of a photo in bytes")
    kinds: list[PublicKindModel] = Field(description="All kinds of cards, in the order of their numbers in codes")


class PlayerEnvelopeModel(BaseModel):
    """The player's own envelope."""

    number: int
    name: str | None
    hidden: bool
    spare: bool = Field(description="True if it stays sealed when the game opens, until an organiser opens it")
    opened: bool = Field(description="True if it was opened; until then its cards are not valid")
    joined: datetime | None


class AttemptsModel(BaseModel):
    """The mode of provisional scores in this game, and the attempts left."""

    mode: ScoreMode
    left: int | None = Field(description="Attempts left; null in modes without a limit")
    wait: int = Field(description="Seconds until the next attempt is possible")


class ReceiptModel(BaseModel):
    """The receipt of a hand-in."""

    at: datetime
    late: bool
    cards: int | None = Field(description="Number of cards; null without a list")
    digest: str | None
    code: str = Field(description="Code to read out to an organiser in case of doubt")


class DeckSummaryModel(BaseModel):
    """A deck of the player."""

    id: DeckId
    state: DeckState
    created: datetime
    confirmed: datetime | None
    cards: int | None = Field(description="Number of cards of a confirmed list")
    digest: str | None


class PlayerModel(BaseModel):
    """The player's game, envelope and decks."""

    now: datetime = Field(description="The server's time")
    game: PlayerGameModel
    envelope: PlayerEnvelopeModel
    provisional: AttemptsModel
    decks: list[DeckSummaryModel] = Field(description="The oldest first")
    receipt: ReceiptModel | None


blueprint = APIBlueprint("me", __name__, url_prefix="/api/v1/me", tag="Players")


@blueprint.get("")
@player
@blueprint.output(PlayerModel)
@blueprint.doc(operation_id="get_me")
def show() -> PlayerModel:
    """Get the player's game, envelope and decks.

    Includes public facts about the game, the remaining attempts and the receipt.
    """
    with current_context().database.reading() as session:
        game, envelope = load_player(session, current_player())
        return _player_model(session, game, envelope)


@blueprint.patch("")
@limit_expensive
@player
@blueprint.input(PlayerChanges, arg_name="body")
@blueprint.output(PlayerModel)
@blueprint.doc(
    operation_id="change_me",
    responses=responses({409: "The name is taken, or the game is closed", 422: "The name cannot be read by people"}),
)
def change(body: PlayerChanges) -> PlayerModel:
    """Set the player's name, or leave the public ranking.

    Names are unique within a game. Omitted fields keep their values.
    """
    context = current_context()
    with context.database.writing() as session:
        game, envelope = change_player(
            session, current_player(), current_actor(), context.clock(), name=body.name, hidden=body.hidden
        )
        session.flush()
        return _player_model(session, game, envelope)


@blueprint.post("/token")
@limit_join_codes
@limit_join_codes_total
@public
@blueprint.input(TypedCode, arg_name="body")
@blueprint.output(TokenModel)
@blueprint.doc(
    operation_id="get_token",
    responses=responses({404: "No envelope has this code", 422: "A field is wrong", 429: "Too many wrong codes"}),
)
def exchange(body: TypedCode) -> TokenModel:
    """Get an envelope's token for the join code on its label.

    For phones that cannot read the join link.
    """
    with current_context().database.reading() as session:
        return TokenModel(token=token_of_code(session, body.code))


def _player_model(session: Session, game: Game, envelope: Envelope) -> PlayerModel:
    at = current_context().clock()
    edition = edition_of_game(game)
    visible = cards_visible(game)
    receipt = receipt_of(game, envelope)
    return PlayerModel(
        now=at,
        game=PlayerGameModel.model_validate(
            {
                "id": game.id,
                "name": game.name,
                "edition": edition.title,
                "language": game.language,
                "languages": list(edition.languages),
                "state": game.state,
                "deadline": game.deadline,
                "timezone": game.timezone,
                "photo_bytes": current_application().max_photo_bytes,
                "kinds": [public_kind(edition.kind_of[slug]) for slug in game.kinds],
            }
        ),
        envelope=PlayerEnvelopeModel(
            number=envelope.number,
            name=envelope.name,
            hidden=envelope.hidden,
            spare=envelope.spare,
            opened=envelope.opened is not None,
            joined=envelope.joined,
        ),
        provisional=attempts_model(game, budget_of(session, game, envelope.number, at)),
        decks=[summary_of(deck, with_cards=visible) for deck in decks_of(session, current_player())],
        receipt=None if receipt is None else ReceiptModel.model_validate(vars(receipt)),
    )


def summary_of(deck: Deck, *, with_cards: bool) -> DeckSummaryModel:
    """Return the summary of a deck, without its list if `with_cards` is false."""
    cards = deck.cards if with_cards else None
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
    """Return a kind without secrets; the name of a card with a text is secret too."""
    name = None if kind.text else kind.name
    return PublicKindModel.model_validate({**vars(kind), "name": name, "symbol": symbol_of(kind)})


def attempts_model(game: Game, budget: AttemptBudget) -> AttemptsModel:
    """Return the mode of provisional scores and the attempts left."""
    return AttemptsModel.model_validate({"mode": game.mode, "left": budget.left, "wait": budget.wait})
