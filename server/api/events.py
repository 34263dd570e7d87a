"""Server-sent events that name what has changed, for clients to fetch it again."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, cast

from apiflask import APIBlueprint
from flask import Response, current_app, g, request

from server.api.application import current_context
from server.api.auth import current_actor, current_player, organiser, player, projector
from server.api.openapi import responses
from server.db.errors import DATABASE_FAILURES, log_summary
from server.games.errors import DomainError
from server.games.events import STREAM_SECONDS, Audience, Broker
from server.games.lifecycle.repository import load_game
from server.games.results.reveal import count_hand_ins

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from server.db.session import Database

blueprint = APIBlueprint("events", __name__, url_prefix="/api/v1", tag="Live")

STREAM = "haggle.stream"
"""Key in the WSGI environment of the function that returns the event stream which follows a view's response."""
RETRY = 2000
"""Milliseconds after which a client reconnects."""

_log = logging.getLogger(__name__)
_EXTENSION = "haggle-events"
_STREAM = {
    "200": {
        "description": "Server-sent events, whose `data` is JSON with a `topic`. After the topics start and all, "
        "fetch everything; after others, what they name. "
        f"The stream ends after {STREAM_SECONDS / 60:.0f} minutes; reconnect.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    **responses({503: "Too many are watching; see Retry-After"}),
}


@blueprint.get("/games/<game>/events")
@organiser
@blueprint.doc(operation_id="game_events", responses=_STREAM)
def of_game(game: str) -> Response:
    """Watch a game for changes.

    Topics: start, all, game, envelopes, photos, queue and results. `envelope` is the number of the envelope concerned,
    if there is one.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
    return _stream(Audience(row.id, "organiser", key=current_actor().name))


@blueprint.get("/me/events")
@player
@blueprint.doc(operation_id="my_events", responses=_STREAM)
def of_player() -> Response:
    """Watch a player's envelope and game for changes.

    Topics: start, all, game (its state or settings), envelopes and photos (the player's own).
    """
    return _stream(Audience(current_player().game, "player", current_player().envelope))


@blueprint.get("/projector/events")
@projector
@blueprint.doc(operation_id="projector_events", responses=_STREAM)
def of_projector() -> Response:
    """Watch what the projector shows for changes.

    Topics: start, all, game and hand-ins (with their number).
    """
    return _stream(Audience(g.projector_game, "projector"))


def _stream(audience: Audience) -> Response:
    context = current_context()
    broker = cast("Broker", current_app.extensions.setdefault(_EXTENSION, Broker(context.database)))
    if broker.full:
        raise DomainError("busy", "Too many are watching live. Ask for the state every few seconds instead.", retry=30)
    request.environ[STREAM] = partial(_lines, broker, audience, context.database)
    response = Response(mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


async def _lines(broker: Broker, audience: Audience, database: Database) -> AsyncGenerator[bytes, None]:
    """Yield the text of an event stream."""
    last_number = None
    yield f"retry: {RETRY}\n\n".encode()
    try:
        async with aclosing(broker.events(audience)) as events:
            async for event in events:
                if event is None:
                    yield b": alive\n\n"
                    continue
                data: dict[str, object] = {"topic": event.topic}
                if event.envelope is not None:
                    data["envelope"] = event.envelope
                if audience.role == "projector" and event.topic in {"hand-ins", "start", "all"}:
                    number = await asyncio.to_thread(_hand_ins, database, audience.game)
                    if event.topic == "hand-ins" and number == last_number:
                        continue
                    last_number = data["hand_ins"] = number
                yield f"data: {json.dumps(data)}\n\n".encode()
    except DATABASE_FAILURES as error:
        # Clients reconnect.
        _log.error("an event stream was ended: %s", log_summary(error))


def _hand_ins(database: Database, game: str) -> int:
    with database.reading() as session:
        return count_hand_ins(session, game)
