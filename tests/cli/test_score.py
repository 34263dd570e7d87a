"""`haggle score`: the contract of its JSON, tables for people, and one line for every mistake."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.cli.main import main
from server.scoring.wire import MAX_HANDS

ROOT = Path(__file__).parents[2]
HANDS: dict[str, Any] = {
    "hands": [
        {
            "player": "Ada",
            "cards": {"red": 4, "blue": 1, "rule-7": 1},
            "handed_in": "2026-03-27T11:58:00Z",
            "facts": {},
        },
        {"player": "Bob [bold]", "cards": {"orange": 8, "rule-5": 7}},
        {"player": "Eve", "cards": {}},
        {"player": "Dan", "cards": {}, "handed_in": "2026-03-27T11:59:00Z"},
    ],
    "settings": {"blue_base": 1, "seed": "any text"},
}


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """Write a small game's hands into a file."""
    path = tmp_path / "hands.json"
    path.write_text(json.dumps(HANDS), encoding="utf-8")
    return path


def run(*arguments: str) -> int:
    """Run the command and return its exit code."""
    try:
        main(list(arguments))
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


def test_the_help_names_the_most_hands(capsys: pytest.CaptureFixture[str]) -> None:
    """The limit that an input is held to."""
    assert run("score", "--help") == 0
    assert f"at most {MAX_HANDS:,} of them" in " ".join(capsys.readouterr().out.split())


def test_the_json_has_the_form_of_the_contract(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hands in rank order, exact points as text, lines that add up, every field present."""
    assert run("score", "eurocg-2026", str(hands), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["edition", "hands"]
    assert document["edition"] == "eurocg-2026"
    assert [(hand["player"], hand["score"], hand["rank"], hand["decided_by"]) for hand in document["hands"]] == [
        ("Ada", "42", 1, None),
        ("Bob [bold]", "5", 2, None),
        ("Dan", "0", 3, "earlier-hand-in"),
        ("Eve", "0", 4, "earlier-hand-in"),
    ]
    for hand in document["hands"]:
        assert list(hand) == ["player", "score", "rank", "eliminated", "decided_by", "lines"]
        assert hand["eliminated"] is False
        assert sum(int(line["points"]) for line in hand["lines"] if not line["void"]) == int(hand["score"])
        for line in hand["lines"]:
            assert list(line) == ["rule", "points", "text", "void", "voided_by"]
    assert document["hands"][0]["lines"][0] == {
        "rule": None,
        "points": "8",
        "text": "Red: 4 × 2 = 8. Base value by rule 5: 42 − 40 = 2.",  # noqa: RUF001 - signs of arithmetic
        "void": False,
        "voided_by": None,
    }
    void = [line for line in document["hands"][1]["lines"] if line["void"]]
    assert [(line["rule"], line["points"], line["voided_by"]) for line in void] == [(None, "24", "12")]


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_hands_come_from_standard_input(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a file, and with a dash, standard input is read."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(HANDS).encode())))
    assert run("score", "eurocg-2026", *arguments, "--json") == 0
    assert json.loads(capsys.readouterr().out)["hands"][0]["score"] == "42"


def test_settings_and_active_rules_count(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A blue base of 5 gives Ada 4 more; with rules 5 and 6 alone only cards count."""
    hands.write_text(json.dumps(HANDS | {"settings": {"blue_base": 5}}), encoding="utf-8")
    run("score", "eurocg-2026", str(hands), "--json")
    assert json.loads(capsys.readouterr().out)["hands"][0]["score"] == "46"
    hands.write_text(json.dumps(HANDS | {"active_rules": [5, 6]}), encoding="utf-8")
    run("score", "eurocg-2026", str(hands), "--json")
    assert json.loads(capsys.readouterr().out)["hands"][0]["score"] == "9"


def test_the_table_is_readable_without_colour(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ranking first, then each hand; void lines say so in words; nothing is wider than 80 columns."""
    assert run("score", "eurocg-2026", str(hands)) == 0
    out = capsys.readouterr().out
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[:4] == [
        "EuroCG 2026",
        "Rank  Player      Score  Tie decided by",
        "   1  Ada            42",
        "   2  Bob [bold]      5",
    ]
    assert "   3  Dan             0  earlier hand-in" in lines
    assert max(len(line) for line in lines) <= 80
    assert "\x1b" not in out
    assert "cards      +8  Red: 4 × 2 = 8. Base value by rule 5: 42 − 40 = 2." in lines  # noqa: RUF001 - arithmetic
    assert any(line.startswith("cards    void  Orange: 8 × 3 = 24.") for line in lines)  # noqa: RUF001 - arithmetic
    assert "set by the organiser" in out
    assert "Base value of blue cards (rule 6): 1." in out


def test_a_game_without_hands_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty list of hands is no mistake."""
    path = tmp_path / "none.json"
    path.write_text('{"hands": []}', encoding="utf-8")
    assert run("score", "eurocg-2026", str(path)) == 0
    assert "No hands." in capsys.readouterr().out
    assert run("score", "eurocg-2026", str(path), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"edition": "eurocg-2026", "hands": []}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"hands": [{"player": "A", "cards": {"purple": 1}}]}',
            "A (hand 1): cards.purple: eurocg-2026 has no such card (it",
        ),
        ('{"hands": [{"player": "A", "cards": {"red": -1}}]}', "A (hand 1): cards.red: must be at least 0, not -1"),
        (
            '{"hands": [{"player": "A", "cards": {}}, {"player": "B", "cards": {"red": "4"}}]}',
            "B (hand 2): cards.red: ",
        ),
        ('{"hands": [{"player": "A\\n", "cards": {"red": -1}}]}', "hand 1: cards.red: must be at least 0"),
        ('{"hands": [{"player": 7, "cards": {}}]}', "hand 1: player: must be text, not 7"),
        ('{"hands": [{"cards": {"red": 1}}]}', "hand 1: player: is missing"),
        ('{"hands": [1]}', "hand 1: must be an object, not 1"),
        ('{"hands": [{"player": "' + "x" * 41 + '", "cards": 1}]}', "x" * 39 + "… (hand 1): cards: must be an object"),
        ('{"hands": 1}', "hands: must be a list, not 1"),
        ("[]", "input: must be an object, not a list"),
        ("{", "not JSON: "),
        (
            '{"hands": [{"player": "A", "cards": {}}, {"player": "A", "cards": {}}]}',
            'A (hand 2): player: "A" stands twice (hand no. 1 has',
        ),
    ],
)
def test_bad_hands_are_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    """The line names the place; nothing is printed as a result."""
    path = tmp_path / "hands.json"
    path.write_text(text, encoding="utf-8")
    assert run("score", "eurocg-2026", str(path), "--json") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"haggle: {path}: {message}")
    assert captured.err.count("\n") == 1


def test_unknown_editions_and_unreadable_files_are_one_line(
    hands: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Edition, missing file, folder, and a name that no file can have."""
    for arguments, message in [
        (["nope", str(hands)], "unknown edition 'nope' (there is"),
        (["eurocg-2026", str(tmp_path / "missing")], f"{tmp_path / 'missing'}: No such file or directory"),
        (["eurocg-2026", str(tmp_path)], f"{tmp_path}: Is a directory"),
        (["eurocg-2026", "a\0b"], "a\0b: not a file name"),
        ([], "Missing argument 'EDITION'."),
    ]:
        assert run("score", *arguments) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"haggle: {message}")
        assert error.count("\n") == 1


def test_a_terminal_without_the_characters_still_gets_its_table(hands: Path) -> None:
    """An ASCII output shows a stand-in for what it lacks, and the JSON is plain ASCII anyway."""
    hands.write_text(json.dumps({"hands": [{"player": "Zoë", "cards": {"red": 1}}]}), encoding="utf-8")
    for more in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "server", "score", "eurocg-2026", str(hands), *more],
            cwd=ROOT,
            env={"PYTHONIOENCODING": "ascii"},
            capture_output=True,
            check=True,
        )
        assert done.stdout.isascii()
        assert done.stderr == b""


SACKSON = {"hands": [{"player": "Ada", "cards": {"red": 3}}, {"player": "Bob", "cards": {"blue": 7}}]}


def test_an_eliminated_hand_has_no_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON says null and true, the table says it in words."""
    path = tmp_path / "hands.json"
    path.write_text(json.dumps(SACKSON), encoding="utf-8")
    assert run("score", "sackson-1969", str(path), "--json") == 0
    ada, bob = json.loads(capsys.readouterr().out)["hands"]
    assert (ada["score"], ada["rank"], ada["eliminated"]) == ("18", 1, False)
    assert (bob["score"], bob["rank"], bob["eliminated"]) == (None, 2, True)
    assert [line["rule"] for line in bob["lines"]] == ["9"]
    run("score", "sackson-1969", str(path))
    assert "Bob: eliminated" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Rank  Player", "cards      +9  Red: 3 × 3 = 9.", "Void by rule 7."]),  # noqa: RUF001 - arithmetic
        ("de", ["Platz  Name", "Karten        +9  Rot: 3 × 3 = 9.", "Ungültig durch Regel 7.", "ungültig"]),  # noqa: RUF001 - arithmetic
        ("fr", ["Rang  Nom", "cartes      +9  Rouge : 3 × 3 = 9.", "Ligne annulée (règle 7).", "annulé"]),  # noqa: RUF001 - arithmetic
    ],
)
def test_the_table_speaks_the_language_asked_for(
    language: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Headings, cards and sentences, all in one language."""
    path = tmp_path / "hands.json"
    game = {"hands": [SACKSON["hands"][0], {"player": "Bob", "cards": {"blue": 5}}]}
    path.write_text(json.dumps(game), encoding="utf-8")
    assert run("score", "sackson-1969", str(path), "--language", language) == 0
    out = " ".join(capsys.readouterr().out.split())
    for word in words:
        assert " ".join(word.split()) in out


def test_an_unknown_language_is_one_line(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and the languages that there are."""
    assert run("score", "eurocg-2026", str(hands), "--language", "xx") == 2
    assert capsys.readouterr().err == "haggle: eurocg-2026 has no texts in 'xx' (it has de, en, fr)\n"


def test_the_tarot_edition_speaks_french_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a language the edition's own is taken; halves are a comma in the table and a point in JSON."""
    path = tmp_path / "hands.json"
    game = {
        "hands": [
            {"player": "Ada", "cards": {"token-red": 1, "rule-85": 1, "rule-11": 1}},
            {"player": "Bob", "cards": {"rule-9": 1}},
        ],
        "cancels": {"Ada": [9]},
    }
    path.write_text(json.dumps(game), encoding="utf-8")
    run("score", "tarot-fr", str(path))
    assert "Ada\u00a0: 8,5" in capsys.readouterr().out
    run("score", "tarot-fr", str(path), "--json")
    assert json.loads(capsys.readouterr().out)["hands"][1]["score"] == "8.5"


def test_a_single_hand_is_provisional_unless_said_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table says so below; `--final` takes the hand as the whole game."""
    path = tmp_path / "hands.json"
    path.write_text(json.dumps({"hands": [{"player": "Ada", "cards": {"red": 3, "white": 6, "blue": 6}}]}), "utf-8")
    run("score", "sackson-1969", str(path))
    out = capsys.readouterr().out
    assert "what other hands may change is not known yet" in out
    run("score", "sackson-1969", str(path), "--final")
    assert "not known yet" not in capsys.readouterr().out.lower()


def test_the_seed_decides_which_cards_leave(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed gives the same breakdown, and some other seed another one."""
    path = tmp_path / "hands.json"
    found = []
    for seed in ("a", "a", "b", "c", "d"):
        hand = {"player": "Ada", "cards": {"red": 6, "white": 6, "blue": 6}}
        path.write_text(json.dumps({"hands": [hand], "settings": {"seed": seed}}), encoding="utf-8")
        run("score", "sackson-1969", str(path), "--json")
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
    assert len(set(found)) > 1


@pytest.mark.parametrize("arguments", [["score", "eurocg-2026"], ["score", "eurocg-2026", "-", "--json"]])
def test_a_closed_standard_input_is_one_clear_line(arguments: list[str]) -> None:
    """As a shell leaves it with <&-: no word of Python's, and exit 2."""
    command = [sys.executable, "-c", "import sys; from server.cli.main import main; sys.exit(main())", *arguments]
    ended = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True, check=False)  # noqa: S607 - our own command
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "haggle: standard input cannot be read; give a JSON file of hands\n"


def test_several_provisional_hands_tell_nothing_of_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--provisional` each hand comes out as in a file of its own."""
    hands = [
        {"player": "Ada", "cards": {"coeur-1": 2, "rule-11": 1}},
        {"player": "Bob", "cards": {"rule-8": 1, "rule-1": 1, "token-red": 5}},
    ]
    path = tmp_path / "hands.json"

    def scored(some: list[dict[str, Any]]) -> dict[str, Any]:
        path.write_text(json.dumps({"hands": some}), encoding="utf-8")
        run("score", "tarot-fr", str(path), "--json", "--provisional")
        return {hand["player"]: (hand["score"], hand["lines"]) for hand in json.loads(capsys.readouterr().out)["hands"]}

    assert scored(hands) == scored(hands[:1]) | scored(hands[1:])


@pytest.mark.parametrize(("cancels", "opens"), [(None, True), ({}, True), ({"Ada": []}, False), ({"Ada": [8]}, False)])
def test_a_single_hand_with_its_choices_is_final(
    cancels: dict[str, list[int]] | None,
    opens: bool,  # noqa: FBT001 - a table of cases
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Choices are made when all envelopes are open, be it to cancel nothing; without any the hand is provisional."""
    game: dict[str, Any] = {"hands": [{"player": "Ada", "cards": {"rule-11": 1, "rule-8": 1}}]}
    path = tmp_path / "hands.json"
    path.write_text(json.dumps(game if cancels is None else game | {"cancels": cancels}), encoding="utf-8")
    run("score", "tarot-fr", str(path), "--language", "en")
    assert ("not known yet" in capsys.readouterr().out.lower()) == opens
