"""`haggle games`: the games of a data folder, made, set up and led from state to state."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar
from zoneinfo import ZoneInfo

import click
from rich.table import Table

from cardgen.cards import SIZES
from server.cli.admin.data_folder import (
    amount,
    data_option,
    json_option,
    machine_user,
    opened,
    reason_option,
    show_json,
)
from server.cli.admin.envelopes import envelopes, renew, seal, unseal
from server.cli.admin.games_print import add, print_run
from server.cli.options import editions_option, plain_console, setting_of
from server.db.session import now
from server.games.errors import DomainError
from server.games.lifecycle.commands import GameDraft, change_state, create_game, delete_game
from server.games.lifecycle.overview import game_overview, games_overview, print_runs_overview
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.settings import BOUNDS, MODES, change_game, local_time
from server.games.lifecycle.states import Act
from server.games.results import versions
from server.games.transfer.game_archive import check_limits, export_game, import_game
from server.operating_system import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from server.db.models import Game
    from server.games.audit import Actor
    from server.games.context import AppContext


def show_game(context: AppContext, game: str, *, as_json: bool) -> None:
    """Print a game with its settings and print runs."""
    with context.database.reading() as session:
        row = load_game(session, game)
        facts, runs = game_overview(session, row, context.clock()), print_runs_overview(session, row)
    if as_json:
        show_json(facts | {"runs": runs})
        return
    click.echo(f"Game {facts['id']}: {facts['name']}")
    click.echo(f"{facts['title']}, {amount(facts['players'], 'player')}, {facts['state']}")
    click.echo(f"Cards: {facts['size'] or 'of another size'}")
    click.echo(f"Deadline: {local(facts['deadline'], facts['timezone']) or 'none; close it by hand'}")
    pause = amount(facts["pause"], "second")
    click.echo(f"Provisional score: {facts['mode']}, {amount(facts['tries'], 'attempt')}, {pause} between them")
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
        f"Envelopes: {counts['envelopes']} ({counts['open']} open, {counts['joined']} joined, "
        f"{counts['claimed']} handed in by phone, {counts['received']} received)"
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


Command = TypeVar("Command", bound="Callable[..., object]")


def _override_option(command: Command) -> Command:
    """Give a command `--override`."""
    return click.option("--override", default="", help="The reason to count although something is still open.")(command)


@click.command(name="freeze")
@data_option
@click.argument("game")
@reason_option
@_override_option
@json_option
def freeze(data: Path, game: str, *, reason: str, override: str, as_json: bool) -> None:
    """Count GAME and freeze it."""
    with opened(data) as context:
        number = _counted(versions.freeze, context, game, versions.CountRequest(reason, override))
        click.echo(f"Counted: version {number}. haggle results {game.upper()} shows it.", err=True)
        show_game(context, game, as_json=as_json)


@click.command(name="correct", short_help="Count GAME again after corrections.")
@data_option
@click.argument("game")
@reason_option
@_override_option
@json_option
def correct(data: Path, game: str, *, reason: str, override: str, as_json: bool) -> None:
    """Count GAME again after it was frozen or published, with all that was corrected since; needs --reason.

    The counts before stay. Players see the new one once it is published.
    """
    with opened(data) as context:
        number = _counted(versions.correct, context, game, versions.CountRequest(reason, override))
        click.echo(f"Counted: version {number}. haggle results {game.upper()} --moved shows what changed.", err=True)
        show_game(context, game, as_json=as_json)


def _counted(
    work: Callable[[AppContext, str, Actor, versions.CountRequest], int],
    context: AppContext,
    game: str,
    request: versions.CountRequest,
) -> int:
    """Score the game; open points are listed in the error."""
    try:
        return work(context, game, machine_user(), request)
    except DomainError as refusal:
        if refusal.slug != "not-settled":
            raise
        points = refusal.members["open"]
        for point in points:
            click.echo(f"Open: {point['text']}", err=True)
        raise click.ClickException(
            f"{amount(len(points), 'thing')} still open: settle what is open, or count anyway with "
            f"--override REASON (haggle results {game.upper()} --versions lists what is open)"
        ) from None


@click.command(name="export", short_help="Write all of GAME into a file.")
@data_option
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--no-photos", is_flag=True, help="Leave out the pictures, but not what was read in them.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def export(data: Path, game: str, file: Path, *, no_photos: bool, force: bool) -> None:
    """Write all of GAME into FILE, a zip. It contains the game's key: keep it as a secret."""
    if file.exists() and not force:
        raise click.ClickException(f"{file} exists already; name another file, or replace it with --force")
    with opened(data) as context:
        # Beside its place first, so that a failure leaves nothing half written; readable by its owner alone.
        try:
            handle, partial = tempfile.mkstemp(prefix=f".{file.name}-", suffix=".partial", dir=file.parent)
        except OSError as error:
            raise click.ClickException(f"{file}: {error.strerror}") from None
        try:
            with os.fdopen(handle, "w+b") as out:
                name = export_game(context, game, out, photos=not no_photos)
                warning = _import_problem(out)
            replace_file(Path(partial), file)
        except OSError as error:
            raise click.ClickException(f"{file}: {error.strerror}; nothing was written") from None
        finally:
            Path(partial).unlink(missing_ok=True)
    click.echo(f"Game {name} is in {file}. It contains the game's key: anyone who has the file can make cards.")
    if warning:
        click.echo(f"Warning: haggle games import will refuse this file. {warning}", err=True)


def _import_problem(file: BinaryIO) -> str | None:
    """Return why a new archive cannot be imported, or None."""
    try:
        check_limits(file)
    except DomainError as error:
        return str(error)
    return None


@click.command(name="import", short_help="Import a game from an exported file.")
@data_option
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def import_(data: Path, file: Path, *, as_json: bool) -> None:
    """Import a whole game from FILE, which haggle games export wrote: all of it, or nothing."""
    try:
        source = file.open("rb")
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    with source, opened(data, make=True) as context:
        game = import_game(context, source, machine_user())
    if as_json:
        show_json({"game": game})
    else:
        click.echo(f"Game {game} has been imported, with everything that belongs to it.")


@click.group(name="games", invoke_without_command=True)
@editions_option
@data_option
@json_option
@click.pass_context
def command(click_context: click.Context, data: Path, *, as_json: bool) -> None:
    """List the games of a data folder, or manage one. Works while a server runs on the folder."""
    if click_context.invoked_subcommand is not None:
        return
    with opened(data) as context, context.database.reading() as session:
        games = games_overview(session, context.clock())
    if as_json:
        show_json({"games": games})
        return
    table = Table("game", "name", "edition", "players", "state", "deadline")
    for game in games:
        deadline = local(game["deadline"], game["timezone"])
        table.add_row(game["id"], game["name"], game["edition"], str(game["players"]), game["state"], deadline)
    plain_console().print(table)


_EXPECT_DEALT = "Raise a doubt about each deck whose number of cards is not the number dealt."


def _settings_options(command: Callable[..., object]) -> Callable[..., object]:
    """Give a command an option for each of a game's settings; what is not named is None."""
    for option in reversed(
        [
            click.option("--language", help="Language of cards and results. Default: the edition's own."),
            click.option("--size", type=click.Choice(list(SIZES)), help="Size of the cards, until cards are printed."),
            click.option("--set", "values", metavar="NAME=NUMBER", multiple=True, help="A setting of the edition."),
            click.option("--rules", help="Keys of the rules that count, such as 1,2,7; or all."),
            click.option("--confirm", multiple=True, metavar="NAME", help="Confirm a setting's value, or all of them."),
            click.option("--deadline", help="Such as 2026-03-27 12:00, in the game's time zone; none removes it."),
            click.option("--timezone", help="Time zone of the deadline, such as Europe/Berlin."),
            click.option("--mode", type=click.Choice(MODES), help="What a provisional score shows."),
            click.option("--tries", type=int, help=f"Attempts of each player, {_span('tries')}."),
            click.option("--pause", type=int, help=f"Seconds between two attempts, {_span('pause')}."),
            click.option("--expect-dealt/--no-expect-dealt", default=None, help=_EXPECT_DEALT),
            click.option("--keep-days", type=int, help=f"Days to keep hand-in pictures, {_span('keep_days')}."),
            click.option("--keep-hours", type=int, help=f"Hours to keep players' pictures, {_span('keep_hours')}."),
        ]
    ):
        command = option(command)
    return command


def _span(name: str) -> str:
    return f"{BOUNDS[name][0]} to {BOUNDS[name][1]}"


@command.command(name="new", short_help="Create a game of EDITION.")
@editions_option
@data_option
@click.argument("edition")
@click.option("--name", required=True, help="Name of the game.")
@click.option("--players", type=int, required=True, help="Number of players who get an envelope.")
@_settings_options
@json_option
def new(data: Path, edition: str, name: str, players: int, *, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click's options
    """Create a game of EDITION in the data folder, which is created if necessary."""
    with opened(data, make=True) as context:
        wanted = _changes(options, options["timezone"] or "UTC")
        with context.database.writing() as session:
            confirm = wanted.get("confirmed")
            wanted["confirmed"] = () if confirm == ["all"] else confirm or ()
            draft = GameDraft(name=name, edition=edition, players=players, **wanted)
            game = create_game(session, draft, machine_user(), context.clock())
            if confirm == ["all"]:
                change_game(session, game, {"confirmed": _to_confirm(game)}, machine_user(), context.clock())
            made = game.id
        show_game(context, made, as_json=as_json)


@command.command(name="show")
@data_option
@click.argument("game")
@json_option
def show(data: Path, game: str, *, as_json: bool) -> None:
    """Show GAME: its settings, progress and print runs."""
    with opened(data) as context:
        show_game(context, game, as_json=as_json)


@command.command(name="set")
@data_option
@click.argument("game")
@click.option("--name", help="Name of the game.")
@click.option("--edition", help="Only until cards are printed.")
@click.option("--players", type=int, help="Only until cards are printed.")
@_settings_options
@reason_option
@json_option
def set_(data: Path, game: str, *, reason: str, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click's options
    """Change settings of GAME; others keep their values."""
    with opened(data) as context:
        with context.database.writing() as session:
            row = load_game(session, game)
            wanted = _changes(options, options["timezone"] or row.timezone)
            if wanted.get("confirmed") == ["all"]:
                wanted["confirmed"] = _to_confirm(row)
            changed = change_game(session, row, wanted, machine_user(), context.clock(), reason)
        click.echo(f"Changed: {', '.join(changed)}." if changed else "Nothing changed.", err=True)
        show_game(context, game, as_json=as_json)


def _leads(act: Act, help_text: str) -> None:
    """Add a command that leads a game to its next state."""

    @command.command(name=act.name.lower(), help=help_text, short_help=help_text.partition(":")[0])
    @data_option
    @click.argument("game")
    @reason_option
    @json_option
    def lead(data: Path, game: str, *, reason: str, as_json: bool) -> None:
        with opened(data) as context:
            with context.database.writing() as session:
                row, at = load_game(session, game), context.time(session)
                if act is Act.UNPUBLISH:
                    versions.unpublish(session, row, machine_user(), at, reason)
                else:
                    change_state(session, row, act, machine_user(), at, reason)
            show_game(context, game, as_json=as_json)


_leads(Act.OPEN, "Open GAME: the cards of all envelopes except the spare ones become valid.")
_leads(Act.CLOSE, "Close GAME before its deadline, or without one.")
_leads(Act.REOPEN, "Open GAME again after it was closed.")
_leads(Act.THAW, "Thaw GAME: it is closed again, and its versions are kept.")
_leads(Act.UNPUBLISH, "Unpublish the results of GAME; needs --reason.")


@command.command(name="publish", short_help="Publish the results of GAME.")
@data_option
@click.argument("game")
@click.option("--version", type=int, help="Number of a count. Default: the newest.")
@reason_option
@json_option
def publish(data: Path, game: str, version: int | None, *, reason: str, as_json: bool) -> None:
    """Publish GAME's results to the players: the newest count, or one by its number."""
    with opened(data) as context:
        with context.database.writing() as session:
            versions.publish(session, load_game(session, game), version, machine_user(), context.clock(), reason)
        show_game(context, game, as_json=as_json)


@command.command(name="delete")
@data_option
@click.argument("game")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@reason_option
def delete(data: Path, game: str, *, yes: bool, reason: str) -> None:
    """Delete GAME with its cards, pictures and results. This cannot be undone."""
    with opened(data) as context:
        if not yes:
            with context.database.reading() as session:
                name = load_game(session, game).name
            click.confirm(f"Delete game {game} ({name}) with all its pictures and results?", abort=True, err=True)
        delete_game(context, game, machine_user(), reason)
    click.echo(f"Game {game.upper()} is deleted.")


for _one in (freeze, correct, print_run, add, export, import_, envelopes, unseal, seal, renew):
    command.add_command(_one)


def _to_confirm(game: Game) -> list[str]:
    from server.games.lifecycle.repository import edition_of_game  # noqa: PLC0415 - editions are only loaded where they are needed

    return [setting.name for setting in edition_of_game(game).settings if setting.confirm]


def _changes(options: dict[str, Any], timezone: str) -> dict[str, Any]:
    """Return what the options ask for, by the names of `server.games.lifecycle.settings`."""
    wanted = {name: value for name, value in options.items() if value is not None and value != ()}
    if values := wanted.pop("values", None):
        wanted["settings"] = dict(setting_of(value) for value in values)
    if confirm := wanted.pop("confirm", None):
        wanted["confirmed"] = list(confirm)
    if rules := wanted.pop("rules", None):
        wanted["active_rules"] = None if rules == "all" else [key.strip() for key in rules.split(",")]
    if deadline := wanted.get("deadline"):
        wanted["deadline"] = None if deadline == "none" else local_time(deadline, timezone)
    return wanted
