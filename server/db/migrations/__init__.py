"""How the tables came to their form, step by step. Alembic runs these files."""
