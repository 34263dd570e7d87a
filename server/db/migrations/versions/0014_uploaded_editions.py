"""Editions that organisers upload, and each game's own copy."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column."""
    op.create_table(
        "edition_versions",
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(length=1000), nullable=False),
        sa.Column("who", sa.String(length=100), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("slug", "version", name=op.f("pk_edition_versions")),
    )
    op.create_index(op.f("ix_edition_versions_name"), "edition_versions", ["name"])
    op.add_column("games", sa.Column("edition_files", sa.JSON(), nullable=True))
