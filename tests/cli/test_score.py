"""`haggle score`: JSON, tables, and errors in one line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from server.scoring.request_schema import MAX_HANDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import CommandResult, Haggle, Refused

    Score = Callable[..., CommandResult]

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


def game_of(*hands: dict[str, int], **more: object) -> dict[str, Any]:
    """Return a game of players called Ada and Bob."""
    return {
        "hands": [{"player": name, "cards": cards} for name, cards in zip(("Ada", "Bob"), hands, strict=False)],
        **more,
    }


@pytest.fixture
def score(haggle: Haggle, tmp_path: Path) -> Score:
    """Score a game, given as data or as text."""

    def run(edition: str, game: dict[str, Any] | str, *options: str) -> CommandResult:
        path = tmp_path / "hands.json"
        path.write_text(game if isinstance(game, str) else json.dumps(game), encoding="utf-8")
        return haggle("score", edition, path, *options)

    return run


def test_the_json_has_the_documented_form(score: Score) -> None:
    """Hands are in rank order, points are exact and text, lines add up, and all fields are present."""
    document = score("eurocg-2026", HANDS, "--json").document
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
def test_hands_are_read_from_standard_input(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, haggle: Haggle
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(HANDS).encode())))
    assert haggle("score", "eurocg-2026", *arguments, "--json").document["hands"][0]["score"] == "42"


@pytest.mark.parametrize(("more", "points"), [({"settings": {"blue_base": 5}}, "46"), ({"active_rules": [5, 6]}, "9")])
def test_settings_and_active_rules_are_used(more: dict[str, Any], points: str, score: Score) -> None:
    assert score("eurocg-2026", HANDS | more, "--json").document["hands"][0]["score"] == points


def test_the_table_is_readable_without_colour(score: Score, haggle: Haggle) -> None:
    """It has the ranking, then each hand; void lines are marked by words; lines have at most 80 columns."""
    out = score("eurocg-2026", HANDS).out
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
    assert "No hands." in score("eurocg-2026", {"hands": []}).out
    assert f"at most {MAX_HANDS:,} of them" in " ".join(haggle("score", "--help").out.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"hands": [{"player": "A", "cards": {"purple": 1}}]}',
            "A (hand 1): cards.purple: eurocg-2026 has no such card (it",
        ),
        ('{"hands": [{"player": "A", "cards": {"red": -1}}]}', "A (hand 1): cards.red: must be at least 0, not -1"),
        ('{"hands": [{"player": "A\\n", "cards": {"red": -1}}]}', "hand 1: cards.red: must be at least 0"),
        ('{"hands": [{"player": "A", "cards": {}}, {"cards": {"red": 1}}]}', "hand 2: player: is missing"),
        ('{"hands": [{"player": "' + "x" * 41 + '", "cards": 1}]}', "x" * 39 + "… (hand 1): cards: must be an object"),
        ("[]", "input: must be an object, not a list"),
        ("{", "not JSON: "),
    ],
)
def test_errors_in_hands_are_one_line_with_file_and_location(
    tmp_path: Path, score: Score, text: str, message: str
) -> None:
    output = score("eurocg-2026", text, "--json")
    assert (output.code, output.out, output.err.count("\n")) == (2, "", 1)
    assert output.err.startswith(f"haggle: {tmp_path / 'hands.json'}: {message}")


def test_usage_errors_are_one_line(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "hands.json").write_text('{"hands": []}', encoding="utf-8")
    for words, message in (
        (["nope", tmp_path / "hands.json"], "unknown edition 'nope' (known:"),
        (["eurocg-2026", tmp_path / "missing"], f"{tmp_path / 'missing'}: No such file or directory"),
        (["eurocg-2026", tmp_path], f"{tmp_path}: Is a directory"),
        (["eurocg-2026", "a\0b"], "a\0b: not a file name"),
        (
            ["eurocg-2026", tmp_path / "hands.json", "--language", "xx"],
            "eurocg-2026 has no texts in 'xx' (it has de, en, fr)",
        ),
        ([], "Missing argument 'EDITION'."),
    ):
        assert refused("score", *words).startswith(f"haggle: {message}")


def test_ascii_terminals_and_closed_inputs_cause_no_traceback(tmp_path: Path) -> None:
    """Missing characters are replaced; a closed standard input, as by <&-, is a one-line error."""
    (tmp_path / "hands.json").write_text(json.dumps(game_of({"red": 1})).replace("Ada", "Zoë"), encoding="utf-8")
    command = [sys.executable, "-m", "server", "score", "eurocg-2026"]
    done = subprocess.run(
        [*command, tmp_path / "hands.json"],
        cwd=ROOT,
        env={"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.isascii()
    assert done.stderr == b""
    done = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *command], cwd=ROOT, capture_output=True, check=False)  # noqa: S607 - our own command
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"haggle: standard input cannot be read; give a JSON file of hands\n"


def test_an_eliminated_hand_has_no_score(score: Score) -> None:
    """The JSON has null and true, the table a word."""
    game = game_of({"red": 3}, {"blue": 7})
    ada, bob = score("sackson-1969", game, "--json").document["hands"]
    assert (ada["score"], ada["rank"], ada["eliminated"]) == ("18", 1, False)
    assert (bob["score"], bob["rank"], bob["eliminated"]) == (None, 2, True)
    assert [line["rule"] for line in bob["lines"]] == ["9"]
    assert "Bob: eliminated" in score("sackson-1969", game).out


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Rank Player", "cards +9 Red: 3 × 3 = 9.", "Void by rule 7."]),  # noqa: RUF001 - arithmetic
        ("de", ["Platz Name", "Karten +9 Rot: 3 × 3 = 9.", "Ungültig durch Regel 7.", "ungültig"]),  # noqa: RUF001 - arithmetic
        ("fr", ["Place Nom", "cartes +9 Rouge : 3 × 3 = 9.", "Ligne annulée (règle 7).", "annulé"]),  # noqa: RUF001 - arithmetic
    ],
)
def test_the_table_is_translated(language: str, words: list[str], score: Score) -> None:
    output = score("sackson-1969", game_of({"red": 3}, {"blue": 5}), "--language", language)
    out = " ".join(output.out.split())
    assert not [word for word in words if word not in out]


def test_the_default_language_is_that_of_the_edition(score: Score) -> None:
    """That of the tarot edition is French; fractions have a comma in the table and a point in JSON."""
    game = game_of({"token-red": 1, "rule-85": 1, "rule-11": 1}, {"rule-9": 1}, cancels={"Ada": [9]})
    assert "Ada\u202f: 8,5" in score("tarot-fr", game).out
    assert score("tarot-fr", game, "--json").document["hands"][1]["score"] == "8.5"


def test_a_single_hand_is_provisional_by_default(score: Score) -> None:
    """A note below the table says so; `--final` scores it as a complete game, with its choices of cancelled rules."""
    note = "not known yet"
    game = game_of({"red": 3, "white": 6, "blue": 6})
    assert f"what other hands may change is {note}" in score("sackson-1969", game).out
    assert note not in score("sackson-1969", game, "--final").out.lower()
    for more, provisional in (({}, True), ({"Ada": []}, False), ({"Ada": [8]}, False)):
        game = game_of({"rule-11": 1, "rule-8": 1}, cancels=more)
        assert (note in score("tarot-fr", game, "--language", "en").out.lower()) == provisional, more


def test_several_provisional_hands_reveal_nothing_of_each_other(score: Score) -> None:
    hands = {"coeur-1": 2, "rule-11": 1}, {"rule-8": 1, "rule-1": 1, "token-red": 5}

    def scored(game: dict[str, Any]) -> dict[str, Any]:
        document = score("tarot-fr", game, "--json", "--provisional").document
        return {hand["player"]: (hand["score"], hand["lines"]) for hand in document["hands"]}

    both = game_of(*hands)
    ada, bob = ({"hands": [hand]} for hand in both["hands"])
    assert scored(both) == scored(ada) | scored(bob)


def test_the_seed_determines_random_losses(score: Score) -> None:
    game = game_of({"red": 6, "white": 6, "blue": 6})
    found = [score("sackson-1969", game | {"settings": {"seed": seed}}, "--json").out for seed in "aabcd"]
    assert found[0] == found[1]
    assert len(set(found)) > 1
