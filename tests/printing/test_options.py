"""Options of a print run: they become the setup of the sheets, or are refused."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from cardgen.pages.layout import MAX_GUTTER, MAX_SCALE, MAX_SHIFT, PLAIN, PageSetup
from cardgen.pages.paper import PAPERS, PaperError
from server.printing.options import DEFAULT_OPTIONS, PrintOptions, parse_pair


def test_options_become_a_setup() -> None:
    """Percentages become factors, names become paper. The defaults are the plain setup; each field has an option."""
    wanted = PrintOptions("letter", "kind", "lines", "short", 2.0, 1.5, (0.5, -1), (0, 2), (100.4, 99.8), 3)
    setup = wanted.setup()
    assert (setup.paper, setup.backs, setup.skip) == (PAPERS["letter"], "short", 3)
    assert setup.scale == pytest.approx((1.004, 0.998))
    assert DEFAULT_OPTIONS.setup() == PLAIN
    assert {field.name for field in fields(PageSetup)} <= {field.name for field in fields(PrintOptions)}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("paper", "a3", "paper is one of a4, letter, not 'a3'"),
        ("marks", "dots", "marks is one of"),
        ("order", "colour", "order is one of"),
        ("backs", "both", "backs is one of"),
        ("gutter", -0.1, "a gutter of -0.1 mm: choose 0 to"),
        ("gutter", MAX_GUTTER + 0.1, "a gutter of"),
        ("bleed", float("nan"), "a bleed of nan mm: choose"),
        ("shift", (0.0, -MAX_SHIFT - 0.1), "a shift of"),
        ("back_shift", (float("inf"), 0.0), "a shift of the backs of"),
        ("scale", (100.0, 100 * MAX_SCALE + 0.1), "a scale of 100, 110.1 %: choose 90 to 110"),
    ],
)
def test_values_out_of_range_are_refused(name: str, value: Any, words: str) -> None:  # noqa: ANN401 - of any field
    with pytest.raises(PaperError, match=words):
        PrintOptions(**{name: value}).setup()


def test_pairs_are_separated_by_a_comma() -> None:
    assert (parse_pair("1.5,-2"), parse_pair(" 1 , 2 ")) == ((1.5, -2.0), (1, 2))
    for text in ("", "1", "1,2,3", "a,b", "1;2"):
        with pytest.raises(ValueError, match=r".+"):
            parse_pair(text)
