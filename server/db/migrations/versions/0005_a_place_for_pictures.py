"""A server notes that it has begun in a place for pictures, so that it begins in no other one by mistake."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("installation", sa.Column("placed", UtcDateTime(timezone=True), nullable=True))
