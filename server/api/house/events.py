"""What happens in a game, live: server-sent events that say what to fetch again, to everybody their own."""

from __future__ import annotations

import json
import logging
import time
from typing import TYPE_CHECKING, cast

from apiflask import APIBlueprint
from flask import Response, current_app, g, request

from server.api.description import responses
from server.api.house.here import here
from server.api.house.who import organiser, player, projector, seat
from server.play.events import Audience, Broker, Event, Watch
from server.play.house import game_row
from server.play.reveal import hand_ins
from server.store.faults import TROUBLE, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.store.database import Database

blueprint = APIBlueprint("events", __name__, url_prefix="/api/v1", tag="Live")

HEARTBEAT = 15.0
"""Seconds of silence after which a sign of life is sent, which also finds out who has gone."""
LIFE = 300.0
"""Seconds after which a stream ends: the watcher comes back by itself, and one that has vanished holds no thread."""
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
    f"A stream of `text/event-stream`. Each event's id is a number; sent back as Last-Event-ID, it resumes where the "
    f"stream broke off. The stream ends after {LIFE:.0f} seconds: come back then."
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
    with here().house.database.reading() as session:
        row = game_row(session, game)
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
    house = here().house
    broker = cast("Broker", current_app.extensions.setdefault(_KEY, Broker(house.database, news=house.news)))
    watch = broker.watch(audience, _last())
    response = Response(_lines(watch, house.database), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    # Also where nobody ever begins to read.
    response.call_on_close(lambda: broker.leave(watch))
    return response


def _last() -> int | None:
    """Return the number of the last event that the caller has seen."""
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None  # noqa: PLR2004 - 64 bits


def _lines(watch: Watch, database: Database) -> Iterator[str]:
    """Yield the stream's text until its life is over."""
    end = time.monotonic() + LIFE
    counted = None
    yield f"retry: {RETRY}\n\n"
    while not watch.ended and (left := end - time.monotonic()) > 0:
        event = watch.next(min(HEARTBEAT, left))
        if event is None:
            yield ": alive\n\n"
            continue
        said: dict[str, object] = {"topic": event.topic}
        if event.envelope is not None:
            said["envelope"] = event.envelope
        if watch.audience.role == "projector" and event.topic in {"hand-ins", "start"}:
            try:
                with database.reading() as session:
                    number = hand_ins(session, watch.audience.game)
            except TROUBLE as error:
                # The screen connects again by itself, and goes on where it was.
                _log.error("a live stream ends: %s", told(error))
                return
            if event.topic == "hand-ins" and number == counted:
                continue
            counted = said["hand_ins"] = number
        yield _text(event, said)


def _text(event: Event, said: dict[str, object]) -> str:
    return f"id: {event.number}\ndata: {json.dumps(said)}\n\n"
