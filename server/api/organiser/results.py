"""Results for organisers: counts, corrections, what moved, and the files."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import select

from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.file_responses import attachment
from server.api.idempotency import describe_idempotency_key, run_once, run_or_stored, stored_response
from server.api.openapi import file_response, responses
from server.api.schemas.common import DecidedBy, Decimal, LanguageQuery, LineModel, PaperName, Rank, RequestQuery
from server.db.models import ResultVersion
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.results import exports
from server.games.results.inputs import open_points
from server.games.results.standings import compare_counts, hands_by_envelope, hidden_envelopes, standings_for
from server.games.results.versions import CountRequest, count, is_outdated, load_version, retry_on_conflict, save_count

if TYPE_CHECKING:
    from flask import Response
    from sqlalchemy.orm import Session

    from server.db.models import Game


class CountBody(RequestQuery):
    """The reason for scoring. Without `override`, nothing may be open."""

    reason: Annotated[str, Field(max_length=1000)] = ""
    override: Annotated[
        str, Field(max_length=1000, description="The reason for scoring although something is open")
    ] = ""


class PaperQuery(LanguageQuery):
    """Options of printed results."""

    paper: PaperName = "a4"


class ComparisonQuery(LanguageQuery):
    """The version to compare with."""

    since: Annotated[int, Field(ge=1, le=1_000_000, description="Default: the previous version")] | None = None


class OpenPointModel(BaseModel):
    """A point that must be settled before scoring."""

    slug: str
    text: str


class VersionModel(BaseModel):
    """A version of the results. It never changes."""

    version: int
    at: datetime
    who: str
    reason: str
    override: str = Field(description="The reason for scoring although something was open")
    hands: int
    published: bool


class VersionsModel(BaseModel):
    """All versions of the results, the newest first."""

    versions: list[VersionModel]
    stale: bool = Field(description="True if scoring again could give other results than the newest version")
    open: list[OpenPointModel] = Field(description="Points that are open now; empty until the game is closed")


class NewVersionModel(BaseModel):
    """The new version."""

    version: int


class StandingModel(BaseModel):
    """A hand in the ranking."""

    envelope: int
    player: str
    hidden: bool = Field(description="True if the player does not want to appear in the public ranking")
    rank: Rank
    score: Decimal | None = Field(description="null when eliminated")
    eliminated: bool
    decided_by: DecidedBy
    lines: list[LineModel]


class RankModel(BaseModel):
    """The rank of a hand in one of two versions."""

    player: str
    score: Decimal | None
    rank: int
    eliminated: bool
    decided_by: str | None


class ResultChangeModel(BaseModel):
    """The difference between two versions for an envelope. null: it was not scored in that version."""

    envelope: int
    before: RankModel | None
    after: RankModel | None
    gone: list[LineModel]
    come: list[LineModel]


class ExcludedHandModel(BaseModel):
    """An envelope whose hand is not scored."""

    envelope: int
    reason: str


class ResultModel(BaseModel):
    """A version with all details, for organisers."""

    version: VersionModel
    language: str
    hands: list[StandingModel] = Field(description="In rank order")
    left_out: list[ExcludedHandModel]
    overridden: list[OpenPointModel] = Field(description="Points that were open at the time of scoring")
    since: int | None = Field(description="The version with which it is compared; null for the first one")
    moves: list[ResultChangeModel] = Field(description="Differences from that version")


blueprint = APIBlueprint("results", __name__, url_prefix="/api/v1/games/<game>/results", tag="Results")

_COUNTED = frozenset({State.CLOSED, State.FROZEN, State.PUBLISHED})


@blueprint.get("")
@organiser
@blueprint.output(VersionsModel)
@blueprint.doc(operation_id="list_results")
def versions(game: str) -> VersionsModel:
    """List all result versions of a game.

    Newest first, with the points that are open now and whether scoring again would change anything.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        found = session.scalars(
            select(ResultVersion).where(ResultVersion.game == row.id).order_by(ResultVersion.version.desc())
        ).all()
        counted = State(row.state) in _COUNTED
        confirmed = {name: row.settings[name] for name in row.confirmed}
        return VersionsModel(
            versions=[_version(row, version) for version in found],
            stale=counted and is_outdated(session, row),
            open=[OpenPointModel(**asdict(p)) for p in open_points(session, row, confirmed)] if counted else [],
        )


@blueprint.post("")
@describe_idempotency_key
@organiser
@blueprint.input(CountBody, arg_name="body")
@blueprint.output(NewVersionModel, status_code=201)
@blueprint.doc(
    operation_id="count_game",
    responses=responses(
        {
            409: "The game's state does not allow it, it changed while it was counted, or something is open (listed in "
            "`open`) and no reason to override it is named",
            422: "A reason is missing, or the hands do not fit the edition",
        }
    ),
)
def create(game: str, body: CountBody) -> tuple[dict[str, Any], int]:
    """Score the game.

    Scores a closed game and freezes it. Scores a frozen or published game again with all corrections; earlier
    versions are kept, and players continue to see the published one.
    """
    context, actor = current_context(), current_actor()
    if (before := stored_response()) is not None:
        return before

    def work() -> tuple[dict[str, Any], int]:
        with context.database.reading() as session:
            closed = load_game(session, game).state == State.CLOSED
        act = Act.FREEZE if closed else Act.CORRECT
        counted = count(context, game, act, CountRequest(body.reason, body.override))
        return run_once(lambda session: {"version": save_count(session, counted, actor, context.clock())})

    return run_or_stored(lambda: retry_on_conflict(work))


@blueprint.get("/<int:version>")
@organiser
@blueprint.input(ComparisonQuery, location="query", arg_name="query")
@blueprint.output(ResultModel)
@blueprint.doc(operation_id="get_result")
def show(game: str, version: int, query: ComparisonQuery) -> ResultModel:
    """Get a result version.

    All hands with all lines, and the differences from another version.
    """
    with current_context().database.reading() as session:
        row, found = _game_and_version(session, game, version)
        hidden = hidden_envelopes(session, row)
        since = query.since or (version - 1 or None)
        other = None if since is None else load_version(session, row.id, since)
    view = standings_for(row, found, query.language)
    moved = [] if other is None else compare_counts(_hands(other), _hands(found))
    return ResultModel(
        version=_version(row, found),
        language=view.language,
        hands=[
            StandingModel.model_validate({**vars(standing), "hidden": standing.envelope in hidden})
            for standing in view.standings
        ],
        left_out=[ExcludedHandModel(envelope=int(n), reason=why) for n, why in found.inputs["left_out"].items()],
        overridden=[OpenPointModel(**point) for point in found.inputs["overridden"]],
        since=since,
        moves=[ResultChangeModel.model_validate(asdict(move)) for move in moved],
    )


@blueprint.get(f"/<int:version>/{exports.RANKING}")
@organiser
@blueprint.doc(operation_id="get_ranking_csv", responses=file_response("text/csv"))
def ranking(game: str, version: int) -> Response:
    """Download the ranking for spreadsheets.

    CSV in UTF-8 with a byte order mark; names cannot act as formulas.
    """
    with current_context().database.reading() as session:
        row, found = _game_and_version(session, game, version)
        hidden = hidden_envelopes(session, row)
    return attachment(exports.ranking_csv(found, hidden), "text/csv", f"{row.id}-{version}-{exports.RANKING}")


@blueprint.get(f"/<int:version>/{exports.MATRIX}")
@organiser
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.doc(operation_id="get_matrix_csv", responses=file_response("text/csv"))
def matrix(game: str, version: int, query: LanguageQuery) -> Response:
    """Download the points by rule and player.

    A CSV file with a row per rule and a column per player, in the format of the ranking.
    """
    with current_context().database.reading() as session:
        row, found = _game_and_version(session, game, version)
        hidden = hidden_envelopes(session, row)
    edition = standings_for(row, found, query.language, only=0).edition
    return attachment(exports.matrix_csv(found, edition, hidden), "text/csv", f"{row.id}-{version}-{exports.MATRIX}")


@blueprint.get(f"/<int:version>/{exports.REPLAY}")
@organiser
@blueprint.doc(operation_id="get_replay", responses=file_response("application/json"))
def replay(game: str, version: int) -> Response:
    """Download the input of the scoring.

    `haggle score` computes the same result from it. It contains the seed of the game's random choices.
    """
    with current_context().database.reading() as session:
        row, found = _game_and_version(session, game, version)
    return attachment(exports.replay_json(found), "application/json", f"{row.id}-{version}-{exports.REPLAY}")


@blueprint.get(f"/<int:version>/{exports.PDF}")
@organiser
@blueprint.input(PaperQuery, location="query", arg_name="query")
@blueprint.doc(operation_id="get_results_pdf", responses=file_response("application/pdf"))
def pdf(game: str, version: int, query: PaperQuery) -> Response:
    """Download the results for printing.

    The ranking, a page per player with all lines, and the rules.
    """
    with current_context().database.reading() as session:
        row, found = _game_and_version(session, game, version)
        hidden = hidden_envelopes(session, row)
    pages = exports.results_pdf(row, found, query.language, query.paper, hidden)
    return attachment(pages, "application/pdf", f"{row.id}-{version}-{exports.PDF}")


def _game_and_version(session: Session, game: str, version: int) -> tuple[Game, ResultVersion]:
    row = load_game(session, game)
    return row, load_version(session, row.id, version)


def _hands(version: ResultVersion) -> dict[int, dict[str, Any]]:
    return hands_by_envelope(version.inputs, version.document)


def _version(game: Game, version: ResultVersion) -> VersionModel:
    return VersionModel.model_validate(
        {
            **vars(version),
            "override": version.inputs["override"],
            "hands": len(version.inputs["envelopes"]),
            "published": game.published_version == version.version,
        }
    )
