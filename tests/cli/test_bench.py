"""`haggle bench scan` as its user types it, with few cards and the fast readers."""

from __future__ import annotations

import json

import pytest
from rich.console import Console

from server.cli.bench import Row, _table
from server.cli.main import main
from server.studio.measure import Tally
from server.studio.peers import peers


def test_the_bench_measures_readers_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each deck and reader, with what was there, what was read, and the time against decoding."""
    main(["bench", "scan", "--json", "--decks", "2,3", "--photos", "2", "--readers", "haggle,zxing-cpp"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["cards"], row["reader"]) for row in rows] == [
        (size, name) for size in (2, 3) for name in ("haggle", "zxing-cpp")
    ]
    for row in rows:
        assert row["photos"] == 2
        assert row["cards_read"] == row["cards_in_view"] == 2 * row["cards"]
        assert row["codes_read"] == row["codes"] == 4 * row["cards"]
        assert row["false_reads"] == 0
        assert 0 < row["search_x_decode"] < row["total_x_decode"]


def test_the_bench_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json there is a table that names the reader and the profile."""
    main(["bench", "scan", "--decks", "2", "--photos", "1", "--readers", "haggle", "--profile", "small"])
    said = capsys.readouterr().out
    assert "haggle" in said
    assert "2 megapixels, profile small" in " ".join(said.split())
    assert "100.0%" in said


def test_the_table_fits_a_terminal_of_80_columns() -> None:
    """No reader's name and no figure is cut, be the reader ever so slow."""
    tally = Tally(codes=80, codes_read=80, cards=40, cards_read=40)
    rows = [Row(40, name, 2, tally, 12345.6, 123.45, 234.56) for name in peers()]
    console = Console(width=80)
    with console.capture() as said:
        console.print(_table(rows, "nominal"))
    lines = said.get().splitlines()
    for name in peers():
        (line,) = (line for line in lines if f" {name} " in line)
        for figure in ("100.0%", "12346 ms", "123.45", "234.56"):
            assert figure in line


def test_every_peer_reads_a_plain_photograph(capsys: pytest.CaptureFixture[str]) -> None:
    """All readers of this machine, OpenCV's two among them, find the codes of one card on 2 megapixels."""
    main(["bench", "scan", "--json", "--decks", "1", "--photos", "1", "--profile", "small"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["reader"] for row in rows] == list(peers())
    assert {"haggle", "zxing-cpp", "opencv", "opencv-aruco"} <= set(peers())
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
        (["--profile", "wizard"], "wizard"),
        (["--photos", "0"], "0"),
    ],
)
def test_wrong_options_end_with_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    """A wrong size, reader or profile: exit code 2 and one line that says what would be right."""
    with pytest.raises(SystemExit) as caught:
        main(["bench", "scan", *arguments])
    said = capsys.readouterr().err
    assert caught.value.code == 2
    assert len(said.splitlines()) == 1
    assert words in said
    assert said.endswith("(see haggle bench scan --help)\n")
