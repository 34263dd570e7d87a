"""The options of how cards come onto paper, as people type them."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pypdfium2
import pytest

from cardgen.printing import PARTS, STANDARD
from server.cli.main import main
from server.cli.print_options import ALL, EXTRAS

if TYPE_CHECKING:
    from pathlib import Path


def test_the_help_has_groups(capsys: pytest.CaptureFixture[str]) -> None:
    """Of paper, of what only some need, and of more files: what is usual comes first."""
    main(["print", "--help"])
    said = capsys.readouterr().out
    headings = ["Options:", "Paper and cutting:", "A printer that drifts, a used sheet:", "More files:"]
    places = [said.index(heading) for heading in headings]
    assert places == sorted(places)
    assert places[1] < said.index("--backs") < places[2] < said.index("--shift") < places[3] < said.index("--with")


def test_every_file_of_a_run_can_be_asked_for() -> None:
    """By its name without the ending; the standard ones come anyway."""
    assert set(EXTRAS.values()) == set(PARTS) - set(STANDARD)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--marks", "dots"], "dots"),
        (["--backs", "both"], "both"),
        (["--gutter", "wide"], "wide"),
        (["--gutter", "99"], "choose 0 to 20"),
        (["--bleed", "-1"], "choose 0 to 5"),
        (["--shift", "1;2"], "write it as 1.5,-2"),
        (["--shift", "1"], "'1' is no pair of numbers: write it as 1.5,-2"),
        (["--scale", "1;2"], "write it as 101, or as 101.5,100"),
        (["--scale", "50"], "a scale of 50, 50 %: choose 90 to 110"),
        (["--skip", "-1"], "-1"),
        (["--second", "xx"], "xx"),
        (["--language", "xx"], "xx"),
        (["--skip", "9"], "9"),
        (["--labels", "l1"], "'l1' is no format of labels"),
        (["--labels-skip", "8"], "8 labels of the first sheet"),
        (["--stickers", "5160"], "letter"),
        (["--stick", "gem"], "no cards of 'gem' for stickers"),
        (["--stick", "colour,rule"], "cards of 'rule' bear words"),
        (["--size", "giant"], "giant"),
        (["--with", "posters"], "'posters' is nothing to print with the cards"),
    ],
)
def test_wrong_choices_end_with_one_line_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """The line says what is possible."""
    with pytest.raises(SystemExit) as stop:
        main(["print", "eurocg-2026", "--players", "1", "--out", str(tmp_path / "g"), *arguments])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("haggle: ")
    assert error.count("\n") == 1
    assert words in error
    assert list(tmp_path.iterdir()) == []


def test_choices_reach_the_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Paper and language, as everything else that is chosen."""
    out = tmp_path / "g"
    main(["print", "eurocg-2026", "--players", "1", "--out", str(out), "--paper", "letter", "--language", "de"])
    assert "13 cards on 2 sheets" in capsys.readouterr().out
    with pypdfium2.PdfDocument(out / "sheets.pdf") as document:
        assert document[0].get_width() == pytest.approx(612)
        assert "Bogen 1 von 2" in document[0].get_textpage().get_text_bounded()
    assert ALL not in EXTRAS


def test_single_cards_are_written_for_a_print_service(tmp_path: Path) -> None:
    """A file for each front and one for the back, with a list, beside the files that come anyway."""
    out = tmp_path / "g"
    main(["print", "eurocg-2026", "--players", "1", "--out", str(out), "--cards-as", "pdf", "--with", "all"])
    cards = out / "single-cards"
    assert {path.name for path in cards.iterdir()} == {"back.pdf", "fronts", "manifest.csv", "manifest.json"}
    assert len(list((cards / "fronts").iterdir())) == 13
    named = {path.name for path in out.iterdir()} - {"single-cards", "game.json"}
    assert named == set(PARTS) - {"stickers.pdf"}


def test_a_run_of_a_data_folder_is_printed_as_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be printed is said before anything is dealt; then the run's files are as chosen."""
    data = str(tmp_path / "data")
    main(["games", "new", "eurocg-2026", "--data", data, "--name", "G", "--players", "1", "--size", "mini", "--json"])
    game = json.loads(capsys.readouterr().out)
    assert (game["size"], game["state"]) == ("mini", "draft")
    run = ["games", "print", game["id"], "--data", data, "--out", str(tmp_path / "run")]
    with pytest.raises(SystemExit) as stop:
        main([*run, "--labels", "l7120"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
    main([*run, "--backs", "short", "--cards-as", "pdf", "--with", "packing", "--url", "https://haggle.example"])
    with pypdfium2.PdfDocument(tmp_path / "run" / "sheets.pdf") as document:
        assert len(document) == 2
    assert (tmp_path / "run" / "packing.pdf").exists()
    fronts = list((tmp_path / "run" / "single-cards" / "fronts").iterdir())
    assert len(fronts) == 13
    assert {stat.S_IMODE(file.stat().st_mode) for file in fronts} == {0o600}
    assert "Print run 1" in capsys.readouterr().out
