"""`haggle bench scan`: recall, false reads, time and memory of readers, on made-up and on real photographs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import Progress

from benchmarks.scan.measure import cut_out, keep, measure
from benchmarks.scan.pictures import (
    DECKS,
    GROUPS,
    USUAL_DECK,
    FolderError,
    any_set,
    curve_sets,
    folder_sets,
    profile_set,
)
from benchmarks.scan.readers import NAMES, readers
from benchmarks.scan.report import aims, document, own, results
from devtools.photo_simulator import CURVES, SCENES
from devtools.photo_simulator.profiles import SENSORS
from scanner.budget import DECODES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from benchmarks.scan.measure import Missed, Row
    from benchmarks.scan.pictures import PictureSet
    from benchmarks.scan.readers import Reader

    Names = tuple[str, ...] | None

LARGEST_DECK = 60
_STDOUT = "-"
_DAMAGE = 0.5
# Share of what error correction can repair that is scratched or stained in the damaged half of other codes.
_FILE = click.Path(path_type=Path, file_okay=False)


def _sizes(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Return sizes of decks that are separated by commas; a usage error for anything else."""
    if value is None:
        return None
    try:
        sizes = tuple(int(part) for part in value.split(","))
    except ValueError:
        sizes = ()
    if not all(1 <= size <= LARGEST_DECK for size in sizes or (0,)):
        raise click.BadParameter(f"write numbers from 1 to {LARGEST_DECK}, such as 5,20,40")
    return sizes


def _names(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """Return names that are separated by commas, with those of groups spelled out; a usage error for unknown ones."""
    if value is None:
        return None
    known: Collection[str] = {"chosen": NAMES, "curves": tuple(CURVES)}.get(parameter.name or "", tuple(SCENES))
    groups = {"profiles": GROUPS, "others": GROUPS, "curves": {"all": tuple(CURVES)}}.get(parameter.name or "", {})
    names: list[str] = []
    for name in value.split(","):
        if name in groups:
            names += groups[name]
        elif name in known:
            names.append(name)
        else:
            raise click.BadParameter(f"'{name}' is none of {', '.join([*groups, *known])}", context, parameter)
    return tuple(dict.fromkeys(names))


@click.command(name="scan")
@click.option(
    "--profile",
    "--profiles",
    "profiles",
    callback=_names,
    metavar="NAMES",
    help="Made-up photographs: profiles, or ordinary, hard, other, hopeless, all. Default: nominal.",
)
@click.option(
    "--curves", callback=_names, metavar="NAMES", help="Made-up photographs that get worse bit by bit, or all."
)
@click.option("--any", "others", callback=_names, metavar="NAMES", help="Profiles for photographs of other QR codes.")
@click.option(
    "--folder", "folders", multiple=True, metavar="DIR", help="Real photographs with their truth; repeatable."
)
@click.option("--decks", callback=_sizes, metavar="SIZES", help="Cards in a photograph. Default: 20, nominal 5,20,40.")
@click.option("--photos", type=click.IntRange(1, 1000), default=2, show_default=True, help="Photographs made a set.")
@click.option(
    "--megapixels",
    type=click.Choice([str(size) for size in SENSORS]),
    help="Sensor of the cameras of all profiles. Default: that of each profile, mostly 12.",
)
@click.option("--readers", "chosen", callback=_names, metavar="NAMES", help=f"Of {', '.join(NAMES)}. Default: all.")
@click.option("--seed", default="bench", show_default=True, help="Any text; it decides cards and photographs.")
@click.option(
    "--decodes",
    type=click.FloatRange(1, 1000),
    default=DECODES,
    show_default=True,
    help="How many times as long as decoding our scan may take; 60 is enough for all its steps on a busy machine too.",
)
@click.option("--memory/--no-memory", default=True, show_default=True, help="Measure our memory, one photo a set.")
@click.option("--json", "data", is_flag=False, flag_value=_STDOUT, metavar="[FILE]", help="Write all figures as JSON.")
@click.option("--plots", type=_FILE, metavar="DIR", help="Write plots as SVG and PNG into this folder.")
@click.option("--misses", type=_FILE, metavar="DIR", help="Write a picture of each card that haggle missed.")
@click.option("--keep", "kept", type=_FILE, metavar="DIR", help="Write the made-up photographs and their truth.")
def command(  # each parameter is an option of the command
    *,
    profiles: tuple[str, ...] | None,
    curves: tuple[str, ...] | None,
    others: tuple[str, ...] | None,
    folders: tuple[str, ...],
    decks: tuple[int, ...] | None,
    photos: int,
    megapixels: str | None,
    chosen: tuple[str, ...] | None,
    seed: str,
    decodes: float,
    memory: bool,
    data: str | None,
    plots: Path | None,
    misses: Path | None,
    kept: Path | None,
) -> None:
    """Read made-up and real photographs with our scanner and with others, on one thread.

    Codes are those that lie whole in the picture, cards those that have such a code of at least 2 pixels a module.
    Texts that nothing in the picture says are false. A reader that is not at hand is left out, and a line says so.
    """
    for folder in (plots, misses, kept):
        _make(folder)
    if data is not None and data != _STDOUT:
        _open(Path(data))
    try:
        sets = [one for folder in folders for one in folder_sets(Path(folder), _say)]
        sets += _made(profiles, curves, others, decks, photos, seed, int(megapixels) if megapixels else None)
        sets = sets or _made(("nominal",), None, None, decks, photos, seed)
        ready, missing = readers(chosen, decodes)
        for name, why in missing.items():
            _say(f"WITHOUT {name}: {why}")
        if not ready:
            raise click.ClickException(f"none of these readers is at hand: {', '.join(chosen or NAMES)}")
        rows, clean = _measured(sets, ready, memory=memory, misses=misses, kept=kept)
    except FolderError as error:
        raise click.ClickException(str(error)) from None
    if data is not None:
        _write(document(rows, missing, seed), data)
    _show(rows, plots, tables=data != _STDOUT)
    if not clean:
        sys.exit(1)


def _made(
    profiles: Names,
    curves: Names,
    others: Names,
    decks: tuple[int, ...] | None,
    photos: int,
    seed: str,
    megapixels: int | None = None,
) -> list[PictureSet]:
    """Return the sets of made-up photographs that are asked for."""
    usual = (decks or (USUAL_DECK,))[0]
    sets = []
    for curve in curves or ():
        sets += curve_sets(curve, usual, photos, seed)
    for profile in others or ():
        sets += [any_set(profile, usual, photos, seed, damage) for damage in (0.0, _DAMAGE)]
    for profile in profiles or ():
        sets += [
            profile_set(profile, size, photos, seed, megapixels) for size in decks or DECKS.get(profile, (USUAL_DECK,))
        ]
    return sets


def _measured(
    sets: Sequence[PictureSet], ready: dict[str, Reader], *, memory: bool, misses: Path | None, kept: Path | None
) -> tuple[list[Row], bool]:
    """Return the rows of all sets, and whether every picture could be read."""
    rows: list[Row] = []
    left_out: list[str] = []
    # Drawing the bar from another thread would count as the readers' time.
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task("measuring", total=sum(one.photos for one in sets))

        def step() -> None:
            progress.advance(task)
            progress.refresh()

        def tell(line: str) -> None:
            left_out.append(line)
            progress.console.print(f"haggle: {line}", markup=False, emoji=False, highlight=False, soft_wrap=True)

        for one in sets:
            progress.update(task, description=one.name)
            progress.refresh()

            def seen(missed: Missed, one: PictureSet = one) -> None:
                if misses is not None:
                    cut_out(missed, misses)
                if kept is not None and one.kind != "folder":
                    keep(missed.picture, kept / one.name.replace(" ", "-"))

            rows += measure(one, ready, memory=memory, tell=tell, step=step, seen=seen)
    return rows, not left_out


def _show(rows: Sequence[Row], plots: Path | None, *, tables: bool) -> None:
    """Print the tables and draw the plots that are wanted."""
    if tables:
        console = Console(markup=False, emoji=False, highlight=False)
        console.print(results(rows))
        if any(row.passes for row in rows):
            console.print(own(rows), aims(rows))
    if plots is not None:
        from benchmarks.scan.charts import write_plots  # noqa: PLC0415 - drawing is only loaded where it is asked for

        click.echo(f"Plots: {', '.join(str(file) for file in write_plots(rows, plots))}", err=True)


def _say(line: str) -> None:
    click.echo(f"haggle: {line}", err=True)


def _make(folder: Path | None) -> None:
    """Make a folder for what is written at the end, so that a mistake shows at the beginning."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder}: {error.strerror}; name a folder that can be written") from None


def _open(path: Path) -> None:
    """Open a file for what is written at the end, so that a mistake shows at the beginning; a new one is taken away."""
    new = not path.exists()
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise _unwritable(path, error) from None
    if new:
        path.unlink()


def _write(figures: dict[str, object], path: str) -> None:
    text = json.dumps(figures, indent=1)
    if path == _STDOUT:
        click.echo(text)
        return
    try:
        Path(path).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path | str, error: OSError) -> click.ClickException:
    return click.ClickException(f"{path}: {error.strerror}; name a file that can be written")
