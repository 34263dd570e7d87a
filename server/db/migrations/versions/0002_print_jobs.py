"""Print jobs become rows, so that every process knows them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "print_jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("media", sa.String(length=100), nullable=False),
        sa.Column("what", sa.String(length=64), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("of", sa.Integer(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("cause", sa.JSON(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease", UtcDateTime(timezone=True), nullable=True),
        sa.Column("created", UtcDateTime(timezone=True), nullable=False),
        sa.Column("until", UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_print_jobs_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_print_jobs")),
    )
    with op.batch_alter_table("print_jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_print_jobs_game"), ["game"], unique=False)
        batch_op.create_index(batch_op.f("ix_print_jobs_state"), ["state"], unique=False)
