"""`haggle print`: the sheets, labels and card list of a new game."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.options import editions_option
from server.editions import EditionError
from server.jobs.printing import PrintError, print_game


@click.command(name="print")
@editions_option
@click.argument("edition")
@click.option("--players", type=int, required=True, help="How many players get an envelope.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write into; a new one.")
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size of the paper."
)
@click.option("--faces", is_flag=True, help="Also write every card as a PNG of 300 dpi.")
@click.option("--seed", default=None, help="Any text; it decides the deal. Default: a fresh one, stored in game.json.")
@click.option("--url", "join", default=None, help="Address of the game's server; the labels then bear its link.")
def command(
    edition: str, players: int, out: Path, *, paper: str, faces: bool, seed: str | None, join: str | None
) -> None:
    """Print a new game of EDITION into a folder.

    Writes sheets.pdf (nine poker cards a page, crop marks), labels.pdf, cards.csv and game.json. Keep game.json:
    it holds the game's secret key, without which no card can be checked.
    """
    if join is not None and not join.startswith(("http://", "https://")):
        raise click.BadParameter("write the whole address, such as https://haggle.example.org", param_hint="--url")
    try:
        done = print_game(
            edition, players, out, paper=paper, faces=faces, seed=seed, join=join.rstrip("/") if join else None
        )
    except (PrintError, EditionError) as error:
        raise click.ClickException(str(error)) from error
    for note in done.notes:
        click.echo(f"note: {note}", err=True)
    cards, pages = len(done.printed.cards), done.printed.sheets
    click.echo(f"Game {done.game.game}: {cards} cards on {pages} sheets and {players} labels, in {out}")
    click.echo("Print at 100 %, not fitted to the page. Keep game.json safe and secret: it makes the cards readable.")
