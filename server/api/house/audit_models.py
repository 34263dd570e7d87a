"""What organisers get of the record."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from server.api.house.hand_in_models import Limit  # noqa: TC001 - pydantic reads it


class EntryModel(BaseModel):
    """A change of something, and who made it, when and why."""

    id: int
    at: datetime
    who: str
    role: Literal["organiser", "player", "server"] = Field(description="Whose name `who` is")
    action: str
    subject: str
    reason: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditModel(BaseModel):
    """Changes, the newest first."""

    entries: list[EntryModel]
    next: int | None = Field(description="Send it as `before` for the older ones; null at the end")


class AuditQuery(BaseModel):
    """Which changes are wanted."""

    before: Annotated[int, Field(ge=1, le=2**53)] | None = None
    action: Annotated[str, Field(max_length=60)] | None = None
    subject: Annotated[str, Field(max_length=300)] | None = None
    who: Annotated[str, Field(max_length=100)] | None = None
    limit: Limit = 100
