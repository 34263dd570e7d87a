"""`haggle editions`: listing, describing, creating and checking editions."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from server.cli.editions import command
from server.editions import edition_names, load_edition
from server.editions.registry import VARIABLE
from server.editions.starter import RESERVED
from tests.cli.conftest import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Haggle, Refused


def test_all_editions_are_listed(haggle: Haggle) -> None:
    assert [line.split(":")[0] for line in haggle("editions").out.splitlines()] == list(edition_names())
    assert [edition["edition"] for edition in haggle("editions", "--json").document] == list(edition_names())


@pytest.mark.parametrize("name", edition_names())
def test_an_edition_is_described_in_full(name: str, haggle: Haggle) -> None:
    edition = load_edition(name)
    text = haggle("editions", name).out
    for rule in edition.rules:
        assert f"  {rule.key}. {rule.name}" in text
        assert f": {rule.text}\n" in text
    for wanted in (
        *(deal.name for deal in edition.deal),
        *(setting.text for setting in edition.settings),
        *(tie.label for tie in edition.ties),
        *(ruling.text for ruling in edition.rulings),
    ):
        assert wanted in text


def test_the_json_of_an_edition_holds_all_its_data(haggle: Haggle) -> None:
    edition, document = load_edition("eurocg-2026"), haggle("editions", "eurocg-2026", "--json").document
    assert document["players"] == {"min": 23, "max": 138}
    assert [card["kind"] for card in document["cards"]] == [kind.slug for kind in edition.kinds]
    assert [deal["each"] for deal in document["deal"]] == [10, 2, 1]
    assert [rule["rule"] for rule in document["rules"]] == [rule.key for rule in edition.rules]
    assert document["settings"][0]["name"] == "blue_base"
    assert [tie["name"] for tie in document["ties"]] == ["extra-specials", "earlier-hand-in"]
    assert document["rulings"][0]["rule"] == "6"
    document = haggle("editions", "tarot-fr", "--json", "--language", "de").document
    result = (document["title"], document["language"], document["languages"])
    assert result == ("Tarot-Haggle", "de", ["fr", "de", "en"])
    assert document["deal"][0] == {"category": "tarot", "each": 11, "each_at_most_players": 10, "different": False}


@pytest.mark.parametrize(
    ("arguments", "wanted", "never"),
    [
        ("tarot-fr", "Haggle au tarot (tarot-fr), de 35 à 70 joueurs", "players"),
        (
            "tarot-fr --language en",
            "Tarot Haggle (tarot-fr), for 35 to 70 players|  Tarot cards: 11 (with 70 players 10) (kinds: 78)",
            "joueurs",
        ),
        (
            "eurocg-2026 --language de",
            "Karten, mit denen|Regeln|Einstellungen|Festlegungen|(Regel 15)|alle verschieden",
            "Rul|players",
        ),
        (
            "eurocg-2026 --language fr",
            "Cartes de départ|Règles|Réglages|Précisions|(règle 15)|toutes différentes",
            "Rul|players",
        ),
        (
            "lighthouse --language de",
            "  greeted (ja oder nein; ohne Angabe nein): Hat die Person|  partners (0 bis 40; ohne Angabe 0): Mit",
            "yes",
        ),
        ("caravan --language fr", "Tas d’un paquet\n  market\u202f: Marché\n", "players"),
    ],
    ids=lambda text: text.partition("|")[0].partition("\n")[0],
)
def test_an_edition_is_described_in_the_requested_language_or_its_own(
    arguments: str, wanted: str, never: str, haggle: Haggle
) -> None:
    text = haggle("editions", *arguments.split(), "--editions", EXAMPLES).out
    assert not [words for words in wanted.split("|") if words not in text]
    assert not [words for words in never.split("|") if words in text]


@pytest.fixture
def mine(tmp_path: Path, haggle: Haggle) -> Path:
    """Create an edition in a folder of editions; return that folder."""
    assert haggle("editions", "new", "mine", "--out", tmp_path / "own").code == 0
    (tmp_path / "hands.json").write_text(
        json.dumps({"hands": [{"player": "Ada", "cards": {"red": 2, "blue": 1}}]}), encoding="utf-8"
    )
    return tmp_path / "own"


_FUNCTIONS = '''"""The rules of Mine: a small function for each. The wording is in edition.toml."""

from __future__ import annotations

from server.scoring import Numbers, Phase, Rulebook, Seat

book = Rulebook()


@book.rule(1, Phase.OWN)
def rainbow(me: Seat, n: Numbers) -> None:
    """Award each set of all colours."""
    counts = me.counts("colour")
    if len(counts) == n.colours:
        sets = min(counts.values())
        me.points(n.points * sets, sets=sets)


@book.rule(2, Phase.WORTH)
def too_much_red(me: Seat, n: Numbers) -> None:
    """Make red worthless above its limit."""
    if me.has("red") > n.limit:
        me.zero(["red"], count=me.has("red"))


@book.rule(3, Phase.TABLE)
def most_blue(me: Seat, n: Numbers) -> None:
    """Award the one hand with most blue."""
    blue = me.has("blue")
    if me.table.sole_most("blue") is me:
        me.points(n.points, count=blue)
    if blue:
        me.unknown()
'''
"""The rules of a new edition as functions."""
_EFFECT = re.compile(r"^(define|when|give|zero|unknown) = .*\n", re.MULTILINE)


def changed(folder: Path, old: str, new: str) -> tuple[Path, int]:
    """Let the edition use functions, and replace a text in them; return their file and the line of the text."""
    rules = folder / "mine" / "rules.py"
    if not rules.exists():
        toml = rules.with_name("edition.toml")
        toml.write_text(_EFFECT.sub("", toml.read_text(encoding="utf-8")), encoding="utf-8")
        rules.write_text(_FUNCTIONS, encoding="utf-8")
    good = rules.read_text(encoding="utf-8")
    assert old in good
    rules.write_text(good.replace(old, new), encoding="utf-8")
    return rules, good[: good.index(old)].count("\n") + 1


def test_a_new_edition_is_checked_described_scored_and_printed(mine: Path, haggle: Haggle) -> None:
    """A new edition works without changes; --editions holds for one command only."""
    assert "no mistakes" in haggle("editions", "check", mine / "mine").out
    assert "Rainbow" in haggle("editions", "mine", "--editions", mine).out
    scored = haggle("score", "mine", mine.parent / "hands.json", "--json", "--editions", mine).document
    assert scored["hands"][0]["score"] == "18"
    assert haggle("print", "mine", "--players", "4", "--out", mine / "game", "--editions", mine).code == 0
    assert (mine / "game" / "sheets.pdf").exists()
    assert VARIABLE not in os.environ
    assert "mine" not in edition_names()


def test_the_folder_of_editions_can_be_an_environment_variable(
    mine: Path, haggle: Haggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New editions are created there; even if it is missing, an explicitly named folder can be checked."""
    monkeypatch.setenv(VARIABLE, str(mine))
    assert "mine: Mine." in haggle("editions").out
    assert haggle("editions", "new", "other", "--from", "mine").code == 0
    assert (mine / "other" / "edition.toml").exists()
    monkeypatch.setenv(VARIABLE, "gone")
    assert haggle("editions", "check", mine / "mine").code == 0


def test_a_broken_edition_does_not_hide_others(mine: Path, haggle: Haggle) -> None:
    (mine / "broken").mkdir()
    (mine / "broken" / "edition.toml").write_text("slug = ", encoding="utf-8")
    code, out, err = haggle("editions", "--editions", mine)
    assert code == 0
    assert "mine: Mine." in out
    assert "eurocg-2026: " in out
    assert err.startswith("haggle: broken cannot be used: ")
    assert err.count("\n") == 1
    output = haggle("editions", "check", mine)
    assert output.code == 1
    assert f"{mine / 'broken' / 'edition.toml'}:1: " in output.out


def test_slugs_must_not_collide(mine: Path, haggle: Haggle, refused: Refused) -> None:
    """Neither with built-in editions nor with each other; other editions stay usable."""
    assert "is there already" in refused("editions", "new", "eurocg-2026", "--out", mine)
    (mine / "mine").rename(mine / "eurocg_2026")
    assert "exists twice, in " in refused("editions", "eurocg-2026", "--editions", mine)
    output = haggle("editions", "check", mine)
    assert (output.code, "is taken by the edition in" in output.out) == (1, True)
    assert haggle("editions", "sackson-1969", "--editions", mine).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nope",), "unknown edition 'nope' (known: "),
        (("--editions", "nowhere"), "there is no such folder"),
        (("new", "Bad Name"), "'Bad Name' is not a valid name for an edition; take small letters"),
        (("new", "check"), "'check' is the name of a command"),
        (("new", "x", "--from", "nope"), "unknown edition 'nope'"),
        (("check", "nowhere"), "nowhere: there is no such folder"),
        (("check", "empty"), "empty: there is no edition.toml in it"),
        (("new",), "Missing argument 'NAME'. (see haggle editions new --help)"),
    ],
)
def test_errors_are_one_line(
    arguments: tuple[str, ...], message: str, refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert message in refused("editions", *arguments)


def test_slugs_of_editions_are_not_subcommands() -> None:
    assert set(command.commands) == RESERVED


@pytest.mark.parametrize(
    ("base", "players"), [("", "10"), pytest.param("eurocg-2026", "23", marks=pytest.mark.thorough)]
)
def test_suggested_commands_work(
    base: str, players: str, tmp_path: Path, haggle: Haggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All printed commands can be run unchanged, even in a folder with a space in its name."""
    monkeypatch.chdir(tmp_path)
    out = haggle("editions", "new", "mine", "--out", "my own", *(("--from", base) if base else ())).out
    commands = [line.strip() for line in out.splitlines() if line.startswith("  haggle ")]
    assert len(commands) == 3
    assert f"--players {players} " in commands[-1]
    for words in commands:
        assert haggle(*shlex.split(words)[1:]).code == 0, words


def test_hints_are_counted_separately_from_errors(mine: Path, haggle: Haggle) -> None:
    changed(mine, "    blue =", "    print(1)\n    blue =")
    code, out, err = haggle("editions", "check", mine / "mine")
    assert (code, out.splitlines()[-1], err) == (0, f"{mine / 'mine'}: no mistakes, 1 hint", "")
    assert ": hint: prints each time" in out


def test_output_of_rules_goes_to_standard_error(mine: Path, haggle: Haggle) -> None:
    """Both that of loading the file and that of scoring."""
    rules, _ = changed(mine, "    blue =", "    print('counting')\n    blue =")
    rules.write_text(rules.read_text(encoding="utf-8") + "\nprint('read')\n", encoding="utf-8")
    output = haggle("score", "mine", mine.parent / "hands.json", "--json", "--editions", mine)
    assert output.document["hands"][0]["score"] == "18"
    assert output.err.splitlines()[0] == "read"
    assert "counting" in output.err


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1 // 0", "fails: ZeroDivisionError: integer division or modulo by zero"),
        ("exit(3)", ": calls exit(); a rule only reads the hand and writes to it."),
        ("import os; os._exit(3)", ": imports os; a count must not depend on the machine: "),
        ("raise SystemExit(3)", "ends the program (SystemExit), which no rule may;"),
    ],
)
def test_an_error_in_a_rule_is_one_line(mine: Path, refused: Refused, code: str, message: str) -> None:
    """It names file and line, and no result is printed."""
    rules, line = changed(mine, '    blue = me.has("blue")', f'    {code}\n    blue = me.has("blue")')
    output = refused("score", "mine", mine.parent / "hands.json", "--json", "--editions", mine)
    assert output.replace("3: ", "3 : ").startswith(f"haggle: {rules}:{line}: rule 3 {message}")


@pytest.mark.parametrize(
    ("verb", "phase"),
    [('multiply("colour", 2, 1)', "WORTH"), ('worth("colour", 2)', "BASE")],
    ids=["multiply", "worth"],
)
def test_score_and_check_report_the_same_error_for_a_category(
    mine: Path, haggle: Haggle, refused: Refused, verb: str, phase: str
) -> None:
    changed(mine, "@book.rule(1, Phase.OWN)", f"@book.rule(1, Phase.{phase})")
    rules, line = changed(mine, 'counts = me.counts("colour")\n', f'counts = me.counts("colour")\n    me.{verb}\n')
    output = refused("score", "mine", mine.parent / "hands.json", "--editions", mine)
    words = f"there is no card 'colour' for me.{verb.partition('(')[0]}: it is a category"
    assert output == f"haggle: {rules}:{line + 1}: rule 1: {words}\n"
    checked = haggle("editions", "check", mine / "mine")
    assert (checked.code, f"{rules}:{line + 1}: " in checked.out) == (1, True)


def test_a_check_shows_examples_of_each_rule(mine: Path, haggle: Haggle) -> None:
    shown = haggle("editions", "check", mine / "mine", "--examples").out
    assert "  WORTH: 2\n" in shown
    assert "  If the number of “Red” is more than 5: “Red”: worth nothing.\n" in shown
    assert "5 \N{MULTIPLICATION SIGN} Red: 15 | 6 \N{MULTIPLICATION SIGN} Red: 0\n" in shown


def test_a_check_records_the_scores_that_the_author_expects(
    mine: Path, haggle: Haggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decks with a recorded score are not asked again."""
    folder = mine / "mine"
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 99))
    assert "right score" in haggle("editions", "check", folder, "--ask").out
    assert (folder / "edition.toml").read_text(encoding="utf-8").count("[[cases]]") > 4
    again = haggle("editions", "check", folder, "--ask").out
    assert again.startswith(f"{folder}: no mistakes\n")
    assert "right score" not in again


def test_answers_that_are_no_scores_are_asked_again(
    mine: Path, haggle: Haggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("many\n7\n" + "-\n" * 99))
    haggle("editions", "check", mine / "mine", "--ask")
    text = (mine / "mine" / "edition.toml").read_text(encoding="utf-8")
    assert text.count("[[cases]]") == 1
    assert text.endswith("scores = [7]\n")
