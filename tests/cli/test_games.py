"""`haggle games` as its user types it."""

from __future__ import annotations

import csv
import io
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from server.cli.data_folder import opened
from server.cli.main import main
from server.jobs.choices import Choices
from server.jobs.printing import print_game
from server.store.tables import AuditEntry

Told = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> str:
    """Return a data folder that is not there yet."""
    return str(tmp_path / "data")


def told(capsys: Told, *arguments: str) -> dict[str, Any]:
    """Call `haggle games` for JSON; return it."""
    capsys.readouterr()
    main(["games", *arguments, "--json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def new(capsys: Told, data: str, *options: str) -> str:
    """Make a game of six players; return its id."""
    made = told(capsys, "new", "eurocg-2026", "--data", data, "--name", "Fair", "--players", "6", *options)
    return str(made["id"])


def refused(capsys: Told, *arguments: str) -> str:
    """Call `haggle games`, which is refused; return the one line that says why."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main(["games", *arguments])
    error = capsys.readouterr().err
    assert (stop.value.code, error.count("\n")) == (2, 1), error
    return error


def test_a_game_from_new_to_closed(capsys: Told, data: str, tmp_path: Path) -> None:
    """Made, changed, printed, opened, closed and opened again; the list tells of it, for people and for programs."""
    game = new(capsys, data, "--deadline", "none", "--confirm", "all")
    assert told(capsys, "set", game, "--data", data, "--mode", "total", "--set", "blue_base=3")["mode"] == "total"
    shown = told(capsys, "show", game, "--data", data)
    assert (shown["settings"], shown["confirmed"]) == ({"blue_base": 3}, [])
    assert told(capsys, "set", game, "--data", data, "--confirm", "all")["confirmed"] == ["blue_base"]
    out = tmp_path / "run1"
    run = told(capsys, "print", game, "--data", data, "--out", str(out), "--spare", "1", "--url", "https://h.example")
    assert (run["envelopes"], run["spare"], run["cards"]) == (7, 1, 91)
    assert {file.name for file in out.iterdir()} == {"sheets.pdf", "labels.pdf", "cards.csv"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in out.iterdir()} == {0o600}
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert told(capsys, "open", game, "--data", data)["counts"]["open"] == 6
    main(["games", "unseal", game, "7", "--data", data, "--name", "Late Lena"])
    listed = told(capsys, "envelopes", game, "--data", data)["envelopes"]
    assert [one["name"] for one in listed if one["opened"]][-1] == "Late Lena"
    assert told(capsys, "close", game, "--data", data, "--reason", "enough")["state"] == "closed"
    assert told(capsys, "reopen", game, "--data", data)["state"] == "open"
    assert [one["id"] for one in told(capsys, "--data", data)["games"]] == [game]
    capsys.readouterr()
    main(["games", "--data", data])
    main(["games", "show", game, "--data", data])
    main(["games", "envelopes", game, "--data", data])
    said = capsys.readouterr().out
    assert "eurocg-2026" in said
    assert "Print run 1: envelopes 1 to 7 (1 spare), 91 cards" in said


def test_the_files_of_a_run_are_written_again(capsys: Told, data: str, tmp_path: Path) -> None:
    """The same bytes; a folder that holds something is left alone."""
    game = new(capsys, data)
    for folder, options in (("a", []), ("b", ["--run", "1"])):
        main(["games", "print", game, "--data", data, "--out", str(tmp_path / folder), *options])
    for name in ("sheets.pdf", "labels.pdf", "cards.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert "name a new folder" in refused(capsys, "print", game, "--data", data, "--out", str(tmp_path / "a"))


def test_lost_cards_and_late_joiners_get_runs_of_their_own(capsys: Told, data: str, tmp_path: Path) -> None:
    """No card of them was printed before."""
    game = new(capsys, data)
    main(["games", "print", game, "--data", data, "--out", str(tmp_path / "1")])
    options = ("--envelopes", "2", "--even", "40")
    second = told(capsys, "print", game, "--data", data, "--out", str(tmp_path / "2"), *options)
    assert (second["first"], second["reached"]) == (7, True)
    lost = _cards_of(tmp_path / "1")[0]["card"]
    options = ("--replace", lost, "--reason", "torn")
    third = told(capsys, "print", game, "--data", data, "--out", str(tmp_path / "3"), *options)
    assert third["cards"] == 1
    assert third["replaced"] == [{"card": _cards_of(tmp_path / "3")[0]["card"], "envelope": 1}]
    assert {file.name for file in (tmp_path / "3").iterdir()} == {"sheets.pdf", "cards.csv"}
    cards = [line.split(",")[0] for n in "123" for line in (tmp_path / n / "cards.csv").read_text().splitlines()[1:]]
    assert len(set(cards)) == len(cards) == 6 * 13 + 2 * 13 + 1


def _cards_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_people_are_told_what_each_run_is(capsys: Told, data: str, tmp_path: Path) -> None:
    """One of a thing is one; a lost card's copy names its envelope, and no label is missed where none belongs."""
    game = new(capsys, data)
    main(["games", "print", game, "--data", data, "--out", str(tmp_path / "1")])
    lost = _cards_of(tmp_path / "1")[0]
    capsys.readouterr()
    main(["games", "print", game, "--data", data, "--out", str(tmp_path / "2"), "--envelopes", "1", "--even", "9999"])
    assert ": 13 cards, 1 envelope, in " in (said := capsys.readouterr().out)
    assert "points apart: as wanted." in said
    options = ["--replace", lost["card"], "--reason", "torn"]
    main(["games", "print", game, "--data", data, "--out", str(tmp_path / "3"), *options])
    told_out, told_err = capsys.readouterr()
    new_one = _cards_of(tmp_path / "3")[0]["card"]
    assert "Print run 3 of game" in told_out
    assert ": 1 card, in " in told_out
    assert f"{new_one} goes into envelope {lost['envelope']}." in told_out
    assert told_err == ""
    main(["games", "print", game, "--data", data, "--out", str(tmp_path / "again"), "--run", "3"])
    assert f"{new_one} goes into envelope {lost['envelope']}." in capsys.readouterr().out
    main(["games", "show", game, "--data", data])
    said = capsys.readouterr().out
    assert "Print run 2: envelope 7 (0 spare), 13 cards, starting hands 0 points apart, as wanted" in said
    assert "Print run 3: 1 card in place of a lost one" in said


def test_a_later_run_leads_to_the_first_runs_server(capsys: Told, data: str, tmp_path: Path) -> None:
    """Unless it names another address; labels without any are told of."""
    game = new(capsys, data)
    first = told(capsys, "print", game, "--data", data, "--out", str(tmp_path / "1"), "--url", "https://a.example/")
    later = ("--data", data, "--envelopes", "1")
    same = told(capsys, "print", game, *later, "--out", str(tmp_path / "2"))
    other = told(capsys, "print", game, *later, "--out", str(tmp_path / "3"), "--url", "https://b.example")
    assert [run["join"] for run in (first, same, other)] == [
        "https://a.example",
        "https://a.example",
        "https://b.example",
    ]
    main(["games", "print", game, *later, "--out", str(tmp_path / "4")])
    assert "bear no link" not in capsys.readouterr().out


def test_a_no_show_is_told_from_a_spare_envelope(capsys: Told, data: str, tmp_path: Path) -> None:
    """Both stay sealed when the game opens; the list calls only the one spare that was printed so."""
    game = new(capsys, data)
    main(["games", "print", game, "--data", data, "--out", str(tmp_path / "1"), "--spare", "2"])
    main(["games", "seal", game, "2", "--data", data])
    main(["games", "unseal", game, "7", "--data", data])
    main(["games", "open", game, "--data", data])
    listed = told(capsys, "envelopes", game, "--data", data)["envelopes"]
    assert [one["number"] for one in listed if one["spare"]] == [8]
    assert [one["number"] for one in listed if one["no_show"]] == [2]
    assert [one["number"] for one in listed if not one["opened"]] == [2, 8]
    capsys.readouterr()
    main(["games", "envelopes", game, "--data", data])
    said = capsys.readouterr().out
    assert (said.count("no-show"), said.count("spare")) == (1, 1)


@pytest.mark.parametrize("listed", [True, False])
def test_a_game_printed_without_a_server_is_taken_in(capsys: Told, data: str, tmp_path: Path, *, listed: bool) -> None:
    """With its card list, or dealt again from its seed where the list is gone; once only."""
    printed = print_game("sackson-1969", 8, tmp_path / "printed", seed="x")
    cards = (tmp_path / "printed" / "cards.csv").read_bytes()
    sheets = (tmp_path / "printed" / "sheets.pdf").read_bytes()
    if not listed:
        (tmp_path / "printed" / "cards.csv").unlink()
    main(["games", "add", str(tmp_path / "printed"), "--data", data])
    assert f"Game {printed.game.game}" in capsys.readouterr().out
    main(["games", "print", printed.game.game, "--data", data, "--run", "1", "--out", str(tmp_path / "again")])
    assert (tmp_path / "again" / "cards.csv").read_bytes() == cards
    assert (tmp_path / "again" / "sheets.pdf").read_bytes() == sheets
    assert "is here already" in refused(capsys, "add", str(tmp_path / "printed"), "--data", data)


def test_a_game_printed_with_stickers_is_taken_in_whole(data: str, tmp_path: Path) -> None:
    """Its card list has them too, so that each envelope holds what it was dealt."""

    def lying(folder: str) -> dict[str, str]:
        with (tmp_path / folder / "cards.csv").open(encoding="utf-8", newline="") as file:
            return {row["card"]: row["envelope"] for row in csv.DictReader(file)}

    game = print_game("sackson-1969", 8, tmp_path / "printed", choices=Choices(stick=("colour",))).game
    main(["games", "add", str(tmp_path / "printed"), "--data", data])
    main(["games", "print", game.game, "--data", data, "--run", "1", "--out", str(tmp_path / "again")])
    assert lying("again") == lying("printed")
    assert any(card.startswith("yellow-") for card in lying("again"))


@pytest.mark.parametrize(
    "wrong", ["x", "card,kind,copy,payload,code,envelope,page,row,column\nred-001,red,1,H,a,1,1,1,1"]
)
def test_a_list_of_other_cards_is_not_taken_in(capsys: Told, data: str, tmp_path: Path, wrong: str) -> None:
    """Nor one that is no list; nothing of the game is kept."""
    print_game("sackson-1969", 8, tmp_path / "printed")
    (tmp_path / "printed" / "cards.csv").write_text(wrong, encoding="utf-8")
    assert "cards.csv" in refused(capsys, "add", str(tmp_path / "printed"), "--data", data)
    assert told(capsys, "--data", data) == {"games": []}


def test_mistakes_are_told_in_one_line(capsys: Told, data: str, tmp_path: Path) -> None:
    """Each names what to do."""
    nowhere = str(tmp_path / "nowhere")
    assert "haggle.db" in refused(capsys, "--data", nowhere)
    game = new(capsys, data)
    assert "no such game" in refused(capsys, "show", "0000", "--data", data)
    assert "printed" in refused(capsys, "open", game, "--data", data)
    assert "NAME=NUMBER" in refused(capsys, "set", game, "--data", data, "--set", "blue")
    assert "Write the deadline" in refused(capsys, "set", game, "--data", data, "--deadline", "noon")
    assert "has passed" in refused(capsys, "set", game, "--data", data, "--deadline", "2020-01-01 12:00")
    assert "1 to 600" in refused(capsys, "set", game, "--data", data, "--players", "0")
    out = str(tmp_path / "out")
    assert "write it whole" in refused(capsys, "print", game, "--data", data, "--out", out, "--url", "h")
    assert "no such print run" in refused(capsys, "print", game, "--data", data, "--out", out, "--run", "3")
    assert "must be printed, open or closed" in refused(capsys, "seal", game, "1", "--data", data)
    assert told(capsys, "show", game, "--data", data)["runs"] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--deadline", "tomorrow"], "Write the deadline"),
        (["--deadline", "2027-03-28 02:30", "--timezone", "Europe/Berlin"], "the clocks change"),
        (["--deadline", "2027-03-28 12:00", "--timezone", "Mars"], "time zone is named"),
        (["--set", "blue"], "NAME=NUMBER"),
    ],
)
def test_a_new_game_with_a_wrong_setting_is_not_made(capsys: Told, data: str, options: list[str], said: str) -> None:
    """A deadline that is no time, one that the clocks skip, no such zone: one line each."""
    assert said in refused(capsys, "new", "eurocg-2026", "--data", data, "--name", "Fair", "--players", "6", *options)
    assert told(capsys, "--data", data) == {"games": []}


def test_a_game_is_deleted_after_a_question(capsys: Told, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No is no; --yes does not ask. The reason is kept when the game is gone."""
    game = new(capsys, data)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    with pytest.raises(SystemExit):
        main(["games", "delete", game, "--data", data])
    assert len(told(capsys, "--data", data)["games"]) == 1
    main(["games", "delete", game, "--data", data, "--yes", "--reason", "A rehearsal."])
    assert told(capsys, "--data", data) == {"games": []}
    with opened(Path(data)) as house, house.database.reading() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "delete")).one()
    assert (entry.subject, entry.reason) == (f"game {game}", "A rehearsal.")


def test_the_folder_may_be_named_before_the_subcommand(
    data: str, tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options before a subcommand hold for it, and its own go before them."""
    monkeypatch.chdir(tmp_path)
    game = new(capsys, data)
    capsys.readouterr()
    main(["games", "--data", data, "--json", "show", game])
    assert json.loads(capsys.readouterr().out)["id"] == game
    main(["games", "--data", str(tmp_path / "elsewhere"), "show", "--data", data, game])
    assert game in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]
