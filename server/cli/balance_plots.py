"""The plots of `haggle balance`: how scores spread, and what each rule does, as SVG and PNG."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor

from cardgen.raster import page_images

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from server.search.balance import Balance, RuleShare, Spread

_WIDTH, _HEIGHT, _MARGIN = 640.0, 400.0, 56.0
_ROW = 16.0
_BARS = 24
_DPI = 144
# Two inks that differ in lightness, so that a grey print tells them apart.
_START, _TRADED, _INK = HexColor("#E8A33D"), HexColor("#1F4E8C"), HexColor("#20263A")


def write_plots(balance: Balance, rules: Sequence[RuleShare], folder: Path) -> list[Path]:
    """Write both plots into a folder, which is made if needed, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, drawing in (("scores", _scores(balance)), ("rules", _rules(balance, rules))):
        svg, png = folder / f"{name}.svg", folder / f"{name}.png"
        svg.write_text(renderSVG.drawToString(drawing), encoding="utf-8")
        (picture,) = page_images(renderPDF.drawToString(drawing), _DPI)
        picture.save(png)
        files += [svg, png]
    return files


def _scores(balance: Balance) -> Drawing:
    """Draw how many hands have which scores, at the start and after trades."""
    drawing = Drawing(_WIDTH, _HEIGHT)
    low, high = _range(balance)
    step = ceil((high - low + 1) / _BARS)  # whole, so that each bar stands for equally many scores
    edges = [low + step * place for place in range(_BARS + 1)]
    shares = [_shares(spread, edges) for spread in (balance.start, balance.traded)]
    top = max((share for bars in shares for share in bars), default=0) or 1.0
    wide, tall = (_WIDTH - 2 * _MARGIN) / _BARS, _HEIGHT - 2.4 * _MARGIN
    for place in range(_BARS):
        for bars, ink, shift in zip(shares, (_START, _TRADED), (0.08, 0.5), strict=True):
            height = tall * bars[place] / top
            drawing.add(
                Rect(_MARGIN + wide * (place + shift), _MARGIN, wide * 0.42, height, fillColor=ink, strokeColor=None)
            )
    drawing.add(Line(_MARGIN, _MARGIN, _WIDTH - _MARGIN, _MARGIN, strokeColor=_INK))
    for place in range(0, _BARS + 1, 4):
        _write(drawing, _MARGIN + wide * place, _MARGIN - 16, str(edges[place]), "middle")
    _write(drawing, _MARGIN - 6, _MARGIN + tall - 4, f"{top:.0%}", "end")
    _write(drawing, _WIDTH / 2, _MARGIN - 36, "score", "middle")
    title = f"{balance.edition.title}: scores in {balance.games} games of {balance.players} players, share of hands"
    _write(drawing, _MARGIN, _HEIGHT - 24, title)
    for place, (label, ink) in enumerate((("starting hands", _START), ("after random trades", _TRADED))):
        drawing.add(Rect(_MARGIN + 160 * place, _HEIGHT - 48, 10, 10, fillColor=ink, strokeColor=None))
        _write(drawing, _MARGIN + 160 * place + 16, _HEIGHT - 47, label)
    return drawing


def _range(balance: Balance) -> tuple[int, int]:
    scores = [floor(score) for spread in (balance.start, balance.traded) for score in spread.scores] or [0]
    return min(scores), max(scores)


def _shares(spread: Spread, edges: Sequence[int]) -> list[float]:
    """Return the share of hands with scores from each edge up to but without the next."""
    counts = [sum(low <= score < high for score in spread.scores) for low, high in pairwise(edges)]
    return [count / max(len(spread.scores), 1) for count in counts]


def _rules(balance: Balance, rules: Sequence[RuleShare]) -> Drawing:
    """Draw the mean of what each rule gives or takes."""
    height = _ROW * len(rules) + 2 * _MARGIN
    drawing = Drawing(_WIDTH, height)
    most = max((abs(share.gain) for share in rules), default=0) or 1.0
    middle, reach = _WIDTH / 2 + 40, _WIDTH / 2 - 150
    title = f"{balance.edition.title}: what each rule gives a hand in the mean, against a count without it"
    _write(drawing, _MARGIN, height - 24, title)
    for place, share in enumerate(rules):
        low = height - _MARGIN - _ROW * (place + 1)
        long = reach * abs(share.gain) / most
        left = middle if share.gain >= 0 else middle - long
        ink = _TRADED if share.gain >= 0 else _START
        drawing.add(Rect(left, low + 3, long, _ROW - 6, fillColor=ink, strokeColor=None))
        _write(drawing, _MARGIN, low + 4, f"rule {share.rule.key}")
        end, anchor = (left + long + 5, "start") if share.gain >= 0 else (left - 5, "end")
        _write(drawing, end, low + 4, f"{share.gain:+.2f}", anchor)
    drawing.add(Line(middle, _MARGIN, middle, height - _MARGIN, strokeColor=_INK))
    return drawing


def _write(drawing: Drawing, x: float, y: float, text: str, anchor: str = "start") -> None:
    drawing.add(String(x, y, text, fontName="Helvetica", fontSize=10, textAnchor=anchor, fillColor=_INK))
