"""Numbers of cards counted by hand, and whether an envelope is expected to hold as many as were dealt."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("games", sa.Column("expect_dealt", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("envelopes", sa.Column("counted", sa.Integer(), nullable=True))
    op.add_column("decks", sa.Column("counted", sa.Integer(), nullable=True))
