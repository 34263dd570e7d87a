"""`haggle balance`: tables, JSON, plots, and errors in one line."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from server.editions import load_edition
from tests.cli.conftest import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Haggle, Refused


def test_tables_show_spread_and_rules(haggle: Haggle) -> None:
    out = haggle("balance", "sackson-1969", "--games", "3").out
    assert "Sackson’s Haggle. Games: 3. Players: 8." in out
    assert "what every rule does. Games with and without it: 3." in out
    assert "by the seed “balance”." in out
    assert ": this rule only informs" in out
    lines = out.splitlines()
    assert sum(line.split()[:1] in (["start"], ["traded"]) for line in lines) == 2
    assert sum(line.split()[:1] == [str(rule)] for rule in range(1, 16) for line in lines) == 15
    assert max(len(line) for line in lines) <= 80


def test_the_most_effective_rules_are_shown(haggle: Haggle) -> None:
    out = haggle("balance", "tarot-fr", "--games", "1", "--language", "en").out
    assert "the 30 of 169 rules that do most" in out
    assert "Nobody chooses a rule to cancel." in out


def test_the_json_is_reproducible_with_a_seed(haggle: Haggle) -> None:
    first, same, other = (
        haggle("balance", "eurocg-2026", "--games", "1", "--seed", seed, "--json").document for seed in "aab"
    )
    assert first == same != other
    rest = ["start", "traded", "rule_games", "cards", "rules"]
    assert list(first) == ["edition", "players", "games", "seed", "assumed", *rest]
    assert first["start"]["hands"] == first["players"] == 23
    assert list(first["rules"][0]) == ["rule", "changes", "gives", "lines", "puts_out"]


def test_plots_are_written(tmp_path: Path, haggle: Haggle) -> None:
    """Two plots, each as SVG and PNG; bars of different heights in both inks, and a bar for each rule."""
    folder = tmp_path / "new" / "plots"
    assert str(folder / "scores.svg") in haggle("balance", "eurocg-2026", "--games", "2", "--plots", folder).err
    assert sorted(path.name for path in folder.iterdir()) == ["rules.png", "rules.svg", "scores.png", "scores.svg"]
    for name in ("scores", "rules"):
        with Image.open(folder / f"{name}.png") as picture:
            assert picture.width == 1280
            assert (31, 78, 140) in {colour for _, colour in picture.getcolors(1 << 20) or []}
        root = ET.fromstring((folder / f"{name}.svg").read_text(encoding="utf-8"))  # noqa: S314 - our own file
        texts = [(element.text or "").strip() for element in root.iter() if element.tag.endswith("text")]
        assert any("EuroCG 2026" in text for text in texts)
        assert [element.text in texts for element in root if element.tag.endswith("title")] == [True]
        if name == "rules":
            rules = load_edition("eurocg-2026").rules
            assert [text for text in texts if text.startswith("rule ")] == [f"rule {rule.key}" for rule in rules]


@pytest.mark.parametrize(
    ("edition", "language", "words"),
    [
        (
            "lighthouse",
            "de",
            "Diagramme: |Spiele: 1. Spieler: |Mittel|was jede Regel tut|Für jeden Spieler ausgelost: |gibt",
        ),
        (
            "lighthouse",
            "fr",
            "Graphiques\u202f: |Parties\u202f: 1. Joueurs\u202f: |moy.|l’effet de chaque règle|Tiré au sort|donne",
        ),
        ("sackson-1969", "fr", "Graphiques\u202f: |Parties\u202f: 1. Joueurs\u202f: |moy.|donne"),
    ],
)
def test_all_output_is_translated(edition: str, language: str, words: str, tmp_path: Path, haggle: Haggle) -> None:
    """Tables, random assumptions, and plots; nothing is cut off at 80 columns."""
    options = ["--editions", EXAMPLES, "--games", "1", "--language", language, "--plots", tmp_path]
    output = haggle("balance", edition, *options)
    assert not [word for word in words.split("|") if word not in output.err + output.out]
    assert "…" not in output.out
    assert max(len(line) for line in output.out.splitlines()) <= 80
    plots = "".join((tmp_path / f"{name}.svg").read_text(encoding="utf-8") for name in ("scores", "rules"))
    assert not any(word in plots + output.out for word in ("Games", "Players", "rule ", "starting", "seed", "Hands"))


def test_randomly_drawn_parts_are_named(haggle: Haggle) -> None:
    options = ("--editions", EXAMPLES, "--games", "1")
    assert (
        "Each card lies in a part drawn at random: Market, Store, Palace." in haggle("balance", "caravan", *options).out
    )
    assumed = haggle("balance", "lighthouse", *options, "--json").document["assumed"]
    assert "Drawn at random for each player: Did the player greet the keeper? no, yes." in assumed


def test_an_error_in_a_rule_is_one_line_with_its_location(tmp_path: Path, refused: Refused) -> None:
    shutil.copytree(EXAMPLES / "mosaic", tmp_path / "mosaic")
    rules = tmp_path / "mosaic" / "rules.py"
    text = rules.read_text(encoding="utf-8").replace("times = best", "times = 1 // (n.row - 4) and best")
    rules.write_text(text, encoding="utf-8")
    line = next(index for index, row in enumerate(text.splitlines(), 1) if "n.row - 4" in row)
    output = refused("balance", "mosaic", "--editions", tmp_path, "--games", "1")
    assert output.startswith(f"haggle: {rules}:{line}: rule 1 fails: ")


def test_a_plot_with_a_single_bar_is_possible(tmp_path: Path, haggle: Haggle) -> None:
    assert haggle("balance", "sackson-1969", "--players", "1", "--games", "1", "--plots", tmp_path).code == 0
    assert (tmp_path / "scores.png").exists()


def test_errors_are_one_line(tmp_path: Path, refused: Refused, haggle: Haggle) -> None:
    for words, message in (
        (["nope"], "unknown edition 'nope' (known: "),
        (["eurocg-2026", "--games", "0"], "Invalid value for '--games': 0 is not in the range 1<=x<=10000."),
    ):
        assert message in refused("balance", *words)
    (tmp_path / "file").write_text("taken", encoding="utf-8")
    output = haggle("balance", "sackson-1969", "--games", "1", "--json", "--plots", tmp_path / "file")
    assert (output.code, output.err.count("\n")) == (2, 1)
    assert "file: File exists; name a folder for the plots" in output.err
