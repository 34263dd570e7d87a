"""Migrations of the tables, which Alembic runs."""
