"""Print runs of a stored game."""
