"""What players and the big screen see: nothing of the count before publication, then all of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from flask import g

from server.api.auth import player, projector, seat
from server.api.context import current_context
from server.api.openapi import responses
from server.api.player.decks import counts_model, kinds_model
from server.api.schemas.results import (
    LanguageQuery,
    MyResultModel,
    OwnResultModel,
    ProjectorModel,
    PublicPlaceModel,
    PublishedRuleModel,
    RankedModel,
    RevealModel,
)
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

blueprint = APIBlueprint("published", __name__, url_prefix="/api/v1", tag="Results")


@blueprint.get("/me/result")
@player
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.output(MyResultModel)
@blueprint.doc(
    summary="The player's own result, once it is published",
    description="The own place with every line, the ranking, and all rules with their wordings. Before publication the "
    "answer is the same for everybody. Who may call it: the player whose token it is.",
    operation_id="my_result",
    responses=responses({409: "Not published yet"}),
)
def mine(query: LanguageQuery) -> MyResultModel:
    """Show the player's result."""
    me = seat().envelope
    with current_context().context.database.reading() as session:
        row = load_game(session, seat().game)
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
@blueprint.doc(
    summary="What the big screen shows",
    description="The clock and the number of hand-ins; after publication the reveal, from the last place up, with the "
    "lines that made the difference. Who may call it: whoever has the game's projector token.",
    operation_id="get_projector",
)
def screen(query: LanguageQuery) -> ProjectorModel:
    """Show what is public."""
    at = current_context().context.clock()
    with current_context().context.database.reading() as session:
        row = load_game(session, g.projected)
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
