"""The files of each version's pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "releases",
        sa.Column("name", sa.String(length=12), nullable=False),
        sa.Column("files", sa.LargeBinary(), nullable=False),
        sa.Column("created", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_releases")),
    )
