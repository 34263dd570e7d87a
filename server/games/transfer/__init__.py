"""A game or a whole server as one file."""
