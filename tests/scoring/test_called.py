"""Names in a breakdown: a reader who must not know a player is told another name."""

from __future__ import annotations

import pytest

from server.editions import load_edition
from server.scoring import Hand, score

HANDS = {
    "sackson-1969": [Hand("Bo", {"blue": 6}), Hand("Cy", {"blue": 5}), Hand("Ada", {"blue": 1})],
    "tarot-fr": [Hand("Ada", {"rule-4": 1, "coeur-4": 3}), Hand("Bo", {"rule-11": 1}, cancels=("4",))],
}


@pytest.mark.parametrize("slug", HANDS)
def test_a_line_names_authors_as_the_reader_knows_them(slug: str) -> None:
    """Who made a rule act is called by the other name in every sentence, and nothing else changes."""
    edition = load_edition(slug, "en")
    result = score(edition, HANDS[slug])
    plain = [line.text for hand in result.hands for line in hand.lines_in(edition)]
    told = [line.text for hand in result.hands for line in hand.lines_in(edition, {"Bo": "a player"})]
    assert any("Bo" in text for text in plain)
    assert told == [text.replace("Bo", "a player") for text in plain]
