"""`haggle results`, and exporting and importing games."""

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
from server.games.transfer import game_archive
from tests.context import ORGANISER, Clock, new_context, new_game
from tests.played_game import EDITIONS, counted_game, played_game, recorded_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.games.context import AppContext
    from tests.cli.conftest import Haggle, Refused


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the data folder."""
    return tmp_path / "data"


@pytest.fixture
def context(data: Path) -> Iterator[AppContext]:
    """Provide an application context in that folder."""
    context = new_context(data, Clock())
    yield context
    context.database.close()


@pytest.fixture
def shown(haggle: Haggle, data: Path) -> Callable[..., str]:
    """Return a function that returns the output of `haggle results` in one line."""
    return lambda *words: " ".join(haggle("results", *words, "--data", data).out.split())


@pytest.mark.parametrize("edition", EDITIONS)
def test_scoring_the_replay_gives_the_same_result(
    edition: str, context: AppContext, data: Path, haggle: Haggle, tmp_path: Path
) -> None:
    game = counted_game(context, edition)
    file = tmp_path / "replay.json"
    file.write_text(haggle("results", game, "--data", data, "--replay").out, encoding="utf-8")
    shown = haggle("results", game, "--data", data, "--json").document
    assert (shown.pop("version"), len(shown.pop("envelopes"))) == (1, len(shown["hands"]))
    assert haggle("score", edition, file, "--json").document == shown == recorded_result(edition)


def test_results_are_a_translated_table_or_files(
    context: AppContext, data: Path, shown: Callable[..., str], haggle: Haggle, tmp_path: Path
) -> None:
    """The table has all players, and reasons of hands that do not count; CSV goes to standard output, PDF to a file."""
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


def test_a_correction_is_a_new_version_with_its_changes(
    context: AppContext, data: Path, shown: Callable[..., str], haggle: Haggle, refused: Refused
) -> None:
    """It has a reason; the previous version can still be published."""
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


def test_a_changed_void_line_is_marked_as_void(context: AppContext, shown: Callable[..., str]) -> None:
    """It has no points; other lines of the hand do."""
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
def test_open_issues_are_listed(
    act: str, context: AppContext, data: Path, haggle: Haggle, shown: Callable[..., str]
) -> None:
    """A refused count lists issues and what to do; --override ignores them."""
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
    for words in (f"{len(points)} things still open", "--override", f"haggle results {game} --versions"):
        assert words in last
    listed = shown(game, "--versions")
    assert all(f"Open: {text}" in listed for text in points)
    assert haggle(*count, "--override", "Nobody knows.").code == 0
    with context.database.reading() as session:
        stored = load_version(session, game, latest_version(session, game)).inputs
    assert (stored["override"], len(stored["overridden"])) == ("Nobody knows.", len(points))


def test_errors_are_one_line(context: AppContext, data: Path, refused: Refused, tmp_path: Path) -> None:
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


def test_an_export_that_cannot_be_imported_has_a_warning(
    context: AppContext, data: Path, haggle: Haggle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_archive, "MAX_ROWS", 5)
    written = haggle("games", "export", new_game(context), tmp_path / "game.zip", "--data", data)
    assert "will refuse this file" in written.err
    assert "more than 5 rows" in written.err


def test_a_game_is_exported_and_imported(
    context: AppContext, data: Path, haggle: Haggle, refused: Refused, tmp_path: Path
) -> None:
    """The archive is readable only by its owner and replaces no file; the imported game is identical."""
    game = counted_game(context)
    file = tmp_path / "game.zip"
    written = haggle("games", "export", game, file, "--data", data)
    assert "contains the game's key" in written.out
    assert not written.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "exists already" in refused("games", "export", game, file, "--data", data)
    assert "is here already" in refused("games", "import", file, "--data", data)
    elsewhere = tmp_path / "elsewhere"
    assert haggle("games", "import", file, "--data", elsewhere, "--json").document == {"game": game}
    before, after = (haggle("results", game, "--data", data_folder, "--json").out for data_folder in (data, elsewhere))
    assert before == after != ""
    file.write_bytes(b"x")
    assert "not a ZIP file" in refused("games", "import", file, "--data", data)
    assert "No such file" in refused("games", "import", tmp_path / "x.zip", "--data", data)
    assert "no such game" in refused("games", "export", "0000", tmp_path / "y.zip", "--data", data)
    assert not (tmp_path / "y.zip").exists()
