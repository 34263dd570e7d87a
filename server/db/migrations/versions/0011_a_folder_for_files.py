"""The folder of an installation's files, of its own in any place that others may use too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. An installation that is there goes on where its files lie."""
    op.add_column("installation", sa.Column("folder", sa.String(length=32), server_default="", nullable=False))
