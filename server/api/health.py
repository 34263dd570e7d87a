"""Whether the server works, for whatever watches over it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from flask import current_app
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from server.api.auth import anybody
from server.api.context import current_context
from server.api.openapi import responses
from server.db.models import ServerConfig
from server.games.errors import DomainError
from server.games.photos.heartbeat import scanning_places

if TYPE_CHECKING:
    from server.games.context import AppContext

blueprint = APIBlueprint("health", __name__, tag="Server")

PATIENCE = 4.0
"""Seconds that the database has for its answer."""
_KEY = "haggle-look"
_beginning = threading.Lock()


class HealthModel(BaseModel):
    """That the server works."""

    status: str
    readers: int = Field(
        description="Pictures that are read side by side at most, by all processes that read any; 0: they all wait"
    )


@blueprint.get("/healthz")
@anybody
@blueprint.output(HealthModel)
@blueprint.doc(
    summary="Whether the server works",
    description="Looks into the database once. A server whose pictures nobody reads works too, but its organiser would "
    "like to know: start haggle worker, or haggle serve without --scanners 0. "
    "Who may call it: anybody who reaches the server.",
    operation_id="health",
    responses=responses({503: "The database does not answer"}),
)
def health() -> HealthModel:
    """Say that the server works."""
    readers = _look().readers()
    if readers is None:
        raise DomainError("busy", "The database does not answer.", retry=5)
    return HealthModel(status="ok", readers=readers)


class _Look:
    """One look into the database, beside whoever asks: it may hang. Who asks meanwhile waits for the same one."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._until = time.monotonic() + PATIENCE
        self._readers: int | None = None
        self.over = threading.Event()
        threading.Thread(target=self._run, name="haggle-health", daemon=True).start()

    def readers(self) -> int | None:
        """Return how many pictures are read side by side; None if the database does not say in time."""
        return self._readers if self.over.wait(max(0.0, self._until - time.monotonic())) else None

    def _run(self) -> None:
        try:
            with self._context.database.reading() as session:
                session.scalar(select(ServerConfig.id))
                self._readers = scanning_places(session, self._context.time(session))
        except SQLAlchemyError:
            self._readers = None
        finally:
            self.over.set()


def _look() -> _Look:
    """Return the look that is being taken, or a new one."""
    with _beginning:
        found: _Look | None = current_app.extensions.get(_KEY)
        if found is None or found.over.is_set():
            found = current_app.extensions[_KEY] = _Look(current_context().context)
        return found
