"""What `docs/scaling.md` computes follows from the figures that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCUMENT = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text("utf-8")
SECONDS = 300
"""Of the busiest five minutes."""


def row(title: str) -> list[str]:
    """Return the cells behind a row's title."""
    found = re.search(rf"^\| {re.escape(title)} \|(.*)\|$", DOCUMENT, re.MULTILINE)
    assert found, title
    return [cell.strip() for cell in found[1].split("|")]


def numbers(cell: str) -> list[float]:
    """Return the numbers in a cell."""
    return [float(number.replace(",", "")) for number in re.findall(r"[\d,]*\d(?:\.\d+)?", cell)]


def given(title: str) -> float:
    """Return a figure that goes in."""
    return numbers(row(title)[0])[0]


PHOTOS = given("photographs a player")
READ = given("processor seconds to read one")
TAKE = given("processor seconds of the server to take one in and keep what was read")
SERVE = given("processor seconds of the server for all else of a player")
CALLS = given("calls a player")
COMMITS = given("commits a player")
OWN = given("days that a player's own pictures are kept")
ENVELOPES = given("days that pictures of envelopes are kept")
STREAMS = given("live streams of one server process")
RATE = given("calls a second of one server process")
MEGABYTES = given("megabytes a photograph")
ROWS = given("kilobytes of rows a player")
SHARE = given("share of a day's players in its busiest five minutes")


@pytest.mark.parametrize(
    ("column", "players", "share"), [(0, 150, 1.0), (1, 10_000, SHARE), (2, 1_000_000, SHARE)], ids=str
)
def test_the_figures_follow(column: int, players: int, share: float) -> None:
    """Each figure is what its inputs make of it, within what rounding takes."""
    rush = players * share
    photos = rush * PHOTOS
    kept = players * ((PHOTOS - 1) * OWN + ENVELOPES)
    expected = {
        "photographs a day": [players * PHOTOS],
        "photographs a second in the busiest five minutes": [photos / SECONDS],
        "cores that read as fast as they come then": [photos * READ / SECONDS],
        "pictures that wait at the end of them with half of these cores": [photos / 2],
        "cores of the servers then": [rush * (SERVE + PHOTOS * TAKE) / SECONDS],
        "calls a second then": [rush * CALLS / SECONDS],
        "live streams then": [rush],
        "server processes: for the calls, for the streams": [
            -(-rush * CALLS / SECONDS // RATE),
            -(-rush // STREAMS),
        ],
        "commits a second then": [rush * COMMITS / SECONDS],
        "pictures kept": [kept],
        "terabytes of pictures kept": [kept * MEGABYTES / 1e6],
        "gigabytes of rows in a year": [] if column == 0 else [players * ROWS * 365 / 1e6],
    }
    for title, figures in expected.items():
        assert numbers(row(title)[column]) == pytest.approx(figures, rel=0.04), title


@pytest.mark.parametrize(("column", "players"), [(1, 10_000), (2, 1_000_000)])
def test_the_money_follows(column: int, players: int) -> None:
    """Cores, pictures and rows cost what the assumed prices make of them."""
    core, terabyte, gigabyte = 8, 20, 0.15
    cores = sum(numbers(row("cores: to read, to serve, for the database")[column])) * core
    pictures = numbers(row("terabytes of pictures kept")[column])[0] * terabyte
    rows = numbers(row("gigabytes of rows in a year")[column])[0] * gigabyte
    assert numbers(row("euros a month for cores")[column]) == pytest.approx([cores], rel=0.01)
    assert numbers(row("euros a month for pictures")[column]) == pytest.approx([pictures], rel=0.02)
    assert numbers(row("euros a month for a year of rows")[column]) == pytest.approx([rows], rel=0.02)
    a_thousand = (cores + pictures + rows) / (players * 30 / 1000)
    assert numbers(row("euros for 1,000 players")[column]) == pytest.approx([a_thousand], rel=0.03)
