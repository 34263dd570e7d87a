"""Which editions can be printed, and what a game of them holds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from server.jobs.printing import PrintError, print_game

if TYPE_CHECKING:
    from pathlib import Path


def test_sackson_s_game_for_15_has_the_cards_of_the_article(tmp_path: Path) -> None:
    """Thirty cards of each colour, two of each sheet; ten cards and two different sheets in each envelope."""
    done = print_game("sackson-1969", 15, tmp_path / "game", seed="tests")
    printed = [card.card for card in done.printed.cards]
    kinds = Counter(card.kind for card in printed)
    assert {kinds[colour] for colour in ("yellow", "blue", "red", "orange", "white")} == {30}
    assert {kinds[f"rule-{number}"] for number in range(1, 16)} == {2}
    assert sum(kinds.values()) == 15 * 12


def test_the_tarot_edition_says_that_it_cannot_be_printed_yet(tmp_path: Path) -> None:
    """One line and no files: its decks are shared out whole, which the dealer does not know."""
    with pytest.raises(
        PrintError, match="tarot-fr cannot be printed yet: its tarot cards are shared out in whole sets"
    ):
        print_game("tarot-fr", 40, tmp_path / "game")
    assert list(tmp_path.iterdir()) == []
