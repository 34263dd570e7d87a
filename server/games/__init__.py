"""What may happen in a game, from draft to published ranking. No HTTP here: the API and the commands call it."""
