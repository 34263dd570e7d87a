"""The plots of `haggle balance`: how scores spread, and what each rule does, as SVG and PNG."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor

from cardgen.raster import page_images
from server.cli.balance_text import percent_text, points_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from server.search.balance import Balance, RuleShare, Spread

_WIDTH, _HEIGHT, _MARGIN = 640.0, 400.0, 56.0
_ROW = 22.0
_BARS = 24
_DPI = 144
# Two inks that differ in lightness, so that a grey print tells them apart.
_START, _TRADED, _INK = HexColor("#E8A33D"), HexColor("#1F4E8C"), HexColor("#20263A")


def write_plots(balance: Balance, rules: Sequence[RuleShare], folder: Path) -> list[Path]:
    """Write both plots into a folder, which is made if needed, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    phrases, title = balance.edition.phrases, balance.edition.title
    scores = phrases["plot_scores"].format(title=title, games=balance.games, players=balance.players)
    gains = phrases["plot_rules"].format(title=title)
    files = []
    for name, heading, drawing in (
        ("scores", scores, _scores(balance, scores)),
        ("rules", gains, _rules(balance, rules, gains)),
    ):
        svg, png = folder / f"{name}.svg", folder / f"{name}.png"
        svg.write_text(_svg(drawing, heading), encoding="utf-8")
        (picture,) = page_images(renderPDF.drawToString(drawing), _DPI)
        picture.save(png)
        files += [svg, png]
    return files


def _svg(drawing: Drawing, heading: str) -> str:
    """Return a plot as SVG, titled by its heading: the drawing library leaves dots for title and description."""
    svg: str = renderSVG.drawToString(drawing)
    return svg.replace("<title>...</title>", f"<title>{escape(heading)}</title>", 1).replace("<desc>...</desc>", "", 1)


def _scores(balance: Balance, heading: str) -> Drawing:
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
    _write(drawing, _MARGIN - 6, _MARGIN + tall - 4, percent_text(f"{top:.0%}", balance.edition.phrases), "end")
    phrases = balance.edition.phrases
    _write(drawing, _WIDTH / 2, _MARGIN - 36, phrases["score"], "middle")
    _write(drawing, _MARGIN, _HEIGHT - 24, heading)
    _legend(drawing, _HEIGHT - 48, ((phrases["plot_start"], _START), (phrases["plot_traded"], _TRADED)))
    return drawing


def _legend(drawing: Drawing, y: float, labels: Sequence[tuple[str, HexColor]]) -> None:
    for place, (label, ink) in enumerate(labels):
        drawing.add(Rect(_MARGIN + 240 * place, y, 10, 10, fillColor=ink, strokeColor=None))
        _write(drawing, _MARGIN + 240 * place + 16, y + 1, label)


def _range(balance: Balance) -> tuple[int, int]:
    scores = [floor(score) for spread in (balance.start, balance.traded) for score in spread.scores] or [0]
    return min(scores), max(scores)


def _shares(spread: Spread, edges: Sequence[int]) -> list[float]:
    """Return the share of hands with scores from each edge up to but without the next."""
    counts = [sum(low <= score < high for score in spread.scores) for low, high in pairwise(edges)]
    return [count / max(len(spread.scores), 1) for count in counts]


def _rules(balance: Balance, rules: Sequence[RuleShare], heading: str) -> Drawing:
    """Draw the mean of what each rule gives or takes, and that of its own lines."""
    phrases = balance.edition.phrases
    height = _ROW * len(rules) + 2.2 * _MARGIN
    drawing = Drawing(_WIDTH, height)
    most = max((max(abs(share.gain), abs(share.lines)) for share in rules), default=0) or 1.0
    middle, reach = _WIDTH / 2 + 40, _WIDTH / 2 - 150
    _write(drawing, _MARGIN, height - 24, heading)
    _legend(drawing, height - 48, ((phrases["plot_gives"], _TRADED), (phrases["plot_lines"], _START)))
    for place, share in enumerate(rules):
        low = height - 1.2 * _MARGIN - _ROW * (place + 1)
        key = share.rule.key if share.rule.key.isdigit() else share.rule.name
        _write(drawing, _MARGIN, low + 7, phrases["rule"].format(key=key))
        for points, ink, y in ((share.gain, _TRADED, low + 11), (share.lines, _START, low + 2)):
            long = reach * abs(points) / most
            left = middle if points >= 0 else middle - long
            drawing.add(Rect(left, y, long, 8, fillColor=ink, strokeColor=None))
            end, anchor = (left + long + 5, "start") if points >= 0 else (left - 5, "end")
            _write(drawing, end, y, points_text(points, phrases), anchor)
    drawing.add(Line(middle, _MARGIN, middle, height - _MARGIN, strokeColor=_INK))
    return drawing


def _write(drawing: Drawing, x: float, y: float, text: str, anchor: str = "start") -> None:
    drawing.add(String(x, y, text, fontName="Helvetica", fontSize=10, textAnchor=anchor, fillColor=_INK))
