"""The pages name commands, options, variables, addresses and files that are there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.main import COMMANDS
from server.editions.registry import VARIABLE
from server.web_app import settings
from server.web_app.factory import AppConfig, create_app
from tests.api.endpoints import endpoints

if TYPE_CHECKING:
    from server.games.context import AppContext

ROOT = Path(__file__).parents[1]
PAGES = {file.name: file.read_text(encoding="utf-8") for file in sorted((ROOT / "docs").glob("*.md"))}


def _options(command: click.Command) -> set[str]:
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    if isinstance(command, click.Group):
        context = click.Context(command)
        subcommands = (command.get_command(context, name) for name in command.list_commands(context))
        return options.union(*(_options(one) for one in subcommands if one))
    return options


def test_commands_have_the_options_that_pages_call_them_with() -> None:
    known = {name: {*_options(import_module(module).command), "--help"} for name, (module, _) in COMMANDS.items()}
    for page in PAGES.values():
        for line in re.sub(r"\\\n\s*", "", page).splitlines():
            for name, words in re.findall(r"(?:`|\./|/|    |-- /opt/haggle/)haggle ([a-z]+)([^`|#]*)", line):
                if name in known and name != "lock":
                    assert set(re.findall(r"(?<= )--[a-z-]+", words)) <= known[name], line


def test_every_variable_stands_in_the_table_of_settings() -> None:
    """Each that a command or the engines read, and no other."""
    table = PAGES["deployment.md"].partition("## Settings")[2].partition("\n## ")[0]
    engines = {settings.DATABASE_URL, settings.REDIS_URL, settings.PHOTOS_URL, settings.SCAN_WORKERS, VARIABLE}
    commands = {
        parameter.envvar
        for module, _ in COMMANDS.values()
        for parameter in import_module(module).command.params
        if isinstance(parameter, click.Option) and isinstance(parameter.envvar, str)
    }
    named = set(re.findall(r"^\| `(HAGGLE_[A-Z_]+)`", table, re.MULTILINE))
    assert named == {*engines, *commands, "HAGGLE_DEBUG"}


def test_files_pictures_and_links_are_there() -> None:
    """Files of `deploy`, pictures, and pages with the heading that a link names."""
    for page in PAGES.values():
        for name in re.findall(r"deploy/[\w./*-]+\w", page):
            if not name.startswith(("deploy/secrets", "deploy/.env")) or name == "deploy/secrets.sh":
                assert list(ROOT.glob(name)), name
        for target, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", page):
            file = ROOT / "docs" / target if target else None
            assert file is None or file.exists(), target
            text = page if file is None or file.is_dir() else file.read_text(encoding="utf-8", errors="replace")
            headings = [
                re.sub(r"[^\w -]", "", line.lstrip("# ")).strip().lower().replace(" ", "-")
                for line in text.splitlines()
                if line.startswith("#")
            ]
            assert not anchor or anchor in headings, (target, anchor)


def test_every_address_of_a_player_is_described(context: AppContext, tmp_path: Path) -> None:
    """The page on the API has a row for each path below /me."""
    rows = PAGES["api.md"].splitlines()
    for endpoint in endpoints(create_app(AppConfig(tmp_path), context)):
        if endpoint.who == ("player",) and endpoint.name.startswith(("me.", "me_decks.")):
            path = re.sub(r"<string:(\w+)>", r"{\1}", endpoint.rule)
            assert any(f"`{endpoint.method}" in row and f"{path}`" in row for row in rows), endpoint
