"""`haggle bench scan` as its user types it, with few cards and mostly the fast readers."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from rich.console import Console

from benchmarks.scan.measure import Row, Tally
from benchmarks.scan.pictures import PictureSet
from benchmarks.scan.readers import NAMES
from benchmarks.scan.report import own, results
from devtools.photo_simulator import CURVES, SCENES
from devtools.photo_simulator.profiles import NOMINAL
from server.cli.main import main
from tests.scanner.shots import page

if TYPE_CHECKING:
    from pathlib import Path

FAST = ["--readers", "haggle,zxing-cpp", "--no-memory"]


def run(*arguments: str) -> int:
    """Run the command and return its exit code."""
    try:
        main(["bench", "scan", *arguments])
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run the command and return the figures that it prints."""
    assert run("--json", *arguments) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    return figures


def put(folder: Path, name: str, *texts: str) -> None:
    """Write a picture with a code for each text into a folder."""
    folder.mkdir(exist_ok=True)
    pixels = page(*((text, 150 * number, 20) for number, text in enumerate(texts)))
    (folder / name).write_bytes(cv2.imencode(".png", pixels)[1].tobytes())


def test_readers_are_measured_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each deck and reader: what was there, what was read, the time beside decoding, our passes, memory."""
    figures = measured(capsys, "--profile", "small", "--decks", "2,3", "--readers", "haggle,zxing-cpp")
    rows = figures["rows"]
    assert [(row["set"], row["reader"]) for row in rows] == [
        (f"small {size}", name) for size in (2, 3) for name in ("haggle", "zxing-cpp")
    ]
    for row in rows:
        assert row["photos"] == 2
        assert row["cards_read"] == row["cards"] == 2 * row["cards_a_photo"]
        assert row["codes_read"] == row["codes"] == 4 * row["cards_a_photo"]
        assert row["false_reads"] == 0
        assert 0 < row["search_x_decode"] < row["total_x_decode"] <= row["total_x_decode_p95"]
        assert row["total_x_decode_p95"] <= row["total_x_decode_slowest"]
        assert 0 < row["milliseconds"] <= row["milliseconds_p95"]
        if row["reader"] == "haggle":
            assert {"decode", "plain", "doubts"} <= set(row["passes"])
            assert row["memory_x_pixels"] is None or 0 < row["memory_x_pixels"] < 30
            assert row["false_doubts"] == row["unread_cards"] == row["cut_short"] == 0
    assert {"false reads", "false doubts a photo"} <= {aim["name"] for aim in figures["aims"] if aim["met"]}
    assert sum(part["codes"] for part in figures["modules"] if part["reader"] == "haggle") == 20


def test_the_same_seed_measures_the_same_photographs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What is kept has the same bytes with the same seed, and others with another; it can be measured again."""
    kept = []
    for number, seed in enumerate(("a", "a", "b")):
        folder = tmp_path / str(number)
        measured(
            capsys, "--profile", "small", "--decks", "2", "--photos", "1", "--seed", seed, "--keep", str(folder), *FAST
        )
        kept.append((folder / "small-2" / "small-2-1.jpg").read_bytes())
    assert kept[0] == kept[1] != kept[2]
    (row, _) = measured(capsys, "--folder", str(tmp_path / "0"), *FAST)["rows"]
    assert (row["set"], row["kind"], row["codes"], row["codes_read"]) == ("0/small-2", "folder", 4, 4)


def test_other_codes_are_photographed_clean_and_damaged(capsys: pytest.CaptureFixture[str]) -> None:
    """Codes of any version that are no cards: they count as codes, and there is no game."""
    rows = measured(capsys, "--any", "small", "--decks", "4", "--photos", "1", *FAST)["rows"]
    assert [(row["set"], row["kind"]) for row in rows[::2]] == [("small any 4", "any"), ("small damaged 4", "any")]
    for row in rows:
        assert (row["codes"], row["cards"], row["false_reads"]) == (4, 0, 0)
        assert row["codes_read"] >= 3


def test_tables_tell_recall_doubts_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json there are two tables, within 80 columns."""
    assert run("--profile", "small", "--decks", "2", "--photos", "1", *FAST) == 0
    said = capsys.readouterr().out
    for words in ("small 2", "zxing-cpp", "100 %", "Unread", "plain", "false doubts a photo"):
        assert words in said
    assert max(map(len, said.splitlines())) <= 80


def test_the_tables_fit_a_terminal_of_80_columns() -> None:
    """No reader's name and no figure is cut, be the reader ever so slow."""
    tally = Tally(codes=80, codes_read=79, cards=40, cards_read=40)
    of = PictureSet("flatbed150 40", "profile", "flatbed150", lambda: iter(()), 2)
    rows = [Row(of, name, tally, [123.4] * 100, [123.45], [1234.5], passes={"plain": [1.0]}) for name in NAMES]
    console = Console(width=80)
    with console.capture() as said:
        console.print(results(rows), own(rows))
    lines = said.get().splitlines()
    for name in NAMES:
        (line,) = (line for line in lines if f" {name} " in line)
        for figure in ("98.7 %", "100 %", "123.4 s", "1234.5"):
            assert figure in line


def test_a_curve_gives_plots_and_misses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set for each value in order; plots of recall, time, sizes and the curve; a picture of each card not read."""
    blurs = {
        radius: replace(SCENES["small"], profile=replace(NOMINAL, defocus=radius, module=(4, 4)))
        for radius in (3.0, 0.3)
    }
    monkeypatch.setitem(CURVES, "defocus", blurs)
    plots, misses = tmp_path / "plots", tmp_path / "misses"
    wanted = ["--profile", "small", "--curves", "defocus", "--decks", "2", "--photos", "1"]
    rows = measured(capsys, *wanted, "--plots", str(plots), "--misses", str(misses), *FAST)["rows"]
    ours = [row for row in rows if row["reader"] == "haggle"]
    assert [(row["group"], row["value"]) for row in ours] == [("defocus", 0.3), ("defocus", 3.0), ("small", None)]
    assert [row["cards_read"] for row in ours] == [2, 0, 2]
    names = {path.name for path in plots.iterdir()}
    stems = ("recall", "time", "module-sizes", "curve-defocus-codes", "curve-defocus-cards")
    assert names == {f"{stem}.{kind}" for stem in stems for kind in ("svg", "png")}
    assert len(list(misses.iterdir())) == 2


def test_folders_of_real_photographs_are_sets(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Truth may be a text, a text a line, or JSON, and what is read beyond it is false."""
    put(tmp_path / "one", "text.png", "https://example.org/\nwith two lines")
    (tmp_path / "one" / "text.txt").write_text("https://example.org/\r\nwith two lines\n", encoding="utf-8")
    put(tmp_path / "one", "lines.png", "FIRST", "SECOND")
    (tmp_path / "one" / "lines.txt").write_text("FIRST\nSECOND\nTHIRD\n", encoding="utf-8")
    put(tmp_path / "two", "apart.png", "A", "A", "B")
    (tmp_path / "two" / "apart.json").write_text('["A", {"text": "A"}]', encoding="utf-8")
    put(tmp_path / "two", "together.png", "C")
    quads = [[[0, 0], [150, 0], [150, 150], [0, 150]], [[300, 0], [450, 0], [450, 150], [300, 150]]]
    together = {"together.png": [{"text": "C", "quad": quad} for quad in quads]}
    (tmp_path / "two" / "truth.json").write_text(json.dumps(together), encoding="utf-8")
    rows = measured(capsys, "--folder", str(tmp_path), *FAST)["rows"]
    found = {(row["set"].rpartition("/")[2], row["reader"]): row for row in rows}
    for name in ("haggle", "zxing-cpp"):
        one, two = found["one", name], found["two", name]
        assert (one["photos"], one["codes"], one["codes_read"], one["false_reads"]) == (2, 4, 3, 0)
        assert (two["photos"], two["codes"], two["codes_read"], two["false_reads"]) == (2, 4, 3, 1)


def test_pictures_without_truth_are_left_out_aloud(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One picture of two has no truth: a line names it, and the other one counts."""
    put(tmp_path, "known.png", "KNOWN")
    (tmp_path / "known.txt").write_text("KNOWN", encoding="utf-8")
    put(tmp_path, "unknown.png", "UNKNOWN")
    assert run("--json", "--folder", str(tmp_path), *FAST) == 0
    said = capsys.readouterr()
    assert [row["photos"] for row in json.loads(said.out)["rows"]] == [1, 1]
    assert "left out" in said.err
    assert "unknown.txt" in said.err


def test_a_damaged_picture_is_told_and_the_rest_is_measured(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Its line names set and picture; the exit code is 1, since the figures are not of everything."""
    put(tmp_path, "whole.png", "WHOLE")
    (tmp_path / "broken.png").write_bytes((tmp_path / "whole.png").read_bytes()[:100])
    for name in ("whole", "broken"):
        (tmp_path / f"{name}.txt").write_text("WHOLE", encoding="utf-8")
    assert run("--json", "--folder", str(tmp_path), *FAST) == 1
    said = capsys.readouterr()
    assert [row["photos"] for row in json.loads(said.out)["rows"]] == [1, 1]
    assert "broken.png" in said.err


def test_a_reader_that_is_not_at_hand_is_named_aloud(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without libzbar the others are measured, and a line says how to install it."""
    monkeypatch.setattr("benchmarks.scan.readers.available", lambda: ("zxing-cpp",))
    some = ["--profile", "small", "--decks", "1", "--photos", "1", "--no-memory"]
    assert run("--json", "--readers", "zxing-cpp,pyzbar", *some) == 0
    said = capsys.readouterr()
    assert [row["reader"] for row in json.loads(said.out)["rows"]] == ["zxing-cpp"]
    assert "WITHOUT pyzbar: the system has no libzbar" in said.err
    assert run("--readers", "pyzbar", *some) == 2


def test_every_peer_reads_a_plain_photograph(capsys: pytest.CaptureFixture[str]) -> None:
    """All readers of this machine, OpenCV's two among them, find the codes of one card on 2 megapixels."""
    rows = measured(capsys, "--decks", "1", "--photos", "1", "--profile", "small", "--no-memory")["rows"]
    names = [row["reader"] for row in rows]
    assert {"haggle", "zxing-cpp", "opencv", "opencv-aruco"} <= set(names) <= set(NAMES)
    for row in rows:
        assert row["cards_read"] == 1, row["reader"]
        assert row["false_reads"] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--decks", "none"], "5,20,40"),
        (["--decks", "0"], "1 to 60"),
        (["--decks", "61"], "1 to 60"),
        (["--readers", "wizard"], "'wizard' is none of haggle"),
        (["--profile", "wizard"], "'wizard' is none of ordinary, hard"),
        (["--curves", "wizard"], "'wizard' is none of all, defocus"),
        (["--photos", "0"], "0"),
        (["--folder", "{}/gone"], "gone: no such folder"),
        (["--folder", "{}/file"], "file: not a folder"),
        (["--folder", "{}/empty"], "empty: no photographs in it"),
        (["--folder", "{}/unknown"], "unknown.png: nothing says which codes are in it; write unknown.txt"),
        (["--folder", "{}/wrong"], 'wrong/truth.json: ["a.png"][0]'),
        (["--folder", "{}/broken"], "broken/a.json: "),
        (["--folder", "{}/number"], 'number/a.json: [0]["text"]: '),
        (["--plots", "{}/file/plots"], "name a folder that can be written"),
        # Told before the folders are looked at, and so before anything is measured.
        (["--json", "{}/file/figures.json", "--folder", "{}/gone"], "name a file that can be written"),
    ],
)
def test_mistakes_end_with_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], words: str
) -> None:
    """A wrong size, name or folder: exit code 2 and one line that says what would be right."""
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    put(tmp_path / "unknown", "unknown.png", "A")
    put(tmp_path / "wrong", "a.png", "A")
    (tmp_path / "wrong" / "truth.json").write_text('{"a.png": [{"quad": [[0, 0]]}]}', encoding="utf-8")
    put(tmp_path / "broken", "a.png", "A")
    (tmp_path / "broken" / "a.json").write_text("{", encoding="utf-8")
    put(tmp_path / "number", "a.png", "A")
    (tmp_path / "number" / "a.json").write_text('[{"text": 1}]', encoding="utf-8")
    assert run(*(argument.replace("{}", str(tmp_path)) for argument in arguments)) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert words in said


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is unreadable for root")
def test_an_unreadable_folder_ends_with_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A folder that may not be read: exit code 2 and one line that names it."""
    put(tmp_path / "shut", "a.png", "A")
    (tmp_path / "shut").chmod(0)
    try:
        assert run("--folder", str(tmp_path)) == 2
    finally:
        (tmp_path / "shut").chmod(0o700)
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "shut" in said


def test_json_goes_into_a_file_beside_the_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With a file's name --json writes there, and the tables are printed all the same."""
    path = tmp_path / "figures.json"
    assert run("--json", str(path), "--profile", "small", "--decks", "1", "--photos", "1", *FAST) == 0
    assert "zxing-cpp" in capsys.readouterr().out
    assert len(json.loads(path.read_text(encoding="utf-8"))["rows"]) == 2
    assert np.isfinite(json.loads(path.read_text(encoding="utf-8"))["rows"][0]["milliseconds"])


def test_our_scan_may_be_given_less_time(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With less work allowed fewer passes have their turn; less than one decoding is a usage error."""
    monkeypatch.setitem(SCENES, "module1", replace(SCENES["module1"], width=1600, height=1200))
    photo = ["--profile", "module1", "--decks", "2", "--photos", "1", *FAST]
    short, long = (measured(capsys, *photo, "--decodes", number)["rows"][0]["passes"] for number in ("2", "30"))
    assert len(short) < len(long)
    assert run(*photo, "--decodes", "0.5") == 2
