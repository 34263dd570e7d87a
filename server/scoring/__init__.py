"""The scoring engine, and the names that rules and callers import. It uses no framework, clock, chance or files."""

from server.scoring.breakdown import Line, decimal
from server.scoring.edition import Edition, Kind
from server.scoring.engine import Scorer, ScoringError, score
from server.scoring.errors import EditionError
from server.scoring.hand import Hand
from server.scoring.partition import best_sets
from server.scoring.ranking import earlier_hand_in
from server.scoring.result import HandResult, Result
from server.scoring.rulebook import Rulebook
from server.scoring.rules import Numbers, Phase, Rule, Verbatim
from server.scoring.table import Seat, Table

__all__ = [
    "Edition",
    "EditionError",
    "Hand",
    "HandResult",
    "Kind",
    "Line",
    "Numbers",
    "Phase",
    "Result",
    "Rule",
    "Rulebook",
    "Scorer",
    "ScoringError",
    "Seat",
    "Table",
    "Verbatim",
    "best_sets",
    "decimal",
    "earlier_hand_in",
    "score",
]
