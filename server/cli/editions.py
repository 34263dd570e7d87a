"""`haggle editions`: lists the editions, describes, checks or begins one."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import click

from server.cli.edition_page import described, page, summary
from server.cli.options import editions_option
from server.editions import Edition, EditionError, edition_names, load_edition
from server.editions.findings import editions_in
from server.editions.guard import guarded
from server.editions.loader import read_edition
from server.editions.registry import users_folder
from server.editions.starter import begin

NEW_FOLDER = Path("editions")
_PLAYERS = 10
"""So many players a first game has, where the edition is for so many."""


class EditionsGroup(click.Group):
    """A group whose plain form, `haggle editions [EDITION]`, stands for its command `show`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `show` in front of whatever is no subcommand."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(name="editions", cls=EditionsGroup, no_args_is_help=False)
def command() -> None:
    """List the editions, or describe EDITION: haggle editions [EDITION] [--json] [--language en].

    With new or check, begin an edition of your own, or find the mistakes in one.
    """


@command.command(name="show")
@click.argument("edition_name", metavar="[EDITION]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--language", metavar="en|de|fr", help="Language of the editions; their own if left out.")
@editions_option
def show(edition_name: str | None, *, as_json: bool, language: str | None) -> None:
    """List the editions, or describe EDITION: its cards, rules, settings and rulings."""
    try:
        if edition_name:
            edition = load_edition(edition_name, language)
            click.echo(json.dumps(described(edition), indent=1) if as_json else "\n".join(page(edition)))
        else:
            _list(as_json=as_json, language=language)
    except EditionError as error:
        raise click.ClickException(str(error)) from None


def _list(*, as_json: bool, language: str | None) -> None:
    """List all editions that can be read; a broken one gets a line of its own, and hides no other."""
    good: list[Edition] = []
    for name in edition_names():
        try:
            good.append(load_edition(name, language))
        except EditionError as error:
            click.echo(f"haggle: {name} cannot be used: {' '.join(str(error).split())}", err=True)
    if as_json:
        click.echo(json.dumps([summary(edition) for edition in good], indent=1))
    else:
        for edition in good:
            click.echo(f"{edition.slug}: {edition.title}. {edition.summary}")


@command.command(name="new")
@click.argument("name")
@click.option("--from", "base", metavar="EDITION", help="Begin a variant of this edition, as a TOML file alone.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"Folder that gets the new one. Default: your folder of editions if you have named one, else {NEW_FOLDER}.",
)
@editions_option
def new(name: str, base: str | None, out: Path | None) -> None:
    """Begin an edition of your own: a folder NAME that can be checked, scored and printed as it is."""
    try:
        folder = begin(name, out or users_folder() or NEW_FOLDER, base)
    except (EditionError, OSError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{folder} is ready. Now try:")
    slug, place = folder.name, shlex.quote(str(folder.parent))
    edition = read_edition(folder, None)
    players = min(max(_PLAYERS, edition.players_min), edition.players_max)
    click.echo(f"  haggle editions check {shlex.quote(str(folder))}")
    click.echo(f"  haggle editions {slug} --editions {place}")
    click.echo(f"  haggle print {slug} --editions {place} --players {players} --out {slug}-game")


@command.command(name="check")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@editions_option
def check(folder: Path) -> None:
    """Find every mistake in an edition, or in all editions of a folder, each with file and line.

    The exit code is 0 if there is none, and 1 otherwise. A hint is no mistake: it says what may be one.
    """
    try:
        found = {place: guarded(place) for place in editions_in(folder)}
    except (EditionError, OSError) as error:
        raise click.ClickException(str(error)) from None
    for place, all_found in found.items():
        for one in all_found:
            click.echo(str(one._replace(file=_near(one.file))))
        hints = sum(one.hint for one in all_found)
        verdict = _counted(len(all_found) - hints, "mistake") if len(all_found) > hints else "no mistakes"
        if hints:
            verdict += f", {_counted(hints, 'hint')}"
        click.echo(f"{place}: {verdict}")
    if any(not one.hint for all_found in found.values() for one in all_found):
        sys.exit(1)


def _near(file: Path) -> Path:
    """Return a file's path from the current folder where it lies in that."""
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
