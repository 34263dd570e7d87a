"""`haggle scan` as its user types it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.payload import label_text
from devtools.photo_simulator import SCENES, photograph, printed_label
from server.cli.main import main
from server.store.games import save_game
from tests.jobs.scan_jobs import RECURSIVE_PDF
from tests.scanner.shots import CARDS, GAME, deck, encoded, page, shot

SIZE = 9


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a photograph of nine cards, a broken picture, a text, and a folder of the game."""
    (tmp_path / "game").mkdir()
    save_game(GAME, tmp_path / "game")
    photos = tmp_path / "photos"
    (photos / "more").mkdir(parents=True)
    (photos / "b.jpg").write_bytes(shot("nominal", SIZE).jpeg)
    (photos / "a.PNG").write_bytes(encoded(page(("ONE", 40, 30))))
    (photos / "more" / "c.tiff").write_bytes(encoded(page(("TWO", 40, 30)), "TIFF"))
    (photos / "notes.txt").write_text("no picture")
    return tmp_path


def scanned(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """Run `haggle scan --json` and return its lines as objects."""
    main(["scan", "--json", *arguments])
    said = capsys.readouterr()
    assert said.err == ""
    return [json.loads(line) for line in said.out.splitlines()]


@pytest.mark.parametrize("game", ["game/game.json", "game"])
def test_a_photograph_gives_the_keys_of_the_contract(
    folder: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    """One object a photo with exactly the agreed keys; --game takes the file or its folder."""
    photo = str(folder / "photos" / "b.jpg")
    (result,) = scanned(capsys, photo, "--game", str(folder / game))
    assert list(result) == ["photo", "width", "height", "codes", "cards", "hints"]
    assert (result["photo"], result["width"], result["height"]) == ("b.jpg", 4032, 3024)
    assert len(result["codes"]) == 2 * SIZE
    cards = {(code["card"]["kind"], code["card"]["copy"]) for code in result["codes"]}
    assert cards == {(card.kind, card.copy) for card in CARDS[:SIZE]}
    for code in result["codes"]:
        assert list(code) == ["text", "quad", "card"]
        assert len(code["text"]) == 20
        assert [len(point) for point in code["quad"]] == [2, 2, 2, 2]
    assert sum(result["cards"].values()) == SIZE
    assert result["hints"] == []


def test_without_a_game_codes_are_read_but_not_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --game every code has no card and nothing is counted."""
    (result,) = scanned(capsys, str(folder / "photos" / "b.jpg"))
    assert len(result["codes"]) == 2 * SIZE
    assert {code["card"] for code in result["codes"]} == {None}
    assert result["cards"] == {}


def test_a_folder_is_walked_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder gives its pictures and those of its folders, sorted, named by their way from it, and no other files."""
    results = scanned(capsys, str(folder / "photos"))
    assert [result["photo"] for result in results] == ["a.PNG", "b.jpg", "more/c.tiff"]


def test_each_page_of_a_document_is_a_photo(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pages of a PDF or TIFF are numbered from 1 behind the file's name."""
    for kind in ("PDF", "TIFF"):
        first, second = (Image.fromarray(page((text, 40, 30))) for text in ("ONE", "TWO"))
        file = folder / f"deck.{kind}"
        file.write_bytes(encoded(first, kind, save_all=True, append_images=[second]))
        results = scanned(capsys, str(file))
        assert [result["photo"] for result in results] == [f"{file.name}#1", f"{file.name}#2"]
        assert [[code["text"] for code in result["codes"]] for result in results] == [["ONE"], ["TWO"]]


def test_an_unreadable_picture_does_not_stop_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken picture is one line on stderr; the rest is scanned, and the exit code is 1."""
    (folder / "photos" / "aa.jpg").write_bytes(b"broken")
    with pytest.raises(SystemExit) as caught:
        main(["scan", "--json", str(folder / "photos")])
    said = capsys.readouterr()
    assert caught.value.code == 1
    assert len(said.out.splitlines()) == 3
    (line,) = said.err.splitlines()
    assert "aa.jpg" in line
    assert "not a picture" in line


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit of memory")
def test_a_file_that_kills_its_reader_does_not_stop_the_others(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A PDF that eats all memory it can get is one line on stderr; what comes after it is scanned."""
    (folder / "photos" / "aa.pdf").write_bytes(RECURSIVE_PDF)
    with pytest.raises(SystemExit) as caught:
        main(["scan", "--json", str(folder / "photos")])
    said = capfd.readouterr()
    assert caught.value.code == 1
    assert [json.loads(line)["photo"] for line in said.out.splitlines()] == ["a.PNG", "b.jpg", "more/c.tiff"]
    assert "aa.pdf: " in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
def test_a_file_without_an_end_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A device that gives bytes for ever is too large, as a picture and as a game."""
    with pytest.raises(SystemExit) as caught:
        main(["scan", "/dev/zero"])
    assert caught.value.code == 1
    assert "at most 40 MB" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["scan", str(folder / "photos" / "a.PNG"), "--game", "/dev/zero"])
    assert caught.value.code == 2
    assert "no game file" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no such device")
def test_a_full_disk_is_not_the_pictures_fault(folder: Path) -> None:
    """Where the answer cannot be written, the line says so and names no picture."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "server", "scan", "--json", folder / "photos" / "a.PNG"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "a.PNG" not in done.stderr


def test_a_folder_without_pictures_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder in which there is nothing to scan gives a line and exit code 1, not silence."""
    with pytest.raises(SystemExit) as caught:
        main(["scan", "--json", str(tmp_path)])
    assert caught.value.code == 1
    assert capsys.readouterr().err == f"haggle: {tmp_path}: no pictures in this folder\n"


def test_a_picture_without_codes_is_a_result(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty table is no error: no codes, and a hint."""
    (folder / "empty.png").write_bytes(encoded(page()))
    (result,) = scanned(capsys, str(folder / "empty.png"), "--game", str(folder / "game"))
    assert (result["codes"], result["cards"]) == ([], {})
    assert result["hints"][0].startswith("No code was found")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Missing argument"),
        (["{folder}/nothing.jpg"], "does not exist"),
        (["{folder}/photos/b.jpg", "--game", "{folder}/nothing.json"], "does not exist"),
        (["{folder}/photos/b.jpg", "--game", "{folder}/photos/notes.txt"], "no game file"),
        (["{folder}/photos/b.jpg", "--game", "{folder}/photos"], "game.json"),
        (["{folder}/photos/b.jpg", "--wrong"], "No such option"),
    ],
)
def test_wrong_use_ends_with_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """A missing path, a bad game file or an unknown option: exit code 2 and one line that says which."""
    with pytest.raises(SystemExit) as caught:
        main(["scan", *(argument.format(folder=folder) for argument in arguments)])
    said = capsys.readouterr()
    assert caught.value.code == 2
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert words in said.err


def test_people_get_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json there is a table of the kinds in the game's order with their sum; without a game, one of codes."""
    main(["scan", str(folder / "photos" / "b.jpg"), "--game", str(folder / "game")])
    table = capsys.readouterr().out
    shown = [line.split()[0] for line in table.splitlines() if line.split("│")[0].strip() in GAME.kinds]
    assert shown == sorted({card.kind for card in CARDS[:SIZE]}, key=GAME.kinds.index)
    assert [line.split() for line in table.splitlines() if line.startswith(" all")] == [["all", "│", str(SIZE)]]
    assert table.splitlines()[0] == str(folder / "photos" / "b.jpg")
    main(["scan", str(folder / "photos" / "a.PNG")])
    assert "ONE" in capsys.readouterr().out


def test_copies_are_told_to_people_and_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A card that lies twice in a picture is counted once and named, in the table and in the JSON."""
    faces = deck(4)
    photo = folder / "copy.jpg"
    photo.write_bytes(photograph((*faces, faces[2]), SCENES["five_mp"], "copy").jpeg)
    game = str(folder / "game")
    (result,) = scanned(capsys, str(photo), "--game", game)
    same = {"kind": CARDS[2].kind, "copy": CARDS[2].copy}
    assert [code["card"] for code in result["codes"]].count(same) == 4
    assert sum(result["cards"].values()) == 4
    (hint,) = result["hints"]
    assert hint.startswith(f"The card {CARDS[2].name} lies 2 times in the picture")
    main(["scan", str(photo), "--game", game])
    said = " ".join(capsys.readouterr().out.split())
    assert hint in said
    assert "all │ 4" in said


def test_decks_and_labels_are_told_to_people_and_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two decks in a picture and the envelopes beside them are said in words; the JSON has the label's code as well."""
    label = printed_label(GAME, 7, dpi=220)
    photo, game = folder / "two.jpg", str(folder / "game")
    photo.write_bytes(photograph(deck(8), SCENES["two_decks"], "two", [label]).jpeg)
    (result,) = scanned(capsys, str(photo), "--game", game)
    assert label_text(GAME, 7) in [code["text"] for code in result["codes"]]
    (hint,) = result["hints"]
    assert hint.startswith("2 decks seem to lie in the picture, 4 cards of envelope 7 and 4 cards without a label")
    main(["scan", str(photo), "--game", game])
    said = " ".join(capsys.readouterr().out.split())
    assert hint in said
    assert "Envelope: 7" in said
    main(["scan", str(folder / "photos" / "b.jpg"), "--game", game])
    assert "Envelope: no label found" in capsys.readouterr().out


def test_pictures_of_one_deck_are_added_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of several pictures the last line says how many cards they show together, each counted once."""
    for name, faces in (("one", deck(4)), ("two", deck(6)[2:])):
        (folder / f"{name}.jpg").write_bytes(photograph(faces, SCENES["five_mp"], name).jpeg)
    main(["scan", *(str(folder / f"{name}.jpg") for name in ("one", "two")), "--game", str(folder / "game")])
    assert capsys.readouterr().out.splitlines()[-1] == "All 2 pictures together: 6 different cards."


def test_a_file_without_an_ending_is_read_when_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is named on the command line is read whatever its name; the ending counts only in folders."""
    shutil.copy(folder / "photos" / "a.PNG", folder / "photos" / "upload")
    assert len(scanned(capsys, str(folder / "photos"))) == 3
    (result,) = scanned(capsys, str(folder / "photos" / "upload"))
    assert result["codes"][0]["text"] == "ONE"
