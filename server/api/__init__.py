"""The HTTP interface under /api/v1: thin blueprints that parse, call and render."""

from __future__ import annotations

from typing import Any

from apiflask import APIBlueprint

from server.api.description import PHOTO_PROBLEMS, SCORE_PROBLEMS, responses
from server.api.game import game_of
from server.api.models import GameModel, Health, ScanModel, ScoresModel
from server.api.scans import most_of_picture, scan_upload
from server.api.scores import score_request
from server.api.uploads import takes

blueprint = APIBlueprint("api", __name__, tag="Haggle")

_ANYBODY = "Who may call it: anybody who reaches the server."


@blueprint.get("/healthz")
@blueprint.output(Health)
@blueprint.doc(summary="Whether the server runs", description=_ANYBODY, operation_id="health")
def health() -> Health:
    """Say that the server runs."""
    return Health()


@blueprint.get("/api/v1/game")
@blueprint.output(GameModel)
@blueprint.doc(
    summary="The game that is served",
    description=f"Its cards by name and symbol, without the wording of any rule. {_ANYBODY}",
    operation_id="game",
)
def game() -> GameModel:
    """Describe the game."""
    return game_of()


@blueprint.post("/api/v1/scans")
@takes("multipart/form-data", most_of_picture)
@blueprint.output(ScanModel)
@blueprint.doc(
    summary="Read the cards in a photograph, and score them",
    description=(
        "Takes one picture (JPEG, PNG, WebP, HEIC, TIFF or a PDF of one page). This version shows the whole breakdown "
        f"(practice mode). The picture is read in memory and forgotten. {_ANYBODY}"
    ),
    operation_id="scan",
    responses=responses(PHOTO_PROBLEMS),
)
def scans() -> ScanModel:
    """Scan a photograph."""
    return scan_upload()


@blueprint.post("/api/v1/scores")
@takes("application/json")
@blueprint.output(ScoresModel)
@blueprint.doc(
    summary="Score hands given as counts of cards",
    description=f"The game's edition and settings count, unless the request names a setting. {_ANYBODY}",
    operation_id="score",
    responses=responses(SCORE_PROBLEMS),
)
def scores() -> dict[str, Any]:
    """Score hands."""
    return score_request()
