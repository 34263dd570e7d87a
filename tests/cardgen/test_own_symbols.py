"""Symbols that editions bring as SVG: one outline of all shapes, and a reason for what cannot be used or printed."""

from __future__ import annotations

import re
from contextlib import nullcontext

import pytest

from cardgen.artwork.own_symbols import SymbolError, check_print, symbol_outline


def svg(shapes: str, more: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"{more}>{shapes}</svg>'


def points(outline: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", outline)]


SQUARE = '<rect x="10" y="10" width="60" height="60"/>'


@pytest.mark.parametrize("frame", ["{}", '<g transform="rotate(90) scale(0.01) translate(3 4)">{}</g>'])
def test_a_symbol_fills_a_circle_wherever_it_was_drawn(frame: str) -> None:
    outline = symbol_outline(svg(frame.format(SQUARE)))
    assert sorted({(abs(x), abs(y)) for x, y in points(outline)}) == [(0.7071, 0.7071)]
    assert outline.count("M") == outline.count("Z") == 1


def test_the_top_of_the_drawing_is_up() -> None:
    tip = max(points(symbol_outline(svg('<path d="M50 0 L60 90 L40 90 Z"/>'))), key=lambda point: point[1])
    assert tip[0] == pytest.approx(0, abs=0.01)


def test_overlapping_shapes_are_united_and_white_ones_cut_out() -> None:
    united = symbol_outline(svg(f'{SQUARE}<circle cx="40" cy="40" r="20" fill="#f00"/>'))
    cut = symbol_outline(svg(f'{SQUARE}<circle cx="40" cy="40" r="20" style="fill:#FFF"/>'))
    assert (united.count("M"), cut.count("M")) == (1, 2)


def test_lines_become_shapes_and_notes_are_left_out() -> None:
    notes = "<title>Cup</title><metadata/><!-- drawn by hand --><defs/>"
    outline = symbol_outline(svg(f'{notes}<path d="M10 50 H90" fill="none" stroke="black" stroke-width="8"/>'))
    assert {abs(y) for _, y in points(outline)} == {0.0995}


@pytest.mark.parametrize(
    ("drawing", "sentence"),
    [
        ("no drawing", "is no SVG"),
        ("<svg/>", "is no SVG"),
        (svg(SQUARE).replace("</svg>", ""), "is no SVG"),
        (svg(""), "draws nothing"),
        (svg('<rect width="9" height="9" fill="white"/>'), "draws nothing"),
        (svg('<path d="M0 0 L9 9 q"/><rect width="x" height="9"/>'), "has a shape that cannot be read"),
        (svg('<image href="file:///etc/passwd"/>'), "has a raster image; draw it with paths"),
        (svg("<text>Tea</text>"), "has text; convert it to paths"),
        (svg("<style>rect { fill: red }</style>"), "has a style sheet"),
        (svg("<script>alert(1)</script>"), "has a script; take it out"),
        (svg(SQUARE, ' onload="alert(1)"'), "has a script"),
        (svg(f'<a href="https://example.org">{SQUARE}</a>'), "has <a>; convert it to plain paths"),
        (svg('<g xlink:href="#a" xmlns:xlink="http://www.w3.org/1999/xlink"/>'), "refers to something outside"),
        (svg('<defs><g id="a"/></defs><use href="#a"/>'), "has <defs>; convert it to plain paths"),
        (svg('<rect width="9" height="9" fill="url(#a)"/>'), "has a gradient, a dashed line or the like in fill"),
        (svg('<rect width="9" height="9" style="stroke-dasharray:0.001"/>'), "has a gradient, a dashed line"),
        (f'<!DOCTYPE svg [<!ENTITY a "{"b" * 99}">]>{svg("&a;")}', "defines entities"),
        (f'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>{svg("&a;")}', "defines entities"),
        (svg('<rect width="1e300" height="9"/>'), "has a number above 100000"),
        (svg("<g>" * 40 + "</g>" * 40), "has more than 12 groups in each other"),
        (svg(SQUARE * 400), "has 401 elements (at most 300)"),
        (svg(f'<path d="M0 0{" 1 2" * 1500}"/>'), "has 3008 numbers (at most 2000)"),
        (svg(SQUARE + " " * 30_000), "is too large (at most 30 kB)"),
        (
            svg("".join(f'<circle cx="{n}" cy="{n * 7 % 97}" r="0.4"/>' for n in range(200))),
            "lines and curves (at most",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(drawing: str, sentence: str) -> None:
    with pytest.raises(SymbolError) as error:
        symbol_outline(drawing)
    assert sentence in str(error.value)


@pytest.mark.parametrize(("width", "thin"), [("0.5", True), ("6", False)])
def test_a_symbol_of_thin_lines_cannot_be_printed(width: str, thin: bool) -> None:  # noqa: FBT001 - a parameter
    ring = f'<circle cx="50" cy="50" r="40" fill="none" stroke="black" stroke-width="{width}"/>'
    with pytest.raises(SymbolError, match="too thin to print") if thin else nullcontext():
        check_print(symbol_outline(svg(ring)))
