"""`haggle games freeze` and `correct`: counting a game of a data folder, the first time and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from server.cli.data_folder import amount, data_option, json_option, opened, reason_option, whoever
from server.cli.games_text import show_game
from server.play import versions
from server.play.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from server.play.house import Actor, House

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
    with opened(data) as house:
        number = _counted(versions.freeze, house, game, versions.Wish(reason, override))
        click.echo(f"Counted: version {number}. haggle results {game.upper()} shows it.", err=True)
        show_game(house, game, as_json=as_json)


@click.command(name="correct")
@data_option
@click.argument("game")
@reason_option
@_override_option
@json_option
def correct(data: Path, game: str, *, reason: str, override: str, as_json: bool) -> None:
    """Count GAME again after it was frozen or published, with all that was corrected since; needs --reason.

    The counts before stay. Players see the new one once it is published.
    """
    with opened(data) as house:
        number = _counted(versions.correct, house, game, versions.Wish(reason, override))
        click.echo(f"Counted: version {number}. haggle results {game.upper()} --moved shows what moved.", err=True)
        show_game(house, game, as_json=as_json)


def _counted(
    work: Callable[[House, str, Actor, versions.Wish], int], house: House, game: str, wish: versions.Wish
) -> int:
    """Count; what is still open is told point by point."""
    try:
        return work(house, game, whoever(), wish)
    except Refusal as refusal:
        if refusal.slug != "not-settled":
            raise
        points = refusal.members["open"]
        for point in points:
            click.echo(f"Open: {point['text']}", err=True)
        raise click.ClickException(
            f"{amount(len(points), 'point')} still open: settle what is open, or count all the same with "
            f"--override REASON (haggle results {game.upper()} --versions lists what is open)"
        ) from None
