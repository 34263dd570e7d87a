"""Export and import of whole games."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
import threading
from typing import Any, BinaryIO, cast

from apiflask import APIBlueprint
from flask import Response, request, send_file
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.idempotency import describe_idempotency_key, run_once, run_or_stored, stored_response
from server.api.openapi import file_response, responses
from server.api.schemas.common import RequestQuery
from server.api.uploads import accepts
from server.games.errors import DomainError
from server.games.transfer.game_archive import export_game, open_import
from server.storage.base import DISK_FULL

blueprint = APIBlueprint("exports", __name__, url_prefix="/api/v1/games", tag="Games")

ZIP = "application/zip"
MAX_BYTES = 2_000_000_000
"""Size limit of imported archives."""

_CHUNK = 1 << 20

# The rows of an archive are kept in memory.
_imports = threading.BoundedSemaphore(1)

# Each occupies a thread while its file is made.
_exports = threading.BoundedSemaphore(2)


class ExportQuery(RequestQuery):
    """Options of an export."""

    photos: bool = Field(
        default=True, description="Whether to include the photos; what was read from them is always included"
    )


class ImportedGameModel(BaseModel):
    """The imported game."""

    game: str


@blueprint.get("/<game>/export")
@organiser
@blueprint.input(ExportQuery, location="query", arg_name="query")
@blueprint.doc(
    operation_id="export_game",
    responses={
        **file_response(ZIP),
        **responses(
            {503: "Too many games are being exported; see Retry-After", 507: "The server's disk is full"},
        ),
    },
)
def export(game: str, query: ExportQuery) -> Response:
    """Export a game as an archive.

    A ZIP file with all rows and photos, for safekeeping or for import into another server. It contains the signing
    key: anybody who has it can forge cards.
    """
    if not _exports.acquire(blocking=False):
        raise DomainError("busy", "Other games are being exported right now. Try again in a moment.", retry=10)
    file = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - closed when it has been sent
    try:
        name = export_game(current_context(), game, file, photos=query.photos)
        # Writes the last bytes, which a full disk may refuse as well.
        file.seek(0)
    except BaseException as error:
        with contextlib.suppress(OSError):
            file.close()
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            raise DomainError("disk-full", "The server's disk is full. Make room and export the game again.") from None
        raise
    finally:
        _exports.release()
    response = send_file(file, mimetype=ZIP, as_attachment=True, download_name=f"haggle-{name}.zip", max_age=None)
    response.headers["Cache-Control"] = "no-store"
    response.call_on_close(file.close)
    return response


@blueprint.post("/import")
@describe_idempotency_key
@organiser
@accepts(ZIP, lambda: MAX_BYTES)
@blueprint.output(ImportedGameModel, status_code=201)
@blueprint.doc(
    operation_id="import_game",
    responses=responses(
        {
            409: "The game exists already",
            413: "The file is too large",
            415: "Not sent as application/zip",
            422: "The body is not an archive of a game, or the Idempotency-Key is missing",
            503: "Another game is being imported; see Retry-After",
            507: "The server's disk is full",
        }
    ),
)
def import_game() -> tuple[dict[str, Any], int]:
    """Import a game from an archive.

    The body is an archive of at most 2000 MB. Either everything is imported or nothing.
    """
    context, actor = current_context(), current_actor()
    if not _imports.acquire(blocking=False):
        raise DomainError("busy", "Another game is coming in right now. Try again in a moment.", retry=10)
    try:
        file, digest = _archive_file()
        if (before := stored_response(body=digest)) is not None:
            return before

        def work() -> tuple[dict[str, Any], int]:
            with open_import(context, file) as game:
                return run_once(lambda session: {"game": game.insert(session, actor, context.clock())}, body=digest)

        return run_or_stored(work, body=digest)
    finally:
        _imports.release()


def _archive_file() -> tuple[BinaryIO, bytes]:
    """Return the request's body, which is a file, and its digest; DomainError `too-many-bytes`."""
    if (request.content_length or 0) > MAX_BYTES:
        raise DomainError(
            "too-many-bytes",
            f"A game's file may have at most {MAX_BYTES // 1_000_000} MB here. Import it on the server's machine with "
            "`haggle games import`, or export the game without its photos.",
            {"why": "game"},
        )
    file: BinaryIO = request.environ["wsgi.input"]
    digest = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    file.seek(0)
    return file, digest.digest()
