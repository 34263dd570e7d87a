"""Whether the server works, for whatever watches over it."""

from __future__ import annotations

from apiflask import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from server.api.description import responses
from server.api.house.here import here
from server.api.house.who import anybody
from server.play.refusals import Refusal
from server.play.scanners import scanning_places
from server.store.tables import Installation

blueprint = APIBlueprint("health", __name__, tag="Server")


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
    try:
        with here().house.database.reading() as session:
            session.scalar(select(Installation.id))
            readers = scanning_places(session, here().house.clock())
    except SQLAlchemyError:
        raise Refusal("busy", "The database does not answer.", retry=5) from None
    return HealthModel(status="ok", readers=readers)
