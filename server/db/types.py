"""Times, which are always in UTC: the column type, this machine's clock and the database's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import DateTime, Float, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect
    from sqlalchemy.sql.compiler import SQLCompiler


class UtcDateTime(TypeDecorator[datetime]):
    """A time with a zone, returned in UTC. ValueError for a time without a zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Return the value to store."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time in the database needs a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - as above
        """Return a time with its zone, which SQLite does not store."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """Return this machine's time."""
    return datetime.now(UTC)


class database_time(FunctionElement[Any]):  # noqa: N801 - named like the SQL function that it stands for
    """The database's time, a number of seconds from now."""

    type = UtcDateTime()
    inherit_cache = True

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(literal(seconds, Float()))


@compiles(database_time, "postgresql")
def _postgresql_time(element: database_time, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - SQLAlchemy's signature
    return f"clock_timestamp() + make_interval(secs => {compiler.process(element.clauses, **options)})"


@compiles(database_time, "sqlite")
def _sqlite_time(element: database_time, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - SQLAlchemy's signature
    # In the format in which SQLAlchemy stores times, with six digits of a second.
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', {compiler.process(element.clauses, **options)} || ' seconds')"
