"""Server-sent events that tell each watcher what to fetch again."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, cast

from apiflask import APIBlueprint
from flask import Response, current_app, g, request

from server.api.auth import organiser, player, projector, seat
from server.api.context import current_context
from server.api.openapi import responses
from server.db.errors import DATABASE_FAILURES, log_summary
from server.games.errors import DomainError
from server.games.events import LIFE, Audience, Broker
from server.games.lifecycle.repository import load_game
from server.games.results.reveal import hand_ins

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from server.db.session import Database

blueprint = APIBlueprint("events", __name__, url_prefix="/api/v1", tag="Live")

STREAM = "haggle.stream"
"""Under this name a view puts into the environment what makes the event stream that its answer begins."""
RETRY = 2000
"""Milliseconds after which a watcher comes back."""

_log = logging.getLogger(__name__)
_KEY = "haggle-events"
_STREAM = {
    "200": {
        "description": "Server-sent events. `data` is JSON with a `topic`; topic `all` asks to fetch everything anew",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    **responses({503: "Too many are watching; see Retry-After"}),
}
_HOW = (
    "A stream of `text/event-stream`. It begins with topic start: fetch everything, then what the events name. "
    f"The stream ends after {LIFE / 60:.0f} minutes at the latest: come back then."
)


@blueprint.get("/games/<game>/events")
@organiser
@blueprint.doc(
    summary="What happens in a game, for organisers",
    description=f"{_HOW} Topics: start, all, game, envelopes, photos, queue, results; `envelope` says whose, if it is "
    "of one. Who may call it: organisers who are signed in.",
    operation_id="game_events",
    responses=_STREAM,
)
def of_game(game: str) -> Response:
    """Stream all changes of a game."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
    return _stream(Audience(row.id, "organiser", key=str(g.actor.name)))


@blueprint.get("/me/events")
@player
@blueprint.doc(
    summary="What happens to the own envelope and in the game, for a player",
    description=f"{_HOW} Topics: start, all, game (its state or settings), envelopes and photos (the own ones only). "
    "Who may call it: the player whose token is sent.",
    operation_id="my_events",
    responses=_STREAM,
)
def of_player() -> Response:
    """Stream the changes that are a player's business."""
    return _stream(Audience(seat().game, "player", seat().envelope))


@blueprint.get("/projector/events")
@projector
@blueprint.doc(
    summary="What the big screen shows anew",
    description=f"{_HOW} Topics: start, all, game, hand-ins (with their number). "
    "Who may call it: whoever has the game's projector token.",
    operation_id="projector_events",
    responses=_STREAM,
)
def of_projector() -> Response:
    """Stream what is public."""
    return _stream(Audience(g.projected, "projector"))


def _stream(audience: Audience) -> Response:
    context = current_context().context
    broker = cast("Broker", current_app.extensions.setdefault(_KEY, Broker(context.database)))
    if broker.full:
        raise DomainError("busy", "Too many are watching live. Ask for the state every few seconds instead.", retry=30)
    request.environ[STREAM] = partial(_lines, broker, audience, context.database)
    response = Response(mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


async def _lines(broker: Broker, audience: Audience, database: Database) -> AsyncGenerator[bytes, None]:
    """Yield the stream's text until its life is over."""
    counted = None
    yield f"retry: {RETRY}\n\n".encode()
    try:
        async with aclosing(broker.events(audience)) as events:
            async for event in events:
                if event is None:
                    yield b": alive\n\n"
                    continue
                said: dict[str, object] = {"topic": event.topic}
                if event.envelope is not None:
                    said["envelope"] = event.envelope
                if audience.role == "projector" and event.topic in {"hand-ins", "start", "all"}:
                    number = await asyncio.to_thread(_hand_ins, database, audience.game)
                    if event.topic == "hand-ins" and number == counted:
                        continue
                    counted = said["hand_ins"] = number
                yield f"data: {json.dumps(said)}\n\n".encode()
    except DATABASE_FAILURES as error:
        # The watcher comes back by itself.
        _log.error("a live stream ends: %s", log_summary(error))


def _hand_ins(database: Database, game: str) -> int:
    with database.reading() as session:
        return hand_ins(session, game)
