"""Commands that work on a server's data."""
