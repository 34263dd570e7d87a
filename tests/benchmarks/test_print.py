"""`haggle bench print`: figures of a print run, beside two libraries alone."""

from __future__ import annotations

import json

import pytest

from server.cli.main import main


def test_a_run_stands_beside_both_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    """A JSON object a line; ratios are those of the processor's times; the libraries do as much as the run."""
    main(["bench", "print", "--edition", "sackson-1969", "--players", "8", "--repeats", "1", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    codes, drawn, whole, qr, pdf = rows
    assert [row["way"] for row in rows] == ["sheets", "sheets", "sheets, labels, list", "QR library", "PDF library"]
    assert (codes["objects"], codes["beside"]) == (qr["objects"], "QR library") == (96, "QR library")
    assert (drawn["objects"], drawn["beside"]) == (pdf["objects"], "PDF library")
    # Each code is at least its three corners of many rectangles, twice on each card.
    assert drawn["objects"] > 96 * 2 * 20
    assert whole["bytes"] > codes["bytes"] > 10_000
    for row, other in ((codes, qr), (drawn, pdf), (whole, codes)):
        assert row["ratio"] == pytest.approx(row["processor"] / other["processor"], rel=0.05)


def test_the_table_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """With backs there is more to draw."""
    main(["bench", "print", "--edition", "sackson-1969", "--players", "4", "--repeats", "1", "--backs", "long"])
    said = capsys.readouterr().out
    assert "sackson-1969, 4 players" in said
    assert "QR library" in said


def test_what_cannot_be_printed_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown edition, for one."""
    with pytest.raises(SystemExit) as stop:
        main(["bench", "print", "--edition", "chess"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
