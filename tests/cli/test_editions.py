"""`haggle editions`: the list, and everything about one edition."""

from __future__ import annotations

import json
from pathlib import Path
from string import Formatter

import pytest

from server.cli.edition_page import _words
from server.cli.main import main
from server.editions import edition_names, load_edition


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command and return what it printed."""
    main(["editions", *arguments])
    return capsys.readouterr().out


def test_all_editions_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """One line an edition, or a JSON list."""
    lines = output(capsys).splitlines()
    assert [line.split(":")[0] for line in lines] == list(edition_names())
    document = json.loads(output(capsys, "--json"))
    assert [edition["edition"] for edition in document] == list(edition_names())


@pytest.mark.parametrize("name", edition_names())
def test_an_edition_is_described_in_full(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Cards, wording of every rule, settings, tie-breaks and rulings are all there."""
    edition = load_edition(name)
    text = output(capsys, name)
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


def test_the_json_of_an_edition_holds_all_its_data(capsys: pytest.CaptureFixture[str]) -> None:
    """Other programs get cards, deal, rules, settings, tie-breaks and rulings."""
    document = json.loads(output(capsys, "eurocg-2026", "--json"))
    assert document["players"] == {"min": 23, "max": 138}
    assert len(document["cards"]) == 53
    assert [deal["each"] for deal in document["deal"]] == [10, 2, 1]
    assert [rule["rule"] for rule in document["rules"]] == [str(number) for number in range(1, 24)]
    assert document["settings"][0]["name"] == "blue_base"
    assert [tie["name"] for tie in document["ties"]] == ["extra-specials", "earlier-hand-in"]
    assert document["rulings"][0]["rule"] == "6"


def test_an_unknown_edition_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and the names that exist."""
    with pytest.raises(SystemExit) as leaving:
        main(["editions", "nope"])
    assert leaving.value.code == 2
    assert capsys.readouterr().err.startswith("haggle: unknown edition 'nope' (there is ")


def test_an_edition_is_described_in_a_language(capsys: pytest.CaptureFixture[str]) -> None:
    """Its own language where none is named; any of its languages on demand."""
    assert "Haggle au tarot (tarot-fr), de 35 à 70 joueurs" in output(capsys, "tarot-fr")
    english = output(capsys, "tarot-fr", "--language", "en")
    assert "Tarot Haggle (tarot-fr), for 35 to 70 players" in english
    assert "  Tarot cards: 11 (with 70 players 10) (kinds: 78)" in english
    assert "  Tokens: 9 (kinds: 3)" in english
    assert "  Rule cards: 4 (with 70 players 2) (kinds: 169)" in english
    document = json.loads(output(capsys, "tarot-fr", "--json", "--language", "de"))
    assert (document["title"], document["language"], document["languages"]) == (
        "Tarot-Haggle",
        "de",
        ["fr", "de", "en"],
    )
    assert document["deal"][0] == {"category": "tarot", "each": 11, "each_at_most_players": 10, "different": False}


def _places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def test_the_words_of_the_page_are_the_same_in_all_languages() -> None:
    """Every sentence is there in English, German and French, with the same placeholders."""
    for name, texts in _words().items():
        assert list(texts) == ["en", "de", "fr"], name
        assert len({tuple(_places(text)) for text in texts.values()}) == 1, name


@pytest.mark.parametrize(
    ("language", "wanted", "never"),
    [
        (
            "de",
            ("Karten, mit denen", "Regeln", "Einstellungen", "Festlegungen", "(Regel 15)", "alle verschieden"),
            "Rul",
        ),
        ("fr", ("Cartes de départ", "Règles", "Réglages", "Précisions", "(règle 15)", "toutes différentes"), "Rul"),
    ],
)
def test_headings_are_in_the_language_asked_for(
    language: str, wanted: tuple[str, ...], never: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """No English stands between the texts of the edition."""
    text = output(capsys, "eurocg-2026", "--language", language)
    for words in wanted:
        assert words in text
    assert never not in text
    assert "players" not in text


def test_facts_and_parts_are_described_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """What organisers enter and players sort is on the page too."""
    examples = str(Path(__file__).parents[2] / "examples" / "editions")
    facts = output(capsys, "lighthouse", "--language", "de", "--editions", examples)
    assert "  greeted (ja oder nein; ohne Angabe nein): Hat die Person" in facts
    assert "  partners (0 bis 40; ohne Angabe 0): Mit wie vielen" in facts
    assert "Parties d'un paquet\n  market : Marché\n" in output(
        capsys, "caravan", "--language", "fr", "--editions", examples
    )
