"""Printing a game: what is written, and what is left alone when something is wrong."""

from __future__ import annotations

import csv
import json
import stat
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardgen.cards import POKER, CardId
from cardgen.ondemand import Product
from cardgen.payload import card_text, is_signed, short_code
from cardgen.raster import face_images
from server.editions import EditionError, load_edition
from server.jobs import printing
from server.jobs.choices import Choices
from server.jobs.faces import FaceError, edition_faces
from server.jobs.printing import PrintError, print_again, print_game
from server.scoring.edition import Kind
from server.store.games import load_game
from tests.printed_pages import pages

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import PrintedFolder


def test_the_list_names_every_card_and_its_code(printed: PrintedFolder) -> None:
    """The columns are the contract's; payload and short code are those of the game's key."""
    with (printed.folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        lines = file.read().splitlines()
        rows = list(csv.DictReader(lines))
    assert lines[0] == "card,kind,copy,payload,code,envelope,page,row,column"
    for row in rows:
        card = CardId(row["kind"], int(row["copy"]))
        assert row["card"] == card.name
        assert row["payload"] == card_text(printed.game, card)
        assert row["code"] == short_code(printed.game, card)
        assert is_signed(row["payload"], printed.game.key)
    envelopes = Counter(row["envelope"] for row in rows)
    assert envelopes == {str(n): 13 for n in range(1, 25)}


def test_the_game_file_holds_game_edition_settings_and_key(printed: PrintedFolder) -> None:
    """It reads back as the same game, and only its owner may read it."""
    file = printed.folder / "game.json"
    assert load_game(printed.folder) == load_game(file) == printed.game
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["edition"] == "eurocg-2026"
    assert data["settings"] == {"blue_base": 1}
    assert len(bytes.fromhex(data["key"])) == 32
    assert data["seed"] == "tests"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_only_the_owner_may_read_what_is_printed(tmp_path: Path) -> None:
    """Files with codes or links are private, and so is a folder made for them; one that was there stays as it is."""
    new = tmp_path / "new"
    print_game("eurocg-2026", 1, new, faces=True, product=Product("pdf"), join="https://haggle.example")
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [new, *new.rglob("*")]}
    assert {path for path, mode in modes.items() if mode != (0o700 if path.is_dir() else 0o600)} == set()
    assert {path.suffix for path in modes} >= {".pdf", ".csv", ".json", ".png", ""}
    (tmp_path / "there").mkdir(mode=0o755)
    print_game("eurocg-2026", 1, tmp_path / "there")
    assert stat.S_IMODE((tmp_path / "there").stat().st_mode) == 0o755


def test_two_games_share_no_code(tmp_path: Path) -> None:
    """Each game has an id and a key of its own, even from the same seed."""
    a = print_game("eurocg-2026", 1, tmp_path / "a", seed="x")
    b = print_game("eurocg-2026", 1, tmp_path / "b", seed="x")
    assert [c.card for c in a.printed.cards] == [c.card for c in b.printed.cards]
    assert not {c.payload for c in a.printed.cards} & {c.payload for c in b.printed.cards}


def test_a_folder_that_holds_a_game_is_never_overwritten(tmp_path: Path) -> None:
    """The key of printed cards must not be lost: the second run is refused and changes nothing."""
    print_game("eurocg-2026", 1, tmp_path / "g")
    before = {file.name: file.read_bytes() for file in (tmp_path / "g").iterdir()}
    with pytest.raises(PrintError, match=r"already holds game\.json: name a new folder"):
        print_game("eurocg-2026", 2, tmp_path / "g")
    assert {file.name: file.read_bytes() for file in (tmp_path / "g").iterdir()} == before


def test_a_file_is_no_folder_to_print_into(tmp_path: Path) -> None:
    """The message says what to name instead, and the file stays."""
    (tmp_path / "g").write_text("keep", encoding="utf-8")
    with pytest.raises(PrintError, match=r"g is a file: name a folder for the cards; nothing was printed$"):
        print_game("eurocg-2026", 1, tmp_path / "g")
    assert (tmp_path / "g").read_text(encoding="utf-8") == "keep"
    assert len(list(tmp_path.iterdir())) == 1


def test_of_two_runs_into_one_folder_only_one_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second to finish is refused, and the first one's key and cards stay."""
    write = printing.write_run

    def overtaken(run: printing.PrintRun, folder: Path, **named: Any) -> printing.Printed:  # noqa: ANN401 - as what it stands for
        monkeypatch.setattr(printing, "write_run", write)
        print_game("eurocg-2026", 2, tmp_path / "g")
        return write(run, folder, **named)

    monkeypatch.setattr(printing, "write_run", overtaken)
    with pytest.raises(PrintError, match="File exists; nothing was printed"):
        print_game("eurocg-2026", 1, tmp_path / "g")
    assert load_game(tmp_path / "g").players == 2
    assert (tmp_path / "g" / "cards.csv").read_text().count("\n") == 27


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    """An existing folder is used as it is."""
    (tmp_path / "notes.txt").write_text("keep", encoding="utf-8")
    print_game("eurocg-2026", 1, tmp_path)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "keep"
    assert {file.name for file in tmp_path.iterdir()} == {
        "notes.txt",
        "game.json",
        "sheets.pdf",
        "labels.pdf",
        "cards.csv",
    }


def test_a_failure_in_mid_run_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills up gives one line, and no half-written game."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(printing, "save_game", full)
    with pytest.raises(PrintError, match="No space left on device; nothing was printed"):
        print_game("eurocg-2026", 1, tmp_path / "g")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_an_error_in_words(tmp_path: Path) -> None:
    """Not a traceback."""
    (tmp_path / "g").write_text("a file", encoding="utf-8")
    with pytest.raises(PrintError, match="nothing was printed"):
        print_game("eurocg-2026", 1, tmp_path / "g")


@pytest.mark.parametrize("players", [-1, 0, 601])
def test_numbers_of_players_out_of_range_are_refused(tmp_path: Path, players: int) -> None:
    """1 to 600 players can be printed."""
    with pytest.raises(PrintError, match=f"{players} players: print for 1 to 600"):
        print_game("eurocg-2026", players, tmp_path / "g")
    assert not (tmp_path / "g").exists()


def test_an_unknown_edition_is_refused(tmp_path: Path) -> None:
    """The message names the editions that exist."""
    with pytest.raises(EditionError, match="eurocg-2026"):
        print_game("eurocg-1066", 24, tmp_path / "g")


@pytest.mark.parametrize(("players", "noted"), [(22, True), (23, False), (138, False), (139, True)])
def test_a_game_outside_the_editions_size_is_printed_with_a_note(tmp_path: Path, players: int, *, noted: bool) -> None:
    """The edition recommends 23 to 138 players."""
    done = print_game("eurocg-2026", players, tmp_path / "g")
    size = f"EuroCG 2026 is made for 23 to 138 players, not for {players}."
    assert list(done.notes[1:]) == ([size] if noted else [])


def test_rules_without_a_card_are_named(tmp_path: Path) -> None:
    """22 rule cards for 11 players: one of the 23 rules has no card, 24 for 12 players leave none out."""
    done = print_game("eurocg-2026", 11, tmp_path / "g")
    kinds = {printed.card.kind for printed in done.printed.cards}
    (missing,) = {f"rule-{n}" for n in range(1, 24)} - kinds
    assert done.notes[2] == f"No card, though they count all the same: {missing}."
    assert len(print_game("eurocg-2026", 12, tmp_path / "h").notes) == 2


def test_the_organisers_value_is_stored_and_named(tmp_path: Path) -> None:
    """Whoever prints is told what blue is worth and how to change it; the value goes into the game file."""
    done = print_game("eurocg-2026", 1, tmp_path / "g", settings={"blue_base": 4})
    assert load_game(tmp_path / "g").settings == {"blue_base": 4}
    assert done.notes[0].startswith("Base value of blue cards (rule 6): 4.")
    assert "--set blue_base=NUMBER" in done.notes[0]


@pytest.mark.parametrize(
    ("settings", "words"), [({"blue_base": -1}, "blue_base is -1"), ({"red_base": 1}, "no setting 'red_base'")]
)
def test_settings_that_the_edition_does_not_take_are_refused(
    tmp_path: Path, settings: dict[str, int], words: str
) -> None:
    """Before anything is printed."""
    with pytest.raises(PrintError, match=words):
        print_game("eurocg-2026", 1, tmp_path / "g", settings=settings)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("seed", "good"), [("s" * 200, True), ("s" * 201, False), ("\udcff", False)])
def test_a_seed_that_could_not_be_read_back_is_refused(tmp_path: Path, seed: str, *, good: bool) -> None:
    """A game file that cannot be loaded would make all cards unreadable."""
    if good:
        print_game("eurocg-2026", 1, tmp_path / "g", seed=seed)
        assert load_game(tmp_path / "g").seed == seed
    else:
        with pytest.raises(PrintError, match="seed"):
            print_game("eurocg-2026", 1, tmp_path / "g", seed=seed)
        assert list(tmp_path.iterdir()) == []


def test_a_game_is_printed_again_as_it_was(printed: PrintedFolder, tmp_path: Path) -> None:
    """Other paper, same key, same cards in the same envelopes; only their places on the sheets may differ."""
    print_again(printed.game, tmp_path / "g", choices=Choices(paper="letter"))
    assert load_game(tmp_path / "g") == printed.game
    assert (tmp_path / "g" / "cards.csv").read_text() == (printed.folder / "cards.csv").read_text()


def test_a_game_of_other_kinds_is_not_printed_again(printed: PrintedFolder, tmp_path: Path) -> None:
    """An edition whose cards have changed would give the old codes to other cards."""
    with pytest.raises(PrintError, match="other kinds of cards"):
        print_again(replace(printed.game, kinds=printed.game.kinds[::-1]), tmp_path / "g")


@pytest.mark.parametrize(
    "url", ["haggle.example", "https://", "http://a b", "ftp://a", "https://ä.example", "https://a:b"]
)
def test_an_address_that_no_phone_could_open_is_refused(tmp_path: Path, url: str) -> None:
    """It would be printed on every label."""
    with pytest.raises(PrintError, match="is no address of a server: write it whole"):
        print_game("eurocg-2026", 1, tmp_path / "g", join=url)


def test_apostrophes_are_printed_as_such() -> None:
    """No card shows the straight sign of a keyboard."""
    faces = edition_faces(load_edition("eurocg-2026")).values()
    assert not [face.kind for face in faces if "'" in face.name + face.text]
    assert any("\u2019" in face.text for face in faces)


def test_a_card_of_any_category_can_be_printed() -> None:
    """A kind without a text shows its symbol; one that cannot be drawn is named."""
    edition = load_edition("eurocg-2026")
    token = Kind("token-red", "token", "Red token", ink="#c02020", symbol="heart")
    faces = edition_faces(replace(edition, kinds=(token,)))
    assert len(list(face_images([(faces["token-red"], "H7K3Q0001AAAAAAAAAAA", "00-01-2")], POKER, 60))) == 1
    with pytest.raises(FaceError, match="its card token-red has no ink and symbol"):
        edition_faces(replace(edition, kinds=(replace(token, symbol="dragon"),)))


def test_letter_paper_takes_the_same_cards(tmp_path: Path) -> None:
    """Nine cards a page there too, and the words at the foot stand where a printer still prints."""
    done = print_game("eurocg-2026", 3, tmp_path / "g", choices=Choices(paper="letter"))
    assert done.printed.sheets == 5
    dpi = 300
    page = next(pages(tmp_path / "g" / "sheets.pdf", dpi))
    foot = page[round((279.4 - 9) / 25.4 * dpi) :].max(axis=2) < 128
    inked = np.flatnonzero(foot.any(axis=1)) / dpi * 25.4
    assert 9 - inked.max() > 4
