"""A game of a data folder in words: its settings, how far it is, its print runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from server.cli.data_folder import show_json
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
    click.echo(f"{facts['title']}, {facts['players']} players, {facts['state']}")
    click.echo(f"Deadline: {local(facts['deadline'], facts['timezone']) or 'none; close it by hand'}")
    click.echo(f"Provisional score: {facts['mode']}, {facts['tries']} tries, {facts['pause']} seconds between them")
    rules = facts["active_rules"]
    click.echo(f"Rules: {'all' if rules is None else ', '.join(rules)}")
    for name, value in facts["settings"].items():
        confirmed = ", confirmed" if name in facts["confirmed"] else ""
        click.echo(f"Setting {name}: {value}{confirmed}")
    click.echo(f"Pictures: players' {facts['keep_hours']} hours, hand-ins' {facts['keep_days']} days after publication")
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
    if not run["envelopes"]:
        return f"Print run {run['number']}: {run['cards']} cards in place of lost ones"
    last = run["first"] + run["envelopes"] - 1
    line = f"Print run {run['number']}: envelopes {run['first']} to {last} ({run['spare']} spare), {run['cards']} cards"
    if run["spread"] is not None:
        near = "as wanted" if run["reached"] else f"not within the {run['even']} wanted after {run['tries']} deals"
        line += f", starting hands {run['spread']} points apart, {near}"
    return line


def local(moment: datetime | None, timezone: str) -> str:
    """Write a time in its zone; one that has passed says so."""
    if moment is None:
        return ""
    passed = ", passed" if moment <= now() else ""
    return f"{moment.astimezone(ZoneInfo(timezone)):%Y-%m-%d %H:%M} {timezone}{passed}"
