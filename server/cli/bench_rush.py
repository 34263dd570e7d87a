"""`haggle bench rush`: the last minutes before a deadline, played against real servers."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console
from rich.table import Table

from server.app.house import open_house
from server.app.settings import house_config
from server.bench.rush.crowd import CrowdError
from server.bench.rush.figures import as_json, rows, spread
from server.bench.rush.pictures import rush_game, take_pictures
from server.bench.rush.plan import Haste
from server.bench.rush.run import Rush, rush
from server.bench.rush.servers import Servers, ServersError
from server.bench.rush.stage import set_stage
from server.play.refusals import Refusal
from server.store.database import DatabaseError

if TYPE_CHECKING:
    from server.bench.rush.figures import Row
    from server.bench.rush.run import Outcome

_KEPT = Path(tempfile.gettempdir()) / "haggle-rush"


@click.command(name="rush")
@click.option("--players", type=click.IntRange(1, 600), default=150, show_default=True)
@click.option("--minutes", type=click.FloatRange(0.05, 60), default=5.0, show_default=True, help="To the deadline.")
@click.option(
    "--streams",
    type=click.IntRange(0, 600),
    help="Players whose page is open from the start. Default: all; the others open it when they come.",
)
@click.option("--servers", type=click.IntRange(1, 8), default=1, show_default=True, help="Processes that serve.")
@click.option("--server", "urls", multiple=True, metavar="URL", help="Servers that run already; needs --data.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Their data folder. Default: a new one, which goes again. A game is left in it.",
)
@click.option("--password-file", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Their password.")
@click.option("--pictures", type=click.Path(path_type=Path, file_okay=False), default=_KEPT, show_default=True)
@click.option("--megapixels", type=click.Choice(["2", "5", "12"]), default="12", show_default=True)
@click.option("--seed", default="1", show_default=True, help="Decides hands, pictures, and who comes when.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON for programs.")
def command(
    *,
    players: int,
    minutes: float,
    streams: int | None,
    servers: int,
    urls: tuple[str, ...],
    data: Path | None,
    password_file: Path | None,
    pictures: Path,
    megapixels: str,
    seed: str,
    as_json_: bool,
) -> None:
    """Let many players upload, confirm and hand in at once, most of them in the last minute.

    Pictures are photographs of the players' own cards. They are made before the first run, which takes a few minutes,
    and kept. HAGGLE_DATABASE_URL, HAGGLE_QUEUE_URL and HAGGLE_PHOTOS_URL count as for haggle serve: use engines that
    are there for this. Ends with 1 if anything was lost, doubled, refused for good, or went wrong.
    """
    if urls and (data is None or password_file is None):
        raise click.UsageError("--server needs --data and --password-file of these servers")
    said = Console(stderr=True, markup=False, emoji=False, highlight=False)
    game = rush_game(players, seed)
    try:
        with ExitStack() as stack:
            with said.status("Taking pictures") as status:
                files = take_pictures(
                    game, pictures, int(megapixels), lambda done, of: status.update(f"Taking pictures: {done} of {of}")
                )
            folder = data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="haggle-")))
            house = open_house(house_config(folder))
            stack.callback(house.database.close)
            stage = set_stage(house, game, password_file.read_text().strip() if password_file else "")
            begun = None if urls else stack.enter_context(Servers(folder, servers, folder / "servers.log"))
            haste = Haste(minutes * 60)
            wanted = Rush(players, players if streams is None else streams, haste, seed, files)
            said.print(f"{players} players, {minutes:g} minutes, on {'servers that run' if urls else f'{servers} new'}")
            outcome = rush(house, stage, urls or begun.urls if begun else urls, wanted, begun.pids if begun else ())
            if begun:
                begun.check()
    except (CrowdError, DatabaseError, Refusal, ServersError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if as_json_:
        click.echo(json.dumps(as_json(outcome)))
    else:
        _show(outcome)
    if not outcome.held:
        raise SystemExit(1)


def _show(outcome: Outcome) -> None:
    """Print tables for people."""
    console = Console(markup=False, emoji=False, highlight=False)
    told, notes = as_json(outcome), outcome.notes
    title = f"{outcome.rush.players} players, {outcome.rush.haste.seconds / 60:g} minutes, {outcome.cores} cores"
    console.print(_times(title, rows(notes.calls)))
    seen = [took for one in notes.promises for took in one.seconds]
    console.print(_times("Pictures", [spread("to the reading", outcome.waits), spread("to the phone's list", seen)]))
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), show_header=False)
    for name in ("hand_ins", "late", "scores", "photos", "calls_in_last_minute", "load_cpu_seconds", "run_seconds"):
        table.add_row(name.replace("_", " "), f"{told[name]:,}")
    for name in ("streams_told", "retries", "desk"):
        table.add_row(name.replace("_", " "), ", ".join(f"{what} {number:,}" for what, number in told[name].items()))
    for role, used in told["usage"].items():
        table.add_row(role, f"{used['peak_mb']:,.0f} MB at most, {used['cpu_seconds']:,.0f} s of the processor")
    console.print(table)
    for law in outcome.laws:
        console.print(f"{'broken' if law.broken else 'held  '}  {law.says} ({law.over:,})")
        for words in law.broken[:10]:
            console.print(f"        {words}")


def _times(title: str, found: list[Row]) -> Table:
    """Return times as a table, in milliseconds."""
    table = Table(title=title, box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column("Asked", no_wrap=True)
    for heading in ("Times", "Refused", "Median ms", "95 %", "99 %", "Most"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found:
        times = (f"{seconds * 1000:,.0f}" for seconds in row[3:])
        table.add_row(row.what, f"{row.calls:,}", str(row.refused or ""), *times)
    return table
