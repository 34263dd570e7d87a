"""An edition and options to printed files; no database."""
