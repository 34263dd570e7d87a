"""What lasts: the files of a game."""
