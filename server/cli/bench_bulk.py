"""`haggle bench bulk`: hundreds of pictures at once, taken in and read by a real server."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console
from rich.table import Table

from server.app.house import HouseConfig, open_house
from server.bench.bulk.load import LoadError
from server.bench.bulk.peer import NAME
from server.bench.bulk.pictures import lay_out
from server.bench.bulk.run import go
from server.bench.rush.pictures import rush_game, take_pictures
from server.bench.rush.servers import ServersError
from server.jobs.cores import usable_cores
from server.play.refusals import Refusal
from server.store.database import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.bench.bulk.run import Go

_KEPT = Path(tempfile.gettempdir()) / "haggle-bulk"
_SAMPLE = 60
# Pictures that the bare library reads.
_FEW = 100
# Fewer are over before they say anything.


@click.command(name="bulk")
@click.option("--photos", type=click.IntRange(4, 10_000), default=500, show_default=True, help="Pictures at once.")
@click.option("--workers", "chosen", default="1,2", show_default=True, help="Numbers of scanning processes, each a go.")
@click.option("--hands", type=click.IntRange(1, 60), default=12, show_default=True, help="Different hands in them.")
@click.option("--megapixels", type=click.Choice(["2", "5", "12"]), default="12", show_default=True)
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), default=_KEPT, show_default=True)
@click.option("--in", "place", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Disk to write to.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def command(
    photos: int, chosen: str, hands: int, megapixels: str, pictures: Path, place: Path | None, *, as_json: bool
) -> None:
    """Send many pictures to a real server at once, and look at the game while they are read.

    A few photographs are made and kept; each is sent many times, every time as another file. Beside the server stand a
    plain copy of the files, each flushed to the disk, a few lines of Flask that only keep what is sent, and the bare
    library zxing-cpp in as many processes. Ends with 1 if a picture was lost or not read.
    """
    said = Console(stderr=True, markup=False, emoji=False, highlight=False)
    game = rush_game(hands, "bulk")
    try:
        numbers = [int(number) for number in chosen.split(",")]
    except ValueError:
        raise click.UsageError(f"--workers {chosen}: write numbers such as 1,2") from None
    if not all(1 <= number <= 64 for number in numbers):  # noqa: PLR2004 - as many as anybody has
        raise click.UsageError(f"--workers {chosen}: from 1 to 64")
    if photos < _FEW:
        said.print(f"Ratios mean little with {photos} pictures: take {_FEW} or more.")
    try:
        with (
            tempfile.TemporaryDirectory(prefix="haggle-bulk-", dir=place) as name,
            said.status("Taking pictures") as now,
        ):
            made = take_pictures(
                game, pictures, int(megapixels), lambda done, of: now.update(f"Taking pictures: {done} of {of}")
            )
            files = lay_out([file for three in made.values() for file in three], photos, Path(name) / "in")
            goes = []
            for number in numbers:
                now.update(f"{photos} pictures, {number} scanning")
                open_at = lambda folder: open_house(HouseConfig(folder))  # noqa: E731 - one line says it
                goes.append(go(game, files, number, _SAMPLE, open_at, Path(name)))
    except (DatabaseError, LoadError, OSError, Refusal, ServersError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        for one in goes:
            click.echo(json.dumps(one.as_json()))
    else:
        _show(goes)
    if not all(one.held for one in goes):
        raise SystemExit(1)


def _beside(one: Go, first: Go) -> str:
    return f"x {one.rest_rate / first.rest_rate:.2f}" if one.rest_rate and first.rest_rate else "too few"


def _taken_in(goes: Sequence[Go]) -> list[tuple[str, list[str]]]:
    """Return the rows that tell how fast pictures are taken in, each beside its peer."""

    def rates(seconds: Callable[[Go], float]) -> list[str]:
        return [f"{one.photos / seconds(one):.1f}" for one in goes]

    def ratios(peer: Callable[[Go], float], ours: Callable[[Go], float]) -> list[str]:
        return [f"x {peer(one) / ours(one):.2f}" for one in goes]

    return [
        ("plain copy, pictures a second", rates(lambda one: one.intake.copied)),
        ("taken in by haggle bulk", rates(lambda one: one.intake.commanded)),
        ("  beside the plain copy", ratios(lambda one: one.intake.copied, lambda one: one.intake.commanded)),
        ("a few lines of Flask over HTTP", rates(lambda one: one.intake.plain)),
        ("taken in by the server over HTTP", rates(lambda one: one.intake.sent)),
        ("  beside these lines", ratios(lambda one: one.intake.plain, lambda one: one.intake.sent)),
        ("  beside the plain copy", ratios(lambda one: one.intake.copied, lambda one: one.intake.sent)),
        ("  while it reads", rates(lambda one: one.accepted)),
    ]


def _show(goes: Sequence[Go]) -> None:
    """Print tables for people."""
    console = Console(markup=False, emoji=False, highlight=False)
    first = goes[0]
    title = f"{first.photos} pictures, {first.size / 1e6:,.0f} MB, on {usable_cores()} cores"
    table = Table(title=title, box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("")
    for one in goes:
        table.add_column(f"{one.workers} scanning", justify="right", no_wrap=True)
    for what, values in (
        *_taken_in(goes),
        ("read, pictures a minute", [f"{one.rate * 60:.1f}" for one in goes]),
        (f"  beside {first.workers} scanning", [f"x {one.rate / first.rate:.2f}" for one in goes]),
        ("read after all were in", [str(one.rest) for one in goes]),
        ("  pictures a minute", [f"{one.rest_rate * 60:.1f}" if one.rest_rate else "too few" for one in goes]),
        (f"  beside {first.workers} scanning", [_beside(one, first) for one in goes]),
        ("seconds of the processor a picture", [f"{one.processor:.2f}" for one in goes]),
        (f"{NAME} alone, pictures a minute", [f"{one.bare_rate * 60:.1f}" for one in goes]),
        ("  ours beside it", [f"x {one.rate / one.bare_rate:.2f}" for one in goes]),
        ("codes a picture, ours", [f"{one.codes / one.photos:.1f}" for one in goes]),
        (f"codes a picture, {NAME}", [f"{one.bare_codes / one.bare_of:.1f}" for one in goes]),
        ("sent, and not there", [str(one.photos - one.there) for one in goes]),
        ("failed", [str(one.failed) for one in goes]),
        ("server, MB at most", [f"{one.peak_server / 1e6:,.0f}" for one in goes]),
        ("workers together, MB at most", [f"{one.peak_workers / 1e6:,.0f}" for one in goes]),
    ):
        table.add_row(what, *values)
    console.print(table)
    for one in goes:
        times = Table(title=f"Answers meanwhile, {one.workers} scanning", box=box.SIMPLE, padding=(0, 1, 0, 0))
        times.add_column("Asked", no_wrap=True)
        for heading in ("Times", "Median ms", "95 %", "Most"):
            times.add_column(heading, justify="right", no_wrap=True)
        for row in (*one.looks, one.uploads):
            numbers = (f"{seconds * 1000:,.0f}" for seconds in (row.median, row.p95, row.most))
            times.add_row(row.what, f"{row.calls:,}", *numbers)
        console.print(times)
