"""Processes that scan photographs say so, so that it shows when nobody does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "scanners",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("machine", sa.String(length=64), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("begun", UtcDateTime(timezone=True), nullable=False),
        sa.Column("seen", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scanners")),
    )
