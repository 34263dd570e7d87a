"""Services of games, from the draft to the published ranking, for the API and the commands. No HTTP here."""
