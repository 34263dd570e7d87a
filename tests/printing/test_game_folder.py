"""Printing a game into a folder: its files, their permissions, and errors that leave nothing behind."""

from __future__ import annotations

import csv
import json
import re
import stat
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pypdfium2
import pytest

from cardgen.cards import POKER, CardId
from cardgen.pages.raster import face_images
from cardgen.payload import card_text, is_signed, short_code
from cardgen.print_run import PARTS, PrintOutcome, PrintPlan
from cardgen.print_service import Product
from server.editions import load_edition
from server.printing import game_folder as printing
from server.printing.card_faces import FaceError, edition_faces
from server.printing.game_file import read_game_file
from server.printing.game_folder import PrintError, print_again, print_game
from server.printing.options import PrintOptions
from server.scoring.edition import Kind
from server.scoring.errors import EditionError
from tests.printed_pages import pages

if TYPE_CHECKING:
    from tests.conftest import PrintedFolder


def test_the_list_names_every_card_and_its_code(printed: PrintedFolder) -> None:
    """The columns are fixed; payloads and short codes are those of the game's key."""
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
    assert read_game_file(printed.folder) == read_game_file(file) == printed.game
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["edition"] == "eurocg-2026"
    assert data["settings"] == {"blue_base": 1}
    assert len(bytes.fromhex(data["key"])) == 32
    assert data["seed"] == "tests"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_printed_files_are_private(tmp_path: Path) -> None:
    """Files with codes or links are private, and so is a new folder; the mode of an existing folder stays."""
    new = tmp_path / "new"
    print_game("eurocg-2026", 1, new, faces=True, product=Product("pdf"), server_url="https://haggle.example")
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [new, *new.rglob("*")]}
    assert {path for path, mode in modes.items() if mode != (0o700 if path.is_dir() else 0o600)} == set()
    assert {path.suffix for path in modes} >= {".pdf", ".csv", ".json", ".png", ""}
    (tmp_path / "there").mkdir(mode=0o755)
    print_game("eurocg-2026", 1, tmp_path / "there")
    assert stat.S_IMODE((tmp_path / "there").stat().st_mode) == 0o755


def test_two_games_have_no_code_in_common(tmp_path: Path) -> None:
    """Each game has its own id and key, even with the same seed."""
    a = print_game("eurocg-2026", 1, tmp_path / "a", seed="x")
    b = print_game("eurocg-2026", 1, tmp_path / "b", seed="x")
    assert [c.card for c in a.printed.cards] == [c.card for c in b.printed.cards]
    assert not {c.payload for c in a.printed.cards} & {c.payload for c in b.printed.cards}


def test_existing_folders_are_used_but_games_not_overwritten(tmp_path: Path) -> None:
    """The key of printed cards must not be lost, so a second run is refused and changes nothing."""
    (tmp_path / "notes.txt").write_text("keep", encoding="utf-8")
    print_game("eurocg-2026", 1, tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert set(before) == {"notes.txt", "game.json", "sheets.pdf", "labels.pdf", "cards.csv"}
    with pytest.raises(PrintError, match=r"already holds game\.json: name a new folder"):
        print_game("eurocg-2026", 2, tmp_path)
    with pytest.raises(PrintError, match=r"notes.txt is a file: name a folder for the cards; nothing was printed$"):
        print_game("eurocg-2026", 1, tmp_path / "notes.txt")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_of_two_runs_into_one_folder_only_one_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one to finish is refused, and the first one's key and cards stay."""
    write = printing.write_run

    def overtaken(run: PrintPlan, folder: Path, **named: Any) -> PrintOutcome:  # noqa: ANN401 - as what it stands for
        monkeypatch.setattr(printing, "write_run", write)
        print_game("eurocg-2026", 2, tmp_path / "g")
        return write(run, folder, **named)

    monkeypatch.setattr(printing, "write_run", overtaken)
    with pytest.raises(PrintError, match="File exists; nothing was printed"):
        print_game("eurocg-2026", 1, tmp_path / "g")
    assert read_game_file(tmp_path / "g").players == 2
    assert (tmp_path / "g" / "cards.csv").read_text().count("\n") == 27


def test_a_failed_run_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leads to a message of one line and no partial files."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(printing, "save_game", full)
    with pytest.raises(PrintError, match="No space left on device; nothing was printed"):
        print_game("eurocg-2026", 1, tmp_path / "g")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"players": 0}, "0 players: print for 1 to 600"),
        ({"players": 601}, "601 players: print for 1 to 600"),
        ({"edition": "eurocg-1066"}, "eurocg-2026"),
        ({"settings": {"blue_base": -1}}, "blue_base is -1"),
        ({"settings": {"red_base": 1}}, "no setting 'red_base'"),
        ({"seed": "s" * 201}, "seed"),
        ({"seed": "\udcff"}, "seed"),
        *(
            ({"server_url": url}, "is not a server's address: write it whole")
            for url in ("haggle.example", "https://", "http://a b", "ftp://a", "https://ä.example", "https://a:b")
        ),
    ],
)
def test_unplayable_games_are_refused(tmp_path: Path, wanted: dict[str, Any], words: str) -> None:
    """Players, settings, a seed that a game file cannot contain, and addresses that no phone can open."""
    named = {"edition": "eurocg-2026", "players": 1, **wanted}
    with pytest.raises((PrintError, EditionError), match=words):
        print_game(named.pop("edition"), named.pop("players"), tmp_path / "g", **named)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("players", "noted"), [(7, True), (8, False), (15, False), (16, True)])
def test_a_game_outside_the_editions_size_is_printed_with_a_note(tmp_path: Path, players: int, *, noted: bool) -> None:
    done = print_game("sackson-1969", players, tmp_path / "g")
    size = f"Sackson’s Haggle is made for 8 to 15 players, not for {players}."
    assert [note for note in done.notes if "made for" in note] == ([size] if noted else [])


def test_rules_without_a_card_are_named(tmp_path: Path) -> None:
    """Each player starts with two rule cards: half as many players as rules are enough for all of them."""
    rules = [rule.card for rule in load_edition("eurocg-2026").rules]
    done = print_game("eurocg-2026", (len(rules) - 1) // 2, tmp_path / "g")
    kinds = {printed.card.kind for printed in done.printed.cards}
    missing = ", ".join(rule for rule in rules if rule not in kinds)
    assert done.notes[2] == f"These rules have no card, but apply anyway: {missing}."
    assert len(print_game("eurocg-2026", (len(rules) + 1) // 2, tmp_path / "h").notes) == 2


def test_settings_and_seed_are_stored_and_a_setting_is_noted(tmp_path: Path) -> None:
    """A note contains the value of blue cards and the way to change it; the game file contains setting and seed."""
    done = print_game("eurocg-2026", 1, tmp_path / "g", settings={"blue_base": 4}, seed="s" * 200)
    game = read_game_file(tmp_path / "g")
    assert (game.settings, game.seed) == ({"blue_base": 4}, "s" * 200)
    assert done.notes[0].startswith("Base value of blue cards (rule 6): 4.")
    assert "--set blue_base=NUMBER" in done.notes[0]


def test_a_game_is_printed_again_as_it_was(printed: PrintedFolder, tmp_path: Path) -> None:
    """On other paper, with the same key and cards; refused if the edition's cards have changed since."""
    print_again(printed.game, tmp_path / "g", options=PrintOptions(paper="letter"))
    assert read_game_file(tmp_path / "g") == printed.game
    assert (tmp_path / "g" / "cards.csv").read_text() == (printed.folder / "cards.csv").read_text()
    with pytest.raises(PrintError, match="other kinds of cards"):
        print_again(replace(printed.game, kinds=printed.game.kinds[::-1]), tmp_path / "h")


def test_a_card_of_any_category_can_be_printed() -> None:
    """Kinds without text show their symbol; an invalid one is named; apostrophes are typographic."""
    edition = load_edition("eurocg-2026")
    words = [face.name + face.text for face in edition_faces(edition).values()]
    assert not [word for word in words if "'" in word]
    assert any("\u2019" in word for word in words)
    token = Kind("token-red", "token", "Red token", ink="#c02020", symbol="heart")
    faces = edition_faces(replace(edition, kinds=(token,)))
    assert len(list(face_images([(faces["token-red"], "H7K3Q0001AAAAAAAAAAA", "00-01-2")], POKER, 60))) == 1
    with pytest.raises(FaceError, match="its card token-red has no ink and symbol"):
        edition_faces(replace(edition, kinds=(replace(token, symbol="dragon"),)))


def test_letter_paper_has_room_for_the_same_cards(tmp_path: Path) -> None:
    """There are nine cards a page too, and the footer is within the printable area."""
    done = print_game("eurocg-2026", 3, tmp_path / "g", options=PrintOptions(paper="letter"))
    assert done.printed.sheets == 5
    dpi = 300
    page = next(pages(tmp_path / "g" / "sheets.pdf", dpi))
    foot = page[round((279.4 - 9) / 25.4 * dpi) :].max(axis=2) < 128
    inked = np.flatnonzero(foot.any(axis=1)) / dpi * 25.4
    assert 9 - inked.max() > 4


def test_sacksons_game_for_15_matches_the_article(tmp_path: Path) -> None:
    """Thirty cards of each colour, two of each sheet; ten cards and two different sheets in each envelope."""
    done = print_game("sackson-1969", 15, tmp_path / "game", seed="tests")
    kinds = Counter(card.card.kind for card in done.printed.cards)
    assert {kinds[colour] for colour in ("yellow", "blue", "red", "orange", "white")} == {30}
    assert {kinds[f"rule-{number}"] for number in range(1, 16)} == {2}
    assert sum(kinds.values()) == 15 * 12


def test_a_smaller_game_leaves_sheets_out_as_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variant on Sackson's page, printed for 8 players: two of each of its 8 sheets, and no other."""
    page = Path(__file__).parents[2] / "docs" / "editions" / "sackson-1969.md"
    (variant,) = re.findall(r"^```toml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "small-haggle").mkdir()
    (tmp_path / "small-haggle" / "edition.toml").write_text(variant, encoding="utf-8")
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path))
    done = print_game("small-haggle", 8, tmp_path / "game", seed="tests")
    sheets = Counter(card.card.kind for card in done.printed.cards if card.card.kind.startswith("rule-"))
    assert sheets == {f"rule-{number}": 2 for number in (1, 2, 3, 6, 7, 8, 10, 15)}


@pytest.mark.parametrize(
    ("edition", "pictures"),
    [("sackson-1969", ("colour",)), ("eurocg-2026", ("colour",)), ("tarot-fr", ("tarot", "token"))],
)
def test_every_file_of_every_edition_can_be_printed(edition: str, pictures: tuple[str, ...], tmp_path: Path) -> None:
    """Including cards without their own ink, and cards as stickers: each file exists and is complete."""
    options = PrintOptions(backs="long", stick=pictures)
    print_game(edition, 6, tmp_path / "game", seed="tests", options=options, parts=tuple(PARTS))
    files = {path.name: path for path in (tmp_path / "game").iterdir()}
    assert set(files) == {*PARTS, "game.json"}
    for name in PARTS:
        if name.endswith(".pdf"):
            with pypdfium2.PdfDocument(files[name]) as document:
                assert len(document) > 0
