"""The page of an edition says what the edition's files say."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.editions import edition_names, load_edition

DOCS = Path(__file__).parents[2] / "docs" / "editions"


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
