"""`haggle balance`: tables, JSON and plots, and one line for every mistake."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from server.cli.main import main

REST = ["start", "traded", "rule_games", "cards", "rules"]
EXAMPLES = str(Path(__file__).parents[2] / "examples" / "editions")


def run(*arguments: str) -> int:
    """Run the command and return its exit code."""
    try:
        main(["balance", *arguments])
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


def test_tables_show_spread_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """Starting hands and traded hands, and every rule of a small edition, within 80 columns."""
    assert run("sackson-1969", "--games", "3") == 0
    out = capsys.readouterr().out
    assert "Sackson's Haggle. Games: 3. Players: 8." in out
    assert "what every rule does. Games with and without it: 3." in out
    assert "by the seed “balance”." in out
    assert ": this rule only tells something" in out
    lines = out.splitlines()
    assert sum(line.split()[:1] in (["start"], ["traded"]) for line in lines) == 2
    assert sum(line.split()[:1] == [str(rule)] for rule in range(1, 16) for line in lines) == 15
    assert max(len(line) for line in lines) <= 80


def test_of_many_rules_those_are_shown_that_do_most(capsys: pytest.CaptureFixture[str]) -> None:
    """The tarot edition: 30 rules in the table, all in the JSON."""
    assert run("tarot-fr", "--games", "1", "--language", "en") == 0
    out = capsys.readouterr().out
    assert "the 30 of 169 rules that do most" in out
    assert "Nobody chooses a rule to cancel." in out
    assert run("tarot-fr", "--games", "1", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["rules"]) == 169


def test_the_json_repeats_with_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed gives the same figures, another seed others; they are plain data."""
    found = []
    for seed in ("a", "a", "b"):
        assert run("eurocg-2026", "--games", "1", "--seed", seed, "--json") == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1] != found[2]
    assert list(found[0]) == ["edition", "players", "games", "seed", "assumed", *REST]
    assert found[0]["start"]["hands"] == found[0]["players"] == 23
    assert list(found[0]["rules"][0]) == ["rule", "changes", "gives", "lines", "puts_out"]


def test_plots_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two plots, each as SVG and PNG; bars of different heights in both inks, and a bar for each rule."""
    folder = tmp_path / "new" / "plots"
    assert run("eurocg-2026", "--games", "2", "--plots", str(folder)) == 0
    assert str(folder / "scores.svg") in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["rules.png", "rules.svg", "scores.png", "scores.svg"]
    for name in ("scores", "rules"):
        with Image.open(folder / f"{name}.png") as picture:
            assert picture.width == 1280
            colours = {colour for _, colour in picture.getcolors(1 << 20) or []}
        assert (31, 78, 140) in colours
        root = ET.fromstring((folder / f"{name}.svg").read_text(encoding="utf-8"))  # noqa: S314 - our own file
        texts = [(element.text or "").strip() for element in root.iter() if element.tag.endswith("text")]
        assert any("EuroCG 2026" in text for text in texts)
        (title,) = [element.text for element in root if element.tag.endswith("title")]
        assert title in texts
        assert not [element for element in root if element.tag.endswith("desc")]
        if name == "rules":
            assert [text for text in texts if text.startswith("rule ")] == [f"rule {n}" for n in range(1, 24)]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ["Spiele: 1. Personen: ", "Mittel", "was jede Regel tut", "Für jede Person ausgelost: ", "gibt"]),
        ("fr", ["Parties\u00a0: 1. Joueurs\u00a0: ", "moy.", "l'effet de chaque règle", "Tiré au sort pour ", "donne"]),
    ],
)
@pytest.mark.parametrize("edition", ["lighthouse", "sackson-1969", "tarot-fr"])
def test_everything_is_said_in_the_language(
    edition: str, language: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tables, what was drawn, and plots; nothing is cut off at 80 columns."""
    options = ["--editions", EXAMPLES, "--games", "1", "--language", language]
    assert run(edition, *options, "--plots", str(tmp_path)) == 0
    out, notes = capsys.readouterr()
    assert notes.startswith({"de": "Diagramme: ", "fr": "Graphiques\u00a0: "}[language])
    asked = [
        word for word in words if edition == "lighthouse" or not word.startswith(("Für jede", "Tiré", "was", "l'"))
    ]
    assert all(word in out for word in asked)
    assert "…" not in out
    assert max(len(line) for line in out.splitlines()) <= 80
    plots = "".join((tmp_path / f"{name}.svg").read_text(encoding="utf-8") for name in ("scores", "rules"))
    assert not any(word in plots + out for word in ("Games", "Players", "rule ", "starting", "seed", "Hands"))


def test_parts_that_are_drawn_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """People read what the figures assume; in JSON it stands as sentences."""
    assert run("caravan", "--editions", EXAMPLES, "--games", "1") == 0
    assert "Each card lies in a part drawn at random: Market, Store, Palace." in capsys.readouterr().out
    assert run("lighthouse", "--editions", EXAMPLES, "--games", "1", "--json") == 0
    assumed = json.loads(capsys.readouterr().out)["assumed"]
    assert "Drawn at random for each player: Did the player greet the keeper? no, yes." in assumed


def test_a_rule_that_fails_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the author's file and line, as `haggle score` does."""
    shutil.copytree(Path(EXAMPLES) / "lighthouse", tmp_path / "lighthouse")
    rules = tmp_path / "lighthouse" / "rules.py"
    text = rules.read_text(encoding="utf-8").replace(
        'ships = me.has("ship")', 'ships = me.has("ship") // (n.limit - 2)'
    )
    rules.write_text(text, encoding="utf-8")
    line = next(place for place, row in enumerate(text.splitlines(), 1) if "n.limit - 2" in row)
    assert run("lighthouse", "--editions", str(tmp_path), "--games", "1") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"haggle: {rules}:{line}: rule storm fails: ")
    assert captured.err.count("\n") == 1


def test_one_player_and_hands_that_are_all_alike_are_plotted_too(tmp_path: Path) -> None:
    """A single score is a single bar."""
    assert run("sackson-1969", "--players", "1", "--games", "1", "--plots", str(tmp_path)) == 0
    assert (tmp_path / "scores.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "unknown edition 'nope' (there is "),
        (["eurocg-2026", "--games", "0"], "Invalid value for '--games': 0 is not in the range 1<=x<=10000."),
        (
            ["sackson-1969", "--games", "1", "--json", "--plots", "file"],
            "file: File exists; name a folder for the plots",
        ),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 2 and what to do."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("taken", encoding="utf-8")
    assert run(*arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"haggle: {message}")
    assert error.count("\n") == 1
