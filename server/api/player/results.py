"""Published results for players and the projector."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from flask import Response, g
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import current_player, player, projector
from server.api.file_responses import cards_response
from server.api.openapi import file_response, responses
from server.api.player.decks import KindCountModel, counts_model
from server.api.rate_limit import limit_expensive
from server.api.schemas.common import DecidedBy, Decimal, GameState, LanguageQuery, LineModel, Rank
from server.db.models import Envelope
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.lifecycle.states import State
from server.games.players.decks import count_kinds
from server.games.results.reveal import count_hand_ins, count_open_envelopes, reveal_steps
from server.games.results.standings import hidden_envelopes, rules_of, standings_for
from server.games.results.versions import load_version
from server.games.results.winner import winner_photo

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game, ResultVersion
    from server.games.results.standings import RankedHand, StandingsView
    from server.games.results.winner import WinnerPhoto


class PublishedRuleModel(BaseModel):
    """A rule with its text."""

    key: str
    name: str
    text: str
    number: int | None
    active: bool = Field(description="True if it was active in this game")


class PublicPlaceModel(BaseModel):
    """A place of the public ranking."""

    rank: Rank
    player: str | None = Field(description="null for a player who does not want to be named")
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    decided_by: DecidedBy


class RankedModel(PublicPlaceModel):
    """A place of the ranking as a player sees it."""

    me: bool


class PlayerLineModel(LineModel):
    """A line of a player's own breakdown."""

    kind: str | None = Field(description="The kind of card if the line is its base value")


class PlayerHandModel(BaseModel):
    """The player's own hand with all lines."""

    player: str
    rank: Rank
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    verdict: str | None = Field(description="Text on the elimination")
    decided_by: DecidedBy
    lines: list[PlayerLineModel]
    kinds: list[KindCountModel] = Field(description="The cards that counted")


class PlayerResultModel(BaseModel):
    """The published results for a player."""

    version: int
    at: datetime
    language: str
    envelope: int
    own: PlayerHandModel | None = Field(description="null if the hand was not scored")
    left_out: str | None = Field(description="The reason why the hand was not scored")
    listed: list[KindCountModel] | None = Field(
        description="The cards of the list that the player handed in; null if there is none"
    )
    ranking: list[RankedModel]
    rules: list[PublishedRuleModel] = Field(description="All rules of the edition")


class RevealLossModel(BaseModel):
    """A rule and its points."""

    rule: str | None = Field(description="null for the base value of cards")
    name: str | None = Field(description="The rule's name")
    points: Decimal
    text: str


class RevealLineModel(RevealLossModel):
    """A rule that made a difference."""

    more: Decimal = Field(description="Difference to the points of the hand one place below")


class RevealVoidModel(RevealLossModel):
    """A void line, with the points that it would have had."""

    voided_by: str | None


class RevealModel(PublicPlaceModel):
    """A step of the reveal. Players who are not named have no lines and no number of cards."""

    cards: int | None = Field(description="Number of cards in the hand")
    lines: list[RevealLineModel] = Field(description="The lines that made the difference to the place below")
    losses: list[RevealLossModel] = Field(description="The lines that cost most")
    void: list[RevealVoidModel] = Field(description="The void lines with the most points")
    parts: list[RevealLossModel] = Field(
        description="The lines that add up to the score, the largest first; after the third place the largest ones only"
    )
    inks: list[str] = Field(description="For the first three places: the colour of each card of a suit, by kind")


class ProjectorModel(BaseModel):
    """The content of the projector's page."""

    game: str
    name: str
    edition: str
    state: GameState
    deadline: datetime | None
    timezone: str
    now: datetime = Field(description="The server's time")
    envelopes: int = Field(description="Number of open envelopes")
    hand_ins: int
    language: str
    version: int | None = Field(description="The published version; null before publication")
    reveal: list[RevealModel] | None = Field(description="From the last place up; null before publication")
    winner_photo: bool = Field(description="True if there is a photo of the winner's cards")


WINNER_RESPONSE = file_response("image/jpeg", description="The photo")
NO_WINNER = {404: "There is no such photo"}

blueprint = APIBlueprint("published", __name__, url_prefix="/api/v1", tag="Results")


@blueprint.get("/me/result")
@player
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.output(PlayerResultModel)
@blueprint.doc(operation_id="my_result", responses=responses({409: "Not published yet"}))
def show_own_result(query: LanguageQuery) -> PlayerResultModel:
    """Get the player's published result.

    The player's rank with all lines, the ranking, and all rules with their texts. Before publication, the response
    is the same for all players.
    """
    me = current_player().envelope
    with current_context().database.reading() as session:
        row = load_game(session, current_player().game)
        version = _published(session, row)
        if version is None:
            raise DomainError("not-published", "The results are not published yet. Wait for the organisers.")
        hidden = hidden_envelopes(session, row) - {me}
        claim = session.get_one(Envelope, (row.id, me)).submitted_cards
    view = standings_for(row, version, query.language, hidden=hidden, only=me)
    own = next((standing for standing in view.standings if standing.envelope == me), None)
    return PlayerResultModel(
        version=version.version,
        at=version.at,
        language=view.language,
        envelope=me,
        own=None if own is None else _own_hand(own, view, version),
        left_out=None if own else version.inputs["left_out"].get(str(me)),
        listed=None if claim is None else counts_model(count_kinds(claim), view.edition),
        ranking=[
            RankedModel.model_validate({**vars(standing), "me": standing.envelope == me}) for standing in view.standings
        ],
        rules=[PublishedRuleModel.model_validate(rule) for rule in rules_of(view.edition, version.inputs["game"])],
    )


@blueprint.get("/projector")
@projector
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.output(ProjectorModel)
@blueprint.doc(operation_id="get_projector")
def show_projected(query: LanguageQuery) -> ProjectorModel:
    """Get what the projector shows.

    The time and the number of hand-ins; after publication the reveal, from last place upwards, with the lines that
    made the difference.
    """
    at = current_context().clock()
    with current_context().database.reading() as session:
        row = load_game(session, g.projector_game)
        version = _published(session, row)
        hidden = hidden_envelopes(session, row)
        has_photo = version is not None and winner_photo(session, row, version) is not None
        handed, envelopes = count_hand_ins(session, row.id), count_open_envelopes(session, row.id)
    view = None if version is None else standings_for(row, version, query.language, hidden=hidden)
    edition = view.edition if view else edition_of_game(row)
    return ProjectorModel(
        game=row.id,
        name=row.name,
        edition=edition.title,
        state=State(row.state).value,
        deadline=row.deadline,
        timezone=row.timezone,
        now=at,
        envelopes=envelopes,
        hand_ins=handed,
        language=edition.language,
        version=None if version is None else version.version,
        reveal=None if view is None or version is None else revealed(view, version),
        winner_photo=has_photo,
    )


@blueprint.get("/projector/winner")
@limit_expensive
@projector
@blueprint.doc(operation_id="get_projected_winner", responses={**WINNER_RESPONSE, **responses(NO_WINNER)})
def show_projected_winner() -> Response:
    """Get a photo of the published winner's cards.

    Everything else in it is unrecognisable. There is none before publication, of a shared first place, and of a winner
    who is not named.
    """
    with current_context().database.reading() as session:
        row = load_game(session, g.projector_game)
        version = _published(session, row)
        found = None if version is None else winner_photo(session, row, version)
    return winner_response(found)


def winner_response(found: WinnerPhoto | None) -> Response:
    """Return a photo of the winner's cards. Raises DomainError `not-found` if there is none.

    Call it without a session: the image takes up to a second.
    """
    if found is None:
        raise not_found("picture")
    return cards_response(found.photo, found.outlines)


def revealed(view: StandingsView, version: ResultVersion) -> list[RevealModel]:
    """Return the reveal of a version."""
    return [RevealModel.model_validate(step) for step in reveal_steps(view, version.inputs)]


def _published(session: Session, game: Game) -> ResultVersion | None:
    """Return the published version; None before publication."""
    if game.state != State.PUBLISHED or game.published_version is None:
        return None
    return load_version(session, game.id, game.published_version)


def _own_hand(standing: RankedHand, view: StandingsView, version: ResultVersion) -> PlayerHandModel:
    verdict = view.edition.phrases["eliminated_verdict"] if standing.eliminated else None
    hand = version.inputs["game"]["hands"][version.inputs["envelopes"].index(standing.envelope)]
    kinds = counts_model(hand["cards"], view.edition)
    return PlayerHandModel.model_validate({**vars(standing), "verdict": verdict, "kinds": kinds})
