"""Times in the database: always UTC, always with a zone, whatever the engine keeps."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import DateTime
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect


class Instant(TypeDecorator[datetime]):
    """A moment. Goes in with any zone, comes out in UTC; ValueError for a time without a zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Return what the engine keeps."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time in the database needs a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - as above
        """Return a time with its zone; SQLite forgets it."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
