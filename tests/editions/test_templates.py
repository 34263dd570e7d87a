"""Cards and groups that are written once for many values, and what variants leave out or replace."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from server.editions.lint import lint_edition
from server.editions.loader import read_edition
from server.editions.uploads import check_upload, unpack_upload
from server.scoring import EditionError, Hand, score

DOCS = Path(__file__).parents[2] / "docs" / "editions.md"
HEAD = """
slug = "pack"
title.en = "Pack"
summary.en = "For tests."
players = { min = 2, max = 9 }
categories = [
  { slug = "playing-card", name.en = "Cards", each = 6, valued = true },
  { slug = "rule", name.en = "Rules", each = 1 },
]
"""
RULES = """
[[rules]]
key = "1"
name.en = "Runs"
text.en = "Each card of a run in hearts brings 10, and each different rank 100."
lists = { ranks = ["rank-{rank}"] }
wording_only = []
give = "10 * longest_run(hearts) + 100 * kinds(ranks) + 1000 * rank_king"
says.line.en = "Runs."

[[rulings]]
rule = "1"
text.en = "An ace is low."

[[rulings]]
name = "gaps"
text.en = "No gaps."
"""


TEMPLATE = '[[cards]]\nslug = "{suit}-{rank}-more"\ncategory = "playing-card"\nname.en = "More"\n'


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Write an edition with the cards of the documentation, and return its folder."""
    text = DOCS.read_text(encoding="utf-8").partition("pack of 52 playing cards:\n\n")[2]
    template = dedent(text.partition("\n`{rank}`")[0])
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "edition.toml").write_text(HEAD + template + RULES, encoding="utf-8")
    return tmp_path / "pack"


def variant(pack: Path, text: str) -> Path:
    """Write a variant of the pack, and return its folder."""
    folder = pack.parent / "less"
    folder.mkdir(exist_ok=True)
    (folder / "edition.toml").write_text(
        f'slug = "less"\nextends = "pack"\ntitle.en = "Less"\n{text}', encoding="utf-8"
    )
    return folder


def test_a_template_is_a_card_for_each_value(pack: Path) -> None:
    edition = read_edition(pack, None)
    assert [kind.slug for kind in edition.kinds][:3] == ["clubs-ace", "clubs-2", "clubs-3"]
    assert len(edition.kinds) == 52 + 1
    queen = edition.kind_of["hearts-queen"]
    assert (queen.name, queen.motif, edition.worths["hearts-queen"]) == ("Queen of hearts", "coeur-dame", 10)
    assert edition.group_of["rank-7"].kinds == ("clubs-7", "diamonds-7", "hearts-7", "spades-7")
    cards = {"hearts-2": 1, "hearts-3": 1, "hearts-5": 1, "clubs-3": 2, "clubs-king": 1}
    assert score(edition, [Hand("Ada", cards)]).hands[0].score == 2 + 3 + 5 + 6 + 10 + 20 + 400 + 1000


def test_an_upload_may_have_templates_for_a_limited_number_of_cards(pack: Path) -> None:
    text = (pack / "edition.toml").read_text(encoding="utf-8")
    (found,) = check_upload(unpack_upload(f"{text}{TEMPLATE * 20}".encode())).findings
    assert (found.field, found.detail) == ("cards", "are more than 1000 with those of templates")


def test_other_values_of_a_variant_give_other_cards(pack: Path) -> None:
    edition = read_edition(variant(pack, "values.rank = [7, 8, 9]"), None)
    assert len(edition.kinds) == 12 + 1
    assert score(edition, [Hand("Ada", {"hearts-7": 1})]).hands[0].score == 7 + 10 + 100
    without = read_edition(variant(pack, 'without.cards = ["hearts-2"]'), None)
    assert len(without.kinds) == 51 + 1


def test_a_variant_leaves_rulings_out_and_replaces_them(pack: Path) -> None:
    edition = read_edition(variant(pack, '[[rulings]]\nname = "gaps"\ntext.en = "Gaps."'), None)
    assert [one.text for one in edition.rulings] == ["An ace is low.", "Gaps."]
    assert [one.text for one in read_edition(variant(pack, "without.rulings = [1]"), None).rulings] == ["No gaps."]
    with pytest.raises(EditionError, match=r"edition.toml:4: without.rulings: 'pack' has no '2'; take it out"):
        read_edition(variant(pack, "without.rulings = [2]"), None)


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ('"{suit}-{rank}"', '"{suti}-{rank}"', "{suti}", "there are no values 'suti'; did you mean 'suit'?"),
        ('"{rank_worth}"', '"{rank_value}"', "rank = [", "values.rank: 'ace' has no value; add it"),
        ("2, 3,", "2.5, 3,", "rank = [", 'values.rank: must have numbers, slugs, or tables such as { slug = "jack"'),
        ("2, 3,", "2, " * 300, 'slug = "{suit}-', "is a template of 1244 items (at most 1000)"),
        ('motif = "roi"', 'motif = "king"', "motif = ", "cards.clubs-king.motif: there is no motif"),
    ],
    ids=["unknown", "field", "number", "many", "motif"],
)
def test_a_mistake_in_a_template_has_its_line(pack: Path, old: str, new: str, line: str, sentence: str) -> None:
    text = (pack / "edition.toml").read_text(encoding="utf-8").replace(old, new)
    (pack / "edition.toml").write_text(text, encoding="utf-8")
    found = next(one for one in lint_edition(pack) if not one.hint)
    assert sentence in str(found)
    assert line in text.splitlines()[found.line - 1]
