"""`haggle best`: the contract of its JSON, words for people, and one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli.main import main

EXAMPLES = str(Path(__file__).parents[2] / "examples" / "editions")


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
    limits = "The best deck. Cards at most: 12. Printed for this number of players: 15."
    assert out.startswith(f"{limits}\n   4 x Yellow (yellow)\n")
    assert "Proven best: no other deck within these limits scores more." in out
    assert "Haggle: 124" in out


def test_a_deck_that_is_only_found_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is told of a proof."""
    assert run("tarot-fr", "--max-cards", "4", "--starts", "1", "--language", "en") == 0
    out = capsys.readouterr().out
    assert "Best found, not proven: there may be a better deck. Starts of the search: 1." in out
    assert "Proven" not in out
    assert run("tarot-fr", "--max-cards", "4", "--starts", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["proven"] is False


def test_other_hands_their_settings_and_rules_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in the form of `haggle score`; the deck gets a name of its own."""
    path = tmp_path / "hands.json"
    path.write_text(json.dumps({"hands": [{"player": "Haggle", "cards": {"blue": 5}}]}), encoding="utf-8")
    assert run("sackson-1969", "--max-cards", "2", "--against", str(path)) == 0
    out = capsys.readouterr().out
    assert "Haggle 2: 2" in out
    assert "Haggle (5)" in out
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
    main(["best", "mosaic", "--editions", EXAMPLES, "--max-cards", "4", "--players", "4", "--starts", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"cards", "score", "proven", "lines"}
    assert 0 < sum(found["cards"].values()) <= 4
    main(["balance", "mosaic", "--editions", EXAMPLES, "--games", "1", "--players", "4"])
    assert "Mosaic" in capsys.readouterr().out


def test_cards_are_laid_into_parts_and_facts_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON says where the cards lie and what was entered; both go into `haggle score`, which counts the same."""
    main(["best", "caravan", "--editions", EXAMPLES, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["cards", "parts", "score", "proven", "lines"]
    assert (found["score"], found["proven"]) == ("42", True)
    assert found["parts"]["market"] == {"salt": 1, "silk": 1, "figs": 1, "amber": 1}
    assert sum(sum(part.values()) for part in found["parts"].values()) == sum(found["cards"].values())
    main(["best", "lighthouse", "--editions", EXAMPLES, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["cards", "facts", "score", "proven", "lines"]
    assert (found["cards"], found["facts"]) == ({"ship": 6, "lamp": 3}, {"partners": 10, "greeted": True})
    assert (found["score"], found["proven"]) == ("26", True)


def test_facts_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    """A given fact stands fast and the others are chosen; people read which is which."""
    given = ["--fact", "partners=3"]
    main(["best", "lighthouse", "--editions", EXAMPLES, *given])
    out = capsys.readouterr().out
    assert "With how many people did the player trade? 3 (as given)." in out
    assert "Did the player greet the keeper? yes (chosen; possible: no, yes)." in out
    assert "Haggle: 22.5" in out
    main(["best", "lighthouse", "--editions", EXAMPLES, *given, "--fact", "greeted=no", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["facts"], found["score"]) == ({"partners": 3, "greeted": False}, "18.5")


@pytest.mark.parametrize(
    ("edition", "entries", "message"),
    [
        ("lighthouse", ["partners"], "--fact partners: write it as NAME=VALUE"),
        ("lighthouse", ["partners=41"], "--fact partners=41: must be a whole number from 0 to 40"),
        ("lighthouse", ["partners=-1"], "--fact partners=-1: must be a whole number from 0 to 40"),
        ("lighthouse", ["partners=ten"], "--fact partners=ten: must be a whole number from 0 to 40"),
        ("lighthouse", ["greeted=1"], "--fact greeted=1: must be yes or no"),
        ("lighthouse", ["greeted=no", "greeted=yes"], "--fact greeted=yes: greeted was given before"),
        ("lighthouse", ["luck=1"], "--fact luck=1: lighthouse asks for no fact 'luck' (it asks for partners, greeted)"),
        ("mosaic", ["luck=1"], "--fact luck=1: mosaic asks for no fact 'luck' (it asks for none)"),
    ],
)
def test_wrong_facts_are_one_line(
    edition: str, entries: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and what may be entered."""
    assert run(edition, "--editions", EXAMPLES, *(part for entry in entries for part in ("--fact", entry))) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"haggle: {message}")
    assert error.count("\n") == 1


@pytest.mark.parametrize(("text", "mistake"), [("{", "not JSON: "), ('{"hands": [{"cards": {}}]}', "hand 1: player: ")])
def test_mistakes_in_the_other_hands_name_the_file(
    text: str, mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file stands first, then the place in it."""
    path = tmp_path / "others.json"
    path.write_text(text, encoding="utf-8")
    assert run("eurocg-2026", "--against", str(path)) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"haggle: {path}: {mistake}")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ["Das beste Deck. Karten höchstens: 3.", "Markt:", "Bewiesen: Kein anderes", "Haggle: 17"]),
        ("fr", ["Cartes au plus\u00a0: 3.", "Marché\u00a0:", "Prouvé\u00a0: aucun autre", "Haggle\u00a0: 17"]),
    ],
)
def test_everything_is_said_in_the_language(
    language: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """No English is left around the table, and the deck's name, on which draws depend, is the same."""
    main(["best", "caravan", "--editions", EXAMPLES, "--max-cards", "3", "--language", language])
    out = capsys.readouterr().out
    assert all(word in out for word in words)
    assert not any(word in out for word in ("best deck", "Proven", "Market", "Cards at most"))
