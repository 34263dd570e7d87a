"""The page of an edition says what the edition's files say."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.editions import edition_names, load_edition
from server.scoring import Hand, score

DOCS = Path(__file__).parents[2] / "docs" / "editions"


@pytest.mark.parametrize("name", edition_names())
def test_the_page_repeats_every_rule_and_ruling(name: str) -> None:
    """Each edition has a page with the wording of all rules, all rulings, and all settings by name."""
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    edition = load_edition(name)
    for rule in edition.rules:
        assert f"| {rule.key} | {rule.name} | {rule.text} |" in page
    for ruling in edition.rulings:
        assert ruling.text in page
    for setting in edition.settings:
        assert f"`{setting.name}`" in page


def test_the_example_of_the_eurocg_page_is_what_the_engine_says() -> None:
    """The worked deck on the page is scored line by line as printed there."""
    page = (DOCS / "eurocg-2026.md").read_text(encoding="utf-8")
    (hand,) = score(load_edition("eurocg-2026"), [Hand("Ada", {"red": 4, "blue": 1, "rule-7": 1})]).hands
    for line in hand.lines:
        assert f"| {line.rule or 'cards'} | {line.points} | {line.text} |" in page
    assert f"| | **{hand.score}** | |" in page
