"""`haggle best`: the contract of its JSON, words for people, and one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli.main import main


def run(*arguments: str) -> int:
    """Run the command and return its exit code."""
    try:
        main(["best", *arguments])
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


def test_the_json_has_the_form_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    """Cards, exact score, whether it is proven, and lines that add up."""
    assert run("eurocg-2026", "--max-cards", "7", "--players", "138", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["cards", "score", "proven", "lines"]
    assert document["cards"] == {"blue": 2, "orange": 4, "rule-3": 1}
    assert (document["score"], document["proven"]) == ("66", True)
    assert sum(int(line["points"]) for line in document["lines"] if not line["void"]) == 66
    assert list(document["lines"][0]) == ["rule", "points", "text", "void", "voided_by"]


def test_people_get_the_cards_the_proof_and_the_breakdown(capsys: pytest.CaptureFixture[str]) -> None:
    """The limits that count stand first; without options they are those of the edition."""
    assert run("sackson-1969") == 0
    out = capsys.readouterr().out
    assert out.startswith("The deck (at most 12 cards, printed for 15 players):\n   4 x Yellow (yellow)\n")
    assert "Proven best: no other deck within these limits scores more." in out
    assert "Best deck: 124" in out


def test_a_deck_that_is_only_found_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is told of a proof."""
    assert run("tarot-fr", "--max-cards", "4", "--starts", "1", "--language", "en") == 0
    out = capsys.readouterr().out
    assert "Best found, not proven: there may be a better deck (random starts: 1)." in out
    assert "Proven" not in out
    assert run("tarot-fr", "--max-cards", "4", "--starts", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["proven"] is False


def test_other_hands_their_settings_and_rules_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in the form of `haggle score`; the deck gets a name of its own."""
    path = tmp_path / "hands.json"
    path.write_text(json.dumps({"hands": [{"player": "Best deck", "cards": {"blue": 5}}]}), encoding="utf-8")
    assert run("sackson-1969", "--max-cards", "2", "--against", str(path)) == 0
    out = capsys.readouterr().out
    assert "Best deck 2: 2" in out
    assert "Best deck handed in 5 blue cards" in out
    path.write_text(json.dumps({"hands": [], "settings": {"blue_base": 50}, "active_rules": [6]}), encoding="utf-8")
    assert run("eurocg-2026", "--max-cards", "3", "--against", str(path), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["cards"], document["score"]) == ({"blue": 3}, "150")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "unknown edition 'nope' (there is "),
        ([], "Missing argument 'EDITION'."),
        (["eurocg-2026", "--players", "0"], "Invalid value for '--players': 0 is not in the range 1<=x<=600."),
        (["eurocg-2026", "--max-cards", "-1"], "Invalid value for '--max-cards': -1 is not in the range 0<=x<=200."),
        (["eurocg-2026", "--language", "xx"], "eurocg-2026 has no texts in 'xx' (it has de, en, fr)"),
        (["eurocg-2026", "--against", "missing.json"], "missing.json: No such file or directory; give a JSON file"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, nothing printed as a result, no traceback."""
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"haggle: {message}")
    assert captured.err.count("\n") == 1


def test_editions_of_the_users_folder_are_searched(capsys: pytest.CaptureFixture[str]) -> None:
    """`--editions DIR` works for the best deck and for the balance as it does for scoring."""
    examples = str(Path(__file__).parents[2] / "examples" / "editions")
    main(["best", "mosaic", "--editions", examples, "--max-cards", "4", "--players", "4", "--starts", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"cards", "score", "proven", "lines"}
    assert 0 < sum(found["cards"].values()) <= 4
    main(["balance", "mosaic", "--editions", examples, "--games", "1", "--players", "4"])
    assert "Mosaic" in capsys.readouterr().out


@pytest.mark.parametrize(("edition", "proven"), [("mosaic", True), ("caravan", False), ("lighthouse", False)])
def test_nothing_is_proven_where_parts_or_facts_count(
    capsys: pytest.CaptureFixture[str], edition: str, *, proven: bool
) -> None:
    """Only cards are tried, so a deck in parts or with facts may score more."""
    examples = str(Path(__file__).parents[2] / "examples" / "editions")
    main(["best", edition, "--editions", examples, "--max-cards", "2", "--players", "4", "--json"])
    assert json.loads(capsys.readouterr().out)["proven"] is proven
