"""`haggle print`: files, options and errors."""

from __future__ import annotations

import csv
import stat
from typing import TYPE_CHECKING

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from cardgen.print_run import PARTS, STANDARD
from server.cli.print import EXTRAS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Haggle, Refused


def test_print_writes_the_documented_files(tmp_path: Path, haggle: Haggle) -> None:
    """sheets.pdf, labels.pdf, cards.csv, game.json, and with --faces a PNG of 300 dpi for each card."""
    out = tmp_path / "new" / "game"
    output = haggle("print", "eurocg-2026", "--players", "2", "--out", out, "--faces", "--seed", "s").out
    assert "26 cards on 3 sheets, 2 labels, 26 PNG faces" in output
    assert "made for 23 to 138 players" in output
    assert "Base value of blue cards (rule 6): 1." in output
    assert {path.name for path in out.iterdir()} == {"sheets.pdf", "labels.pdf", "cards.csv", "game.json", "faces"}
    with (out / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {path.stem for path in (out / "faces").iterdir()} == {row["card"] for row in rows}
    for row in rows:
        with Image.open(out / "faces" / f"{row['card']}.png") as image:
            assert image.size == (745, 1040)
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
            codes = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
        assert [code.text for code in codes] == [row["payload"]] * 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("eurocg-2026 --players 0", "0 players"),
        ("eurocg-2026 --players many", "many"),
        ("eurocg-2026", "--players"),
        ("chess --players 24", "chess"),
        ("eurocg-2026 --game nowhere", "nowhere"),
        ("--url haggle.example", "write it whole"),
        ("--set blue_base", "NAME=NUMBER"),
        ("--set blue_base=-1", "at least 0"),
        ("--set green=1", "no setting 'green'"),
        ("--paper a3", "a3"),
        ("--gutter wide", "wide"),
        ("--gutter 99", "choose 0 to 20"),
        ("--shift 1", "'1' is not a pair of numbers: write it as 1.5,-2"),
        ("--scale 1;2", "write it as 101, or as 101.5,100"),
        ("--scale 50", "a scale of 50, 50 %: choose 90 to 110"),
        ("--language xx", "xx"),
        ("--skip 9", "9"),
        ("--labels l1", "'l1' is not a label format"),
        ("--labels-skip 8", "8 labels of the first sheet"),
        ("--stickers 5160", "letter"),
        ("--stick gem", "no cards of 'gem' for stickers"),
        ("--stick colour,rule", "cards of 'rule' have words"),
        ("--size giant", "giant"),
        ("--with posters", "'posters' cannot be printed"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(tmp_path: Path, refused: Refused, words: str, message: str) -> None:
    start = ["eurocg-2026", "--players", "1"] if words.startswith("--") else []
    assert message in refused("print", *start, *words.split(), "--out", tmp_path / "g")
    assert list(tmp_path.iterdir()) == []


def test_a_game_can_be_printed_again(tmp_path: Path, haggle: Haggle, refused: Refused) -> None:
    """--game takes the folder of a printed game; its settings cannot be changed."""
    first, second = tmp_path / "a", tmp_path / "b"
    assert "--out" in refused("print", "eurocg-2026", "--players", "2")
    output = haggle("print", "eurocg-2026", "--players", "2", "--out", first, "--set", "blue_base=3").out
    assert "no link for phones" in output
    again = ["print", "eurocg-2026", "--game", first, "--out", second, "--url", "https://haggle.example/"]
    assert "no link for phones" not in haggle(*again, "--players", "2").out
    assert (first / "game.json").read_bytes() == (second / "game.json").read_bytes()
    for wrong in (["--players", "3"], ["--seed", "x"], ["--set", "blue_base=3"]):
        assert "printed again as it was" in refused(*again, *wrong)


def test_options_choose_layout_and_files(tmp_path: Path, haggle: Haggle) -> None:
    """Paper, language, any file of a run by its name, and single cards with a list for a print shop."""
    assert set(EXTRAS.values()) == set(PARTS) - set(STANDARD)
    options = ("--paper", "letter", "--language", "de", "--cards-as", "pdf", "--with", "all")
    output = haggle("print", "eurocg-2026", "--players", "1", "--out", tmp_path / "g", *options)
    assert "13 cards on 2 sheets" in output.out
    with pypdfium2.PdfDocument(tmp_path / "g" / "sheets.pdf") as document:
        assert document[0].get_width() == pytest.approx(612)
        assert "Bogen 1 von 2" in document[0].get_textpage().get_text_bounded()
    named = {path.name for path in (tmp_path / "g").iterdir()} - {"single-cards", "game.json"}
    assert named == set(PARTS) - {"stickers.pdf"}
    cards = tmp_path / "g" / "single-cards"
    assert {path.name for path in cards.iterdir()} == {"back.pdf", "fronts", "manifest.csv", "manifest.json"}
    assert len(list((cards / "fronts").iterdir())) == 13


def test_a_run_of_a_data_folder_is_printed_with_its_options(tmp_path: Path, haggle: Haggle) -> None:
    new = ("games", "new", "eurocg-2026", "--name", "G", "--players", "1", "--size", "mini", "--json")
    game = haggle(*new, "--data", tmp_path / "data").document
    assert (game["size"], game["state"]) == ("mini", "draft")
    options = ("--backs", "short", "--cards-as", "pdf", "--with", "packing", "--url", "https://haggle.example")
    run = ("games", "print", game["id"], "--data", tmp_path / "data", "--out", tmp_path / "run")
    assert "Print run 1" in haggle(*run, *options).out
    with pypdfium2.PdfDocument(tmp_path / "run" / "sheets.pdf") as document:
        assert len(document) == 2
    assert (tmp_path / "run" / "packing.pdf").exists()
    fronts = list((tmp_path / "run" / "single-cards" / "fronts").iterdir())
    assert len(fronts) == 13
    assert {stat.S_IMODE(file.stat().st_mode) for file in fronts} == {0o600}
