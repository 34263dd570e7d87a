"""`haggle bench scan`: recall, false reads, time and memory of readers, on made-up and on real photographs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import Progress

from benchmarks.scan import ablation
from benchmarks.scan.measure import cut_out, measure
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
from benchmarks.scan.report import document, show
from devtools.photo_simulator.profiles import CURVES, SCENES, SENSORS
from scanner.time_budget import DECODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.scan.measure import Row
    from benchmarks.scan.pictures import Picture, PictureSet
    from benchmarks.scan.readers import Reader

    Names = tuple[str, ...]
    Option = Callable[[click.Context, click.Parameter, str | None], Names]

LARGEST_DECK = 60
_STDOUT = "-"

# Share of what error correction can repair that is scratched or stained in the damaged half of other codes.
_DAMAGE = 0.5
_FOLDER = click.Path(path_type=Path, file_okay=False)


def _sizes(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Return sizes of decks that are separated by commas; a usage error for anything else."""
    parts = value.split(",") if value else []
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) <= LARGEST_DECK for part in parts):
        raise click.BadParameter(f"write numbers from 1 to {LARGEST_DECK}, such as 5,20,40")
    return tuple(map(int, parts))


def _names(known: Sequence[str], groups: Mapping[str, Sequence[str]]) -> Option:
    """Return what reads names that are separated by commas; those of groups are spelled out."""

    def read(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Names:
        names: list[str] = []
        for name in value.split(",") if value else ():
            if name not in groups and name not in known:
                raise click.BadParameter(f"'{name}' is none of {', '.join([*groups, *known])}")
            names += groups.get(name, [name])
        return tuple(dict.fromkeys(names))

    return read


_PROFILES = _names(tuple(SCENES), GROUPS)


@click.command(name="scan")
@click.option(
    "--profile",
    "--profiles",
    "profiles",
    callback=_PROFILES,
    metavar="NAMES",
    help="Made-up photographs: profiles, or ordinary, hard, other, hopeless, all. Default: nominal.",
)
@click.option(
    "--curves",
    callback=_names(tuple(CURVES), {"all": tuple(CURVES)}),
    metavar="NAMES",
    help="Made-up photographs that get worse bit by bit, or all.",
)
@click.option(
    "--any", "others", callback=_PROFILES, metavar="NAMES", help="Profiles for photographs of other QR codes."
)
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
@click.option(
    "--readers",
    "chosen",
    callback=_names(NAMES, {}),
    metavar="NAMES",
    help=f"Of {', '.join(NAMES)}. Default: all.",
)
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
@click.option("--plots", type=_FOLDER, metavar="DIR", help="Write plots as SVG and PNG into this folder.")
@click.option("--misses", type=_FOLDER, metavar="DIR", help="Write a picture of each card that haggle missed.")
@click.option(
    "--ablate",
    is_flag=True,
    help="Instead switch off each part of our scanner, and report reads gained and time spent.",
)
def command(
    *,
    profiles: Names,
    curves: Names,
    others: Names,
    folders: tuple[str, ...],
    decks: tuple[int, ...],
    photos: int,
    megapixels: str | None,
    chosen: Names,
    seed: str,
    decodes: float,
    memory: bool,
    data: str | None,
    plots: Path | None,
    misses: Path | None,
    ablate: bool,
) -> None:
    """Read made-up and real photographs with our scanner and with others, on one thread.

    Codes are those that lie whole in the picture, cards those that have such a code of at least 2 pixels a module.
    Texts that nothing in the picture says are false. A reader that is not at hand is left out, and a line says so.
    """
    # Made now, so that a mistake is reported before anything is measured.
    try:
        for folder in filter(None, (plots, misses)):
            folder.mkdir(parents=True, exist_ok=True)
        figures = click.open_file(data, "w", encoding="utf-8") if data else None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None
    usual = (decks or (USUAL_DECK,))[0]
    try:
        sets = [one for folder in folders for one in folder_sets(Path(folder), _say)]
        sets += [one for curve in curves for one in curve_sets(curve, usual, photos, seed)]
        sets += [any_set(profile, usual, photos, seed, damage) for profile in others for damage in (0.0, _DAMAGE)]
        sets += [
            profile_set(profile, size, photos, seed, int(megapixels) if megapixels else None)
            for profile in profiles or (() if sets else ("nominal",))
            for size in decks or DECKS.get(profile, (USUAL_DECK,))
        ]
        if ablate:
            _ablated(sets, decodes, figures, shown=data != _STDOUT)
            return
        ready, missing = _readers(chosen, decodes)
        rows, clean = _measured(sets, ready, memory=memory, misses=misses)
    except FolderError as error:
        raise click.ClickException(str(error)) from None
    if figures is not None:
        with figures:
            json.dump(document(rows, missing, seed), figures, indent=1)
    if data != _STDOUT:
        show(rows)
    if plots is not None:
        from benchmarks.scan.charts import write_plots  # noqa: PLC0415 - drawing is only loaded where it is asked for

        _say(f"Plots: {', '.join(str(file) for file in write_plots(rows, plots))}")
    if not clean:
        sys.exit(1)


def _readers(chosen: Names, decodes: float) -> tuple[dict[str, Reader], dict[str, str]]:
    ready, missing = readers(chosen or None, decodes)
    for name, why in missing.items():
        _say(f"WITHOUT {name}: {why}")
    if not ready:
        raise click.ClickException(f"none of these readers is at hand: {', '.join(chosen)}")
    return ready, missing


def _ablated(sets: Sequence[PictureSet], decodes: float, figures: IO[Any] | None, *, shown: bool) -> None:
    gains = ablation.ablate(sets, ablation.parts(), decodes, _say)
    if figures is not None:
        with figures:
            json.dump(ablation.document(gains), figures, indent=1)
    if shown:
        ablation.show(gains)


def _measured(
    sets: Sequence[PictureSet], ready: Mapping[str, Reader], *, memory: bool, misses: Path | None
) -> tuple[list[Row], bool]:
    """Return the rows of all sets, and whether every picture could be read."""
    rows: list[Row] = []
    left_out: list[str] = []
    # Drawing the bar from another thread would count as the readers' time.
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task("measuring", total=sum(one.photos for one in sets))

        def tell(line: str) -> None:
            left_out.append(line)
            progress.console.print(f"haggle: {line}", markup=False, emoji=False, highlight=False, soft_wrap=True)

        def seen(picture: Picture, missed: tuple[str, ...]) -> None:
            if misses is not None:
                cut_out(picture, missed, misses)
            progress.update(task, advance=1, refresh=True)

        for one in sets:
            progress.update(task, description=one.name, refresh=True)
            rows += measure(one, ready, memory=memory, tell=tell, seen=seen)
    return rows, not left_out


def _say(line: str) -> None:
    click.echo(f"haggle: {line}", err=True)
