"""`haggle games envelopes`, `unseal`, `seal` and `renew`: the envelopes of a game of a data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table
from sqlalchemy import select

from server.cli.admin.data_folder import data_option, json_option, machine_user, opened, reason_option, show_json
from server.cli.options import plain_console
from server.db.models import PrintRun
from server.games.lifecycle.envelopes import (
    envelope_rows,
    link_of,
    open_envelope,
    rename_envelope,
    revoke_link,
    seal_envelope,
)
from server.games.lifecycle.repository import load_game

if TYPE_CHECKING:
    from pathlib import Path

_FACTS = ("number", "opened", "name", "hidden", "joined", "received", "lateness", "counted")


@click.command(name="envelopes")
@data_option
@click.argument("game")
@json_option
def envelopes(data: Path, game: str, *, as_json: bool) -> None:
    """List the envelopes of GAME."""
    with opened(data) as context, context.database.reading() as session:
        row = load_game(session, game)
        rows = envelope_rows(session, row)
        runs = session.scalars(select(PrintRun).where(PrintRun.game == row.id)).all()
        # The last envelopes of a run were printed as spare ones; any other that stays sealed waits for a no-show.
        spare_from = {run.number: run.first + run.envelopes - run.spare for run in runs}
        facts = [
            {
                **{name: getattr(row, name) for name in _FACTS},
                "claimed": row.submitted_at,
                "spare": row.spare and row.number >= spare_from[run],
                "no_show": row.spare and row.number < spare_from[run],
                "run": run,
                "cards": cards,
            }
            for row, run, cards in rows
        ]
    if as_json:
        show_json({"envelopes": facts})
        return
    table = Table("envelope", "run", "cards", "name", "open", "joined", "handed in", "received")
    for one in facts:
        sealed = "spare" if one["spare"] else "no-show" if one["no_show"] else "sealed"
        marks = ["yes" if one[name] else "" for name in ("joined", "claimed", "received")]
        opened_text = "yes" if one["opened"] else sealed
        table.add_row(str(one["number"]), str(one["run"]), str(one["cards"]), one["name"] or "", opened_text, *marks)
    plain_console().print(table)


@click.command(name="unseal", short_help="Open a sealed ENVELOPE of GAME.")
@data_option
@click.argument("game")
@click.argument("envelope", type=int)
@click.option("--name", help="Name of the player who gets it.")
@reason_option
def unseal(data: Path, game: str, envelope: int, name: str | None, reason: str) -> None:
    """Open ENVELOPE of GAME for a late player. Before the game opens, this lets it open with the game."""
    with opened(data) as context, context.database.writing() as session:
        row, at = load_game(session, game), context.clock()
        open_envelope(session, row, envelope, machine_user(), at, reason)
        if name is not None:
            rename_envelope(session, row, envelope, name, machine_user(), at, reason)
        later = row.opened is None
    click.echo(f"Envelope {envelope} {'opens with the game' if later else 'is open: its cards count'}.")


@click.command(name="seal", short_help="Seal ENVELOPE of GAME, which nobody plays.")
@data_option
@click.argument("game")
@click.argument("envelope", type=int)
@click.option("--insist", is_flag=True, help="Seal it although its cards have been seen in pictures.")
@reason_option
def seal(data: Path, game: str, envelope: int, *, insist: bool, reason: str) -> None:
    """Seal ENVELOPE of GAME, whose player is not coming: its cards do not count."""
    with opened(data) as context, context.database.writing() as session:
        seal_envelope(
            session, load_game(session, game), envelope, machine_user(), context.clock(), reason, insist=insist
        )
    click.echo(f"Envelope {envelope} is sealed: its cards do not count.")


@click.command(name="renew", short_help="Give ENVELOPE of GAME a new link.")
@data_option
@click.argument("game")
@click.argument("envelope", type=int)
@reason_option
def renew(data: Path, game: str, envelope: int, reason: str) -> None:
    """End the link on the label of ENVELOPE of GAME, and print the new one, which is secret."""
    with opened(data) as context, context.database.writing() as session:
        row = load_game(session, game)
        link = link_of(session, row, revoke_link(session, row, envelope, machine_user(), context.clock(), reason))
    click.echo(f"The printed link is no longer valid. The new one: {link or 'none, the labels have no address'}")
