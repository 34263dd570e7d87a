"""What all tables share."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from sqlalchemy import JSON, BigInteger, Integer, MetaData, Table
from sqlalchemy.orm import DeclarativeBase

from server.store.times import Instant

CASCADE = "CASCADE"
LONG = BigInteger().with_variant(Integer(), "sqlite")
"""A number that a row gets by itself. SQLite counts up in a column of this kind alone."""


class Base(DeclarativeBase):
    """What all tables share. Constraints have names, so that a later version can change them on every engine."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Instant, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012 - SQLAlchemy's own form


def table_of(rows: type[Base]) -> Table:
    """Return the table itself: a statement of it that is made once costs half of one of rows that is made each time."""
    return cast("Table", rows.__table__)
