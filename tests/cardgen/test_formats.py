"""Sheets of labels that are sold, and free grids."""

from __future__ import annotations

import pytest

from cardgen.formats import CUT, FORMATS, Stock, format_of
from cardgen.paper import PAPERS, PaperError


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_lies_on_its_paper(name: str) -> None:
    """No label of a sheet stands out of the paper, and no two overlap."""
    one = FORMATS[name]
    paper = PAPERS[one.paper or "a4"]
    one.check(paper)
    corners = [one.corner(number, paper) for number in range(one.size)]
    assert all(x >= -0.05 and x + one.width <= paper.width + 0.05 for x, _ in corners)
    assert all(y >= -0.05 and y + one.height <= paper.height + 0.05 for _, y in corners)
    assert all(
        abs(x - u) >= one.width - 1e-6 or abs(y - v) >= one.height - 1e-6
        for n, (x, y) in enumerate(corners)
        for u, v in corners[:n]
    )


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("l7651", (4.75, 265.1), (167.15, 10.7)),
        ("l7160", (7.25, 243.75), (139.25, 15.15)),
        ("5160", (4.7625, 241.3), (144.4625, 12.7)),
    ],
)
def test_labels_lie_where_their_makers_cut_them(
    name: str, first: tuple[float, float], last: tuple[float, float]
) -> None:
    """The lower left corners of the first and the last label, by the makers' margins."""
    one = FORMATS[name]
    paper = PAPERS[one.paper or "a4"]
    assert one.corner(0, paper) == pytest.approx(first, abs=0.06)
    assert one.corner(one.size - 1, paper) == pytest.approx(last, abs=0.06)


def test_a_free_grid_is_written_in_one_word() -> None:
    """Columns, rows, width and height; gaps and margins where they matter."""
    plain = format_of("4x12/45.7x21.2")
    assert (plain.columns, plain.rows, plain.width, plain.height) == (4, 12, 45.7, 21.2)
    full = format_of("2x3/50x40+2.5x1@10,12")
    assert (full.across, full.down) == (2.5, 1.0)
    assert full.corner(3, PAPERS["a4"]) == pytest.approx((10 + 50 + 2.5, 297 - 12 - 2 * 40 - 1))


@pytest.mark.parametrize("text", ["", "avery", "4x12", "4x12/45x", "0x3/40x40", "2x2/0x40", "4x12/45.7x21.2+2"])
def test_what_is_no_format_is_refused_with_an_example(text: str) -> None:
    """The message names the formats that there are, or what is wrong."""
    with pytest.raises(PaperError, match=r"use one of cut, |at least 1"):
        format_of(text)


def test_a_grid_that_stands_out_of_the_paper_is_refused() -> None:
    """At the paper's width it fits, beyond it does not."""
    format_of("3x3/70x90").check(PAPERS["a4"])
    with pytest.raises(PaperError, match="do not fit a4 paper: choose fewer or smaller ones"):
        format_of("3x3/70.1x90").check(PAPERS["a4"])
    with pytest.raises(PaperError, match="do not fit a4"):
        format_of("2x2/50x50@120,10").check(PAPERS["a4"])


def test_a_format_comes_on_its_own_paper_alone() -> None:
    """Labels that are sold on A4 are not printed on Letter."""
    with pytest.raises(PaperError, match="come on a4 paper"):
        FORMATS["l7160"].check(PAPERS["letter"])


@pytest.mark.parametrize(("used", "fits"), [(-1, False), (0, True), (7, True), (8, False)])
def test_a_used_sheet_has_at_least_one_label_left(used: int, fits: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Of eight labels, none to seven can be used already."""
    stock = Stock(CUT, used)
    if fits:
        stock.check(PAPERS["a4"])
    else:
        with pytest.raises(PaperError, match="leave 0 to 7 out"):
            stock.check(PAPERS["a4"])
