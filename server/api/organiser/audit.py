"""The audit log of a game."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Any

from apiflask import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import select

from server.api.application import current_context
from server.api.auth import organiser
from server.api.openapi import responses
from server.api.schemas.review import Limit  # noqa: TC001 - pydantic reads it
from server.db.models import AuditEntry
from server.games.audit import Role, role_of
from server.games.lifecycle.repository import load_game


class AuditEntryModel(BaseModel):
    """A change, with its author, time and reason."""

    id: int
    at: datetime
    who: str
    role: Role = Field(description="The role of `who`")
    action: str
    subject: str
    reason: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditModel(BaseModel):
    """Changes, newest first."""

    entries: list[AuditEntryModel]
    next: int | None = Field(description="Send it as `before` to get older entries; null at the end")


class AuditQuery(BaseModel):
    """Filters of the audit log."""

    before: Annotated[int, Field(ge=1, le=2**53)] | None = None
    action: Annotated[str, Field(max_length=60)] | None = None
    subject: Annotated[str, Field(max_length=300)] | None = None
    who: Annotated[str, Field(max_length=100)] | None = None
    limit: Limit = 100


blueprint = APIBlueprint("audit", __name__, url_prefix="/api/v1/games/<string:game>/audit", tag="Hand-ins")


@blueprint.get("")
@organiser
@blueprint.input(AuditQuery, location="query", arg_name="query")
@blueprint.output(AuditModel)
@blueprint.doc(operation_id="get_audit", responses=responses({404: "There is no such game"}))
def show(game: str, query: AuditQuery) -> AuditModel:
    """Get a game's audit log.

    Newest entries first, with the values before and after each change. Entries are never removed.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        wanted = query.model_dump(include={"action", "subject", "who"}, exclude_none=True)
        chosen = select(AuditEntry).filter_by(game=row.id, **wanted)
        if query.before is not None:
            chosen = chosen.where(AuditEntry.id < query.before)
        found = session.scalars(chosen.order_by(AuditEntry.id.desc()).limit(query.limit + 1)).all()
        entries = found[: query.limit]
        return AuditModel(
            entries=[AuditEntryModel.model_validate(vars(entry) | {"role": role_of(entry.who)}) for entry in entries],
            next=entries[-1].id if len(found) > query.limit else None,
        )
