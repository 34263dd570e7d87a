"""What an organiser needs for the big screen: the reveal before it is published, and the screen's link as a code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response, request

from cardgen.qr import matrix, runs
from server.api.auth import organiser
from server.api.context import current_context
from server.api.openapi import responses
from server.api.organiser.games import MISSING
from server.api.player.results import revealed
from server.api.schemas.results import CeremonyModel, LanguageQuery
from server.games.lifecycle.repository import load_game
from server.games.results.standings import hidden_in, tell
from server.games.results.versions import version_row
from server.games.tokens import projector_token

if TYPE_CHECKING:
    from cardgen.qr import Matrix

blueprint = APIBlueprint("big_screen", __name__, url_prefix="/api/v1/games/<game>", tag="Results")

ORGANISER = "Who may call it: organisers who are signed in."
SVG = "image/svg+xml"
_QUIET = 4

# Modules around a code that stay white.
_IMAGE: dict[int | str, Any] = {200: {"description": "The code", "content": {SVG: {"schema": {"type": "string"}}}}}


@blueprint.get("/results/<int:version>/reveal")
@organiser
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.output(CeremonyModel)
@blueprint.doc(
    summary="The reveal of a version, published or not",
    description="As the wall shows it: without the names of players who want no place in public. With it an organiser "
    f"presents the results before phones tell them. {ORGANISER}",
    operation_id="get_reveal",
    responses=responses(MISSING),
)
def reveal(game: str, version: int, query: LanguageQuery) -> CeremonyModel:
    """Show the reveal."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        found = version_row(session, row.id, version)
        hidden = hidden_in(session, row)
    told = tell(row, found, query.language, hidden=hidden)
    return CeremonyModel(
        version=version,
        language=told.language,
        published=row.published_version == version,
        reveal=revealed(told, found),
    )


@blueprint.get("/screen.svg")
@organiser
@blueprint.doc(
    summary="The link of the big screen as a QR code",
    description=f"With the address under which this request came. {ORGANISER}",
    operation_id="get_screen_code",
    responses={**_IMAGE, **responses(MISSING)},
)
def code(game: str) -> Response:
    """Draw the link."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        token = projector_token(row.id, row.key)
    drawn = _svg(matrix(f"{request.host_url}screen#{token}", alphanumeric=False))
    return Response(drawn, mimetype=SVG)


def _svg(modules: Matrix) -> str:
    size = len(modules) + 2 * _QUIET
    path = "".join(f"M{x + _QUIET} {y + _QUIET}h{length}v1h-{length}z" for y, x, length in runs(modules))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>'
    )
