"""Search above the scoring engine: the deck of highest score that was printed. No framework, no clock."""

from server.optimizer.best import STARTS, BestDeck, NoDeckError, best_deck
from server.optimizer.space import start_cards, stock

__all__ = ["STARTS", "BestDeck", "NoDeckError", "best_deck", "start_cards", "stock"]
