"""The cards of a provisional score, since a list need not be confirmed any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("provisional_scores", sa.Column("cards", sa.JSON(), nullable=True))
