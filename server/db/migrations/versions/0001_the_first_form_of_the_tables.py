"""The first form of the tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.db.session import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "answers",
        sa.Column("caller", sa.String(length=100), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("request", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("caller", "key", name=op.f("pk_answers")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=4), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("edition", sa.String(length=100), nullable=False),
        sa.Column("language", sa.String(length=10), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("active_rules", sa.JSON(), nullable=True),
        sa.Column("confirmed", sa.JSON(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("deadline", UtcDateTime(timezone=True), nullable=True),
        sa.Column("timezone", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("pause", sa.Integer(), nullable=False),
        sa.Column("keep_days", sa.Integer(), nullable=False),
        sa.Column("keep_hours", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.String(length=200), nullable=False),
        sa.Column("kinds", sa.JSON(), nullable=False),
        sa.Column("geometry", sa.JSON(), nullable=False),
        sa.Column("created", UtcDateTime(timezone=True), nullable=False),
        sa.Column("opened", UtcDateTime(timezone=True), nullable=True),
        sa.Column("closed", UtcDateTime(timezone=True), nullable=True),
        sa.Column("frozen", UtcDateTime(timezone=True), nullable=True),
        sa.Column("published", UtcDateTime(timezone=True), nullable=True),
        sa.Column("published_version", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("password", sa.String(), nullable=True),
        sa.Column("setup", sa.String(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("created", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=True),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(length=100), nullable=False),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("reason", sa.String(length=1000), nullable=False),
        sa.Column("before", sa.JSON(), nullable=True),
        sa.Column("after", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_audit_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_game_id"), ["game", "id"], unique=False)

    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("topic", sa.String(length=40), nullable=False),
        sa.Column("envelope", sa.Integer(), nullable=True),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_changes_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("changes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_changes_game_id"), ["game", "id"], unique=False)

    op.create_table(
        "print_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("envelopes", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(length=200), nullable=False),
        sa.Column("even", sa.Integer(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("spread", sa.String(length=40), nullable=True),
        sa.Column("spare", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=10), nullable=False),
        sa.Column("join", sa.String(length=200), nullable=True),
        sa.Column("created", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_print_runs_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_print_runs")),
        sa.UniqueConstraint("game", "number", name=op.f("uq_print_runs_game_number")),
    )
    op.create_table(
        "results",
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(length=1000), nullable=False),
        sa.Column("who", sa.String(length=100), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_results_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "version", name=op.f("pk_results")),
    )
    op.create_table(
        "rulings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("item", sa.String(length=300), nullable=False),
        sa.Column("decision", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(length=1000), nullable=False),
        sa.Column("who", sa.String(length=100), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_rulings_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rulings")),
        sa.UniqueConstraint("game", "item", name=op.f("uq_rulings_game_item")),
    )
    op.create_table(
        "envelopes",
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("spare", sa.Boolean(), nullable=False),
        sa.Column("opened", UtcDateTime(timezone=True), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("joined", UtcDateTime(timezone=True), nullable=True),
        sa.Column("claimed", UtcDateTime(timezone=True), nullable=True),
        sa.Column("claim", sa.JSON(), nullable=True),
        sa.Column("received", UtcDateTime(timezone=True), nullable=True),
        sa.Column("lateness", sa.String(length=20), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("cancels", sa.JSON(), nullable=True),
        sa.Column("parts", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_envelopes_game"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run"], ["print_runs.id"], name=op.f("fk_envelopes_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("pk_envelopes")),
    )
    op.create_table(
        "cards",
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("kind", sa.String(length=100), nullable=False),
        sa.Column("copy", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("envelope", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("lost", UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game", "envelope"],
            ["envelopes.game", "envelopes.number"],
            name=op.f("fk_cards_game_envelope"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("game", "kind", "copy", name=op.f("pk_cards")),
    )
    with op.batch_alter_table("cards", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_cards_game_envelope"), ["game", "envelope"], unique=False)

    op.create_table(
        "decks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("envelope", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("cards", sa.JSON(), nullable=True),
        sa.Column("created", UtcDateTime(timezone=True), nullable=False),
        sa.Column("confirmed", UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game", "envelope"],
            ["envelopes.game", "envelopes.number"],
            name=op.f("fk_decks_game_envelope"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decks")),
    )
    with op.batch_alter_table("decks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_decks_game_envelope"), ["game", "envelope"], unique=False)

    op.create_table(
        "checks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("envelope", sa.Integer(), nullable=False),
        sa.Column("deck", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("spent", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["deck"], ["decks.id"], name=op.f("fk_checks_deck"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["game", "envelope"],
            ["envelopes.game", "envelopes.number"],
            name=op.f("fk_checks_game_envelope"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checks")),
    )
    with op.batch_alter_table("checks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_checks_game_envelope"), ["game", "envelope"], unique=False)

    op.create_table(
        "photos",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=4), nullable=False),
        sa.Column("source", sa.String(length=20), nullable=False),
        sa.Column("envelope", sa.Integer(), nullable=True),
        sa.Column("deck", sa.String(length=32), nullable=True),
        sa.Column("batch", sa.String(length=64), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("lease", UtcDateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("reading", sa.JSON(), nullable=True),
        sa.Column("created", UtcDateTime(timezone=True), nullable=False),
        sa.Column("scanned", UtcDateTime(timezone=True), nullable=True),
        sa.Column("erased", UtcDateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["deck"], ["decks.id"], name=op.f("fk_photos_deck"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["game", "envelope"],
            ["envelopes.game", "envelopes.number"],
            name=op.f("fk_photos_game_envelope"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_photos_game"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_photos")),
    )
    with op.batch_alter_table("photos", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_photos_game_source_digest"), ["game", "source", "digest"], unique=False)
        batch_op.create_index(batch_op.f("ix_photos_state_lease"), ["state", "lease"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_photos_state_scanned_game_source_envelope_attempts"),
            ["state", "scanned", "game", "source", "envelope", "attempts"],
            unique=False,
        )
