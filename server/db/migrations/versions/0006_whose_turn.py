"""Two indexes for whose turn it is, and how many scans of a photograph were begun."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_WAITING, _TRIED = sa.text("state = 'waiting'"), sa.text("source = 'player' AND attempts > 0")


def upgrade() -> None:
    """Change the tables."""
    op.add_column("photos", sa.Column("begun", sa.Integer(), nullable=True))
    op.create_index(
        op.f("ix_photos_turn"),
        "photos",
        ["source", "attempts", "created", "place", "id"],
        postgresql_where=_WAITING,
        sqlite_where=_WAITING,
    )
    op.create_index(
        op.f("ix_photos_lately"),
        "photos",
        ["game", "envelope", "state", "scanned", "source", "attempts"],
        postgresql_where=_TRIED,
        sqlite_where=_TRIED,
    )
