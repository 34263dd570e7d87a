"""The health check."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from flask import current_app
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from server.api.application import current_context
from server.api.auth import public
from server.api.openapi import responses
from server.db.models import ServerConfig
from server.games.errors import DomainError
from server.games.photos.scan_service import count_scan_slots

if TYPE_CHECKING:
    from server.games.context import AppContext

blueprint = APIBlueprint("health", __name__, tag="Server")

TIMEOUT = 4.0
"""Seconds to wait for the database."""
_EXTENSION = "haggle-health-check"
_lock = threading.Lock()


class HealthModel(BaseModel):
    """The state of the server."""

    status: str
    readers: int = Field(
        description="Photos that all processes together can read at the same time; 0: photos have to wait"
    )


@blueprint.get("/healthz")
@public
@blueprint.output(HealthModel)
@blueprint.doc(operation_id="health", responses=responses({503: "The database does not answer"}))
def health() -> HealthModel:
    """Check that the server works.

    Queries the database. If `readers` is 0, the server works but photos are not read: start `haggle worker`, or
    `haggle serve` without `--scanners 0`.
    """
    slots = _current_check().scan_slots()
    if slots is None:
        raise DomainError("busy", "The database does not answer.", retry=5)
    return HealthModel(status="ok", readers=slots)


class _Check:
    """A query of the database in a thread, since it may hang. Concurrent requests share it."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._until = time.monotonic() + TIMEOUT
        self._slots: int | None = None
        self.done = threading.Event()
        threading.Thread(target=self._run, name="haggle-health", daemon=True).start()

    def scan_slots(self) -> int | None:
        """Return the number of photos read at the same time; None if the database does not answer in time."""
        return self._slots if self.done.wait(max(0.0, self._until - time.monotonic())) else None

    def _run(self) -> None:
        try:
            with self._context.database.reading() as session:
                session.scalar(select(ServerConfig.id))
                self._slots = count_scan_slots(session, self._context.time(session))
        except SQLAlchemyError:
            self._slots = None
        finally:
            self.done.set()


def _current_check() -> _Check:
    """Return the check in progress, or start one."""
    with _lock:
        found: _Check | None = current_app.extensions.get(_EXTENSION)
        if found is None or found.done.is_set():
            found = current_app.extensions[_EXTENSION] = _Check(current_context())
        return found
