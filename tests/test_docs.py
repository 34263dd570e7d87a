"""Commands, options, variables and files in the documentation exist, and links work."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import click

from server.cli.main import COMMANDS
from server.editions.registry import VARIABLE
from server.web_app import settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
CHECKOUT_COMMANDS = {"test": {"--all"}, "lock": {"--upgrade"}}
"""Commands that `./haggle` has only in a checkout, with their options."""


def _options(command: click.Command) -> set[str]:
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    if isinstance(command, click.Group):
        context = click.Context(command)
        subcommands = (command.get_command(context, name) for name in command.list_commands(context))
        return options.union(*(_options(one) for one in subcommands if one))
    return options


def test_commands_and_their_options_exist() -> None:
    known = {name: {*_options(import_module(module).command), "--help"} for name, (module, _) in COMMANDS.items()}
    known |= CHECKOUT_COMMANDS
    for text in TEXTS.values():
        for line in re.sub(r"\\\n\s*", "", text).splitlines():
            for name, words in re.findall(r"(?:`|\./|/|^    )haggle ([a-z]+)([^`|#]*)", line):
                assert name in known, line
                assert set(re.findall(r"(?<= )--[a-z-]+", words)) <= known[name], line


def test_the_table_of_settings_has_every_variable() -> None:
    """It has no others either."""
    table = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    table = table.partition("## Settings")[2].partition("\n## ")[0]
    engines = {settings.DATABASE_URL, settings.REDIS_URL, settings.PHOTOS_URL, settings.SCAN_WORKERS, VARIABLE}
    commands = {
        parameter.envvar
        for module, _ in COMMANDS.values()
        for parameter in import_module(module).command.params
        if isinstance(parameter, click.Option) and isinstance(parameter.envvar, str)
    }
    named = set(re.findall(r"^\| `(HAGGLE_[A-Z_]+)`", table, re.MULTILINE))
    assert named == {*engines, *commands, "HAGGLE_DEBUG"}


def test_named_files_and_modules_exist() -> None:
    """Paths in backticks that begin with a folder of the repository, and files of `deploy`."""
    folders = [folder.name for folder in ROOT.iterdir() if folder.is_dir() and not folder.name.startswith(".")]
    path = rf"`((?:{'|'.join(folders)})/[\w./*-]*\w)/?`"
    for page, text in TEXTS.items():
        for name in (*re.findall(path, text), *re.findall(r"deploy/[\w./*-]+\w", text)):
            if not name.startswith(("deploy/secrets", "deploy/.env")) or name == "deploy/secrets.sh":
                assert list(ROOT.glob(name)) or list(ROOT.glob(f"{name}.py")), (page.name, name)


def test_links_and_pictures_exist() -> None:
    """Links lead to existing files and headings, and every picture is shown."""
    shown = set()
    for page, text in TEXTS.items():
        for target, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", text):
            file = (page.parent / target).resolve() if target else page
            assert file.exists(), (page.name, target)
            shown.add(file)
            if anchor:
                headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = [re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings]
                assert anchor in slugs, (page.name, target, anchor)
    for folder in ("screenshots", "pictures"):
        assert shown >= set((ROOT / "docs" / folder).glob("*.*"))
