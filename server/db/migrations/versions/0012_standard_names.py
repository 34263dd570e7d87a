"""Standard names for tables and columns. Servers of earlier versions do not know them, and have to stop first."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_COLUMNS = (
    ("envelopes", "claim", "submitted_cards"),
    ("envelopes", "claimed", "submitted_at"),
    ("envelopes", "token", "token_version"),
    ("installation", "epoch", "session_epoch"),
    ("installation", "placed", "storage_claimed_at"),
    ("photos", "erased", "image_deleted_at"),
    ("photos", "reading", "scan_result"),
    ("print_jobs", "asked", "request"),
    ("print_jobs", "what", "digest"),
    ("scanners", "begun", "started_at"),
)
_TABLES = (
    ("answers", "idempotent_responses"),
    ("changes", "game_events"),
    ("checks", "provisional_scores"),
    ("chores", "periodic_tasks"),
    ("installation", "server_config"),
    ("rulings", "review_decisions"),
    ("scanners", "worker_heartbeats"),
)

# Renaming the index of a constraint renames the constraint.
_NAMES_ON_POSTGRESQL = """
SELECT 'INDEX ' || relname || ' RENAME', relname
FROM pg_class JOIN pg_index ON pg_class.oid = indexrelid WHERE indrelid = '{table}'::regclass
UNION ALL
SELECT 'TABLE {table} RENAME CONSTRAINT ' || conname, conname
FROM pg_constraint WHERE conrelid = '{table}'::regclass AND contype = 'f'
"""
_DEFINITIONS_ON_SQLITE = """
SELECT sql FROM sqlite_master WHERE tbl_name = '{table}' AND sql IS NOT NULL ORDER BY type DESC
"""


def upgrade() -> None:
    """Rename columns and tables, with the indexes and constraints named after them, and drop an unused column."""
    for table, old, new in _COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    op.drop_column("photos", "begun")
    op.drop_index("ix_photos_erased_state", "photos")
    op.create_index(op.f("ix_photos_image_deleted_at_state"), "photos", ["image_deleted_at", "state"])
    rename = _rename_on_postgresql if op.get_bind().dialect.name == "postgresql" else _rename_on_sqlite
    for old, new in _TABLES:
        rename(old, new)


def _rename_on_postgresql(old: str, new: str) -> None:
    op.rename_table(old, new)
    op.execute(f"ALTER SEQUENCE IF EXISTS {old}_id_seq RENAME TO {new}_id_seq")
    for change, name in op.get_bind().execute(sa.text(_NAMES_ON_POSTGRESQL.format(table=new))).all():
        op.execute(f"ALTER {change} TO {name.replace(old, new)}")


def _rename_on_sqlite(old: str, new: str) -> None:
    """Copy a table to which no other refers: SQLite does not rename constraints and indexes."""
    for definition in op.get_bind().scalars(sa.text(_DEFINITIONS_ON_SQLITE.format(table=old))).all():
        op.execute(re.sub(rf"(?<![a-z]){old}(?![a-z])", new, definition))
        if definition.startswith("CREATE TABLE"):
            op.execute(f"INSERT INTO {new} SELECT * FROM {old}")  # noqa: S608 - our own names
    if old == "changes":
        # A number is never given twice, also after the newest rows were deleted.
        op.execute(f"DELETE FROM sqlite_sequence WHERE name = '{new}'")  # noqa: S608 - likewise
        op.execute(f"UPDATE sqlite_sequence SET name = '{new}' WHERE name = '{old}'")  # noqa: S608 - likewise
    op.drop_table(old)
