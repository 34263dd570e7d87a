"""A count as files: spreadsheets, the game to score again, pages to print."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from click.testing import CliRunner

from server.cli.main import haggle
from server.play.exports import defused, matrix_csv, ranking_csv, replay_json, results_pdf
from server.play.house import edition_of, game_row
from server.play.states import State
from server.play.versions import Wish, freeze, version_row
from tests.house import ORGANISER, new_game
from tests.played import EDITIONS, counted_game, fill, recorded, recorded_result
from tests.printed_pages import catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House
    from server.store.tables import Game, ResultVersion


def _counted(house: House, game: str) -> tuple[Game, ResultVersion]:
    with house.database.reading() as session:
        return game_row(session, game), version_row(session, game, 1)


def _rows(table: bytes) -> list[list[str]]:
    assert table.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(table.decode("utf-8-sig"))))


def _texts(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_replay_scores_to_the_same_result(edition: str, house: House, tmp_path: Path) -> None:
    """`haggle score` on the file prints the very document of the version."""
    _, version = _counted(house, counted_game(house, edition))
    file = tmp_path / "replay.json"
    file.write_bytes(replay_json(version))
    done = CliRunner().invoke(haggle, ["score", edition, str(file), "--json"])
    assert json.loads(done.output) == version.document == recorded_result(edition)


def test_the_replay_of_a_single_hand_is_final_too(house: House, tmp_path: Path) -> None:
    """A game of one hand is counted as final, with the game's own seed, by the command as well."""
    game = new_game(house, State.CLOSED, edition="sackson-1969", players=1)
    hand = {"player": "Ada", "cards": {"orange": 9, "blue": 9, "yellow": 3}}
    fill(house, game, {"hands": [hand], "settings": {"seed": "s"}})
    freeze(house, game, ORGANISER, Wish())
    _, version = _counted(house, game)
    file = tmp_path / "replay.json"
    file.write_bytes(replay_json(version))
    done = CliRunner().invoke(haggle, ["score", "sackson-1969", str(file), "--json"])
    assert json.loads(done.output) == version.document


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_ranking_has_a_row_for_each_hand(edition: str, house: House) -> None:
    """In rank order, with envelope and time, and a mark for those who want no place in public."""
    _, version = _counted(house, counted_game(house, edition))
    head, *rows = _rows(ranking_csv(version, hidden={2}))
    assert head == ["rank", "player", "envelope", "score", "eliminated", "decided_by", "handed_in", "hidden"]
    result = recorded_result(edition)["hands"]
    assert [(row[0], row[1], row[3]) for row in rows] == [
        (str(hand["rank"]), hand["player"], hand["score"] or "") for hand in result
    ]
    envelopes = {hand["player"]: str(place) for place, hand in enumerate(recorded(edition)["hands"], start=1)}
    assert all(row[2] == envelopes[row[1]] for row in rows)
    assert [row[2] for row in rows if row[7] == "yes"] == ["2"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_matrix_adds_up(edition: str, house: House) -> None:
    """The column of each player sums to the score below it; the last row marks those who want no place in public."""
    game, version = _counted(house, counted_game(house, edition))
    head, *rows, marks = _rows(matrix_csv(version, edition_of(game), hidden={2}))
    player = recorded(edition)["hands"][1]["player"]
    assert marks == ["hidden", "", *("yes" if name == player else "no" for name in head[2:])]
    assert [row[0] for row in rows] == ["cards", *(rule.key for rule in edition_of(game).rules), "score"]
    for column in range(2, len(head)):
        *parts, score = [row[column] for row in rows]
        if score:
            assert sum(map(Fraction, parts)) == Fraction(score)
        else:
            assert not any(parts)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =HYPERLINK(1)", "-"])
def test_a_name_is_never_a_formula(name: str) -> None:
    """What a spreadsheet would run comes with an apostrophe before it."""
    assert defused(name).startswith("'")


@pytest.mark.parametrize("sign", "=+-@\uff1d\uff0b\uff0d\uff20")
@pytest.mark.parametrize("before", ["", "\t", "\r", " ", "Ada;", 'Ada";"', "Ada; ", "Ada,", "Ada\t", "Ada\n"])
def test_no_cell_is_a_formula_whatever_separates_cells(sign: str, before: str) -> None:
    """Excel in German and French takes semicolons for separators, also within what commas separate."""
    text = defused(f"{before}{sign}1+1")
    for separator in ";,\t":
        for cell in text.replace("\r", "\n").replace("\n", separator).split(separator):
            assert not cell.lstrip(' "').startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20"))


@pytest.mark.parametrize("name", ["Ada", "Jean-Luc", "a@b", "1+1", "O'Hara", "Lovelace, Ada; Countess", ""])
def test_other_names_stay(name: str) -> None:
    """Nobody's name is changed for nothing."""
    assert defused(name) == name


def test_hostile_names_do_not_break_the_table(house: House) -> None:
    """Commas, quotes and formulas come back as one cell each."""
    game = counted_game(house)
    _, version = _counted(house, game)
    names = ['=cmd|" /C calc"!A0', 'a "quoted", name', "@home"]
    hands = version.document["hands"][:3]
    document = {
        **version.document,
        "hands": [{**hand, "player": name} for hand, name in zip(hands, names, strict=True)],
    }
    inputs = {
        **version.inputs,
        "game": {"hands": [{"player": name, "cards": {}} for name in names]},
        "envelopes": [1, 2, 3],
    }
    version.document, version.inputs = document, inputs
    rows = _rows(ranking_csv(version))
    assert [row[1] for row in rows[1:]] == ["'" + names[0], names[1], "'" + names[2]]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_each_player_has_a_page_with_every_line(edition: str, language: str, house: House) -> None:
    """A ranking first, then the players by rank, each with the score; the rules come last."""
    game, version = _counted(house, counted_game(house, edition))
    pdf = results_pdf(game, version, language)
    assert f"/Lang ({language})" in catalogue(pdf)
    pages = _texts(pdf)
    hands = version.document["hands"]
    assert all(hand["player"] in pages[0] for hand in hands)
    text = "\n".join(pages[1:])
    places = [text.index(f"{hand['player']}{' ' if language == 'fr' else ''}:") for hand in hands]
    assert places == sorted(places)
    assert all(str(len(pages)) in page for page in pages)


def test_a_hidden_player_stands_by_name_on_one_page(house: House) -> None:
    """On the own one."""
    game, version = _counted(house, counted_game(house, "sackson-1969"))
    pages = _texts(results_pdf(game, version, hidden={9}))
    assert sum("Second blue" in page for page in pages) == 1
    assert "a player" in pages[0]


def test_140_players_with_long_names_fit(house: House) -> None:
    """Nothing is cut off: each of the long names stands whole in the ranking, on as many pages as it takes."""
    game, version = _counted(house, counted_game(house, "tarot-fr"))
    hand = max(version.document["hands"], key=lambda hand: len(hand["lines"]))
    names = [f"{number:03d} {'W' * 90}" for number in range(140)]
    version.document = {
        **version.document,
        "hands": [
            {**hand, "player": name, "lines": hand["lines"] * 3, "rank": place} for place, name in enumerate(names, 1)
        ],
    }
    version.inputs = {
        **version.inputs,
        "game": {"hands": [{"player": name, "cards": {}} for name in names]},
        "envelopes": list(range(1, 141)),
    }
    pages = _texts(results_pdf(game, version))
    assert sum(page.count("(suite)") for page in pages) >= 140
    joined = "".join("".join(page.split()) for page in pages)
    assert all(f"{number:03d}{'W' * 30}" in joined for number in range(140))


def test_a_character_without_a_glyph_prints_as_a_question_mark(house: House) -> None:
    """A name in a script that the fonts lack does not stop the print."""
    game, version = _counted(house, counted_game(house))
    hands = version.document["hands"]
    version.document = {**version.document, "hands": [{**hands[0], "player": "日本 Ada"}, *hands[1:]]}
    old = hands[0]["player"]
    renamed = [
        {**hand, "player": "日本 Ada" if hand["player"] == old else hand["player"]}
        for hand in version.inputs["game"]["hands"]
    ]
    version.inputs = {**version.inputs, "game": {**version.inputs["game"], "hands": renamed}}
    assert "?? Ada" in _texts(results_pdf(game, version))[0]
