"""Sessions of organisers that were ended by signing out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "ended_sessions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ended_sessions")),
    )
