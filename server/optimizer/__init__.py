"""The search for the best deck, and the simulation of games, on top of the scoring engine."""

from server.optimizer.best import STARTS, BestDeck, NoDeckError, best_deck
from server.optimizer.space import start_cards, supply

__all__ = ["STARTS", "BestDeck", "NoDeckError", "best_deck", "start_cards", "supply"]
