"""`haggle balance`: how the scores of an edition spread in games by chance, and what each rule does to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

from server.cli.options import editions_option
from server.editions import EditionError, load_edition
from server.scoring import decimal
from server.search.balance import Balance, RuleShare, Spread, balance

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHOWN = 30
"""Most rules in the table and in the plot; of more those are shown that do most."""
_SHARES = (("min", 0.0), ("10 %", 0.1), ("25 %", 0.25), ("median", 0.5), ("75 %", 0.75), ("90 %", 0.9), ("max", 1.0))


@click.command(name="balance")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.option("--players", type=click.IntRange(1, 600), help="Players of a game. Default: the least of the edition.")
@click.option("--games", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Games to deal.")
@click.option("--trades", type=click.IntRange(0, 1000), default=10, show_default=True, help="Random trades a player.")
@click.option("--seed", default="balance", show_default=True, help="Any text; it decides hands and trades.")
@click.option("--plots", metavar="DIR", help="Write scores and rules as SVG and PNG plots into this folder.")
@click.option("--language", metavar="en|de|fr", help="Language of the rules' names; the edition's own if left out.")
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
    """Deal and score many games by chance: starting hands, and the hands after random trades.

    Shows how scores spread, and for each rule how many hands it changes and what it gives or takes, which is the
    difference to a count without it.
    """
    try:
        edition = load_edition(edition_name, language)
    except EditionError as error:
        raise click.ClickException(str(error)) from None
    found = balance(edition, players or edition.players_min, games, trades, seed)
    shown = _shown(found.rules)
    if as_json:
        click.echo(json.dumps(_document(found), indent=1))
    else:
        console = Console(markup=False, emoji=False, highlight=False)
        console.print(_scores(found))
        console.print(_rules(found, shown))
    if plots is not None:
        _plot(found, shown, Path(plots))


def _shown(rules: Sequence[RuleShare]) -> list[RuleShare]:
    """Return the rules that do most, in the order of the edition."""
    first = sorted(rules, key=lambda share: (-abs(share.gain), -share.acts - share.eliminates))[:MOST_SHOWN]
    return [share for share in rules if share in first]


def _plot(found: Balance, shown: Sequence[RuleShare], folder: Path) -> None:
    from server.cli.balance_plots import write_plots  # noqa: PLC0415 - drawing is only loaded where it is asked for

    try:
        files = write_plots(found, shown, folder)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a folder name"
        raise click.ClickException(f"{folder}: {reason}; name a folder for the plots") from None
    click.echo(f"Plots: {', '.join(str(file) for file in files)}", err=True)


def _scores(found: Balance) -> Table:
    title = f"{found.edition.title}: {found.games} games of {found.players} players"
    table = Table(title=title, box=box.SIMPLE, pad_edge=False)
    table.add_column("Hands")
    for heading in ("mean", "sd", *(name for name, _ in _SHARES), "out"):
        table.add_column(heading, justify="right")
    for label, spread in (("start", found.start), ("traded", found.traded)):
        parts = [decimal(spread.share(part)) for _, part in _SHARES]
        table.add_row(label, f"{spread.mean:.1f}", f"{spread.deviation:.1f}", *parts, str(spread.eliminated))
    return table


def _rules(found: Balance, shown: Sequence[RuleShare]) -> Table:
    number = len(found.rules)
    which = "every rule" if len(shown) == number else f"the {len(shown)} of {number} rules that do most"
    title = f"After trades, {which}: {found.rule_games} games with and without it"
    table = Table(title=title, box=box.SIMPLE, pad_edge=False)
    table.add_column("Rule", justify="right")
    table.add_column("Name", overflow="fold")
    for heading in ("changes", "gives", "puts out"):
        table.add_column(heading, justify="right")
    for share in shown:
        gives, out = f"{share.gain:+.2f}", f"{share.eliminates:.1%}" if share.eliminates else ""
        table.add_row(share.rule.key, share.rule.name, f"{share.acts:.1%}", gives, out)
    return table


def _document(found: Balance) -> dict[str, Any]:
    return {
        "edition": found.edition.slug,
        "players": found.players,
        "games": found.games,
        "start": _spread(found.start),
        "traded": _spread(found.traded),
        "rule_games": found.rule_games,
        "rules": [
            {
                "rule": share.rule.key,
                "changes": round(share.acts, 4),
                "gives": round(share.gain, 4),
                "puts_out": round(share.eliminates, 4),
            }
            for share in found.rules
        ],
    }


def _spread(spread: Spread) -> dict[str, Any]:
    return {
        "hands": len(spread.scores),
        "eliminated": spread.eliminated,
        "mean": round(spread.mean, 3),
        "deviation": round(spread.deviation, 3),
        "shares": {str(part): decimal(spread.share(part)) for _, part in _SHARES},
    }
