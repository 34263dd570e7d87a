"""The database: tables, sessions, locks and migrations."""
