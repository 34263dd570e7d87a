"""`haggle games`: the games of a data folder, made, set up and led from state to state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from cardgen.cards import SIZES
from server.cli.data_folder import data_option, json_option, opened, reason_option, show_json, whoever
from server.cli.games_count import correct, freeze
from server.cli.games_envelopes import envelopes, renew, seal, unseal
from server.cli.games_file import export, import_
from server.cli.games_print import add, print_run
from server.cli.games_text import local, show_game
from server.cli.options import editions_option
from server.play import versions
from server.play.games import Draft, create_game, delete_game, move
from server.play.house import game_row
from server.play.overview import games_in_short
from server.play.settings import BOUNDS, MODES, change_game, local_time
from server.play.states import Act

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from server.store.tables import Game


@click.group(name="games", invoke_without_command=True)
@editions_option
@data_option
@json_option
@click.pass_context
def command(context: click.Context, data: Path, *, as_json: bool) -> None:
    """List the games of a data folder, or do something with one. Works while a server runs on the folder."""
    if context.invoked_subcommand is not None:
        return
    with opened(data) as house, house.database.reading() as session:
        games = games_in_short(session, house.clock())
    if as_json:
        show_json({"games": games})
        return
    table = Table("game", "name", "edition", "players", "state", "deadline")
    for game in games:
        deadline = local(game["deadline"], game["timezone"])
        table.add_row(game["id"], game["name"], game["edition"], str(game["players"]), game["state"], deadline)
    Console(markup=False, emoji=False, highlight=False).print(table)


_EXPECT_DEALT = "Doubt every deck that has not as many cards as were dealt into its envelope."


def _settings_options(command: Callable[..., object]) -> Callable[..., object]:
    """Give a command an option for each of a game's settings; what is not named is None."""
    for option in reversed(
        [
            click.option("--language", help="Language of cards and results. Default: the edition's own."),
            click.option("--size", type=click.Choice(list(SIZES)), help="Size of the cards, until some are printed."),
            click.option("--set", "values", metavar="NAME=NUMBER", multiple=True, help="A setting of the edition."),
            click.option("--rules", help="Keys of the rules that count, as 1,2,7; or all."),
            click.option("--confirm", multiple=True, metavar="NAME", help="Confirm a setting's value, or all of them."),
            click.option("--deadline", help="As 2026-03-27 12:00 in the game's time zone; none takes it away."),
            click.option("--timezone", help="Time zone of the deadline, as Europe/Berlin."),
            click.option("--mode", type=click.Choice(MODES), help="What a provisional score tells."),
            click.option("--tries", type=int, help=f"Tries of each player, {_span('tries')}."),
            click.option("--pause", type=int, help=f"Seconds between two tries, {_span('pause')}."),
            click.option("--expect-dealt/--no-expect-dealt", default=None, help=_EXPECT_DEALT),
            click.option("--keep-days", type=int, help=f"Days to keep hand-in pictures, {_span('keep_days')}."),
            click.option("--keep-hours", type=int, help=f"Hours to keep players' pictures, {_span('keep_hours')}."),
        ]
    ):
        command = option(command)
    return command


def _span(name: str) -> str:
    return f"{BOUNDS[name][0]} to {BOUNDS[name][1]}"


@command.command(name="new")
@data_option
@click.argument("edition")
@click.option("--name", required=True, help="What the game is called.")
@click.option("--players", type=int, required=True, help="How many players get an envelope.")
@_settings_options
@json_option
def new(data: Path, edition: str, name: str, players: int, *, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click's options
    """Make a game of EDITION in the data folder, which is made if it is not there."""
    with opened(data, make=True) as house:
        wanted = _wanted(options, options["timezone"] or "UTC")
        with house.database.writing() as session:
            confirm = wanted.get("confirmed")
            wanted["confirmed"] = () if confirm == ["all"] else confirm or ()
            draft = Draft(name=name, edition=edition, players=players, **wanted)
            game = create_game(session, draft, whoever(), house.clock())
            if confirm == ["all"]:
                change_game(session, game, {"confirmed": _to_confirm(game)}, whoever(), house.clock())
            made = game.id
        show_game(house, made, as_json=as_json)


@command.command(name="show")
@data_option
@click.argument("game")
@json_option
def show(data: Path, game: str, *, as_json: bool) -> None:
    """Show GAME: its settings, how far it is, its print runs."""
    with opened(data) as house:
        show_game(house, game, as_json=as_json)


@command.command(name="set")
@data_option
@click.argument("game")
@click.option("--name", help="What the game is called.")
@click.option("--edition", help="Until cards are printed.")
@click.option("--players", type=int, help="Until cards are printed.")
@_settings_options
@reason_option
@json_option
def set_(data: Path, game: str, *, reason: str, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - click's options
    """Change settings of GAME; what is not named stays."""
    with opened(data) as house:
        with house.database.writing() as session:
            row = game_row(session, game)
            wanted = _wanted(options, options["timezone"] or row.timezone)
            if wanted.get("confirmed") == ["all"]:
                wanted["confirmed"] = _to_confirm(row)
            changed = change_game(session, row, wanted, whoever(), house.clock(), reason)
        click.echo(f"Changed: {', '.join(changed)}." if changed else "Nothing was different.", err=True)
        show_game(house, game, as_json=as_json)


def _leads(act: Act, help_text: str) -> None:
    """Add a command that leads a game to its next state."""

    @command.command(name=act.name.lower(), help=help_text)
    @data_option
    @click.argument("game")
    @reason_option
    @json_option
    def lead(data: Path, game: str, *, reason: str, as_json: bool) -> None:
        with opened(data) as house:
            with house.database.writing() as session:
                row, at = game_row(session, game), house.time(session)
                if act is Act.UNPUBLISH:
                    versions.unpublish(session, row, whoever(), at, reason)
                else:
                    move(session, row, act, whoever(), at, reason)
            show_game(house, game, as_json=as_json)


_leads(Act.OPEN, "Open GAME: the cards of all envelopes but the spare ones come to life.")
_leads(Act.CLOSE, "Close GAME before its deadline, or one that has none.")
_leads(Act.REOPEN, "Open GAME again after it was closed.")
_leads(Act.THAW, "Take the freeze of GAME back: it is closed again, and its versions stay.")
_leads(Act.UNPUBLISH, "Take the publication of GAME's results back; needs --reason.")


@command.command(name="publish")
@data_option
@click.argument("game")
@click.option("--version", type=int, help="A count by its number. Default: the newest.")
@reason_option
@json_option
def publish(data: Path, game: str, version: int | None, *, reason: str, as_json: bool) -> None:
    """Publish GAME's results to the players: the newest count, or one by its number."""
    with opened(data) as house:
        with house.database.writing() as session:
            versions.publish(session, game_row(session, game), version, whoever(), house.clock(), reason)
        show_game(house, game, as_json=as_json)


@command.command(name="delete")
@data_option
@click.argument("game")
@click.option("--yes", is_flag=True, help="Do not ask.")
@reason_option
def delete(data: Path, game: str, *, yes: bool, reason: str) -> None:
    """Delete GAME with its cards, pictures and results. There is no way back."""
    with opened(data) as house:
        if not yes:
            with house.database.reading() as session:
                name = game_row(session, game).name
            click.confirm(f"Delete game {game} ({name}) with all its pictures and results?", abort=True, err=True)
        delete_game(house, game, whoever(), reason)
    click.echo(f"Game {game.upper()} is deleted.")


for _one in (freeze, correct, print_run, add, export, import_, envelopes, unseal, seal, renew):
    command.add_command(_one)


def _to_confirm(game: Game) -> list[str]:
    from server.play.house import edition_of  # noqa: PLC0415 - editions are only loaded where they are needed

    return [setting.name for setting in edition_of(game).settings if setting.confirm]


def _wanted(options: dict[str, Any], timezone: str) -> dict[str, Any]:
    """Return what the options ask for, by the names of `server.play.settings`."""
    wanted = {name: value for name, value in options.items() if value is not None and value != ()}
    if values := wanted.pop("values", None):
        wanted["settings"] = dict(_setting(value) for value in values)
    if confirm := wanted.pop("confirm", None):
        wanted["confirmed"] = list(confirm)
    if rules := wanted.pop("rules", None):
        wanted["active_rules"] = None if rules == "all" else [key.strip() for key in rules.split(",")]
    if deadline := wanted.get("deadline"):
        wanted["deadline"] = None if deadline == "none" else local_time(deadline, timezone)
    return wanted


def _setting(value: str) -> tuple[str, int]:
    """Split NAME=NUMBER."""
    name, _, number = value.partition("=")
    try:
        return name.strip(), int(number)
    except ValueError:
        raise click.UsageError(f"'{value}' is no setting: write NAME=NUMBER, such as blue_base=3") from None
