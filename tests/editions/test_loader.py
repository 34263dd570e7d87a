"""Reading an edition's folder: languages, families, groups, phases, variants, hints, and files that change."""

from __future__ import annotations

import ast
import gc
import os
import re
import threading
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from server.editions import edition_names, load_edition
from server.editions.lint import lint_edition
from server.editions.loader import read_edition
from server.editions.registry import editions_from, folder_of
from server.editions.rules_file import parse_module
from server.editions.starter import create_edition
from server.scoring import Hand, Phase, score
from server.scoring.errors import EditionError
from tests.editions.harbour import TOML, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = Path(__file__).parents[2] / "examples" / "editions"


def test_an_edition_in_any_folder_scores_in_its_languages(tmp_path: Path) -> None:
    """Rules have cards; common texts are English if a language lacks them."""
    for own, text in (("en", "Fish"), ("de", "Fisch"), ("it", "Fisch")):
        toml = TOML.replace("de =", "it =") if own == "it" else TOML
        edition = read_edition(written(tmp_path / own, toml=toml), own)
        assert [kind.slug for kind in edition.kinds][:3] == ["fish", "salt", "rule-1"]
        (hand,) = score(edition, [Hand("Ada", {"fish": 2})]).hands
        assert hand.lines[0].text == f"{text}: 2 × 2 = 4."  # noqa: RUF001 - a multiplication sign


def test_unknown_editions_and_languages_are_named_with_those_that_exist(tmp_path: Path) -> None:
    assert all(load_edition(name).slug == name for name in edition_names())
    with pytest.raises(EditionError, match=r"unknown edition 'nope' \(known: .*eurocg-2026.*\)"):
        load_edition("nope")
    with pytest.raises(EditionError, match=r"eurocg-2026 has no texts in 'xx' \(it has .*en"):
        load_edition("eurocg-2026", "xx")
    lacking = written(tmp_path, ('says.line.de = "Salz: {count}."\n', ""))
    with pytest.raises(EditionError, match=r"rules.3.says.line: has no text in 'de' \(it has en\); add says.line.de"):
        read_edition(lacking, "de")


INFORMS = """
[[rules]]
key = "news"
informs = true
name = { en = "News", de = "Neues" }
text = { en = "Fish.", de = "Fisch." }
"""


@pytest.mark.parametrize(
    ("card", "more", "told_by"),
    [
        ("", "", {}),
        ("", INFORMS, {"fish": ("news",), "salt": ("news",)}),
        ('told_by = ["1"]\n', INFORMS, {"fish": ("1",), "salt": ("news",)}),
    ],
)
def test_rules_that_reveal_a_worth_are_known(
    tmp_path: Path, card: str, more: str, told_by: dict[str, tuple[str, ...]]
) -> None:
    toml = TOML.replace('symbol = "drop"\n', f'symbol = "drop"\n{card}') + more
    assert read_edition(written(tmp_path, toml=toml), "en").told_by == told_by


FAMILY = """
[[families]]
name = "lucky"
acts = "holder"
title = { en = "Luck {points}", de = "Glück {points}" }
text = { en = "Each: {points}.", de = "Je: {points}." }
says.worth = { en = "By rule {rule}.", de = "Durch Regel {rule}." }

[[groups]]
slug = "wet"
name = { en = "Wet", de = "Nass" }

[[rules]]
keys = ["a", "b"]
effect = "wet-luck"
family = "lucky"
numbers = { points = 2.5 }
lists = { of = ["wet"] }
"""
LUCKY = """
@book.family("lucky", Phase.BASE)
def lucky(me, n):
    for group in me.rule.lists["of"]:
        for kind in me.kinds(group):
            me.worth(kind, n.points)
"""


def test_cards_of_a_family_share_texts_and_scope(tmp_path: Path) -> None:
    """With their own numbers and decimals."""
    folder = written(tmp_path, ('symbol = "gem"', 'symbol = "gem"\ngroups = ["wet"]'))
    for file, more in (("edition.toml", FAMILY), ("rules.py", LUCKY)):
        (folder / file).write_text((folder / file).read_text(encoding="utf-8") + more, encoding="utf-8")
    edition = read_edition(folder, "de")
    assert [(rule.key, rule.effect, rule.name) for rule in edition.rules][-2:] == [
        ("a", "wet-luck", "Glück 2,5"),
        ("b", "wet-luck", "Glück 2,5"),
    ]
    (result,) = score(edition, [Hand("Ada", {"salt": 1, "rule-a": 1, "rule-b": 1})], active_rules=["a", "b"]).hands
    assert result.score == Fraction(5, 2)
    assert [line.text for line in result.lines] == [
        "Salz: 1 × 2,5 = 2,5. Durch Regel Glück 2,5.",  # noqa: RUF001 - a multiplication sign
        "Gleiche Wirkung wie Regel Glück 2,5: Sie zählt nur einmal.",
    ]
    assert result.lines_in(read_edition(folder, "en"))[0].text == "Salt: 1 × 2.5 = 2.5. By rule Luck 2.5."  # noqa: RUF001 - as above


def test_an_edition_can_order_the_phases_of_points(tmp_path: Path) -> None:
    """Named phases come first, in the given order."""
    assert read_edition(written(tmp_path / "1"), "en").phases == tuple(Phase)
    stated = ('slug = "harbour"', 'slug = "harbour"\nphases = ["deduct", "double"]')
    phases = read_edition(written(tmp_path / "2", stated), "en").phases
    assert phases[:7] == tuple(Phase)[:7]
    assert phases[7:] == (Phase.DEDUCT, Phase.DOUBLE, Phase.OWN, Phase.TABLE, Phase.SHIELD)


def test_a_variant_without_a_card_that_a_rule_names_is_scored(tmp_path: Path) -> None:
    (tmp_path / "pale").mkdir()
    text = 'slug = "pale"\nextends = "eurocg-2026"\ntitle.en = "Pale"\n[without]\ncards = ["pink"]\n'
    (tmp_path / "pale" / "edition.toml").write_text(text, encoding="utf-8")
    edition = read_edition(tmp_path / "pale", None)
    assert edition.absent == {"pink"}
    (hand,) = score(edition, [Hand("Ada", {"red": 2})]).hands
    assert "pink" not in hand.seat.counts("colour")


def test_an_edition_is_reloaded_when_its_files_change(tmp_path: Path) -> None:
    """Files of the extended edition count too. A running server uses the change, or reports its errors."""
    written(tmp_path)
    for name, base in (("pier", "harbour"), ("quay", "pier")):
        create_edition(name, tmp_path, base)
    changes = ("edition.toml", "points = 3", "points = 8"), ("rules.py", "n.points * pairs", "2 * n.points * pairs")
    with editions_from(tmp_path):
        before = [load_edition(name) for name in ("harbour", "pier", "quay")]
        assert all(load_edition(edition.slug) is edition for edition in before)
        found = []
        for moment, (file, old, new) in enumerate((*changes, ("edition.toml", 'slug = "harbour"', "slug = "))):
            path = tmp_path / "harbour" / file
            path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
            os.utime(path, ns=(moment, moment))
            for edition in before if moment < len(changes) else ():
                (hand,) = score(
                    load_edition(edition.slug), [Hand("Ada", {"fish": 1, "salt": 1})], provisional=False
                ).hands
                found.append(next(line.points for line in hand.lines if line.rule == "1"))
        assert found == [8, 8, 8, 16, 16, 16]
        for edition in before:
            with pytest.raises(EditionError, match=r"harbour.edition\.toml:1: "):
                load_edition(edition.slug)


# The template of a new variant, with hints about the extended edition

NAMES = ["eurocg-2026", "sackson-1969", *sorted(file.parent.name for file in EXAMPLES.glob("*/edition.toml"))]
HINT = re.compile(r"^#(?=\S)", re.MULTILINE)


@pytest.mark.parametrize("name", [*NAMES, pytest.param("tarot-fr", marks=pytest.mark.thorough)])
def test_all_hints_of_a_new_variant_give_the_extended_edition(name: str, tmp_path: Path) -> None:
    with editions_from(EXAMPLES):
        file = create_edition("mine", tmp_path, name) / "edition.toml"
        base = read_edition(folder_of(name), None)
        file.write_text(HINT.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
        assert lint_edition(file.parent) == []
        mine = read_edition(file.parent, None)
    for field in ("players_min", "players_max", "deal", "settings"):
        assert getattr(mine, field) == getattr(base, field), field
    remaining = [rule for rule in base.rules if rule.key in mine.rule_of]
    assert len(remaining) == len(base.rules) - 1
    assert [(rule.key, rule.numbers) for rule in mine.rules] == [(rule.key, rule.numbers) for rule in remaining]


def test_each_hint_alone_is_valid_and_of_the_edition_extended(tmp_path: Path) -> None:
    file = create_edition("mine", tmp_path, "tarot-fr") / "edition.toml"
    text = file.read_text(encoding="utf-8")
    assert "#players = { min = 35, max = 70 }" in text
    assert '#slug = "token"\n#each_kind = 3' in text
    assert "#numbers = { fine = 15, points = 10 }" in text
    assert "colour" not in text
    blocks = [block for block in text.split("\n\n") if HINT.search(block)]
    assert len(blocks) >= 4
    for block in blocks:
        file.write_text(text.replace(block, HINT.sub("", block)), encoding="utf-8")
        assert read_edition(file.parent, None).slug == "mine"


# Concurrent loading of editions in a new server


@contextmanager
def _others(work: Callable[[], object]) -> Iterator[list[threading.Thread]]:
    """Let three threads do some work while this one is in the middle of its own; yield these threads.

    Frequent garbage collections let threads switch in the middle of a parse.
    """
    threads: list[threading.Thread] = []
    mine = threading.current_thread()

    def turn(phase: str, _: object) -> None:
        if phase == "start" and len(threads) < 3 and threading.current_thread() is mine:
            threads.append(threading.Thread(target=work))
            threads[-1].start()
            threads[-1].join(0.05)

    usual = gc.get_threshold()
    gc.callbacks.append(turn)
    gc.set_threshold(50)
    try:
        yield threads
    finally:
        gc.set_threshold(*usual)
        gc.callbacks.remove(turn)
        for thread in threads:
            thread.join()


def test_editions_can_be_parsed_in_several_threads() -> None:
    code = Path("tests/editions/eurocg_functions.py").read_bytes()
    with _others(lambda: parse_module(code)) as others:
        tree = parse_module(code)
    assert others
    assert ast.dump(tree) == ast.dump(ast.parse(code))
