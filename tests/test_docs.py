"""The pages name commands, options, variables, addresses, files and tests that are there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from server.app import settings
from server.app.house import HouseConfig, create_house_app
from server.cli.main import COMMANDS
from server.editions.registry import VARIABLE
from tests.api.house.endpoints import endpoints

if TYPE_CHECKING:
    from server.play.house import House

ROOT = Path(__file__).parents[1]
PAGES = {file.name: file.read_text(encoding="utf-8") for file in sorted((ROOT / "docs").glob("*.md"))}


def _options(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_there(page: str) -> None:
    """Each `haggle` command on the page exists, and has the options that it is called with."""
    for line in re.sub(r"\\\n\s*", "", PAGES[page]).splitlines():
        for found in re.finditer(r"(?:`|\./|/|    |-- /opt/haggle/)haggle ([a-z]+)([^`|#]*)", line):
            name = found[1]
            if name not in COMMANDS or name == "lock":
                continue
            command = import_module(COMMANDS[name][0]).command
            known = _options(command)
            if isinstance(command, click.Group):
                context = click.Context(command)
                subcommands = (command.get_command(context, sub) for sub in command.list_commands(context))
                known |= {one for sub in subcommands if sub for one in _options(sub)}
            used = set(re.findall(r"(?<= )--[a-z-]+", found[2]))
            assert used <= {*known, "--help"}, (line, used - known)


def test_every_variable_stands_in_the_table() -> None:
    """The table of settings names each variable that a command or the engines read, and no other."""
    table = PAGES["deployment.md"].partition("## Settings")[2].partition("\n## ")[0]
    told = set(re.findall(r"^\| `(HAGGLE_[A-Z_]+)`", table, re.MULTILINE))
    read = {
        settings.DATABASE_URL,
        settings.REDIS_URL,
        settings.PHOTOS_URL,
        settings.SCAN_WORKERS,
        VARIABLE,
        "HAGGLE_DEBUG",
    }
    for module, _ in COMMANDS.values():
        for parameter in import_module(module).command.params:
            if isinstance(parameter, click.Option) and isinstance(parameter.envvar, str):
                read.add(parameter.envvar)
    assert told == read


def test_files_are_there() -> None:
    """Each file of `deploy` that a page names is in the repository, and so is each picture."""
    for page in PAGES.values():
        for picture in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page):
            assert (ROOT / "docs" / picture).is_file(), picture
        for name in re.findall(r"deploy/[\w./*-]+\w", page):
            if not name.startswith(("deploy/secrets", "deploy/.env")) or name == "deploy/secrets.sh":
                assert list(ROOT.glob(name)), name


def test_links_lead_somewhere() -> None:
    """Each link to a page of ours has a page, and a heading where it names one."""
    for page in PAGES.values():
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


def test_every_address_of_a_player_is_described(house: House, tmp_path: Path) -> None:
    """The page on the API has a row for each path below /me."""
    for endpoint in endpoints(create_house_app(HouseConfig(tmp_path), house)):
        if endpoint.who == ("player",) and endpoint.name.startswith(("me.", "me_decks.")):
            path = re.sub(r"<string:(\w+)>", r"{\1}", endpoint.rule)
            rows = PAGES["api.md"].splitlines()
            assert any(f"`{endpoint.method}" in row and f"{path}`" in row for row in rows), endpoint
