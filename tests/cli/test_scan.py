"""`haggle scan`: JSON lines, tables and errors."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from cardgen.payload import label_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import printed_label
from devtools.photo_simulator.profiles import SCENES
from server.printing.game_file import save_game
from tests.scanner.shots import CARDS, GAME, deck, encoded, page, shot

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Haggle, Refused

SIZE = 9


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a photo of nine cards, other pictures, a text file, and the folder of the game."""
    folder = tmp_path_factory.mktemp("scan")
    (folder / "game").mkdir()
    save_game(GAME, folder / "game")
    photos = folder / "photos"
    (photos / "more").mkdir(parents=True)
    (photos / "b.jpg").write_bytes(shot("nominal", SIZE).jpeg)
    (photos / "a.PNG").write_bytes(encoded(page(("ONE", 40, 30))))
    (photos / "more" / "c.tiff").write_bytes(encoded(page(("TWO", 40, 30)), "TIFF"))
    (photos / "notes.txt").write_text("no picture")
    return folder


@pytest.fixture
def scanned(haggle: Haggle) -> Callable[..., list[dict[str, Any]]]:
    """Return a function that runs `haggle scan --json` and returns the parsed lines."""

    def run(*words: object) -> list[dict[str, Any]]:
        output = haggle("scan", "--json", *words)
        assert (output.code, output.err) == (0, "")
        return [json.loads(line) for line in output.out.splitlines()]

    return run


def test_the_json_of_a_photo_has_the_documented_keys(
    folder: Path, scanned: Callable[..., list[dict[str, Any]]]
) -> None:
    """There is one object for each photo."""
    (result,) = scanned(folder / "photos" / "b.jpg", "--game", folder / "game" / "game.json")
    assert list(result) == ["photo", "width", "height", "codes", "cards", "hints"]
    assert (result["photo"], result["width"], result["height"]) == ("b.jpg", 2592, 1944)
    assert len(result["codes"]) == 2 * SIZE
    cards = {(code["card"]["kind"], code["card"]["copy"]) for code in result["codes"]}
    assert cards == {(card.kind, card.copy) for card in CARDS[:SIZE]}
    for code in result["codes"]:
        assert list(code) == ["text", "quad", "card"]
        assert len(code["text"]) == 20
        assert [len(point) for point in code["quad"]] == [2, 2, 2, 2]
    assert sum(result["cards"].values()) == SIZE
    assert result["hints"] == []


def test_a_folder_is_scanned_recursively_and_in_order(
    folder: Path, scanned: Callable[..., list[dict[str, Any]]], haggle: Haggle
) -> None:
    """Pictures are named by their path within the folder; without a game no code has a card."""
    results = scanned(folder / "photos")
    assert [result["photo"] for result in results] == ["a.PNG", "b.jpg", "more/c.tiff"]
    assert [len(result["codes"]) for result in results] == [1, 2 * SIZE, 1]
    assert {code["card"] for result in results for code in result["codes"]} == {None}
    assert results[1]["cards"] == {}
    assert "ONE" in haggle("scan", folder / "photos" / "a.PNG").out


def test_each_page_of_a_document_is_scanned(tmp_path: Path, scanned: Callable[..., list[dict[str, Any]]]) -> None:
    """Pages are numbered from 1 after the name; explicitly named files may have any extension."""
    names = ("deck.PDF", "upload")
    for kind, name in zip(("PDF", "TIFF"), names, strict=True):
        first, second = (Image.fromarray(page((text, 40, 30))) for text in ("ONE", "TWO"))
        (tmp_path / name).write_bytes(encoded(first, kind, save_all=True, append_images=[second]))
    results = scanned(*(tmp_path / name for name in names))
    assert [result["photo"] for result in results] == [f"{name}#{page}" for name in names for page in (1, 2)]
    assert [[code["text"] for code in result["codes"]] for result in results] == [["ONE"], ["TWO"]] * 2


def test_unreadable_files_do_not_stop_others(folder: Path, tmp_path: Path, haggle: Haggle) -> None:
    """A damaged picture is one line on stderr, and the exit code is 1."""
    (tmp_path / "1.jpg").write_bytes(b"broken")
    (tmp_path / "2.png").write_bytes((folder / "photos" / "a.PNG").read_bytes())
    output = haggle("scan", "--json", tmp_path)
    assert (output.code, output.document["photo"], output.err.count("\n")) == (1, "2.png", 1)
    assert "1.jpg" in output.err
    assert "not a picture" in output.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no such devices")
def test_endless_devices_and_full_disks_are_reported(folder: Path, haggle: Haggle, refused: Refused) -> None:
    picture = folder / "photos" / "a.PNG"
    output = haggle("scan", "/dev/zero")
    assert (output.code, "at most 40 MB" in output.err) == (1, True)
    assert "not a game file" in refused("scan", picture, "--game", "/dev/zero")
    command = [sys.executable, "-m", "server", "scan", "--json", picture]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "a.PNG" not in done.stderr


def test_folders_without_pictures_and_pictures_without_codes_are_reported(
    folder: Path, tmp_path: Path, haggle: Haggle, scanned: Callable[..., list[dict[str, Any]]]
) -> None:
    """The former is an error, the latter a result with a hint."""
    assert haggle("scan", "--json", tmp_path) == (1, "", f"haggle: {tmp_path}: no pictures in this folder\n")
    (tmp_path / "empty.png").write_bytes(encoded(page()))
    (result,) = scanned(tmp_path / "empty.png", "--game", folder / "game")
    assert (result["codes"], result["cards"]) == ([], {})
    assert result["hints"][0].startswith("No code was found")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "Missing argument"),
        ("{folder}/nothing.jpg", "does not exist"),
        ("{folder}/photos/b.jpg --game {folder}/nothing.json", "does not exist"),
        ("{folder}/photos/b.jpg --game {folder}/photos/notes.txt", "not a game file"),
        ("{folder}/photos/b.jpg --game {folder}/photos", "game.json"),
        ("{folder}/photos/b.jpg --wrong", "No such option"),
    ],
)
def test_usage_errors_are_one_line(folder: Path, refused: Refused, arguments: str, words: str) -> None:
    assert words in refused("scan", *arguments.format(folder=folder).split())


def test_the_text_output_is_a_table(folder: Path, haggle: Haggle) -> None:
    """It has kinds in the game's order, totals and labels; --game also takes a folder."""
    table = haggle("scan", folder / "photos" / "b.jpg", "--game", folder / "game").out
    shown = [line.split()[0] for line in table.splitlines() if line.split("│")[0].strip() in GAME.kinds]
    assert shown == sorted({card.kind for card in CARDS[:SIZE]}, key=GAME.kinds.index)
    assert [line.split() for line in table.splitlines() if line.startswith(" all")] == [["all", "│", str(SIZE)]]
    assert table.splitlines()[0] == str(folder / "photos" / "b.jpg")
    assert "Envelope: no label found" in table


def test_duplicates_decks_and_labels_are_shown(
    folder: Path, tmp_path: Path, haggle: Haggle, scanned: Callable[..., list[dict[str, Any]]]
) -> None:
    """A card that appears twice in a picture is counted once and reported; decks have their envelopes."""
    game, faces = folder / "game", deck(4)
    (tmp_path / "copy.jpg").write_bytes(
        photograph((*faces, faces[2]), replace(SCENES["nominal"], width=1600, height=1200), "copy").jpeg
    )
    label = printed_label(GAME, 7, dpi=220)
    (tmp_path / "two.jpg").write_bytes(
        photograph(deck(8), replace(SCENES["two_decks"], width=2000, height=1500), "two", [label]).jpeg
    )
    copied, two = scanned(tmp_path, "--game", game)
    same = {"kind": CARDS[2].kind, "copy": CARDS[2].copy}
    assert [code["card"] for code in copied["codes"]].count(same) == 4
    assert sum(copied["cards"].values()) == 4
    (copy_hint,), (decks_hint,) = copied["hints"], two["hints"]
    assert copy_hint.startswith(f"The card {CARDS[2].name} is in the picture 2 times")
    assert label_text(GAME, 7) in [code["text"] for code in two["codes"]]
    assert decks_hint.startswith(
        "There seem to be 2 decks in the picture, 4 cards of envelope 7 and 4 cards without a label"
    )
    output = " ".join(haggle("scan", tmp_path, "--game", game).out.split())
    for words in (copy_hint, decks_hint, "all │ 4", "Envelope: 7", "All 2 pictures together: 8 different cards."):
        assert words in output
