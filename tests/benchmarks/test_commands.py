"""`haggle bench`: each benchmark at its smallest size, and errors in one line."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from benchmarks.photos import write_copies
from server.cli.main import main
from server.games.photos.image import strip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Bench = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Bench:
    """Return a function that runs a benchmark with --json and returns its output."""

    def run(*words: object) -> list[dict[str, Any]]:
        main(["bench", *map(str, words), "--json"])
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


@pytest.mark.thorough
def test_bulk_scans_every_uploaded_photo(bench: Bench, tmp_path: Path) -> None:
    options = ["--photos", "4", "--workers", "1", "--hands", "1", "--megapixels", "2"]
    (run,) = bench("bulk", *options, "--pictures", tmp_path / "kept", "--in", tmp_path)
    assert (run["workers"], run["photos"], run["there"], run["failed"]) == (1, 4, 4, 0)
    positive = "size accepted rate codes processor peak_server peak_workers pool_rate bare_rate"
    for name in positive.split():
        assert run[name] > 0, name
    asked = {row["what"]: row["calls"] for row in run["answers"]}
    assert asked["send"] == 4
    assert asked["all"] == sum(asked.values()) - asked["all"] - 4 == 7 * asked["queue"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]


def test_copies_of_photos_are_different_files_with_the_same_pixels(tmp_path: Path) -> None:
    photos = []
    for shade in (40, 200):
        photos.append(tmp_path / f"{shade}.jpg")
        photos[-1].write_bytes(cv2.imencode(".jpg", np.full((32, 48), shade, np.uint8))[1].tobytes())
    files = write_copies(photos, 5, tmp_path / "in")
    assert len({hashlib.sha256(file.read_bytes()).digest() for file in files}) == 5
    for index, file in enumerate(files):
        assert strip(file.read_bytes()) == strip(photos[index % 2].read_bytes())


def test_print_is_compared_with_the_qr_library(bench: Bench) -> None:
    sheets, whole, codes = bench("print", "--edition", "sackson-1969", "--players", "8", "--repeats", "1")
    assert [row["way"] for row in (sheets, whole, codes)] == ["sheets", "sheets, labels, list", "QR library"]
    assert sheets["cards"] == whole["cards"] == codes["cards"] == 96
    assert whole["bytes"] > sheets["bytes"] > 10_000
    assert sheets["ratio"] == pytest.approx(sheets["processor"] / codes["processor"], rel=0.05)


def test_score_compares_variants(bench: Bench) -> None:
    rows = bench("score", "--hands", "20", "--edition", "eurocg-2026")
    speed = {row["way"]: row["per_second"] for row in rows}
    assert list(speed) == ["alone", "alone, texts", "game", "game, texts", "quarter", "half the rules", "functions"]
    for row in rows:
        assert row["ratio"] == pytest.approx(speed[row["beside"]] / row["per_second"], rel=0.05, abs=0.002)
    assert [(row["hands"], row["rules"]) for row in rows[3:]] == [(20, 23), (5, 23), (20, 12), (20, 23)]


@pytest.mark.thorough
def test_a_rush_with_real_photos_satisfies_all_invariants(bench: Bench, tmp_path: Path) -> None:
    (result,) = bench("rush", "--players", "2", "--minutes", "0.1", "--megapixels", "2", "--pictures", tmp_path)
    assert result["held"]
    assert result["hand_ins"] == result["players"] == 2
    assert set(result["usage"]) == {"starter", "server", "scan workers"}
    assert len(list(tmp_path.glob("*.jpg"))) == 6


def test_the_text_output_has_tables(capsys: pytest.CaptureFixture[str]) -> None:
    game = ["--edition", "sackson-1969"]
    main(["bench", "print", *game, "--players", "4", "--repeats", "1", "--backs", "long"])
    main(["bench", "score", *game, "--hands", "10"])
    output = capsys.readouterr().out
    for words in ("sackson-1969", "QR library", "alone, texts"):
        assert words in output
    assert "tarot-fr" not in output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bulk --workers none", "--workers"),
        ("bulk --workers 1,65", "1 to 64"),
        ("rush --server http://127.0.0.1:9", "--server needs --data and --password-file"),
        ("rush --players 0", "0 is not in the range"),
        ("print --edition chess", "unknown edition 'chess'"),
        ("score --edition nope", "unknown edition 'nope' (known: eurocg-2026, "),
    ],
)
def test_errors_are_one_line_before_the_start(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["bench", *words.split()])
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
