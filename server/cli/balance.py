"""`haggle balance`: how the scores of an edition spread in games by chance, and what each rule does to them."""

from __future__ import annotations

import json
from html import escape
from itertools import pairwise
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor
from rich import box
from rich.table import Table

from cardgen.pages.raster import page_images
from server.cli.best import values_of
from server.cli.options import editions_option, plain_console
from server.editions import load_edition
from server.optimizer.balance import Balance, Distribution, RuleShare, balance
from server.printing.contents import MAX_PLAYERS
from server.scoring import ScoringError, decimal
from server.scoring.breakdown import number_text
from server.scoring.errors import EditionError
from server.scoring.hand import cancelling_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


SHARES = (("min", 0.0), ("10", 0.1), ("25", 0.25), ("median", 0.5), ("75", 0.75), ("90", 0.9), ("max", 1.0))
"""The parts of all hands whose highest score is shown, and their names: per cent, or those of phrases."""


def assumptions(found: Balance) -> Iterator[str]:
    """Yield a sentence for each thing that was drawn by chance or left out."""
    edition, phrases = found.edition, found.edition.phrases
    yield phrases["balance_seed"].format(seed=found.seed)
    if edition.parts:
        yield phrases["balance_parts"].format(parts=", ".join(part.name for part in edition.parts))
    for fact in edition.facts:
        yield phrases["balance_fact"].format(label=fact.label, values=values_of(edition, fact))
    if cancelling_rules(edition, edition.rule_of):
        yield phrases["balance_cancels"]
    if any(rule.informs for rule in edition.rules):
        yield phrases["balance_informs"]


def scores_table(found: Balance) -> Table:
    """Return how scores spread."""
    phrases = found.edition.phrases
    title = phrases["balance_title"].format(title=found.edition.title, games=found.games, players=found.players)
    table = Table(title=title, box=box.SIMPLE, pad_edge=False)
    table.add_column(phrases["balance_hands"])
    names = [percent_text(name, phrases) if name.isdigit() else phrases[f"balance_{name}"] for name, _ in SHARES]
    for heading in (phrases["balance_mean"], phrases["balance_deviation"], *names, phrases["balance_out"]):
        table.add_column(heading, justify="right")
    for label, spread in (("balance_start", found.start), ("balance_traded", found.traded)):
        parts = [number_text(spread.quantile(part), phrases) for _, part in SHARES]
        moments = [_mark(f"{value:.1f}", phrases) for value in (spread.mean, spread.deviation)]
        table.add_row(phrases[label], *moments, *parts, str(spread.eliminated))
    return table


def rules_table(found: Balance, shown: Sequence[RuleShare]) -> Table:
    """Return what the rules do, below what the cards are worth without any."""
    phrases = found.edition.phrases
    number = len(found.rules)
    title = phrases["balance_rules" if len(shown) == number else "balance_rules_most"]
    table = Table(
        title=title.format(shown=len(shown), number=number, games=found.rule_games), box=box.SIMPLE, pad_edge=False
    )
    table.add_column(phrases["rule_column"], justify="right")
    table.add_column(phrases["balance_name"], overflow="fold")
    for heading in ("balance_changes", "balance_gives", "balance_lines", "balance_puts_out"):
        table.add_column(phrases[heading], justify="right")
    table.add_row(phrases["cards_row"], phrases["balance_cards"], "", "", points_text(found.cards, phrases), "")
    for share in shown:
        if share.rule.informs:
            table.add_row(share.rule.key, share.rule.name, "–", "–", "–", "")  # noqa: RUF001 - an empty cell
            continue
        gives, lines = points_text(share.gain, phrases), points_text(share.lines, phrases)
        out = percent_text(f"{share.eliminates:.1%}", phrases) if share.eliminates else ""
        acts = percent_text(f"{share.acts:.1%}", phrases)
        table.add_row(share.rule.key, share.rule.name, acts, gives, lines, out)
    return table


def points_text(points: float, phrases: Mapping[str, str]) -> str:
    """Write points with two decimals and their sign; nothing is 0.00 without a sign."""
    text = f"{points:+.2f}"
    return _mark("0.00" if float(text) == 0 else text, phrases)


def percent_text(number: str, phrases: Mapping[str, str]) -> str:
    """Write a share in per cent, given as its number, with or without the sign %."""
    return phrases["percent"].format(number=_mark(number.removesuffix("%"), phrases))


def _mark(text: str, phrases: Mapping[str, str]) -> str:
    return text.replace(".", phrases["decimal_mark"])


MAX_SHOWN = 30
"""Most rules in the table and in the plot; of more those are shown that do most."""


@click.command(name="balance")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.option(
    "--players", type=click.IntRange(1, MAX_PLAYERS), help="Number of players. Default: the edition's minimum."
)
@click.option("--games", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Number of games.")
@click.option("--trades", type=click.IntRange(0, 1000), default=10, show_default=True, help="Random trades per player.")
@click.option("--seed", default="balance", show_default=True, help="Any text; it determines hands and trades.")
@click.option("--plots", metavar="DIR", help="Write scores and rules as SVG and PNG plots into this folder.")
@click.option("--language", metavar="en|de|fr", help="Language of the output. Default: the edition's own.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def command(
    edition_name: str,
    players: int | None,
    games: int,
    trades: int,
    seed: str,
    plots: str | None,
    language: str | None,
    *,
    as_json: bool,
) -> None:
    """Deal and score many random games: starting hands, and the hands after random trades.

    Parts of decks and facts are drawn too. Shows how scores spread, and for each rule how many hands it changes, what
    it gives or takes, which is the difference to a count without it, and the points of its own lines.
    """
    try:
        edition = load_edition(edition_name, language)
        found = balance(edition, players or edition.players_min, games, trades, seed)
    except (EditionError, ScoringError) as error:
        raise click.ClickException(str(error)) from None
    shown = _shown(found.rules)
    if as_json:
        click.echo(json.dumps(_document(found), indent=1))
    else:
        console = plain_console()
        console.print(scores_table(found))
        console.print(rules_table(found, shown))
        for sentence in assumptions(found):
            console.print(sentence)
    if plots is not None:
        _plot(found, shown, Path(plots))


def _shown(rules: Sequence[RuleShare]) -> list[RuleShare]:
    """Return the rules that do most, in the order of the edition."""
    first = sorted(rules, key=lambda share: (-max(abs(share.gain), abs(share.lines)), -share.acts - share.eliminates))[
        :MAX_SHOWN
    ]
    return [share for share in rules if share in first]


def _plot(found: Balance, shown: Sequence[RuleShare], folder: Path) -> None:

    try:
        files = write_plots(found, shown, folder)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a folder name"
        raise click.ClickException(f"{folder}: {reason}; name a folder for the plots") from None
    click.echo(found.edition.phrases["balance_plots"].format(files=", ".join(map(str, files))), err=True)


def _document(found: Balance) -> dict[str, Any]:
    return {
        "edition": found.edition.slug,
        "players": found.players,
        "games": found.games,
        "seed": found.seed,
        "assumed": list(assumptions(found)),
        "start": _spread(found.start),
        "traded": _spread(found.traded),
        "rule_games": found.rule_games,
        "cards": round(found.cards, 4),
        "rules": [
            {
                "rule": share.rule.key,
                "changes": round(share.acts, 4),
                "gives": round(share.gain, 4),
                "lines": round(share.lines, 4),
                "puts_out": round(share.eliminates, 4),
            }
            for share in found.rules
        ],
    }


def _spread(spread: Distribution) -> dict[str, Any]:
    return {
        "hands": len(spread.scores),
        "eliminated": spread.eliminated,
        "mean": round(spread.mean, 3),
        "deviation": round(spread.deviation, 3),
        "shares": {str(part): decimal(spread.quantile(part)) for _, part in SHARES},
    }


_WIDTH, _HEIGHT, _MARGIN = 640.0, 400.0, 56.0
_ROW = 22.0
_BARS = 24
_DPI = 144

# Two inks that differ in lightness, and so in a grey print.
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
        (image,) = page_images(renderPDF.drawToString(drawing), _DPI)
        image.save(png)
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
    step = ceil((high - low + 1) / _BARS)  # whole, so that all bars cover equally many scores
    edges = [low + step * index for index in range(_BARS + 1)]
    shares = [_shares(spread, edges) for spread in (balance.start, balance.traded)]
    top = max((share for bars in shares for share in bars), default=0) or 1.0
    wide, tall = (_WIDTH - 2 * _MARGIN) / _BARS, _HEIGHT - 2.4 * _MARGIN
    for index in range(_BARS):
        for bars, ink, shift in zip(shares, (_START, _TRADED), (0.08, 0.5), strict=True):
            height = tall * bars[index] / top
            drawing.add(
                Rect(_MARGIN + wide * (index + shift), _MARGIN, wide * 0.42, height, fillColor=ink, strokeColor=None)
            )
    drawing.add(Line(_MARGIN, _MARGIN, _WIDTH - _MARGIN, _MARGIN, strokeColor=_INK))
    for index in range(0, _BARS + 1, 4):
        _write(drawing, _MARGIN + wide * index, _MARGIN - 16, str(edges[index]), "middle")
    _write(drawing, _MARGIN - 6, _MARGIN + tall - 4, percent_text(f"{top:.0%}", balance.edition.phrases), "end")
    phrases = balance.edition.phrases
    _write(drawing, _WIDTH / 2, _MARGIN - 36, phrases["score"], "middle")
    _write(drawing, _MARGIN, _HEIGHT - 24, heading)
    _legend(drawing, _HEIGHT - 48, ((phrases["plot_start"], _START), (phrases["plot_traded"], _TRADED)))
    return drawing


def _legend(drawing: Drawing, y: float, labels: Sequence[tuple[str, HexColor]]) -> None:
    for index, (label, ink) in enumerate(labels):
        drawing.add(Rect(_MARGIN + 240 * index, y, 10, 10, fillColor=ink, strokeColor=None))
        _write(drawing, _MARGIN + 240 * index + 16, y + 1, label)


def _range(balance: Balance) -> tuple[int, int]:
    scores = [floor(score) for spread in (balance.start, balance.traded) for score in spread.scores] or [0]
    return min(scores), max(scores)


def _shares(spread: Distribution, edges: Sequence[int]) -> list[float]:
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
    for index, share in enumerate(rules):
        low = height - 1.2 * _MARGIN - _ROW * (index + 1)
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
