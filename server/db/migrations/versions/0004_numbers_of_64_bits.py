"""The audit and the changes are counted in 64 bits: a million players a day would use up 32 within weeks."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    # SQLite counts in 64 bits anyway.
    if op.get_bind().dialect.name == "postgresql":
        for table in ("audit", "changes"):
            op.execute(f"ALTER TABLE {table} ALTER COLUMN id TYPE bigint")
            op.execute(f"ALTER SEQUENCE {table}_id_seq AS bigint")
