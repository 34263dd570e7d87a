"""`haggle games print` and `add`: cards for a game of a data folder, and games that were printed without a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from cardgen.print_run import LABELS, SHEETS
from cardgen.print_service import write_cards
from server.cli.admin.data_folder import (
    amount,
    data_option,
    json_option,
    machine_user,
    opened,
    reason_option,
    show_json,
)
from server.cli.print import GroupedCommand, print_options
from server.games.errors import DomainError
from server.games.lifecycle.overview import print_run_overview
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.printing.files import check_options, hands_of, run_file, run_plan
from server.games.printing.import_printed import import_printed_game
from server.games.printing.runs import add_run, deal_in_subprocess, envelope_count, replace_cards, run_row
from server.printing.game_folder import SERVICE_FOLDER, keep_private, write_private

if TYPE_CHECKING:
    from cardgen.print_service import Product
    from server.games.context import AppContext
    from server.printing.options import PrintOptions


@click.command(name="print", cls=GroupedCommand, short_help="Deal and print the cards of GAME.")
@data_option
@click.argument("game")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="New folder to write into.")
@click.option("--envelopes", type=int, help="Envelopes to print. Default: the players' own, in the first run.")
@click.option("--spare", type=int, default=0, show_default=True, help="Additional spare envelopes, for latecomers.")
@click.option("--even", type=int, help="Swap cards until the starting hands are at most this many points apart.")
@click.option(
    "--url", "server_url", help="Address of this server, for the links on the labels. Default: the first run's."
)
@click.option(
    "--replace", multiple=True, metavar="CARD", help="A lost card to print again, such as red-007; can be repeated."
)
@click.option("--run", "number", type=int, help="Write the files of this run again instead of a new one.")
@reason_option
@json_option
@print_options
def print_run(
    data: Path,
    game: str,
    out: Path,
    envelopes: int | None,
    server_url: str | None,
    *,
    spare: int,
    even: int | None,
    replace: tuple[str, ...],
    number: int | None,
    options: PrintOptions,
    parts: list[str],
    product: Product | None,
    reason: str,
    as_json: bool,
) -> None:
    """Deal a print run of GAME and write its files into a folder: sheets.pdf, labels.pdf and cards.csv.

    A second run prints more envelopes, or with --replace other copies of lost cards; no card is ever printed twice.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise click.ClickException(f"{out} is not empty: name a new folder")
    with opened(data) as context:
        check_options(context, game, options)
        if number is None and replace:
            with context.database.writing() as session:
                row = load_game(session, game)
                number = replace_cards(session, row, replace, machine_user(), context.clock(), reason).number
        elif number is None:
            number = _deal(context, game, envelopes, spare, even, server_url=server_url)
        with context.database.reading() as session:
            row = load_game(session, game)
            run = run_row(session, row, number)
            facts = print_run_overview(session, row, run)
            if not run.envelopes:
                hands = hands_of(session, row, run, edition_of_game(row))
                facts["replaced"] = [{"card": card.name, "envelope": n} for n, hand in hands.items() for card in hand]
        # Other copies of lost cards go into envelopes that have their labels.
        names = [name for name in parts if run.envelopes or name != LABELS]
        written = [
            name for name in names if _write(context, game, number, name, out, options=options, server_url=server_url)
        ]
        if product is not None:
            written.append(_cards(context, game, number, out / SERVICE_FOLDER, options=options, product=product))
    if as_json:
        show_json(facts | {"files": [str(out / name) for name in written]})
    else:
        _show(facts, game, out, server_url)


def _deal(
    context: AppContext, game: str, envelopes: int | None, spare: int, even: int | None, *, server_url: str | None
) -> int:
    dealt = None if even is None else deal_in_subprocess(context, game, envelopes, spare, even)
    with context.database.writing() as session:
        row, at = load_game(session, game), context.clock()
        wanted = envelope_count(session, row, envelopes) + spare
        return add_run(
            session, row, wanted, machine_user(), at, spare=spare, server_url=server_url, even=even, dealt=dealt
        ).number


def _write(
    context: AppContext, game: str, number: int, name: str, out: Path, *, options: PrintOptions, server_url: str | None
) -> bool:
    """Write a file of a run; return whether the run has it."""
    try:
        content = run_file(context, game, number, name, options=options, server_url=server_url)
    except DomainError as refusal:
        # An edition without drawn faces has no sheets: the rest is good.
        if refusal.slug != "cannot-print":
            raise
        click.echo(f"No {name}: {refusal}", err=True)
        return False
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(out / name, content)
    except OSError as error:
        again = f"write the files of this run again with --run {number}"
        raise click.ClickException(f"{out / name}: {error.strerror}; {again}") from None
    return True


def _cards(
    context: AppContext, game: str, number: int, folder: Path, *, options: PrintOptions, product: Product
) -> str:
    """Write a file for each card of a run; return the folder's name."""
    with context.database.reading() as session:
        row = load_game(session, game)
        found = run_plan(session, row, run_row(session, row, number), SHEETS, options=options)
    try:
        folder.mkdir(mode=0o700, parents=True)
        write_cards(found, folder, product)
        keep_private(folder)
    except (PaperError, TextError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        again = f"write the files of this run again with --run {number}"
        raise click.ClickException(f"{folder}: {error.strerror}; {again}") from None
    return folder.name


def _show(run: dict[str, Any], game: str, out: Path, server_url: str | None) -> None:
    size = [amount(run["cards"], "card"), *([amount(run["envelopes"], "envelope")] if run["envelopes"] else [])]
    click.echo(f"Print run {run['number']} of game {game.upper()}: {', '.join(size)}, in {out}")
    for new in run.get("replaced", ()):
        click.echo(f"{new['card']} goes into envelope {new['envelope']}.")
    if run["spread"] is not None:
        near = "as wanted" if run["reached"] else f"not within the {run['even']} wanted: no swap helps any more"
        click.echo(f"Starting hands are {amount(run['spread'], 'point')} apart: {near}.")
    if run["join"] is None and server_url is None and run["envelopes"]:
        click.echo("The labels have no link for phones: write them again with --run and --url.")
    secret = "cards.csv and the links on the labels are" if run["envelopes"] else "cards.csv is"
    click.echo(f"{secret} secret. To write the same files again: --run {run['number']}.")


@click.command(name="add", short_help="Import a game that haggle print wrote.")
@data_option
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--name", help="Name of the game. Default: the edition's.")
@click.option("--url", "server_url", help="Address of this server, for labels printed again.")
def add(data: Path, folder: Path, name: str | None, server_url: str | None) -> None:
    """Import the game that `haggle print` wrote into FOLDER: its cards and the links on its labels then work here."""
    with opened(data, make=True) as context, context.database.writing() as session:
        game = import_printed_game(session, folder, machine_user(), context.clock(), name=name, server_url=server_url)
    click.echo(
        f"Game {game.id} ({game.name}), {game.players} envelopes, has been imported as a printed game. Open it next."
    )
