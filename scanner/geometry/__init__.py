"""Plane geometry of cards on a table; knows nothing of codes."""
