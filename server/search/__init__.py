"""Search above the scoring engine: the deck of highest score that was printed. No framework, no clock."""

from server.search.best import STARTS, Found, NoDeckError, best_deck
from server.search.stock import start_cards, stock

__all__ = ["STARTS", "Found", "NoDeckError", "best_deck", "start_cards", "stock"]
