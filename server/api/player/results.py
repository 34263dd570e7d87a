"""What players and the big screen see: nothing of the count before publication, then all of it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from flask import g
from pydantic import BaseModel, Field

from server.api.auth import current_player, player, projector
from server.api.context import current_context
from server.api.openapi import responses
from server.api.player.deck_serializers import KindCountModel, counts_model, kinds_model
from server.api.schemas.common import DecidedBy, Decimal, GameState, LanguageQuery, LineModel, Rank
from server.db.models import Envelope
from server.games.errors import DomainError
from server.games.lifecycle.deadline import tick
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.lifecycle.states import State
from server.games.results.reveal import hand_ins, open_envelopes, steps
from server.games.results.standings import hidden_in, rules_of, tell
from server.games.results.versions import version_row

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game, ResultVersion
    from server.games.results.standings import Standing, StandingsView


class PublishedRuleModel(BaseModel):
    """A rule with its wording. All are told once results are published."""

    key: str
    name: str
    text: str
    number: int | None
    active: bool = Field(description="Whether it counted in this game")


class PublicPlaceModel(BaseModel):
    """A place of the public ranking."""

    rank: Rank
    player: str | None = Field(description="null for a player who is not to be named")
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    decided_by: DecidedBy


class RankedModel(PublicPlaceModel):
    """A place of the ranking as a player sees it."""

    me: bool


class OwnLineModel(LineModel):
    """A line of a player's own breakdown."""

    kind: str | None = Field(description="The kind of card whose plain worth it tells, where that is known")


class OwnResultModel(BaseModel):
    """A player's own hand, every line."""

    player: str
    rank: Rank
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    verdict: str | None = Field(description="What elimination means, in words")
    decided_by: DecidedBy
    lines: list[OwnLineModel]
    kinds: list[KindCountModel] = Field(description="The cards that counted")


class MyResultModel(BaseModel):
    """What a player sees once the results are published."""

    version: int
    at: datetime
    language: str
    envelope: int
    own: OwnResultModel | None = Field(description="null where the hand did not count")
    left_out: str | None = Field(description="Why the hand did not count")
    listed: list[KindCountModel] | None = Field(
        description="The cards of the own list at the hand-in; null without one"
    )
    ranking: list[RankedModel]
    rules: list[PublishedRuleModel] = Field(description="All rules of the edition")


class RevealLossModel(BaseModel):
    """A rule that cost points."""

    rule: str | None = Field(description="null for the plain worth of cards")
    name: str | None = Field(description="The rule's name")
    points: Decimal
    text: str


class RevealLineModel(RevealLossModel):
    """A rule that made a difference."""

    more: Decimal = Field(description="Points more than the hand one place below got by it")


class RevealVoidModel(RevealLossModel):
    """A line that is void; it would have brought these points."""

    voided_by: str | None


class RevealModel(PublicPlaceModel):
    """A step of the reveal. Players who are not named have no lines, and no number of cards."""

    cards: int | None = Field(description="How many cards the hand has")
    lines: list[RevealLineModel] = Field(description="What made the difference to the place below")
    losses: list[RevealLossModel] = Field(description="What cost most")
    void: list[RevealVoidModel] = Field(description="What would have counted most, had no rule voided it")


class ProjectorModel(BaseModel):
    """What the big screen shows."""

    game: str
    name: str
    edition: str
    state: GameState
    deadline: datetime | None
    timezone: str
    now: datetime = Field(description="The server's time")
    envelopes: int = Field(description="In play")
    hand_ins: int
    language: str
    version: int | None = Field(description="The version that is published; null before publication")
    reveal: list[RevealModel] | None = Field(description="From the last place up; null before publication")


blueprint = APIBlueprint("published", __name__, url_prefix="/api/v1", tag="Results")


@blueprint.get("/me/result")
@player
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.output(MyResultModel)
@blueprint.doc(operation_id="my_result", responses=responses({409: "Not published yet"}))
def mine(query: LanguageQuery) -> MyResultModel:
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
        hidden = hidden_in(session, row) - {me}
        claim = session.get_one(Envelope, (row.id, me)).submitted_cards
    told = tell(row, version, query.language, hidden=hidden, only=me)
    own = next((standing for standing in told.standings if standing.envelope == me), None)
    return MyResultModel(
        version=version.version,
        at=version.at,
        language=told.language,
        envelope=me,
        own=None if own is None else _own(own, told, version),
        left_out=None if own else version.inputs["left_out"].get(str(me)),
        listed=None if claim is None else kinds_model(claim, told.edition),
        ranking=[
            RankedModel.model_validate({**_place(standing).model_dump(), "me": standing.envelope == me})
            for standing in told.standings
        ],
        rules=[PublishedRuleModel.model_validate(rule) for rule in rules_of(told.edition, version.inputs["game"])],
    )


@blueprint.get("/projector")
@projector
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.output(ProjectorModel)
@blueprint.doc(operation_id="get_projector")
def screen(query: LanguageQuery) -> ProjectorModel:
    """Get what the projector shows.

    The time and the number of hand-ins; after publication the reveal, from last place upwards, with the lines that
    made the difference.
    """
    at = current_context().clock()
    with current_context().database.reading() as session:
        row = load_game(session, g.projector_game)
        tick(session, row, at)
        version = _published(session, row)
        hidden = hidden_in(session, row)
        handed, envelopes = hand_ins(session, row.id), open_envelopes(session, row.id)
    told = None if version is None else tell(row, version, query.language, hidden=hidden)
    edition = told.edition if told else edition_of_game(row)
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
        reveal=None if told is None or version is None else revealed(told, version),
    )


def revealed(told: StandingsView, version: ResultVersion) -> list[RevealModel]:
    """Return a version's reveal, as the wall shows it."""
    return [RevealModel.model_validate(step) for step in steps(told, version.inputs)]


def _published(session: Session, game: Game) -> ResultVersion | None:
    """Return the version that players see; None before publication."""
    if game.state != State.PUBLISHED or game.published_version is None:
        return None
    return version_row(session, game.id, game.published_version)


def _own(standing: Standing, told: StandingsView, version: ResultVersion) -> OwnResultModel:
    verdict = told.edition.phrases["eliminated_verdict"] if standing.eliminated else None
    hand = version.inputs["game"]["hands"][version.inputs["envelopes"].index(standing.envelope)]
    kinds = counts_model(hand["cards"], told.edition)
    return OwnResultModel.model_validate({**asdict(standing), "verdict": verdict, "kinds": kinds})


def _place(standing: Standing) -> PublicPlaceModel:
    return PublicPlaceModel(
        rank=standing.rank,
        player=standing.player,
        score=standing.score,
        eliminated=standing.eliminated,
        decided_by=standing.decided_by,
    )
