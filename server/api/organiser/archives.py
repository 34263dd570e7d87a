"""A whole game as one file, out and in."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from typing import Any, BinaryIO

from apiflask import APIBlueprint
from flask import Response, request, send_file
from pydantic import BaseModel, ConfigDict, Field

from server.api.auth import actor, organiser
from server.api.context import current_context
from server.api.idempotency import answered, answered_meanwhile, creates, once
from server.api.openapi import responses
from server.api.uploads import takes
from server.games.errors import DomainError
from server.games.transfer.game_archive import export_game, incoming

blueprint = APIBlueprint("exports", __name__, url_prefix="/api/v1/games", tag="Games")

ORGANISER = "Who may call it: organisers who are signed in."
ZIP = "application/zip"
MOST_BYTES = 2_000_000_000
"""Of a file that comes in."""

_FILE: dict[int | str, Any] = {
    200: {"description": "The file", "content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}
}
_STEP = 1 << 20

# Its rows are held in memory.
_incoming = threading.BoundedSemaphore(1)

# Each holds a thread while its file is made.
_outgoing = threading.BoundedSemaphore(2)


class WithPhotos(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(extra="forbid")

    photos: bool = Field(default=True, description="Whether the pictures are in it; what was read in them always is")


class ImportedModel(BaseModel):
    """The game that came in."""

    game: str


@blueprint.get("/<game>/export")
@organiser
@blueprint.input(WithPhotos, location="query", arg_name="query")
@blueprint.doc(
    summary="The whole game as one file",
    description="A zip with all rows and pictures, to be kept or taken in elsewhere. It holds the game's key: whoever "
    f"has it can make cards. {ORGANISER}",
    operation_id="export_game",
    responses={**_FILE, **responses({503: "Other games are being exported; see Retry-After"})},
)
def export(game: str, query: WithPhotos) -> Response:
    """Send the game."""
    if not _outgoing.acquire(blocking=False):
        raise DomainError("busy", "Other games are being exported right now. Try again in a moment.", retry=10)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it has been sent
    try:
        name = export_game(current_context().context, game, file, photos=query.photos)
    except BaseException:
        file.close()
        raise
    finally:
        _outgoing.release()
    file.seek(0)
    response = send_file(file, mimetype=ZIP, as_attachment=True, download_name=f"haggle-{name}.zip", max_age=None)
    response.headers["Cache-Control"] = "no-store"
    response.call_on_close(file.close)
    return response


@blueprint.post("/import")
@organiser
@creates
@takes(ZIP, lambda: MOST_BYTES)
@blueprint.output(ImportedModel, status_code=201)
@blueprint.doc(
    summary="Take in a game from its file",
    description=f"The body is the file, at most {MOST_BYTES // 1_000_000} MB. All comes in, or nothing. {ORGANISER}",
    operation_id="import_game",
    responses=responses(
        {
            409: "The game is here already",
            413: "The file is too large",
            415: "Not sent as application/zip",
            422: "This is no file of a whole game, or the Idempotency-Key is missing",
            503: "Another game is coming in; see Retry-After",
            507: "The server's disk is full",
        }
    ),
)
def take_in() -> tuple[dict[str, Any], int]:
    """Take in a game, once for each key."""
    context, who = current_context().context, actor()
    caller = f"organiser {who.name}"
    if not _incoming.acquire(blocking=False):
        raise DomainError("busy", "Another game is coming in right now. Try again in a moment.", retry=10)
    try:
        file, digest = _received()
        if (before := answered(caller, body=digest)) is not None:
            return before

        def work() -> tuple[dict[str, Any], int]:
            with incoming(context, file) as game:
                return once(caller, lambda session: {"game": game.keep(session, who, context.clock())}, body=digest)

        return answered_meanwhile(caller, work, body=digest)
    finally:
        _incoming.release()


def _received() -> tuple[BinaryIO, bytes]:
    """Return the request's body, which is a file already, and its digest; Refusal `too-many-bytes`."""
    if (request.content_length or 0) > MOST_BYTES:
        raise DomainError("too-many-bytes", f"A game's file may have at most {MOST_BYTES // 1_000_000} MB.")
    file: BinaryIO = request.environ["wsgi.input"]
    digest = hashlib.sha256()
    while chunk := file.read(_STEP):
        digest.update(chunk)
    file.seek(0)
    return file, digest.digest()
