"""The page of an edition says what the edition's files say."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.editions import edition_names, load_edition
from server.scoring import Hand, decimal, score
from tests.editions.test_sackson import PUBLISHED

DOCS = Path(__file__).parents[2] / "docs" / "editions"

# The hands of each page's example, the player whose breakdown it shows, and its language.
EXAMPLES = {
    "eurocg-2026": ([Hand("Ada", {"red": 4, "blue": 1, "rule-7": 1})], "Ada", "en"),
    "sackson-1969": ([Hand(f"Hand {name}", cards) for name, (cards, _) in PUBLISHED.items()], "Hand 4", "en"),
    "tarot-fr": (
        [
            Hand(
                "Ada",
                {
                    "pique-1": 2,
                    "pique-2": 1,
                    "coeur-3": 3,
                    "excuse": 2,
                    "token-red": 4,
                    "token-white": 3,
                    "token-blue": 2,
                }
                | {f"rule-{number}": 1 for number in (8, 11, 31, 32, 46, 53, 68, 85)},
                cancels=("6",),
            ),
            Hand("Bob", {"rule-6": 1}),
        ],
        "Ada",
        "en",
    ),
}


@pytest.mark.parametrize("name", edition_names())
def test_the_page_repeats_every_rule_and_ruling(name: str) -> None:
    """Each edition has a page with the wording of all rules, all rulings, and all settings by name.

    Where the edition's own language is not English, both languages stand side by side, one row for each effect.
    """
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    edition, english = load_edition(name), load_edition(name, "en")
    for rule in edition.rules:
        other = english.rule_of[rule.key]
        same = ", ".join(twin.key for twin in edition.rules if twin.effect == rule.effect)
        if edition.language == "en":
            assert f"| {rule.key} | {rule.name} | {rule.text} |" in page
        else:
            assert f"| {same} | **{rule.name}.** {rule.text} | **{other.name}.** {other.text} |" in page
    for ruling in (*edition.rulings, *english.rulings):
        assert f"- {f'Rule {ruling.rule}: ' if ruling.rule else ''}{ruling.text}\n" in page
    for setting in edition.settings:
        assert f"`{setting.name}`" in page


@pytest.mark.parametrize("name", edition_names())
def test_the_example_of_the_page_is_what_the_engine_says(name: str) -> None:
    """The worked hand on the page is scored line by line as printed there."""
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    hands, player, language = EXAMPLES[name]
    (hand,) = (hand for hand in score(load_edition(name, language), hands).hands if hand.hand.player == player)
    for line in hand.lines:
        points = "void" if line.void else decimal(line.points)
        assert f"| {line.rule or 'cards'} | {points} | {line.text} |" in page
    assert f"| | **{decimal(hand.score)}** | |" in page
