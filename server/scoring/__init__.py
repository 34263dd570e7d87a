"""The pure scoring engine: no framework, no clock, no chance, no files. This is what rules and callers import."""

from server.scoring.breakdown import Line
from server.scoring.edition import Edition, EditionError, Kind, Rule
from server.scoring.engine import Scorer, ScoringError, score
from server.scoring.hand import Hand
from server.scoring.journal import Verbatim
from server.scoring.numbers import Numbers
from server.scoring.partition import best_sets
from server.scoring.phases import Phase
from server.scoring.ranking import earlier_hand_in
from server.scoring.result import HandResult, Result
from server.scoring.rulebook import Rulebook
from server.scoring.seat import Seat
from server.scoring.table import Table
from server.scoring.wording import decimal

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
