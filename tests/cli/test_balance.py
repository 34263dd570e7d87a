"""`haggle balance`: tables, JSON and plots, and one line for every mistake."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from server.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


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
    assert "Sackson's Haggle: 3 games of 8 players" in out
    assert "every rule: 3 games with and without it" in out
    lines = out.splitlines()
    assert sum(line.split()[:1] in (["start"], ["traded"]) for line in lines) == 2
    assert sum(line.split()[:1] == [str(rule)] for rule in range(1, 16) for line in lines) == 15
    assert max(len(line) for line in lines) <= 80


def test_of_many_rules_those_are_shown_that_do_most(capsys: pytest.CaptureFixture[str]) -> None:
    """The tarot edition: 30 rules in the table, all in the JSON."""
    assert run("tarot-fr", "--games", "1") == 0
    assert "the 30 of 169 rules that do most" in capsys.readouterr().out
    assert run("tarot-fr", "--games", "1", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["rules"]) == 169


def test_the_json_repeats_with_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed gives the same figures, another seed others; they are plain data."""
    found = []
    for seed in ("a", "a", "b"):
        assert run("eurocg-2026", "--games", "1", "--seed", seed, "--json") == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1] != found[2]
    assert list(found[0]) == ["edition", "players", "games", "start", "traded", "rule_games", "rules"]
    assert found[0]["start"]["hands"] == found[0]["players"] == 23
    assert list(found[0]["rules"][0]) == ["rule", "changes", "gives", "puts_out"]


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
        if name == "rules":
            assert [text for text in texts if text.startswith("rule ")] == [f"rule {n}" for n in range(1, 24)]


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
