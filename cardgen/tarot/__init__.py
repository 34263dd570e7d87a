"""The drawings on tarot cards and tokens, as data: shapes and the inks they want. Nothing is put on paper here."""

from __future__ import annotations

from cardgen.tarot.coins import TOKENS
from cardgen.tarot.figures import FIGURES
from cardgen.tarot.scenes import TRUMPS
from cardgen.tarot.suits import SUITS

__all__ = ["MOTIFS"]

MOTIFS = (
    *(f"{suit}-{rank}" for suit in SUITS for rank in (*range(1, 11), *FIGURES)),
    *(f"atout-{number}" for number in range(1, TRUMPS + 1)),
    "excuse",
    *(f"token-{name}" for name in TOKENS),
)
"""The name of every drawing, as editions give it."""
