"""`haggle results`, and a game's file, as their users type them."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete

from server.cli.main import main
from server.play.house import game_row
from server.play.inputs import open_points
from server.play.moves import hands_by_envelope
from server.play.versions import Wish, correct, newest, version_row
from server.store.tables import Envelope, Ruling
from tests.house import ORGANISER, Clock, new_house
from tests.played import EDITIONS, counted_game, played_game, recorded_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.play.house import House

    Told = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> str:
    """Return the data folder of the test's house."""
    return str(tmp_path / "data")


@pytest.fixture
def house(data: str) -> Iterator[House]:
    """Give the house in that folder."""
    house = new_house(Path(data), Clock())
    yield house
    house.database.close()


def _said(capsys: Told, *arguments: str) -> str:
    capsys.readouterr()
    main(list(arguments))
    return capsys.readouterr().out


def _refused(capsys: Told, *arguments: str) -> str:
    """Call a command that is refused; return the one line that says why."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    error = capsys.readouterr().err
    assert (stop.value.code, error.count("\n")) == (2, 1), error
    return error


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_replay_scores_to_what_is_shown(
    edition: str, house: House, data: str, capsys: Told, tmp_path: Path
) -> None:
    """From command to command: the replay, scored, is the JSON of the results."""
    game = counted_game(house, edition)
    file = tmp_path / "replay.json"
    file.write_text(_said(capsys, "results", game, "--data", data, "--replay"), encoding="utf-8")
    shown = json.loads(_said(capsys, "results", game, "--data", data, "--json"))
    assert (shown.pop("version"), len(shown.pop("envelopes"))) == (1, len(shown["hands"]))
    assert json.loads(_said(capsys, "score", edition, str(file), "--json")) == shown == recorded_result(edition)


def test_people_see_a_table(house: House, data: str, capsys: Told) -> None:
    """With every player, in the language asked for."""
    game = counted_game(house)
    table = _said(capsys, "results", game, "--data", data, "--language", "de")
    assert "Platz" in table
    assert all(hand["player"] in table for hand in recorded_result("eurocg-2026")["hands"])


def test_what_does_not_count_is_said_in_words(house: House, data: str, capsys: Told) -> None:
    """A hand that was left out is named with the reason, in the language asked for."""
    game = counted_game(house)
    with house.database.writing() as session:
        version = version_row(session, game, 1)
        version.inputs = {**version.inputs, "left_out": {"7": "absent"}}
    assert "Envelope 7 does not count: it was not handed in." in _said(capsys, "results", game, "--data", data)
    german = _said(capsys, "results", game, "--data", data, "--language", "de")
    assert "Umschlag 7 zählt nicht: er wurde nicht abgegeben." in german


def test_versions_and_what_moved(house: House, data: str, capsys: Told) -> None:
    """A correction stands in the list, and its difference can be seen; the version before is still there."""
    game = counted_game(house)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).name = "Renamed"
    assert "has changed" in _said(capsys, "results", game, "--data", data, "--versions")
    correct(house, game, ORGANISER, Wish("A wrong name."))
    listed = _said(capsys, "results", game, "--data", data, "--versions")
    assert "A wrong name." in listed
    assert "has changed" not in listed
    assert "Ada, place 5, 45 -> Renamed, place 5, 45" in _said(capsys, "results", game, "--data", data, "--moved")
    assert "Ada" in _said(capsys, "results", game, "--data", data, "--version", "1")


def test_a_counted_game_is_counted_again(house: House, data: str, capsys: Told) -> None:
    """With a reason, as the next version; the one before stays, and what moved is shown."""
    game = counted_game(house)
    assert "Say why" in _refused(capsys, "games", "correct", game, "--data", data)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).name = "Renamed"
    options = ("--data", data, "--reason", "A wrong name.", "--json")
    assert json.loads(_said(capsys, "games", "correct", game, *options))["state"] == "frozen"
    assert "Ada, place 5, 45 -> Renamed, place 5, 45" in _said(capsys, "results", game, "--data", data, "--moved")
    assert "Ada" in _said(capsys, "results", game, "--data", data, "--version", "1")
    with house.database.reading() as session:
        assert version_row(session, game, 2).reason == "A wrong name."


def test_a_void_line_that_moved_is_said_to_be_void(house: House, data: str, capsys: Told) -> None:
    """It brought no points; the other lines of the hand stand with theirs."""
    game = counted_game(house)
    with house.database.writing() as session:
        version = version_row(session, game, 1)
        envelope, hand = next(iter(hands_by_envelope(version.inputs, version.document).items()))
        session.execute(delete(Ruling).where(Ruling.game == game, Ruling.item == f"unseen:{envelope}"))
    correct(house, game, ORGANISER, Wish("Nobody saw it.", "As said."))
    moved = " ".join(_said(capsys, "results", game, "--data", data, "--moved").split())
    assert {line["void"] for line in hand["lines"]} == {True, False}
    for line in hand["lines"]:
        points = "void" if line["void"] else line["points"]
        assert f"- {line['rule'] or 'cards'}: {points} {line['text']}" in moved


@pytest.mark.parametrize("act", ["freeze", "correct"])
def test_all_that_is_open_is_told_point_by_point(act: str, house: House, data: str, capsys: Told) -> None:
    """A count that is refused names each point, and what to do; with --override it counts all the same."""
    game = counted_game(house) if act == "correct" else played_game(house)
    with house.database.writing() as session:
        row = game_row(session, game)
        row.confirmed = []
        session.execute(delete(Ruling).where(Ruling.game == game))
        points = [point.text for point in open_points(session, row, {})]
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main(["games", act, game, "--data", data, "--reason", "Again."])
    said = capsys.readouterr().err.splitlines()
    assert stop.value.code == 2
    assert len(points) > 2
    assert said[:-1] == [f"Open: {text}" for text in points]
    assert f"{len(points)} points still open" in said[-1]
    assert "--override" in said[-1]
    assert f"haggle results {game} --versions" in said[-1]
    listed = " ".join(_said(capsys, "results", game, "--data", data, "--versions").split())
    assert all(f"Open: {text}" in listed for text in points)
    _said(capsys, "games", act, game, "--data", data, "--reason", "Again.", "--override", "Nobody knows.")
    with house.database.reading() as session:
        kept = version_row(session, game, newest(session, game)).inputs
    assert (kept["override"], len(kept["overridden"])) == ("Nobody knows.", len(points))


def test_an_older_count_can_be_published(house: House, data: str, capsys: Told) -> None:
    """By its number; one that is not there is refused."""
    game = counted_game(house)
    correct(house, game, ORGANISER, Wish("Once more."))
    assert "no such version" in _refused(capsys, "games", "publish", game, "--data", data, "--version", "3")
    for options, number in ((["--version", "1"], 1), ([], 2)):
        main(["games", "publish", game, "--data", data, *options])
        with house.database.reading() as session:
            assert game_row(session, game).published_version == number


def test_files(house: House, data: str, capsys: Told, tmp_path: Path) -> None:
    """The table goes to standard output, the pages into a file."""
    game = counted_game(house)
    assert _said(capsys, "results", game, "--data", data, "--csv").startswith("\ufeffrank,player")
    _said(capsys, "results", game, "--data", data, "--pdf", str(tmp_path / "r.pdf"), "--paper", "letter")
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")


def test_what_is_not_there_is_told_in_one_line(house: House, data: str, capsys: Told, tmp_path: Path) -> None:
    """No count yet, no such count or language, no such game, no such folder, a file that cannot be written."""
    game = played_game(house)
    assert "has not been counted" in _refused(capsys, "results", game, "--data", data)
    counted = counted_game(house)
    for version in ("9", "0", "-1"):
        assert "no such version" in _refused(capsys, "results", counted, "--data", data, "--version", version)
    assert "it has de, en, fr" in _refused(capsys, "results", counted, "--data", data, "--language", "tlh")
    assert "no such game" in _refused(capsys, "results", "0000", "--data", data)
    assert "no haggle.db" in _refused(capsys, "results", counted, "--data", str(tmp_path))
    _refused(capsys, "results", counted, "--data", data, "--pdf", str(tmp_path / "no" / "r.pdf"))


def test_a_game_goes_into_a_file_and_back(house: House, data: str, capsys: Told, tmp_path: Path) -> None:
    """Only its owner may read the file; it does not replace another; elsewhere the game is the same."""
    game = counted_game(house)
    file = str(tmp_path / "game.zip")
    assert "holds the game's key" in _said(capsys, "games", "export", game, file, "--data", data)
    assert stat.S_IMODE((tmp_path / "game.zip").stat().st_mode) == 0o600
    assert "is there already" in _refused(capsys, "games", "export", game, file, "--data", data)
    assert "is here already" in _refused(capsys, "games", "import", file, "--data", data)
    elsewhere = str(tmp_path / "elsewhere")
    assert json.loads(_said(capsys, "games", "import", file, "--data", elsewhere, "--json")) == {"game": game}
    before = _said(capsys, "results", game, "--data", data, "--json")
    assert _said(capsys, "results", game, "--data", elsewhere, "--json") == before


def test_a_file_that_is_none_is_told_in_one_line(data: str, capsys: Told, tmp_path: Path) -> None:
    """Not there, or something else; an export that fails leaves nothing."""
    assert "No such file" in _refused(capsys, "games", "import", str(tmp_path / "x.zip"), "--data", data)
    (tmp_path / "x.zip").write_bytes(b"x")
    assert "no zip" in _refused(capsys, "games", "import", str(tmp_path / "x.zip"), "--data", data)
    assert "no such game" in _refused(capsys, "games", "export", "0000", str(tmp_path / "y.zip"), "--data", data)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "x.zip"]
