"""States, settings and envelopes of a game."""
