"""`haggle scan`: reads the cards in photographs, with no server."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from scanner.image.load import DEFAULT_LIMITS, SUFFIXES
from server.games.photos.scan_pool import ScanError, ScanPool
from server.printing.game_file import GameFileError, read_game_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardgen.cards import PrintedGame
    from scanner import ScanResult

# The time limit of a page, enough for slow machines: the search ends by itself, but a hostile PDF does not.
_SECONDS = 60.0


@click.command(name="scan")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--game",
    "game_path",
    metavar="DIR/game.json",
    type=click.Path(exists=True, path_type=Path),
    help="The game whose cards are counted: its game.json, or the folder that contains it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each picture, one per line.")
def command(paths: tuple[Path, ...], game_path: Path | None, *, as_json: bool) -> None:
    """Read the cards in pictures.

    PATH is a picture (JPEG, PNG, WebP, HEIC, TIFF), a PDF, or a folder of such files.
    """
    game = _game(game_path)
    console = Console()
    failed = False
    for path in paths:
        if path.is_dir() and not any(_photos((path,))):
            failed = True
            click.echo(f"haggle: {path}: no pictures in this folder", err=True)
    shown: list[ScanResult] = []
    # A separate process, so that a file that makes a decoder crash, hang or eat memory costs one line.
    pool = ScanPool(game, workers=1, seconds=_SECONDS)
    try:
        for path, name in _photos(paths):
            for page, result in _scan(path, pool):
                if isinstance(result, str):
                    failed = True
                    click.echo(f"haggle: {path}{page}: {result}", err=True)
                elif as_json:
                    click.echo(json.dumps(contract(name + page, result), ensure_ascii=False))
                else:
                    _show(console, f"{path}{page}", result, game)
                    shown.append(result)
    finally:
        pool.close()
    if game and len(shown) > 1:
        number = len({card.card for result in shown for card in result.seen})
        console.print(f"All {len(shown)} pictures together: {number} different cards.", highlight=False)
    if failed:
        sys.exit(1)


def contract(name: str, result: ScanResult) -> dict[str, Any]:
    """Return a result in the form that `haggle scan --json` prints."""
    return {
        "photo": name,
        "width": result.width,
        "height": result.height,
        "codes": [
            {
                "text": code.text,
                "quad": [list(point) for point in code.quad],
                "card": {"kind": code.card.kind, "copy": code.card.copy} if code.card else None,
            }
            for code in result.codes
        ],
        "cards": result.cards,
        "hints": list(result.hints),
    }


def _game(path: Path | None) -> PrintedGame | None:
    if path is None:
        return None
    try:
        return read_game_file(path)
    except GameFileError as error:
        raise click.ClickException(str(error)) from None


def _photos(paths: tuple[Path, ...]) -> Iterator[tuple[Path, str]]:
    """Return the files to read and their names: those given, and the pictures in folders, in order of their names.

    A file that was given is read whatever its name, and named without its folders; one found in a folder is named by
    its way from there.
    """
    for path in paths:
        if path.is_dir():
            found = (file for file in path.rglob("*") if file.is_file() and file.suffix.lower() in SUFFIXES)
            yield from ((file, file.relative_to(path).as_posix()) for file in sorted(found))
        else:
            yield path, path.name


def _scan(path: Path, pool: ScanPool) -> Iterator[tuple[str, ScanResult | str]]:
    """Scan each page of a file, or say in words why not. Where there are several, each has its number, such as `#2`."""
    try:
        # Bounded, since devices and growing files do not have a final size; a byte too many gives the right sentence.
        with path.open("rb") as file:
            data = file.read(DEFAULT_LIMITS.max_bytes + 1)
    except OSError as error:
        yield "", error.strerror or str(error)
        return
    page, pages = 0, 1
    while page < pages:
        try:
            read = pool.scan_page(data, page)
        except ScanError as error:
            # The further pages of a damaged or hostile file are not tried.
            yield f"#{page + 1}" if page else "", str(error)
            return
        pages = read.pages
        yield "" if pages == 1 else f"#{page + 1}", read.result
        page += 1


def _show(console: Console, name: str, result: ScanResult, game: PrintedGame | None) -> None:
    """Print a photograph for people: its cards in the game's order of kinds, or its codes without a game; and hints."""
    console.print(name, style="bold", markup=False, highlight=False, soft_wrap=True)
    table = Table(show_edge=False)
    if game:
        table.add_column("Kind")
        table.add_column("Cards", justify="right")
        for kind in game.kinds:
            if number := result.cards.get(kind):
                table.add_row(escape(kind), str(number))
        table.add_section()
        table.add_row("all", str(sum(result.cards.values())))
    else:
        table.add_column("Code")
        table.add_column("At", justify="right")
        for code in result.codes:
            x, y = code.quad[0]
            table.add_row(escape(code.text), f"{x:.0f}, {y:.0f}")
    console.print(table)
    if game:
        label = "Envelope" if len(result.labels) < 2 else "Envelopes"  # noqa: PLR2004 - more than one
        console.print(f"{label}: {', '.join(map(str, result.labels)) or 'no label found'}")
    for hint in result.hints:
        console.print(f"- {hint}", markup=False, highlight=False)
    console.print()
