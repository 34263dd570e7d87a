"""Points that organisers give or take."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("envelopes", sa.Column("adjustments", sa.JSON(), nullable=True))
