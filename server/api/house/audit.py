"""The record: who changed what in a game, when and why."""

from __future__ import annotations

from apiflask import APIBlueprint
from sqlalchemy import select

from server.api.description import responses
from server.api.house.audit_models import AuditModel, AuditQuery, EntryModel
from server.api.house.here import here
from server.api.house.queue import ORGANISER
from server.api.house.who import organiser
from server.play.actors import role_of
from server.play.house import game_row
from server.store.tables import AuditEntry

blueprint = APIBlueprint("audit", __name__, url_prefix="/api/v1/games/<string:game>/audit", tag="Hand-ins")


@blueprint.get("")
@organiser
@blueprint.input(AuditQuery, location="query", arg_name="query")
@blueprint.output(AuditModel)
@blueprint.doc(
    summary="Who changed what, when and why",
    description=f"The newest first, with what was before and after. Nothing is ever taken out of it. {ORGANISER}",
    operation_id="get_audit",
    responses=responses({404: "There is no such game"}),
)
def show(game: str, query: AuditQuery) -> AuditModel:
    """Show the record."""
    with here().house.database.reading() as session:
        row = game_row(session, game)
        chosen = select(AuditEntry).where(AuditEntry.game == row.id)
        if query.before is not None:
            chosen = chosen.where(AuditEntry.id < query.before)
        if query.action is not None:
            chosen = chosen.where(AuditEntry.action == query.action)
        if query.subject is not None:
            chosen = chosen.where(AuditEntry.subject == query.subject)
        if query.who is not None:
            chosen = chosen.where(AuditEntry.who == query.who)
        found = session.scalars(chosen.order_by(AuditEntry.id.desc()).limit(query.limit + 1)).all()
        entries = found[: query.limit]
        return AuditModel(
            entries=[
                EntryModel(
                    id=entry.id,
                    at=entry.at,
                    who=entry.who,
                    role=role_of(entry.who),
                    action=entry.action,
                    subject=entry.subject,
                    reason=entry.reason,
                    before=entry.before,
                    after=entry.after,
                )
                for entry in entries
            ],
            next=entries[-1].id if len(found) > query.limit else None,
        )
