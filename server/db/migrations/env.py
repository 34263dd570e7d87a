"""Alembic's environment, with the connection from `server.db.migrate`."""

from __future__ import annotations

from alembic import context

from server.db.models import Base

connection = context.config.attributes["connection"]
# Alembic changes tables of SQLite by copying them, in batches.
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True, user_module_prefix="")
with context.begin_transaction():
    context.run_migrations()
