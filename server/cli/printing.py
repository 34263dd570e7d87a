"""`haggle print`: the sheets, labels and card list of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cards import SIZES
from server.cli.options import editions_option
from server.cli.print_options import GroupedCommand, print_options
from server.editions import EditionError
from server.jobs.printing import PrintError, print_again, print_game
from server.store.games import GAME_FILE, GameFileError, load_game

if TYPE_CHECKING:
    from cardgen.cards import Game
    from cardgen.ondemand import Product
    from server.jobs.choices import Choices
    from server.jobs.printing import PrintedGame


@click.command(name="print", cls=GroupedCommand)
@editions_option
@click.argument("edition")
@click.option("--players", type=int, default=None, help="How many players get an envelope.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write into; a new one.")
@click.option(
    "--size",
    type=click.Choice(list(SIZES)),
    default=None,
    help="Size of the cards, the same for a game for ever. Default: poker.",
)
@click.option("--language", default=None, help="Language of the cards. Default: the edition's own.")
@click.option("--faces", is_flag=True, help="Also write every card as a PNG of 300 dpi. Takes a while.")
@click.option("--seed", default=None, help="Any text; it decides the deal. Default: a fresh one, stored in game.json.")
@click.option(
    "--set", "values", metavar="NAME=NUMBER", multiple=True, help="A setting of the edition; can be repeated."
)
@click.option("--url", "join", default=None, help="Address of the game's server; the labels then bear its link.")
@click.option(
    "--game",
    "again",
    type=click.Path(exists=True, path_type=Path),
    default=None,
    help="Print this game again (its folder or game.json), the same cards, instead of a new one.",
)
@print_options
def command(
    edition: str,
    players: int | None,
    out: Path,
    *,
    choices: Choices,
    parts: list[str],
    product: Product | None,
    size: str | None,
    language: str | None,
    faces: bool,
    seed: str | None,
    values: tuple[str, ...],
    join: str | None,
    again: Path | None,
) -> None:
    """Print a game of EDITION into a folder.

    Writes sheets.pdf, labels.pdf, cards.csv and game.json. Keep game.json: it holds the game's secret key, without
    which no card can be checked.
    """
    try:
        if again is not None:
            game = _printed_before(again, edition, players, fixed=bool(size or seed is not None or values))
            done = print_again(
                game, out, choices=choices, parts=parts, product=product, faces=faces, join=join, language=language
            )
        elif players is None:
            raise click.UsageError("Missing option '--players'")
        else:
            settings = dict(_setting(value) for value in values)
            done = print_game(
                edition,
                players,
                out,
                size=size or "poker",
                choices=choices,
                parts=parts,
                product=product,
                faces=faces,
                seed=seed,
                settings=settings,
                join=join,
                language=language,
            )
    except (PrintError, EditionError, GameFileError) as error:
        raise click.ClickException(str(error)) from error
    _tell(done, out, faces=faces, join=join)


def _printed_before(path: Path, edition: str, players: int | None, *, fixed: bool) -> Game:
    """Return the game to print again; what was decided when it was first printed cannot be decided anew."""
    game = load_game(path)
    if game.edition != edition:
        raise click.UsageError(f"{path} is a game of {game.edition}, not of {edition}")
    if fixed or players not in {None, game.players}:
        raise click.UsageError("a game is printed again as it was: leave out --players, --size, --seed and --set")
    return game


def _setting(value: str) -> tuple[str, int]:
    """Split NAME=NUMBER."""
    name, _, number = value.partition("=")
    try:
        return name.strip(), int(number)
    except ValueError:
        raise click.UsageError(f"'{value}' is no setting: write NAME=NUMBER, such as blue_base=3") from None


def _tell(done: PrintedGame, out: Path, *, faces: bool, join: str | None) -> None:
    """Say what was written and what to do with it."""
    cards, pages, labels = len(done.printed.cards), done.printed.sheets, done.game.players
    pictures = f", {cards} PNG faces" if faces else ""
    click.echo(f"Game {done.game.game}: {cards} cards on {pages} sheets, {labels} labels{pictures}, in {out}")
    click.echo("Print at 100 %, not fitted to the page. The margin says whose envelope each card belongs to.")
    click.echo(f"Keep {GAME_FILE} safe and secret: it makes the cards readable.")
    if join is None:
        click.echo("The labels bear no link for phones: print again with --game and --url once there is a server.")
    for note in done.notes:
        click.echo(f"Note: {note}")
