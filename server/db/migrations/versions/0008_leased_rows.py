"""Jobs are claimed by tokens, and photographs in the order of a column. One process at a time does a chore."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_UNREAD = sa.text("state IN ('waiting', 'scanning')")
_OF_PLAYERS = """
UPDATE photos SET priority = 0 WHERE state IN ('waiting', 'scanning') AND source = 'player'
AND game IN (SELECT id FROM games WHERE state IN ('printed', 'open'))
"""


def upgrade() -> None:
    """Change the tables."""
    op.add_column("photos", sa.Column("priority", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("photos", sa.Column("turn", sa.Double(), nullable=False, server_default="0"))
    op.add_column("photos", sa.Column("token", sa.String(length=32), nullable=True))
    op.add_column("photos", sa.Column("seconds", sa.Double(), nullable=True))
    op.add_column("photos", sa.Column("bare", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("print_jobs", sa.Column("token", sa.String(length=32), nullable=True))
    # By which the files of prints were named.
    op.execute("UPDATE print_jobs SET token = CAST(attempts AS VARCHAR(32)) WHERE state = 'done'")
    # What waits keeps the order in which it came; claims that came to no scan cost no attempt.
    op.execute(_OF_PLAYERS)
    op.execute("UPDATE photos SET attempts = begun WHERE state IN ('waiting', 'scanning') AND begun IS NOT NULL")
    op.drop_index("ix_photos_state_lease", "photos")
    op.drop_index("ix_photos_turn", "photos")
    op.drop_index("ix_photos_lately", "photos")
    op.drop_index("ix_photos_state_scanned_game_source_envelope_attempts", "photos")
    for name, columns in (
        ("ix_photos_claims", ["priority", "turn", "created", "place", "id"]),
        ("ix_photos_unread", ["game", "source", "envelope", "state"]),
    ):
        op.create_index(op.f(name), "photos", columns, postgresql_where=_UNREAD, sqlite_where=_UNREAD)
    op.create_index(op.f("ix_photos_erased_state"), "photos", ["erased", "state"])
    op.create_table(
        "chores",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("lease", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_chores")),
    )
