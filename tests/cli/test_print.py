"""`haggle print` as its user types it."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
import zxingcpp
from PIL import Image

from server.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


def test_print_writes_the_files_of_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """sheets.pdf, labels.pdf, cards.csv, game.json and with --faces one PNG of 300 dpi a card, named by card."""
    out = tmp_path / "new" / "game"
    main(["print", "eurocg-2026", "--players", "2", "--out", str(out), "--faces", "--seed", "s"])
    said = capsys.readouterr()
    assert "26 cards on 3 sheets, 2 labels, 26 PNG faces" in said.out
    assert "made for 23 to 138 players" in said.out
    assert "Base value of blue cards (rule 6): 1." in said.out
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
    ("arguments", "words"),
    [
        (["eurocg-2026", "--players", "0"], "0 players"),
        (["eurocg-2026", "--players", "many"], "many"),
        (["eurocg-2026"], "--players"),
        (["chess", "--players", "24"], "chess"),
        (["eurocg-2026", "--players", "24", "--paper", "a3"], "a3"),
        (["eurocg-2026", "--players", "24", "--url", "haggle.example"], "write it whole"),
        (["eurocg-2026", "--players", "24", "--set", "blue_base"], "NAME=NUMBER"),
        (["eurocg-2026", "--players", "24", "--set", "blue_base=-1"], "at least 0"),
        (["eurocg-2026", "--players", "24", "--set", "green=1"], "no setting 'green'"),
        (["eurocg-2026", "--game", "nowhere"], "nowhere"),
    ],
)
def test_mistakes_end_with_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """The line names what is wrong; nothing is written."""
    with pytest.raises(SystemExit) as stop:
        main(["print", *arguments, "--out", str(tmp_path / "g")])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("haggle: ")
    assert error.count("\n") == 1
    assert words in error
    assert not (tmp_path / "g").exists()


def test_a_game_can_be_printed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--game takes a printed game's folder; what was decided then cannot be changed."""
    first, second = tmp_path / "a", tmp_path / "b"
    main(["print", "eurocg-2026", "--players", "2", "--out", str(first), "--set", "blue_base=3"])
    assert "no link for phones" in capsys.readouterr().out
    again = ["print", "eurocg-2026", "--game", str(first), "--out", str(second), "--url", "https://haggle.example/"]
    main([*again, "--players", "2"])
    assert "no link for phones" not in capsys.readouterr().out
    assert (first / "game.json").read_bytes() == (second / "game.json").read_bytes()
    for wrong in (["--players", "3"], ["--seed", "x"], ["--set", "blue_base=3"]):
        with pytest.raises(SystemExit) as stop:
            main([*again, *wrong])
        assert stop.value.code == 2
        assert "printed again as it was" in capsys.readouterr().err


def test_print_without_a_folder_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """--out is needed."""
    with pytest.raises(SystemExit) as stop:
        main(["print", "eurocg-2026", "--players", "24"])
    assert stop.value.code == 2
    assert "--out" in capsys.readouterr().err
