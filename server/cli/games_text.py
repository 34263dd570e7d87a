"""A game of a data folder in words: its settings, how far it is, its print runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from server.cli.data_folder import amount, show_json
from server.play.house import game_row, now
from server.play.overview import in_full, runs_in_full

if TYPE_CHECKING:
    from datetime import datetime

    from server.play.house import House


def show_game(house: House, game: str, *, as_json: bool) -> None:
    """Print a game with its settings and print runs."""
    with house.database.reading() as session:
        row = game_row(session, game)
        facts, runs = in_full(session, row, house.clock()), runs_in_full(session, row)
    if as_json:
        show_json(facts | {"runs": runs})
        return
    click.echo(f"Game {facts['id']}: {facts['name']}")
    click.echo(f"{facts['title']}, {amount(facts['players'], 'player')}, {facts['state']}")
    click.echo(f"Cards: {facts['size'] or 'of another size'}")
    click.echo(f"Deadline: {local(facts['deadline'], facts['timezone']) or 'none; close it by hand'}")
    tries = "1 try" if facts["tries"] == 1 else f"{facts['tries']} tries"
    click.echo(f"Provisional score: {facts['mode']}, {tries}, {amount(facts['pause'], 'second')} between them")
    if facts["expect_dealt"]:
        click.echo("Expected in each envelope: as many cards as were dealt")
    rules = facts["active_rules"]
    click.echo(f"Rules: {'all' if rules is None else ', '.join(rules)}")
    for name, value in facts["settings"].items():
        confirmed = ", confirmed" if name in facts["confirmed"] else ""
        click.echo(f"Setting {name}: {value}{confirmed}")
    hours, days = amount(facts["keep_hours"], "hour"), amount(facts["keep_days"], "day")
    click.echo(f"Pictures: players' {hours}, hand-ins' {days} after publication")
    counts = facts["counts"]
    click.echo(
        f"Envelopes: {counts['envelopes']}, of which {counts['open']} open, {counts['joined']} joined, "
        f"{counts['claimed']} handed in by phone, {counts['received']} received"
    )
    for run in runs:
        click.echo(_run_line(run))
    for note in facts["notes"]:
        click.echo(f"Note: {note}")


def _run_line(run: dict[str, Any]) -> str:
    cards = amount(run["cards"], "card")
    if not run["envelopes"]:
        return f"Print run {run['number']}: {cards} in place of {'a lost one' if run['cards'] == 1 else 'lost ones'}"
    last = run["first"] + run["envelopes"] - 1
    numbers = f"envelope {last}" if run["envelopes"] == 1 else f"envelopes {run['first']} to {last}"
    line = f"Print run {run['number']}: {numbers} ({run['spare']} spare), {cards}"
    if run["spread"] is not None:
        near = "as wanted" if run["reached"] else f"not within the {run['even']} wanted"
        line += f", starting hands {amount(run['spread'], 'point')} apart, {near}"
    return line


def local(moment: datetime | None, timezone: str) -> str:
    """Write a time in its zone; one that has passed says so."""
    if moment is None:
        return ""
    passed = ", passed" if moment <= now() else ""
    return f"{moment.astimezone(ZoneInfo(timezone)):%Y-%m-%d %H:%M} {timezone}{passed}"
