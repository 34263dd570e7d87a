"""Results for organisers: counts, corrections, what moved, and the files."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response
from sqlalchemy import select

from server.api.auth import actor, organiser
from server.api.context import current_context
from server.api.idempotency import answered, answered_meanwhile, creates, once
from server.api.openapi import responses
from server.api.schemas.results import (
    Compared,
    ForPaper,
    LanguageQuery,
    LeftOutModel,
    MadeModel,
    MoveModel,
    OpenPointModel,
    ResultModel,
    StandingModel,
    ToCount,
    VersionModel,
    VersionsModel,
)
from server.db.models import ResultVersion
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.results import exports
from server.games.results.inputs import open_points
from server.games.results.standings import hands_by_envelope, hidden_in, moves, tell
from server.games.results.versions import CountRequest, count, keep, patiently, stale, version_row

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game

blueprint = APIBlueprint("results", __name__, url_prefix="/api/v1/games/<game>/results", tag="Results")

ORGANISER = "Who may call it: organisers who are signed in."
_COUNTED = frozenset({State.CLOSED, State.FROZEN, State.PUBLISHED})


def _file_of(media_type: str) -> dict[int | str, Any]:
    """Return the description of an answer that is a file."""
    schema = {"type": "object" if media_type == "application/json" else "string"}
    return {200: {"description": "The file", "content": {media_type: {"schema": schema}}}}


@blueprint.get("")
@organiser
@blueprint.output(VersionsModel)
@blueprint.doc(
    summary="All counts of a game",
    description=f"The newest first, with what is open now and whether a new count would differ. {ORGANISER}",
    operation_id="list_results",
)
def versions(game: str) -> VersionsModel:
    """List the versions."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        found = session.scalars(
            select(ResultVersion).where(ResultVersion.game == row.id).order_by(ResultVersion.version.desc())
        ).all()
        counted = State(row.state) in _COUNTED
        confirmed = {name: row.settings[name] for name in row.confirmed}
        return VersionsModel(
            versions=[_version(row, version) for version in found],
            stale=counted and stale(session, row),
            open=[OpenPointModel(**asdict(p)) for p in open_points(session, row, confirmed)] if counted else [],
        )


@blueprint.post("")
@organiser
@creates
@blueprint.input(ToCount, arg_name="body")
@blueprint.output(MadeModel, status_code=201)
@blueprint.doc(
    summary="Count the game",
    description="A closed game is counted and frozen. A frozen or published one is counted anew with all corrections; "
    f"the versions before stay, and players go on seeing the published one. {ORGANISER}",
    operation_id="count_game",
    responses=responses(
        {
            409: "The game's state does not allow it, it changed while it was counted, or something is open (listed in "
            "`open`) and no reason to override it is named",
            422: "A reason is missing, or the hands do not fit the edition",
        }
    ),
)
def make(game: str, body: ToCount) -> tuple[dict[str, Any], int]:
    """Count the game, once for each key."""
    context, who = current_context().context, actor()
    caller = f"organiser {who.name}"
    if (before := answered(caller)) is not None:
        return before

    def work() -> tuple[dict[str, Any], int]:
        with context.database.reading() as session:
            closed = load_game(session, game).state == State.CLOSED
        act = Act.FREEZE if closed else Act.CORRECT
        counted = count(context, game, act, CountRequest(body.reason, body.override))
        return once(caller, lambda session: {"version": keep(session, counted, who, context.clock())})

    return answered_meanwhile(caller, lambda: patiently(work))


@blueprint.get("/<int:version>")
@organiser
@blueprint.input(Compared, location="query", arg_name="query")
@blueprint.output(ResultModel)
@blueprint.doc(
    summary="A count in full",
    description=f"Every hand with every line, and what moved since another version. {ORGANISER}",
    operation_id="get_result",
)
def show(game: str, version: int, query: Compared) -> ResultModel:
    """Show a version."""
    with current_context().context.database.reading() as session:
        row, found = _found(session, game, version)
        hidden = hidden_in(session, row)
        since = query.since or (version - 1 or None)
        other = None if since is None else version_row(session, row.id, since)
    told = tell(row, found, query.language)
    moved = [] if other is None else moves(_hands(other), _hands(found))
    return ResultModel(
        version=_version(row, found),
        language=told.language,
        hands=[
            StandingModel.model_validate({**asdict(standing), "hidden": standing.envelope in hidden})
            for standing in told.standings
        ],
        left_out=[LeftOutModel(envelope=int(n), reason=why) for n, why in found.inputs["left_out"].items()],
        overridden=[OpenPointModel(**point) for point in found.inputs["overridden"]],
        since=since,
        moves=[MoveModel.model_validate(asdict(move)) for move in moved],
    )


@blueprint.get(f"/<int:version>/{exports.RANKING}")
@organiser
@blueprint.doc(
    summary="The ranking as a table for spreadsheets",
    description=f"CSV in UTF-8 with a byte order mark; names are defused against formulas. {ORGANISER}",
    operation_id="get_ranking_csv",
    responses=_file_of("text/csv"),
)
def ranking(game: str, version: int) -> Response:
    """Send the ranking."""
    with current_context().context.database.reading() as session:
        row, found = _found(session, game, version)
        hidden = hidden_in(session, row)
    return _file(exports.ranking_csv(found, hidden), "text/csv", row, version, exports.RANKING)


@blueprint.get(f"/<int:version>/{exports.MATRIX}")
@organiser
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="What each rule brought to each player, as a table",
    description=f"A row a rule, a column a player; form as the ranking. {ORGANISER}",
    operation_id="get_matrix_csv",
    responses=_file_of("text/csv"),
)
def matrix(game: str, version: int, query: LanguageQuery) -> Response:
    """Send the matrix."""
    with current_context().context.database.reading() as session:
        row, found = _found(session, game, version)
        hidden = hidden_in(session, row)
    edition = tell(row, found, query.language, only=0).edition
    return _file(exports.matrix_csv(found, edition, hidden), "text/csv", row, version, exports.MATRIX)


@blueprint.get(f"/<int:version>/{exports.REPLAY}")
@organiser
@blueprint.doc(
    summary="The counted game, to be scored again",
    description=f"`haggle score` prints the same result from it. It holds the seed of the game's chance. {ORGANISER}",
    operation_id="get_replay",
    responses=_file_of("application/json"),
)
def replay(game: str, version: int) -> Response:
    """Send what was counted."""
    with current_context().context.database.reading() as session:
        row, found = _found(session, game, version)
    return _file(exports.replay_json(found), "application/json", row, version, exports.REPLAY)


@blueprint.get(f"/<int:version>/{exports.PDF}")
@organiser
@blueprint.input(ForPaper, location="query", arg_name="query")
@blueprint.doc(
    summary="The results to print",
    description=f"A ranking, a page for each player with every line, and the rules. {ORGANISER}",
    operation_id="get_results_pdf",
    responses=_file_of("application/pdf"),
)
def pdf(game: str, version: int, query: ForPaper) -> Response:
    """Send the pages."""
    with current_context().context.database.reading() as session:
        row, found = _found(session, game, version)
        hidden = hidden_in(session, row)
    pages = exports.results_pdf(row, found, query.language, query.paper, hidden)
    return _file(pages, "application/pdf", row, version, exports.PDF)


def _found(session: Session, game: str, version: int) -> tuple[Game, ResultVersion]:
    row = load_game(session, game)
    return row, version_row(session, row.id, version)


def _hands(version: ResultVersion) -> dict[int, dict[str, Any]]:
    return hands_by_envelope(version.inputs, version.document)


def _version(game: Game, version: ResultVersion) -> VersionModel:
    return VersionModel(
        version=version.version,
        at=version.at,
        who=version.who,
        reason=version.reason,
        override=version.inputs["override"],
        hands=len(version.inputs["envelopes"]),
        published=game.published_version == version.version,
    )


def _file(data: bytes, media_type: str, game: Game, version: int, name: str) -> Response:
    response = Response(data, content_type=media_type if media_type != "text/csv" else "text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{game.id}-{version}-{name}"'
    return response
