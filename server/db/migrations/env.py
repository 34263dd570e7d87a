"""What Alembic runs in order to change the tables: on the connection that it is given."""

from __future__ import annotations

from alembic import context

from server.db.models import Base

connection = context.config.attributes["connection"]
# SQLite changes a table by making it anew, which Alembic does in a batch.
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True, user_module_prefix="")
with context.begin_transaction():
    context.run_migrations()
