"""A player's decks, provisional scores and hand-in."""
