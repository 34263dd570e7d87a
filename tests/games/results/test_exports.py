"""Results as files: spreadsheets, replays and PDF."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from click.testing import CliRunner

from server.cli.main import haggle
from server.db.models import Game, ResultVersion
from server.games.context import AppContext
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.lifecycle.states import State
from server.games.results.exports import escape_formulas, matrix_csv, ranking_csv, replay_json, results_pdf
from server.games.results.versions import CountRequest, freeze, load_version
from tests.context import ORGANISER, new_game
from tests.played_game import EDITIONS, counted_game, fill, recorded, recorded_result
from tests.printed_pages import catalogue


def _counted(context: AppContext, game: str) -> tuple[Game, ResultVersion]:
    with context.database.reading() as session:
        return load_game(session, game), load_version(session, game, 1)


def _with_hands(version: ResultVersion, hands: Sequence[dict[str, Any]]) -> ResultVersion:
    """Return a version with these hands for envelopes 1, 2 and so on."""
    version.document = {**version.document, "hands": list(hands)}
    inputs = {"game": {"hands": [{"player": hand["player"], "cards": {}} for hand in hands]}}
    version.inputs = {**version.inputs, **inputs, "envelopes": list(range(1, len(hands) + 1))}
    return version


def _scored_again(version: ResultVersion, edition: str, folder: Path) -> Any:  # noqa: ANN401 - JSON
    """Return the output of `haggle score` for the replay."""
    (folder / "replay.json").write_bytes(replay_json(version))
    return json.loads(CliRunner().invoke(haggle, ["score", edition, str(folder / "replay.json"), "--json"]).output)


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
def test_exports_match_the_result(edition: str, context: AppContext, tmp_path: Path) -> None:
    """The replay scores to the same result, each hand has a row, and columns add up."""
    game, version = _counted(context, counted_game(context, edition))
    result, hands = recorded_result(edition), recorded(edition)["hands"]
    assert _scored_again(version, edition, tmp_path) == version.document == result

    head, *rows = _rows(ranking_csv(version, hidden={2}))
    assert head == ["rank", "player", "envelope", "score", "eliminated", "decided_by", "handed_in", "hidden"]
    found = [(str(hand["rank"]), hand["player"], hand["score"] or "") for hand in result["hands"]]
    assert [(row[0], row[1], row[3]) for row in rows] == found
    envelopes = {hand["player"]: str(index) for index, hand in enumerate(hands, start=1)}
    assert all(row[2] == envelopes[row[1]] for row in rows)
    assert [row[2] for row in rows if row[7] == "yes"] == ["2"]

    head, *rows, marks = _rows(matrix_csv(version, edition_of_game(game), hidden={2}))
    assert marks == ["hidden", "", *("yes" if name == hands[1]["player"] else "no" for name in head[2:])]
    assert [row[0] for row in rows] == ["cards", *(rule.key for rule in edition_of_game(game).rules), "score"]
    for column in range(2, len(head)):
        *parts, score = [row[column] for row in rows]
        assert sum(map(Fraction, parts)) == Fraction(score) if score else not any(parts)


def test_the_replay_of_a_single_hand_is_final(context: AppContext, tmp_path: Path) -> None:
    game = new_game(context, State.CLOSED, edition="sackson-1969", players=1)
    hand = {"player": "Ada", "cards": {"orange": 9, "blue": 9, "yellow": 3}}
    fill(context, game, {"hands": [hand], "settings": {"seed": "s"}})
    freeze(context, game, ORGANISER, CountRequest())
    _, version = _counted(context, game)
    assert _scored_again(version, "sackson-1969", tmp_path) == version.document


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"


def test_names_are_not_formulas_in_spreadsheets() -> None:
    """German and French versions of Excel use semicolons as separators, even within comma-separated values."""
    for name in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =HYPERLINK(1)", "-"):
        assert escape_formulas(name).startswith("'"), name
    for before in ("", "\t", "\r", " ", "Ada;", 'Ada";"', "Ada; ", "Ada,", "Ada\t", "Ada\n"):
        for text in (escape_formulas(f"{before}{sign}1+1") for sign in SIGNS):
            for separator in ";,\t":
                for cell in text.replace("\r", "\n").replace("\n", separator).split(separator):
                    assert not cell.lstrip(' "').startswith(tuple(SIGNS)), text
    for name in ("Ada", "Jean-Luc", "a@b", "1+1", "O'Hara", "Lovelace, Ada; Countess", ""):
        assert escape_formulas(name) == name


def test_hostile_names_do_not_break_the_table(context: AppContext) -> None:
    _, version = _counted(context, counted_game(context))
    names = ['=cmd|" /C calc"!A0', 'a "quoted", name', "@home"]
    hands = [{**hand, "player": name} for hand, name in zip(version.document["hands"], names, strict=False)]
    rows = _rows(ranking_csv(_with_hands(version, hands)))
    assert [row[1] for row in rows[1:]] == ["'" + names[0], names[1], "'" + names[2]]


@pytest.mark.parametrize(
    ("edition", "language", "paper"),
    [
        ("eurocg-2026", "en", "a4"),
        ("sackson-1969", "de", "letter"),
        ("tarot-fr", "fr", "a4"),
        ("eurocg-2026", "fr", "letter"),
    ],
)
def test_each_player_has_a_slip_with_deck_and_every_line(
    edition: str, language: str, paper: str, context: AppContext
) -> None:
    """The ranking comes first and the rules last; here each slip fits on a page, so none is split."""
    game, version = _counted(context, counted_game(context, edition))
    pdf = results_pdf(game, version, language, paper)
    assert f"/Lang ({language})" in catalogue(pdf)
    pages = _texts(pdf)
    players = [hand["player"] for hand in version.document["hands"]]
    assert all(player in pages[0] for player in players)
    assert all(str(len(pages)) in page for page in pages)
    narrow = "\u202f" if language == "fr" else ""
    headings = [f"{player}{narrow}: " for player in players]
    found = [(number, page.index(one)) for one in headings for number, page in enumerate(pages) if one in page]
    assert len(found) == len(players)
    assert found == sorted(found)
    assert found[0][0] == 1
    ends = [*found[1:], (len(pages), 0)]
    for hand, (number, start), (following, end) in zip(version.document["hands"], found, ends, strict=True):
        slip = pages[number][start:end] if following == number else pages[number][start:]
        cards = next(one["cards"] for one in version.inputs["game"]["hands"] if one["player"] == hand["player"])
        assert all(f"{count} \u00d7 " in slip for count in cards.values() if count > 1)
        assert len(slip.splitlines()) >= len(hand["lines"]) + 3, "two headings and the sum"


@pytest.mark.parametrize(
    ("language", "timezone", "date"),
    [
        ("en", "Europe/Berlin", "2026-03-25, 00:30."),
        ("de", "Europe/Berlin", "25.03.2026, 00:30."),
        ("fr", "Europe/Paris", "25/03/2026, 00:30."),
        ("de", "UTC", "24.03.2026, 23:30 (UTC)."),
    ],
)
def test_the_date_is_printed_as_people_write_it_where_the_game_is(
    language: str, timezone: str, date: str, context: AppContext
) -> None:
    game, version = _counted(context, counted_game(context))
    game.timezone, version.at = timezone, datetime(2026, 3, 24, 23, 30, tzinfo=UTC)
    assert date in _texts(results_pdf(game, version, language))[0]


def test_two_slips_or_more_are_on_a_page(context: AppContext) -> None:
    game, version = _counted(context, counted_game(context))
    pages = _texts(results_pdf(game, version))[1:]
    slips = [page.count("Envelope ") for page in pages if "Envelope " in page]
    assert sum(slips) == len(version.document["hands"])
    assert min(slips[:-1]) >= 2


def test_the_ranking_of_a_large_game_fits_on_two_pages(context: AppContext) -> None:
    game, version = _counted(context, counted_game(context))
    hand = version.document["hands"][0]
    hands = [{**hand, "player": f"Guest {rank:03d}", "rank": rank} for rank in range(1, 141)]
    pages = _texts(results_pdf(game, _with_hands(version, hands)))
    assert "Guest 001" in pages[0]
    assert "Guest 140" in pages[1]
    assert "Guest 001: " in pages[2]


def test_a_hidden_name_is_only_on_the_players_own_slip(context: AppContext) -> None:
    game, version = _counted(context, counted_game(context, "sackson-1969"))
    pages = _texts(results_pdf(game, version, hidden={9}))
    assert sum("Second blue" in page for page in pages) == 1
    assert "a player" in pages[0]


def test_long_names_and_many_lines_fit(context: AppContext) -> None:
    game, version = _counted(context, counted_game(context, "tarot-fr"))
    hand = max(version.document["hands"], key=lambda hand: len(hand["lines"]))
    names = [f"{number:03d} {'W' * 90}" for number in range(59)] + ["日本 Ada"]
    lines = hand["lines"] * 3
    hands = [{**hand, "player": name, "lines": lines, "rank": index} for index, name in enumerate(names, 1)]
    pages = _texts(results_pdf(game, _with_hands(version, hands)))
    assert sum(page.count("(suite)") for page in pages) >= 60
    joined = "".join("".join(page.split()) for page in pages)
    assert all(f"{number:03d}{'W' * 30}" in joined for number in range(59))
    assert "??Ada" in joined, "a script that the fonts lack"
