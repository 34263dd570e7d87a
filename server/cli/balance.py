"""`haggle balance`: how the scores of an edition spread in games by chance, and what each rule does to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from server.cli.balance_text import SHARES, assumptions, rules_table, scores_table
from server.cli.options import editions_option
from server.editions import EditionError, load_edition
from server.scoring import ScoringError, decimal
from server.search.balance import Balance, RuleShare, Spread, balance

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHOWN = 30
"""Most rules in the table and in the plot; of more those are shown that do most."""


@click.command(name="balance")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.option("--players", type=click.IntRange(1, 600), help="Players of a game. Default: the least of the edition.")
@click.option("--games", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Games to deal.")
@click.option("--trades", type=click.IntRange(0, 1000), default=10, show_default=True, help="Random trades a player.")
@click.option("--seed", default="balance", show_default=True, help="Any text; it decides hands and trades.")
@click.option("--plots", metavar="DIR", help="Write scores and rules as SVG and PNG plots into this folder.")
@click.option("--language", metavar="en|de|fr", help="Language of all that is shown; the edition's own if left out.")
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
        console = Console(markup=False, emoji=False, highlight=False)
        console.print(scores_table(found))
        console.print(rules_table(found, shown))
        for sentence in assumptions(found):
            console.print(sentence)
    if plots is not None:
        _plot(found, shown, Path(plots))


def _shown(rules: Sequence[RuleShare]) -> list[RuleShare]:
    """Return the rules that do most, in the order of the edition."""
    first = sorted(rules, key=lambda share: (-max(abs(share.gain), abs(share.lines)), -share.acts - share.eliminates))[
        :MOST_SHOWN
    ]
    return [share for share in rules if share in first]


def _plot(found: Balance, shown: Sequence[RuleShare], folder: Path) -> None:
    from server.cli.balance_plots import write_plots  # noqa: PLC0415 - drawing is only loaded where it is asked for

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


def _spread(spread: Spread) -> dict[str, Any]:
    return {
        "hands": len(spread.scores),
        "eliminated": spread.eliminated,
        "mean": round(spread.mean, 3),
        "deviation": round(spread.deviation, 3),
        "shares": {str(part): decimal(spread.share(part)) for _, part in SHARES},
    }
