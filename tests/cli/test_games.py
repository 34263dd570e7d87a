"""`haggle games`: creating, changing, printing, importing and deleting games."""

from __future__ import annotations

import csv
import io
import stat
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.cli.admin.data_folder import opened
from server.db.models import AuditEntry
from server.printing.game_folder import print_game
from server.printing.options import PrintOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Haggle, Refused

    Games = Callable[..., str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the path of a data folder that does not exist yet."""
    return tmp_path / "data"


@pytest.fixture
def games(haggle: Haggle, data: Path) -> Games:
    """Return a function that runs `haggle games` successfully and returns its output."""

    def run(*words: object) -> str:
        output = haggle("games", *words, "--data", data)
        assert (output.code, output.err) == (0, ""), output
        return output.out

    return run


@pytest.fixture
def games_json(haggle: Haggle, data: Path) -> Callable[..., dict[str, Any]]:
    """Return a function that runs `haggle games --json` and returns the parsed output."""
    return lambda *words: haggle("games", *words, "--data", data, "--json").document


def new(games_json: Callable[..., dict[str, Any]], *options: str) -> str:
    """Create a game of six players; return its id."""
    return str(games_json("new", "eurocg-2026", "--name", "Fair", "--players", "6", *options)["id"])


def cards_of(folder: Path) -> list[dict[str, str]]:
    """Return the rows of a folder's card list."""
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_game_is_created_printed_and_closed(
    games: Games, games_json: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    """It is created, changed, printed, opened, closed and reopened; each state is listed as text and JSON."""
    game = new(games_json, "--deadline", "none", "--confirm", "all")
    assert games_json("set", game, "--mode", "total", "--set", "blue_base=3")["mode"] == "total"
    shown = games_json("show", game)
    assert (shown["settings"], shown["confirmed"]) == ({"blue_base": 3}, [])
    assert games_json("set", game, "--confirm", "all")["confirmed"] == ["blue_base"]
    out = tmp_path / "run1"
    run = games_json("print", game, "--out", out, "--spare", "2", "--url", "https://h.example")
    assert (run["envelopes"], run["spare"], run["cards"]) == (8, 2, 104)
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in out.iterdir()} == dict.fromkeys(
        ("sheets.pdf", "labels.pdf", "cards.csv"), 0o600
    )
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    games("seal", game, "2")
    games("unseal", game, "7", "--name", "Late Lena")
    assert games_json("open", game)["counts"]["open"] == 6
    listed = games_json("envelopes", game)["envelopes"]
    assert [one["name"] for one in listed if one["opened"]][-1] == "Late Lena"
    # No-shows are distinguished from spare envelopes.
    assert [one["number"] for one in listed if one["no_show"]] == [2]
    assert [one["number"] for one in listed if one["spare"]] == [8]
    output = games("envelopes", game)
    assert (output.count("no-show"), output.count("spare")) == (1, 1)
    assert games_json("close", game, "--reason", "enough")["state"] == "closed"
    assert games_json("reopen", game)["state"] == "open"
    assert [one["id"] for one in games_json()["games"]] == [game]
    assert "eurocg-2026" in games()
    assert "Print run 1: envelopes 1 to 8 (2 spare), 104 cards" in games("show", game)


def test_a_game_of_an_own_edition_is_created(games: Games, haggle: Haggle, tmp_path: Path) -> None:
    haggle("editions", "new", "mine", "--out", tmp_path / "own")
    words = ("mine", "--editions", tmp_path / "own", "--name", "Own", "--players", "6")
    assert "Mine, 6 players" in games("new", *words)


def test_later_print_runs_have_new_cards(
    games: Games, games_json: Callable[..., dict[str, Any]], refused: Refused, data: Path, tmp_path: Path
) -> None:
    """More envelopes, and a lost card. Links have the first run's server by default. Runs can be printed again."""
    game = new(games_json)

    def printed(name: str, *options: str) -> list[object]:
        return ["print", game, "--out", tmp_path / name, *options]

    assert games_json(*printed("1", "--url", "https://a.example/"))["join"] == "https://a.example"
    assert "name a new folder" in refused("games", *printed("1"), "--data", data)
    output = games(*printed("2", "--envelopes", "1", "--even", "9999"))
    assert ": 13 cards, 1 envelope, in " in output
    assert "points apart: as wanted." in output
    lost = cards_of(tmp_path / "1")[0]
    output = games(*printed("3", "--replace", lost["card"], "--reason", "torn"))
    assert "Print run 3 of game" in output
    assert ": 1 card, in " in output
    assert {file.name for file in (tmp_path / "3").iterdir()} == {"sheets.pdf", "cards.csv"}
    (copy,) = cards_of(tmp_path / "3")
    goes = f"{copy['card']} goes into envelope {lost['envelope']}."
    assert goes in output
    assert goes in games(*printed("3 again", "--run", "3"))
    more = games_json(*printed("4", "--envelopes", "2", "--even", "40", "--url", "https://b.example"))
    assert (more["first"], more["reached"], more["join"]) == (8, True, "https://b.example")
    assert games_json(*printed("5", "--envelopes", "1"))["join"] == "https://a.example"
    output = games("show", game)
    assert "Print run 2: envelope 7 (0 spare), 13 cards, starting hands 0 points apart, as wanted" in output
    assert "Print run 3: 1 card in place of a lost one" in output
    cards = [row["card"] for name in "12345" for row in cards_of(tmp_path / name)]
    assert len(set(cards)) == len(cards) == (6 + 1 + 2 + 1) * 13 + 1


@pytest.mark.parametrize("listed", [True, False])
def test_a_game_printed_without_a_server_is_imported_once(
    games: Games, refused: Refused, data: Path, tmp_path: Path, *, listed: bool
) -> None:
    """From its card list, or from its seed without one."""
    printed = print_game("sackson-1969", 8, tmp_path / "printed", seed="x")
    before = {name: (tmp_path / "printed" / name).read_bytes() for name in ("cards.csv", "sheets.pdf")}
    if not listed:
        (tmp_path / "printed" / "cards.csv").unlink()
    assert f"Game {printed.game.game}" in games("add", tmp_path / "printed")
    games("print", printed.game.game, "--run", "1", "--out", tmp_path / "again")
    assert {name: (tmp_path / "again" / name).read_bytes() for name in before} == before
    assert "is here already" in refused("games", "add", tmp_path / "printed", "--data", data)


def test_a_game_printed_with_stickers_is_imported_completely(games: Games, tmp_path: Path) -> None:
    """Its card list includes stickers, so that envelopes have all dealt cards."""
    game = print_game("sackson-1969", 8, tmp_path / "printed", options=PrintOptions(stick=("colour",))).game
    games("add", tmp_path / "printed")
    games("print", game.game, "--run", "1", "--out", tmp_path / "again")
    printed, again = (
        {row["card"]: row["envelope"] for row in cards_of(tmp_path / name)} for name in ("printed", "again")
    )
    assert printed == again
    assert any(card.startswith("yellow-") for card in again)


def test_wrong_card_lists_are_refused(
    games_json: Callable[..., dict[str, Any]], refused: Refused, data: Path, tmp_path: Path
) -> None:
    """Lists of other cards and other files; nothing is stored."""
    print_game("sackson-1969", 8, tmp_path / "printed")
    for wrong in ("x", "card,kind,copy,payload,code,envelope,page,row,column\nred-001,red,1,H,a,1,1,1,1"):
        (tmp_path / "printed" / "cards.csv").write_text(wrong, encoding="utf-8")
        assert "cards.csv" in refused("games", "add", tmp_path / "printed", "--data", data)
        assert games_json() == {"games": []}


def test_errors_are_one_line(
    games_json: Callable[..., dict[str, Any]], refused: Refused, data: Path, tmp_path: Path
) -> None:
    """They say what to do, and nothing is changed."""
    assert "haggle.db" in refused("games", "--data", data)
    make = ["new", "eurocg-2026", "--name", "Fair", "--players", "6"]
    game = new(games_json)
    for words, message in (
        (["show", "0000"], "no such game"),
        (["open", game], "printed"),
        (["set", game, "--set", "blue"], "NAME=NUMBER"),
        (["set", game, "--deadline", "noon"], "Write the deadline"),
        (["set", game, "--deadline", "2020-01-01 12:00"], "already passed"),
        (["set", game, "--players", "0"], "1 to 600"),
        (["print", game, "--out", tmp_path / "out", "--url", "h"], "write it whole"),
        (["print", game, "--out", tmp_path / "out", "--run", "3"], "no such print run"),
        (["print", game, "--out", tmp_path / "out", "--labels", "l7120"], "l7120"),
        (["seal", game, "1"], "must be printed, open or closed"),
        ([*make, "--deadline", "tomorrow"], "Write the deadline"),
        ([*make, "--deadline", "2027-03-28 02:30", "--timezone", "Europe/Berlin"], "the clocks change"),
        ([*make, "--deadline", "2027-03-28 12:00", "--timezone", "Mars"], "Give the time zone"),
        ([*make, "--set", "blue"], "NAME=NUMBER"),
    ):
        assert message in refused("games", *words, "--data", data), words
    assert [one["id"] for one in games_json()["games"]] == [game]
    assert games_json("show", game)["runs"] == []


def test_a_game_is_deleted_after_confirmation(
    games: Games, games_json: Callable[..., dict[str, Any]], haggle: Haggle, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--yes skips the question. The reason remains after the deletion."""
    game = new(games_json)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert haggle("games", "delete", game, "--data", data).code != 0
    assert len(games_json()["games"]) == 1
    games("delete", game, "--yes", "--reason", "A rehearsal.")
    assert games_json() == {"games": []}
    with opened(data) as context, context.database.reading() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "delete")).one()
    assert (entry.subject, entry.reason) == (f"game {game}", "A rehearsal.")


def test_options_before_the_subcommand_are_defaults(
    games_json: Callable[..., dict[str, Any]],
    haggle: Haggle,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Options of the subcommand override them."""
    monkeypatch.chdir(tmp_path)
    game = new(games_json)
    assert haggle("games", "--data", data, "--json", "show", game).document["id"] == game
    assert game in haggle("games", "--data", tmp_path / "elsewhere", "show", "--data", data, game).out
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
