"""`haggle best`: JSON, text output, and errors in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from server import installation
from server.cli.best import best_document, print_best
from server.editions import load_edition
from server.editions.starter import create_edition
from server.optimizer.best import best_deck
from tests.cli.conftest import EXAMPLES

if TYPE_CHECKING:
    from tests.cli.conftest import Haggle, Refused


def test_the_json_has_the_documented_form(haggle: Haggle) -> None:
    """It has cards, exact score, whether it is proven, and lines that add up."""
    document = haggle("best", "eurocg-2026", "--max-cards", "7", "--seconds", "0", "--json").document
    assert list(document) == ["cards", "score", "proven", "lines"]
    assert sum(document["cards"].values()) == 7
    assert (document["score"], document["proven"]) == ("66", False)
    assert sum(int(line["points"]) for line in document["lines"] if not line["void"]) == 66
    assert list(document["lines"][0]) == ["rule", "points", "text", "void", "voided_by"]


def test_the_text_output_has_cards_proof_and_breakdown(haggle: Haggle) -> None:
    """Limits come first; without options they are those of the edition."""
    out = haggle("best", "sackson-1969").out
    limits = "The best deck. Cards at most: 12. Printed for this number of players: 15."
    assert out.startswith(f"{limits}\n   4 x Yellow (yellow)\n")
    assert "Proven best: no other deck within these limits scores more." in out
    assert "Haggle: 124" in out


def test_a_deck_without_proof_is_marked(haggle: Haggle) -> None:
    options = ("best", "tarot-fr", "--max-cards", "4", "--starts", "1", "--seconds", "0")
    out = haggle(*options, "--language", "en").out
    assert "Best found, not proven: there may be a better deck. Starts of the search: 1." in out
    assert "Proven" not in out
    assert haggle(*options, "--json").document["proven"] is False


def test_a_fact_that_names_a_player_stays_empty(haggle: Haggle, refused: Refused, tmp_path: Path) -> None:
    folder = create_edition("friends", tmp_path)
    fact = '\n[[facts]]\nname = "friend"\nlabel.en = "Who is the friend?"\ntype = "player"\n'
    with (folder / "edition.toml").open("a", encoding="utf-8") as file:
        file.write(fact)
    options = ("best", "friends", "--editions", str(tmp_path), "--max-cards", "2", "--seconds", "0")
    assert "Who is the friend? Nobody: facts that name players stay empty." in haggle(*options).out
    assert "--fact friend=Bob: names a player; such facts stay empty" in refused(*options, "--fact", "friend=Bob")


def test_no_start_but_the_first_is_made_once_the_time_is_up(haggle: Haggle) -> None:
    limits = ("best", "tarot-fr", "--max-cards", "2", "--language", "en", "--starts", "2")
    assert "Starts of the search: 1." in haggle(*limits, "--seconds", "1e-9").out
    assert "Starts of the search: 2." in haggle(*limits, "--seconds", "0").out


@pytest.mark.parametrize(
    ("checkout", "command"), [(Path(), "uv pip install --python .haggle/venv ortools"), (None, '[prove]"')]
)
def test_without_the_solver_its_installation_is_offered(
    monkeypatch: pytest.MonkeyPatch, haggle: Haggle, checkout: Path | None, command: str
) -> None:
    """Only where nothing is proven, and beside the output."""
    monkeypatch.setattr(installation, "CHECKOUT", checkout)
    for module in ("server.cli.best", "server.optimizer.best"):
        monkeypatch.setattr(f"{module}.solver_is_installed", lambda: False)
    found = haggle("best", "eurocg-2026", "--max-cards", "1", "--starts", "1", "--json")
    assert found.document["proven"] is False
    assert found.err.startswith("With a solver the best deck can often be proven in seconds. To install it: ")
    assert found.err.endswith(f"{command}\n")


def test_a_bound_and_what_the_solver_cannot_express_are_part_of_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    edition = load_edition("eurocg-2026")
    found = best_deck(edition, 138, 1, starts=1, seconds=0)
    found = replace(found, bound=Fraction(69, 2), refused="rule 7: the function best_sets")
    print_best(edition, found, "", ())
    out = capsys.readouterr().out
    assert "Proven: no deck within these limits scores more than 34.5." in out
    assert "Nothing can be proven, as the solver cannot express rule 7: the function best_sets." in out
    assert best_document(edition, found)["bound"] == "34.5"


def test_other_hands_with_settings_and_rules_are_used(tmp_path: Path, haggle: Haggle) -> None:
    path = tmp_path / "hands.json"
    path.write_text(json.dumps({"hands": [{"player": "Haggle", "cards": {"blue": 5}}]}), encoding="utf-8")
    out = haggle("best", "sackson-1969", "--max-cards", "2", "--against", path).out
    assert "Haggle 2: 2" in out
    assert "Haggle (5)" in out
    path.write_text(json.dumps({"hands": [], "settings": {"blue_base": 50}, "active_rules": [6]}), encoding="utf-8")
    document = haggle("best", "eurocg-2026", "--max-cards", "3", "--against", path, "--json").document
    assert (document["cards"], document["score"]) == ({"blue": 3}, "150")


def test_parts_and_facts_are_chosen(haggle: Haggle) -> None:
    """The JSON has the parts of cards and the facts; given facts are kept and marked in the text output."""
    best = ("best", "lighthouse", "--editions", EXAMPLES)
    found = haggle("best", "caravan", "--editions", EXAMPLES, "--json").document
    assert list(found) == ["cards", "parts", "score", "proven", "lines"]
    assert (found["score"], found["proven"]) == ("42", True)
    assert found["parts"]["market"] == {"salt": 1, "silk": 1, "figs": 1, "amber": 1}
    assert sum(sum(part.values()) for part in found["parts"].values()) == sum(found["cards"].values())
    found = haggle(*best, "--json").document
    assert list(found) == ["cards", "facts", "score", "proven", "lines"]
    assert (found["cards"], found["facts"]["greeted"]) == ({"ship": 6, "lamp": 3}, True)
    assert (found["score"], found["proven"]) == ("26", True)
    out = haggle(*best, "--fact", "partners=3").out
    assert "With how many people did the player trade? 3 (as given)." in out
    assert "Did the player greet the keeper? yes (chosen; possible: no, yes)." in out
    assert "Haggle: 22.5" in out
    found = haggle(*best, "--fact", "partners=3", "--fact", "greeted=no", "--json").document
    assert (found["facts"], found["score"]) == ({"partners": 3, "greeted": False}, "18.5")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nope", "unknown edition 'nope' (known: "),
        ("", "Missing argument 'EDITION'."),
        ("eurocg-2026 --players 0", "Invalid value for '--players': 0 is not in the range 1<=x<=600."),
        ("eurocg-2026 --max-cards -1", "Invalid value for '--max-cards': -1 is not in the range 0<=x<=200."),
        ("eurocg-2026 --language xx", "eurocg-2026 has no texts in 'xx' (it has de, en, fr)"),
        ("eurocg-2026 --against missing.json", "missing.json: No such file or directory; give a JSON file"),
        ("lighthouse --fact partners", "--fact partners: write it as NAME=VALUE"),
        ("lighthouse --fact partners=41", "--fact partners=41: must be a whole number from 0 to 40"),
        ("lighthouse --fact partners=ten", "--fact partners=ten: must be a whole number from 0 to 40"),
        ("lighthouse --fact greeted=1", "--fact greeted=1: must be yes or no"),
        ("lighthouse --fact greeted=no --fact greeted=yes", "--fact greeted=yes: greeted was given before"),
        (
            "lighthouse --fact luck=1",
            "--fact luck=1: lighthouse asks for no fact 'luck' (it asks for partners, greeted)",
        ),
        ("mosaic --fact luck=1", "--fact luck=1: mosaic asks for no fact 'luck' (it asks for none)"),
    ],
)
def test_errors_are_one_line(words: str, message: str, refused: Refused) -> None:
    assert refused("best", *words.split(), "--editions", EXAMPLES).startswith(f"haggle: {message}")


@pytest.mark.parametrize(("text", "mistake"), [("{", "not JSON: "), ('{"hands": [{"cards": {}}]}', "hand 1: player: ")])
def test_errors_in_the_other_hands_name_the_file(text: str, mistake: str, tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "others.json"
    path.write_text(text, encoding="utf-8")
    assert refused("best", "eurocg-2026", "--against", path).startswith(f"haggle: {path}: {mistake}")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ["Das beste Deck. Karten höchstens: 3.", "Markt:", "Bewiesen: Kein anderes", "Haggle: 17"]),
        ("fr", ["Cartes au plus\u202f: 3.", "Marché\u202f:", "Prouvé\u202f: aucun autre", "Haggle\u202f: 17"]),
    ],
)
def test_all_output_is_translated(language: str, words: list[str], haggle: Haggle) -> None:
    out = haggle("best", "caravan", "--editions", EXAMPLES, "--max-cards", "3", "--language", language).out
    assert all(word in out for word in words)
    assert not any(word in out for word in ("best deck", "Proven", "Market", "Cards at most"))
