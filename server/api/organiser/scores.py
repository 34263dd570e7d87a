"""Scoring of hands given as JSON, in the format and with the checks of `haggle score`."""

from __future__ import annotations

from typing import Annotated, Any

from apiflask import APIBlueprint
from flask import request
from pydantic import BaseModel, ConfigDict, Field

from server.api.application import current_context
from server.api.auth import organiser
from server.api.openapi import responses
from server.api.problems import Problem, problem_of_status
from server.api.schemas.common import Decimal, LineModel  # noqa: TC001 - pydantic reads them
from server.api.uploads import accepts
from server.editions import edition_names, load_edition
from server.games.uploaded_editions import resolved_edition
from server.scoring import ScoringError, score
from server.scoring.errors import InputError
from server.scoring.request_schema import MAX_BYTES, read_request
from server.scoring.result import result_document


class HandModel(BaseModel):
    """A scored hand."""

    player: str
    score: Decimal | None = Field(description="null when eliminated")
    rank: int
    eliminated: bool
    decided_by: str | None = Field(description="The tie-break that set it apart from hands of equal score")
    lines: list[LineModel]


class ScoresModel(BaseModel):
    """All hands in rank order."""

    edition: str
    hands: list[HandModel]


blueprint = APIBlueprint("scores", __name__, tag="Results")

_PROBLEMS = {
    413: "Too large",
    415: "Not sent as JSON",
    422: "An unknown edition, or a mistake in the hands; the detail names the place",
}


class EditionQuery(BaseModel):
    """The edition whose rules are used."""

    model_config = ConfigDict(extra="forbid")

    edition: Annotated[str, Field(min_length=1, max_length=100, description="An edition's name, such as eurocg-2026")]


@blueprint.post("/api/v1/scores")
@organiser
@accepts("application/json")
@blueprint.input(EditionQuery, location="query", arg_name="query")
@blueprint.output(ScoresModel)
@blueprint.doc(operation_id="score", responses=responses(_PROBLEMS))
def scores(query: EditionQuery) -> dict[str, Any]:
    """Score hands given as numbers of cards.

    Omitted settings have the edition's defaults.
    """
    with current_context().database.reading() as session:
        name, files = resolved_edition(session, query.edition)
    if files is None and name not in edition_names():
        known = ", ".join(sorted(edition_names()))
        raise Problem(422, "unknown-edition", "Unknown edition", f"There is no such edition. There is {known}.")
    edition = load_edition(name)
    # Werkzeug silently truncates a body of unknown length at the limit, so a longer one is noticed by one more byte.
    request.max_content_length = MAX_BYTES + 1
    data = request.get_data(cache=False)
    if len(data) > MAX_BYTES:
        raise problem_of_status(413)
    try:
        asked = read_request(edition, data)
        result = score(edition, asked.hands, asked.settings, asked.active_rules, provisional=asked.provisional)
    except InputError as error:
        members = {"errors": [{"place": place, "detail": message} for place, message in error.mistakes[:20]]}
        raise _invalid(f"{error.place}: {error.message}", members) from None
    except ScoringError as error:
        raise _invalid(str(error)) from None
    return result_document(result)


def _invalid(detail: str, members: dict[str, Any] | None = None) -> Problem:
    return Problem(422, "invalid-hands", "The hands cannot be scored", detail, members=members)
