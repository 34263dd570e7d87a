"""`haggle results`, and a game's file, as their users type them."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete

from server.db.models import Envelope, ReviewDecision
from server.games.lifecycle.repository import load_game
from server.games.results.inputs import open_points
from server.games.results.standings import hands_by_envelope
from server.games.results.versions import CountRequest, correct, latest_version, load_version
from tests.context import ORGANISER, Clock, new_context
from tests.played_game import EDITIONS, counted_game, played_game, recorded_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from tests.cli.conftest import Haggle, Refused


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the data folder of the test's server."""
    return tmp_path / "data"


@pytest.fixture
def context(data: Path) -> Iterator[AppContext]:
    """Give the server in that folder."""
    context = new_context(data, Clock())
    yield context
    context.database.close()


@pytest.fixture
def shown(haggle: Haggle, data: Path) -> Callable[..., str]:
    """Return the results of a game in that folder as a command prints them, in one line."""
    return lambda *words: " ".join(haggle("results", *words, "--data", data).out.split())


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_replay_scores_to_what_is_shown(
    edition: str, context: AppContext, data: Path, haggle: Haggle, tmp_path: Path
) -> None:
    game = counted_game(context, edition)
    file = tmp_path / "replay.json"
    file.write_text(haggle("results", game, "--data", data, "--replay").out, encoding="utf-8")
    shown = haggle("results", game, "--data", data, "--json").document
    assert (shown.pop("version"), len(shown.pop("envelopes"))) == (1, len(shown["hands"]))
    assert haggle("score", edition, file, "--json").document == shown == recorded_result(edition)


def test_people_see_a_table_in_the_language_asked_for_and_get_files(
    context: AppContext, data: Path, shown: Callable[..., str], haggle: Haggle, tmp_path: Path
) -> None:
    """With every player, and why a hand does not count; CSV on standard output, pages as a PDF."""
    game = counted_game(context)
    with context.database.writing() as session:
        version = load_version(session, game, 1)
        version.inputs = {**version.inputs, "left_out": {"7": "absent"}}
    german = shown(game, "--language", "de")
    assert "Platz" in german
    assert all(hand["player"] in german for hand in recorded_result("eurocg-2026")["hands"])
    assert "Umschlag 7 zählt nicht: er wurde nicht abgegeben." in german
    assert "Envelope 7 does not count: it was not handed in." in shown(game)
    assert shown(game, "--csv").startswith("\ufeffrank,player")
    assert haggle("results", game, "--data", data, "--pdf", tmp_path / "r.pdf", "--paper", "letter").code == 0
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")


def test_a_correction_is_a_new_version_and_shows_what_moved(
    context: AppContext, data: Path, shown: Callable[..., str], haggle: Haggle, refused: Refused
) -> None:
    """With a reason; the version before stays and can be published."""
    game = counted_game(context)
    assert "Say why" in refused("games", "correct", game, "--data", data)
    with context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).name = "Renamed"
    assert "has changed" in shown(game, "--versions")
    corrected = haggle("games", "correct", game, "--data", data, "--reason", "A wrong name.", "--json")
    assert corrected.document["state"] == "frozen"
    listed = shown(game, "--versions")
    assert "A wrong name." in listed
    assert "has changed" not in listed
    assert "Ada, place 5, 45 -> Renamed, place 5, 45" in shown(game, "--moved")
    assert "Ada" in shown(game, "--version", "1")
    assert "no such version" in refused("games", "publish", game, "--data", data, "--version", "3")
    for options, number in ((["--version", "1"], 1), ([], 2)):
        assert haggle("games", "publish", game, "--data", data, *options).code == 0
        with context.database.reading() as session:
            assert load_game(session, game).published_version == number


def test_a_void_line_that_moved_is_said_to_be_void(context: AppContext, shown: Callable[..., str]) -> None:
    """It brought no points; the other lines of the hand stand with theirs."""
    game = counted_game(context)
    with context.database.writing() as session:
        version = load_version(session, game, 1)
        envelope, hand = next(iter(hands_by_envelope(version.inputs, version.document).items()))
        session.execute(
            delete(ReviewDecision).where(ReviewDecision.game == game, ReviewDecision.item == f"unseen:{envelope}")
        )
    correct(context, game, ORGANISER, CountRequest("Nobody saw it.", "As said."))
    moved = shown(game, "--moved")
    assert {line["void"] for line in hand["lines"]} == {True, False}
    for line in hand["lines"]:
        points = "void" if line["void"] else line["points"]
        assert f"- {line['rule'] or 'cards'}: {points} {line['text']}" in moved


@pytest.mark.parametrize("act", ["freeze", "correct"])
def test_all_that_is_open_is_reported_point_by_point(
    act: str, context: AppContext, data: Path, haggle: Haggle, shown: Callable[..., str]
) -> None:
    """A count that is refused names each point, and what to do; with --override it counts all the same."""
    game = counted_game(context) if act == "correct" else played_game(context)
    with context.database.writing() as session:
        row = load_game(session, game)
        row.confirmed = []
        session.execute(delete(ReviewDecision).where(ReviewDecision.game == game))
        points = [point.text for point in open_points(session, row, {})]
    count = ("games", act, game, "--data", data, "--reason", "Again.")
    output = haggle(*count)
    *lines, last = output.err.splitlines()
    assert (output.code, lines) == (2, [f"Open: {text}" for text in points])
    assert len(points) > 2
    for words in (f"{len(points)} points still open", "--override", f"haggle results {game} --versions"):
        assert words in last
    listed = shown(game, "--versions")
    assert all(f"Open: {text}" in listed for text in points)
    assert haggle(*count, "--override", "Nobody knows.").code == 0
    with context.database.reading() as session:
        kept = load_version(session, game, latest_version(session, game)).inputs
    assert (kept["override"], len(kept["overridden"])) == ("Nobody knows.", len(points))


def test_what_is_not_there_is_reported_in_one_line(
    context: AppContext, data: Path, refused: Refused, tmp_path: Path
) -> None:
    played, counted = played_game(context), counted_game(context)
    for words, message in (
        ([played, "--data", data], "has not been counted"),
        ([counted, "--data", data, "--version", "9"], "no such version"),
        ([counted, "--data", data, "--version", "-1"], "no such version"),
        ([counted, "--data", data, "--language", "tlh"], "it has de, en, fr"),
        (["0000", "--data", data], "no such game"),
        ([counted, "--data", tmp_path], "no haggle.db"),
        ([counted, "--data", data, "--pdf", tmp_path / "no" / "r.pdf"], "r.pdf"),
    ):
        assert message in refused("results", *words), words


def test_a_game_goes_into_a_file_and_back(
    context: AppContext, data: Path, haggle: Haggle, refused: Refused, tmp_path: Path
) -> None:
    """Only its owner may read the file; it does not replace another; elsewhere the game is the same."""
    game = counted_game(context)
    file = tmp_path / "game.zip"
    assert "contains the game's key" in haggle("games", "export", game, file, "--data", data).out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "exists already" in refused("games", "export", game, file, "--data", data)
    assert "is here already" in refused("games", "import", file, "--data", data)
    elsewhere = tmp_path / "elsewhere"
    assert haggle("games", "import", file, "--data", elsewhere, "--json").document == {"game": game}
    before, after = (haggle("results", game, "--data", place, "--json").out for place in (data, elsewhere))
    assert before == after != ""
    file.write_bytes(b"x")
    assert "not a ZIP file" in refused("games", "import", file, "--data", data)
    assert "No such file" in refused("games", "import", tmp_path / "x.zip", "--data", data)
    assert "no such game" in refused("games", "export", "0000", tmp_path / "y.zip", "--data", data)
    assert not (tmp_path / "y.zip").exists()
