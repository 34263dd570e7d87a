"""`haggle print`: the sheets, labels and card list of a game."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, get_args

import click

from cardgen.cards import SIZES
from cardgen.pages.layout import MAX_SCALE, MIN_SCALE
from cardgen.pages.paper import FORMATS, PAPERS
from cardgen.print_run import PARTS, STANDARD
from cardgen.print_service import MAX_DPI, MIN_DPI, Form, Product
from server.cli.options import editions_option, setting_of
from server.printing.game_file import GAME_FILE, GameFileError, read_game_file
from server.printing.game_folder import SERVICE_FOLDER, FolderContents, PrintError, print_again, print_game
from server.printing.options import BACKS, DEFAULT_OPTIONS, MARKS, MAX_SKIPPED, ORDERS, OWNED, PrintOptions, parse_pair
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.cards import PrintedGame
    from server.printing.game_folder import PrintedGameFiles
    from server.printing.options import Pair


P = ParamSpec("P")
R = TypeVar("R")

SHEETS_OF_STICKERS = "stickers"
EXTRAS = {name.rpartition(".")[0]: name for name in PARTS if name not in STANDARD}
"""The files that are written only where they are asked for, by what `--with` calls them."""
ALL = "all"
"""All of them, but for stickers: those take cards off the sheets."""

PAPER, DRIFT, FILES = "Paper and cutting", "Corrections of the printer, used sheets", "More files"
_SKIPPED = click.IntRange(0, MAX_SKIPPED)
_GROUPS = (PAPER, DRIFT, FILES)


class GroupedOption(click.Option):
    """An option with its own heading in the help."""

    def __init__(self, *arguments: Any, group: str, **named: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*arguments, **named)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help has its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that are in no group first."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": [], **{group: [] for group in _GROUPS}}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups[getattr(parameter, "group", "Options")].append(record)
        for group, records in groups.items():
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)


def _two(_context: click.Context, _parameter: click.Parameter, value: str) -> Pair:
    """Return two numbers that are written with a comma between them."""
    try:
        return parse_pair(value)
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a pair of numbers: write it as 1.5,-2") from None


def _percents(_context: click.Context, _parameter: click.Parameter, value: str) -> Pair:
    """Return two numbers, or one that counts for both."""
    try:
        return parse_pair(value if "," in value else f"{value},{value}")
    except ValueError:
        raise click.BadParameter(f"'{value}' is not a scale: write it as 101, or as 101.5,100") from None


def print_options(command: Callable[..., R]) -> Callable[..., R]:
    """Give a command the options of how cards come onto paper; it gets `options`, `parts`, `product`."""

    @functools.wraps(command)
    def gathered(*arguments: Any, extras: tuple[str, ...], form: Form | None, dpi: int, **named: Any) -> R:  # noqa: ANN401 - click's options
        chosen = {name: named.pop(name) for name in PrintOptions.__dataclass_fields__}
        parts = _parts(extras)
        stickers = EXTRAS[SHEETS_OF_STICKERS]
        if chosen["stickers"] or chosen["stick"]:
            parts = list(dict.fromkeys([*parts, stickers]))
        if stickers in parts:
            chosen["stick"] = tuple(name.strip() for name in (chosen["stick"] or OWNED).split(","))
        else:
            chosen["stick"] = ()
        chosen["stickers"] = chosen["stickers"] or DEFAULT_OPTIONS.stickers
        product = None if form is None else Product(form, dpi)
        return command(*arguments, options=PrintOptions(**chosen), parts=parts, product=product, **named)

    for option in reversed(_options()):
        gathered = option(gathered)
    return gathered


def _parts(extras: tuple[str, ...]) -> list[str]:
    """Return the files to write: the standard ones, and those that are asked for."""
    wanted = {name.strip() for given in extras for name in given.split(",") if name.strip()}
    unknown = sorted(wanted - set(EXTRAS) - {ALL})
    if unknown:
        raise click.UsageError(
            f"'{unknown[0]}' cannot be printed with the cards: choose from {', '.join([*EXTRAS, ALL])}"
        )
    if ALL in wanted:
        wanted |= EXTRAS.keys() - {SHEETS_OF_STICKERS}
    return [*STANDARD, *(file for name, file in EXTRAS.items() if name in wanted)]


def _options() -> list[Callable[..., Any]]:
    def option(group: str, *names: str, **named: Any) -> Callable[..., Any]:  # noqa: ANN401 - click's own
        return click.option(*names, cls=GroupedOption, group=group, **named)

    usual = DEFAULT_OPTIONS
    paper, drift = functools.partial(option, PAPER), functools.partial(option, DRIFT)
    least, most = 100 * MIN_SCALE, 100 * MAX_SCALE
    return [
        paper("--paper", type=click.Choice(list(PAPERS)), default=usual.paper, show_default=True, help="Its size."),
        paper(
            "--marks",
            type=click.Choice(MARKS),
            default=usual.marks,
            show_default=True,
            help="Crop marks, lines across the whole sheet, or nothing.",
        ),
        paper(
            "--backs",
            type=click.Choice(BACKS),
            default=usual.backs,
            show_default=True,
            help="Backs for paper that is turned over its long or short edge, or beside the fronts, to be folded.",
        ),
        paper(
            "--order",
            type=click.Choice(ORDERS),
            default=usual.order,
            show_default=True,
            help="By envelope, sheet after sheet or through the stacks of a pile that is cut at once; or by kind.",
        ),
        paper("--second", default=usual.second, metavar="LANGUAGE", help="A second language on the cards, such as de."),
        paper("--gutter", type=float, default=usual.gutter, metavar="MM", help="Space between cards."),
        paper("--bleed", type=float, default=usual.bleed, metavar="MM", help="How far faces extend beyond the cut."),
        drift(
            "--shift",
            callback=_two,
            default="0,0",
            metavar="X,Y",
            help="Shift of fronts to the right and up, in mm.",
        ),
        drift("--back-shift", callback=_two, default="0,0", metavar="X,Y", help="The same for the backs."),
        drift(
            "--scale",
            callback=_percents,
            default="100,100",
            metavar="PERCENT[,PERCENT]",
            help=f"Scale in both directions, or across and up; {least:g} to {most:g}.",
        ),
        drift(
            "--skip",
            type=_SKIPPED,
            default=usual.skip,
            metavar="N",
            help="Leave the first N places of the first sheet free.",
        ),
        drift("--labels-skip", type=_SKIPPED, default=0, metavar="N", help="Used labels of the first sheet."),
        drift("--stickers-skip", type=_SKIPPED, default=0, metavar="N", help="The same for the stickers."),
        option(
            FILES,
            "--labels",
            default=usual.labels,
            metavar="FORMAT",
            show_default=True,
            help=f"Format of the labels: {', '.join(FORMATS)}; or a grid, such as 4x10/45.7x25.4+2.5x0.",
        ),
        option(
            FILES,
            "--stickers",
            default="",
            metavar="FORMAT",
            help=f"Sheets for codes to stick on cards of your own; --with stickers: {usual.stickers}.",
        ),
        option(
            FILES,
            "--stick",
            default="",
            metavar="CATEGORIES",
            help=f"Cards printed as stickers, such as tarot,token. Default: {OWNED}, all without words.",
        ),
        option(
            FILES,
            "--cards-as",
            "form",
            type=click.Choice(get_args(Form)),
            help=f"Also a file for each card, with 3 mm beyond the cut, for a print shop; in {SERVICE_FOLDER}/.",
        ),
        option(
            FILES,
            "--dpi",
            type=click.IntRange(MIN_DPI, MAX_DPI),
            default=MIN_DPI,
            show_default=True,
            help="Dots per inch of these files.",
        ),
        option(
            FILES,
            "--with",
            "extras",
            multiple=True,
            metavar="NAMES",
            help=f"More files to write: {', '.join([*EXTRAS, ALL])}.",
        ),
    ]


@click.command(name="print", cls=GroupedCommand)
@editions_option
@click.argument("edition")
@click.option("--players", type=int, default=None, help="Number of players who get an envelope.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="New folder to write into.")
@click.option(
    "--size",
    type=click.Choice(list(SIZES)),
    default=None,
    help="Size of the cards, fixed for a game. Default: poker.",
)
@click.option("--language", default=None, help="Language of the cards. Default: the edition's own.")
@click.option("--faces", is_flag=True, help="Also write every card as a PNG of 300 dpi. Takes a while.")
@click.option("--seed", default=None, help="Any text; it determines the deal. Default: random, stored in game.json.")
@click.option(
    "--set", "values", metavar="NAME=NUMBER", multiple=True, help="A setting of the edition; can be repeated."
)
@click.option("--url", "server_url", default=None, help="Address of the game's server, for links on the labels.")
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
    options: PrintOptions,
    parts: list[str],
    product: Product | None,
    size: str | None,
    language: str | None,
    faces: bool,
    seed: str | None,
    values: tuple[str, ...],
    server_url: str | None,
    again: Path | None,
) -> None:
    """Write the files of a new game of EDITION into a folder.

    Writes sheets.pdf, labels.pdf, cards.csv and game.json. Keep game.json: it holds the game's secret key, without
    which no card can be checked.
    """
    contents = FolderContents(
        options=options, parts=parts, product=product, faces=faces, server_url=server_url, language=language
    )
    try:
        if again is not None:
            game = _printed_before(again, edition, players, fixed=bool(size or seed is not None or values))
            done = print_again(game, out, **contents)
        elif players is None:
            raise click.UsageError("Missing option '--players'")
        else:
            settings = dict(setting_of(value) for value in values)
            done = print_game(edition, players, out, size=size or "poker", seed=seed, settings=settings, **contents)
    except (PrintError, EditionError, GameFileError) as error:
        raise click.ClickException(str(error)) from error
    _show(done, out, faces=faces, server_url=server_url)


def _printed_before(path: Path, edition: str, players: int | None, *, fixed: bool) -> PrintedGame:
    """Return the game to print again, whose settings of the first print cannot be changed."""
    game = read_game_file(path)
    if game.edition != edition:
        raise click.UsageError(f"{path} is a game of {game.edition}, not of {edition}")
    if fixed or players not in {None, game.players}:
        raise click.UsageError("a game is printed again as it was: leave out --players, --size, --seed and --set")
    return game


def _show(done: PrintedGameFiles, out: Path, *, faces: bool, server_url: str | None) -> None:
    """Say what was written and what to do with it."""
    cards, pages, labels = len(done.printed.cards), done.printed.sheets, done.game.players
    images = f", {cards} PNG faces" if faces else ""
    click.echo(f"Game {done.game.game}: {cards} cards on {pages} sheets, {labels} labels{images}, in {out}")
    click.echo("Print at 100 %, not fitted to the page. The margin says to which envelope each card belongs.")
    click.echo(f"Keep {GAME_FILE} safe and secret: it makes the cards readable.")
    if server_url is None:
        click.echo("The labels have no link for phones: print again with --game and --url once there is a server.")
    for note in done.notes:
        click.echo(f"Note: {note}")
