"""The reveal before publication, and the QR code of the projector's link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from flask import Response, request
from pydantic import BaseModel, Field

from cardgen.qr import matrix, runs
from server.api.application import current_context
from server.api.auth import organiser, projector_token
from server.api.openapi import file_response, responses
from server.api.organiser.games import MISSING
from server.api.player.results import NO_WINNER, WINNER_RESPONSE, RevealModel, revealed, winner_response
from server.api.schemas.common import LanguageQuery
from server.games.lifecycle.repository import load_game
from server.games.results.standings import hidden_envelopes, standings_for
from server.games.results.versions import load_version
from server.games.results.winner import winner_photo

if TYPE_CHECKING:
    from cardgen.qr import Matrix


class CeremonyModel(BaseModel):
    """The reveal of a version, for presenting it."""

    version: int
    language: str
    published: bool = Field(description="True if players see this version")
    reveal: list[RevealModel] = Field(description="From the last place up")
    winner_photo: bool = Field(description="True if there is a photo of the winner's cards")


blueprint = APIBlueprint("big_screen", __name__, url_prefix="/api/v1/games/<game>", tag="Results")

SVG = "image/svg+xml"
_QUIET_ZONE = 4
"""Modules around a QR code that stay white."""


@blueprint.get("/results/<int:version>/reveal")
@organiser
@blueprint.input(LanguageQuery, location="query", arg_name="query")
@blueprint.output(CeremonyModel)
@blueprint.doc(operation_id="get_reveal", responses=responses(MISSING))
def reveal(game: str, version: int, query: LanguageQuery) -> CeremonyModel:
    """Get the reveal of a result version, published or not.

    As the projector shows it, without the names of players who do not want to be named. Lets organisers present the
    results before phones show them.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        found = load_version(session, row.id, version)
        hidden = hidden_envelopes(session, row)
        has_photo = winner_photo(session, row, found) is not None
    view = standings_for(row, found, query.language, hidden=hidden)
    return CeremonyModel(
        version=version,
        language=view.language,
        published=row.published_version == version,
        reveal=revealed(view, found),
        winner_photo=has_photo,
    )


@blueprint.get("/results/<int:version>/winner")
@organiser
@blueprint.doc(operation_id="get_winner", responses={**WINNER_RESPONSE, **responses(NO_WINNER)})
def winner(game: str, version: int) -> Response:
    """Get a photo of the winner's cards in a result version, published or not.

    As the projector shows it: everything else in it is unrecognisable, and the winner is named.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        found = winner_photo(session, row, load_version(session, row.id, version))
    return winner_response(found)


@blueprint.get("/screen.svg")
@organiser
@blueprint.doc(operation_id="get_screen_code", responses={**file_response(SVG), **responses(MISSING)})
def code(game: str) -> Response:
    """Get the projector link as a QR code.

    The link uses the server address of this request.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        token = projector_token(row.id, row.key)
    drawn = _svg(matrix(f"{request.host_url}screen#{token}", alphanumeric=False))
    return Response(drawn, mimetype=SVG)


def _svg(modules: Matrix) -> str:
    size = len(modules) + 2 * _QUIET_ZONE
    path = "".join(f"M{x + _QUIET_ZONE} {y + _QUIET_ZONE}h{length}v1h-{length}z" for y, x, length in runs(modules))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>'
    )
